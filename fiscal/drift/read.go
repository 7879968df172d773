package drift

import (
	"bytes"
	"regexp"
	"strings"
)

const (
	maxRead  = 64 << 10 // bytes of a body that are looked at
	maxDepth = 32       // of members
)

// event is something in a body, which stands at body[from:to].
type event struct {
	kind     kind
	under    string // of a name: what stands before it in the path of its member
	from, to int
}

// local is where the name begins behind its prefix, which only names of XML have.
func (e event) local(called []byte) int {
	if !strings.HasPrefix(e.under, "/") {
		return 0
	}
	return bytes.IndexByte(called, ':') + 1
}

type kind string

const (
	name  kind = "name" // a member begins, of a list one without a name; ended ends it
	ended kind = "end"

	tag       kind = "tag" // a name that begins no member
	namespace kind = "namespace"
	kept      kind = "kept" // a part of the structure that has letters

	// What a member is, or what a body is that has none.
	object, list, text, number, boolean, null kind = "object", "list", "text", "number", "bool", "null"
	element, empty, page, plain, unreadable   kind = "element", "empty", "html", "plain", "unreadable"
)

// read tells of each part of a body, in its order. Any body can be read: where it is not what it begins as, it is
// unreadable from there on. It looks no further than maxRead.
func read(body []byte, tell func(event)) {
	cut := len(body) > maxRead
	body = body[:min(len(body), maxRead)]
	begin := len(body) - len(bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\ufeff")), " \t\r\n"))
	if begin == len(body) {
		tell(event{kind: empty})
		return
	}
	ok := true
	switch body[begin] {
	case '{', '[', '"':
		r := jsonReader{body, begin, tell}
		ok = r.value(0)
		r.space()
		ok = ok && r.at == len(body)
	case '<':
		r := markupReader{body: body, tell: tell, html: beginsPage.Match(body[begin:])}
		if r.html {
			tell(event{kind: page})
		}
		ok = r.read(begin, len(body), false) && len(r.open) == 0 || r.html
	default:
		tell(event{kind: plain})
	}
	if !ok && !cut {
		tell(event{kind: unreadable})
	}
}

var beginsPage = regexp.MustCompile(`^(?i)<(?:!doctype\s+html|html|head|body|center|h[1-6]|p|pre|title)\b`)
