package drift

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Known is what the product was told of: lines of a family of servers, a call and one thing that answers to it have,
// divided by tabs.
type Known struct {
	lines map[string]bool
	names map[string]bool // of members
	words map[string]bool // of which those names are made, in small letters
}

// The families beside those of the table of cities.
const (
	National = "national"
	SaoPaulo = "sao-paulo"
)

//go:embed known.tsv
var builtIn string

// BuiltIn is what comes with the program.
var BuiltIn = sync.OnceValue(func() *Known { return Parse(builtIn) })

// Parse reads a table. A line that begins with # is a comment.
func Parse(table string) *Known {
	k := &Known{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, line := range Lines(table) {
		k.lines[line] = true
		member := line[strings.LastIndexByte(line, '\t')+1:]
		if path, _, named := strings.Cut(member, " "); named && !isDigit(path[0]) {
			for called := range strings.FieldsFuncSeq(path, func(r rune) bool { return strings.ContainsRune(".[]/@&", r) }) {
				k.learn(called)
			}
		}
	}
	for called := range strings.FieldsSeq(otherNames) {
		k.learn(called)
	}
	return k
}

// Lines returns the lines of a table that are not comments.
func Lines(table string) []string {
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(table), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "#")
	})
}

// otherNames are of ids, documents, prefixes and pages.
const otherNames = `Id id NFSe Nfse NFe evento Evento xmlns xsi xsd tns ns2 ns3 ds s S soap soapenv SOAP-ENV env
	html head title meta link style body center div span h1 h2 h3 hr br p a b pre`

func (k *Known) learn(called string) {
	k.names[called] = true
	for _, word := range wordsOf([]byte(called)) {
		if len(word) >= minWord && isLetter(word[0]) {
			k.words[strings.ToLower(string(word))] = true
		}
	}
}

// medias are the types that are shown: the other side writes them, too.
var medias = []string{"application/json", "application/problem+json", "application/xml", "text/xml",
	"application/soap+xml", "text/html", "text/plain", "application/octet-stream"}

// MediaOf is a Content-Type as a shape has it: none, one of those that are known, or other.
func MediaOf(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	switch media = strings.ToLower(strings.TrimSpace(media)); {
	case media == "":
		return "none"
	case slices.Contains(medias, media):
		return media
	}
	return "other"
}

// maxNews is how much that is new is told of one answer.
const maxNews = 20

// News is what is new in an answer to a call: "418 text/html" of its status and media type, ".novo text" of a member.
// There is none where all of it is known.
func (k *Known) News(family, call string, status int, contentType string, body []byte) (news []string) {
	before := len(family) + len(call) + len("\t\t")
	rows(family, call, status, contentType, body, k.appendName, func(row []byte) {
		if !k.lines[string(row)] && len(news) < maxNews && !slices.Contains(news, string(row[before:])) {
			news = append(news, string(row[before:]))
		}
	})
	return news
}

// Rows are the lines of a table by which all of an answer is known. Names are as the answer has them; but of one that
// begins with a digit, as maps have them by a code, every digit is 1.
func Rows(family, call string, status int, contentType string, body []byte) (lines []string) {
	asIs := func(to, called []byte) []byte {
		if len(called) > 0 && isDigit(called[0]) {
			return new(Known).appendName(to, called)
		}
		return append(to, called...)
	}
	rows(family, call, status, contentType, body, asIs, func(row []byte) { lines = append(lines, string(row)) })
	return lines
}

// rows tells of each line of an answer, which may change once tell returns.
func rows(family, call string, status int, contentType string, body []byte,
	appendName func(to, called []byte) []byte, tell func(row []byte)) {
	row := fmt.Appendf(make([]byte, 0, 256), "%s\t%s\t", family, call)
	before := len(row)
	tell(fmt.Appendf(row, "%d %s", status, MediaOf(contentType)))
	var path []int // the length of the row at each member around
	inPage := false
	read(body, func(e event) {
		switch e.kind {
		case tag, namespace, kept:
		case name:
			called := body[e.from:e.to]
			called = called[e.local(called):]
			path = append(path, len(row))
			row = appendName(append(row, e.under...), called[:min(len(called), maxName)])
		case ended:
			path, row = path[:len(path)-1], row[:path[len(path)-1]]
		default:
			if inPage { // what is in a page is no matter of form
				return
			}
			inPage = e.kind == page
			if len(row) > before {
				tell(append(append(row, ' '), e.kind...))
			} else {
				tell(append(row, e.kind...))
			}
		}
	})
}
