package text

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName is how many characters of a company's name a file's name has at most: some file systems
// count 255 bytes, and some mail servers 998 in a line of a header, where each byte may be three.
const longestName = 60

// NoteFile is the name of a file of a note, such as "NFS-e 123 - Empresa.pdf". name is the number of the document, or
// what else names the note; extension has its dot. For any name of a company it names one file: it has no path, no
// control or direction characters, and begins as ours.
func NoteFile(name, company, extension string) string {
	written := strings.TrimSpace("NFS-e " + fileWords(name))
	if company = strings.Trim(fileWords(company), ". "); company != "" {
		written += " - " + company
	}
	return strings.TrimRight(written, ". ") + extension
}

// fileWords is what a name of a file can have of a text.
func fileWords(s string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Cf, unicode.Cc, unicode.Co, unicode.Cs), r == utf8.RuneError:
			return -1
		case unicode.IsSpace(r), strings.ContainsRune(`/\:*?"<>|%;`, r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	letters := []rune(strings.Join(strings.Fields(kept), " "))
	return strings.TrimSpace(string(letters[:min(len(letters), longestName)]))
}

// Attachment is the header Content-Handling of a file that is saved under a name: in ASCII for old
// programs (RFC 2183), and as it is (RFC 6266, RFC 2231).
func Attachment(name string) string {
	plain := ASCIIFile(name)
	header := `attachment; filename="` + plain + `"`
	if plain != name {
		header += `; filename*=UTF-8''` + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	}
	return header
}

// ASCIIFile is the name of a file in ASCII: accents are left out, and what is no ASCII is a dash.
func ASCIIFile(name string) string {
	plain, _ := In(func(r rune) bool { return r < unicode.MaxASCII }, name)
	return strings.Map(func(r rune) rune {
		switch {
		case r == '?' || r == '"' || r == '\\' || r == '/' || r > unicode.MaxASCII:
			return '-'
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, plain)
}
