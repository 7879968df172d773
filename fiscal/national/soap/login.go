package soap

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"emissor/fiscal"
)

// Login is what stands at the end of a message where the company has a user and a password with its city. Nothing of it
// is signed, stored or logged.
func Login(access fiscal.Access) []byte {
	if access.Login == nil {
		return nil
	}
	return []byte(Element("username", access.Login.User) + Element("password", access.Login.Password))
}

// documents are the documents of an answer: what is read as evidence stays as it came.
var documents = regexp.MustCompile(`(?s)<(?:\w+:)?(?:NFSe|evento)[ >].*</(?:\w+:)?(?:NFSe|evento)>`)

// concealed is an answer without the password that came with the question: a fault may repeat what was sent, and is kept
// for people.
func concealed(body []byte, access fiscal.Access) []byte {
	if access.Login == nil {
		return body
	}
	repeated := inAnyForm(access.Login.Password)
	conceal := func(part []byte) []byte { return repeated.ReplaceAllLiteral(part, []byte("***")) }
	at := documents.FindIndex(body)
	if at == nil {
		return conceal(body)
	}
	return slices.Concat(conceal(body[:at[0]]), body[at[0]:at[1]], conceal(body[at[1]:]))
}

// inAnyForm finds a text in XML that repeats XML, each character as it is or escaped, as often as it may be.
func inAnyForm(text string) *regexp.Regexp {
	names := map[rune]string{'&': "|amp", '<': "|lt", '>': "|gt", '"': "|quot", '\'': "|apos"}
	var pattern strings.Builder
	for _, r := range text {
		fmt.Fprintf(&pattern, `(?:%s|&(?:amp;)*(?:#%d|#(?i:x0*%x)%s);)`, regexp.QuoteMeta(string(r)), r, r, names[r])
	}
	return regexp.MustCompile(pattern.String())
}
