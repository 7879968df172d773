package drift

import (
	"bytes"
	"regexp"
)

// markupReader reads XML, and pages as far as they are some.
type markupReader struct {
	body []byte
	tell func(event)
	html bool
	open [][]byte // the names of the elements that are open
}

// documents are the elements that are documents. They have layouts of their own, and are skipped.
var documents = map[string]bool{"NFSe": true, "Nfse": true, "NFe": true, "evento": true, "Evento": true}

const (
	cdata, cdataEnd = "<![CDATA[", "]]>"
	escapedOpen     = "&lt;"
	escapedClose    = "&gt;"
)

// read reads a part of the body, which may be escaped as the text of an element; ok is false where it is no XML.
func (r *markupReader) read(at, to int, escaped bool) (ok bool) {
	begins := "<"
	if escaped {
		begins = escapedOpen
	}
	for {
		next := bytes.Index(r.body[at:to], []byte(begins))
		if next < 0 {
			return r.text(at, to, escaped)
		}
		if !r.text(at, at+next, escaped) {
			return false
		}
		r.tell(event{kind: kept, from: at + next, to: at + next + len(begins)})
		at += next + len(begins)
		before := len(r.open)
		if at, ok = r.markup(at, to, escaped); !ok {
			return false
		}
		if len(r.open) > before && documents[string(r.open[before])] {
			length := bytes.Index(r.body[at:to], append([]byte(begins+"/"), r.open[before]...))
			if length < 0 {
				return false
			}
			at += length
		}
	}
}

// text reads what is between tags; in the text of an element may stand XML that is escaped.
func (r *markupReader) text(from, to int, escaped bool) (ok bool) {
	said := bytes.TrimSpace(r.body[from:to])
	switch {
	case len(said) == 0:
		return true
	case len(r.open) == 0:
		return false
	case !escaped && bytes.HasPrefix(said, []byte(escapedOpen)) && !r.html:
		depth := len(r.open)
		return r.read(from, to, true) && len(r.open) == depth
	}
	r.tell(event{kind: text, from: from, to: to})
	return true
}

// markup reads what begins behind < and returns where it ends.
func (r *markupReader) markup(at, to int, escaped bool) (end int, ok bool) {
	rest := r.body[at:to]
	switch {
	case len(rest) == 0:
		return to, false
	case bytes.HasPrefix(rest, []byte(cdata[1:])):
		inner := at + len(cdata) - 1
		length := bytes.Index(r.body[inner:to], []byte(cdataEnd))
		if length < 0 {
			return to, false
		}
		r.tell(event{kind: kept, from: at, to: inner})
		depth := len(r.open)
		ok := r.read(inner, inner+length, false)
		return inner + length + len(cdataEnd), ok && len(r.open) == depth
	case bytes.HasPrefix(rest, []byte("!--")):
		length := bytes.Index(rest, []byte("-->"))
		return at + length + len("-->"), length >= 0
	}
	length, closes := tagEnd(rest, escaped)
	end = at + length + closes
	switch {
	case closes == 0:
		return to, false
	case rest[0] == '?' && declaration.Match(rest[:length]):
		r.tell(event{kind: kept, from: at, to: end})
		return end, true
	case closes > len(">"):
		r.tell(event{kind: kept, from: at + length, to: end})
	}
	return end, rest[0] == '?' || rest[0] == '!' || r.tag(at, at+length, escaped)
}

// declaration matches that of XML where it says nothing else.
var declaration = regexp.MustCompile(`^\?xml\s+version=["']1\.[01]["']` +
	`(?:\s+encoding=["'](?i:utf-?8|iso-8859-1|us-ascii)["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?$`)

// tagEnd finds where a tag ends, and how long that is which closes it; 0: nothing does.
func tagEnd(rest []byte, escaped bool) (length, closes int) {
	var quote byte
	for i, c := range rest {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i, 1
		case escaped && c == '&' && bytes.HasPrefix(rest[i:], []byte(escapedClose)):
			return i, len(escapedClose)
		}
	}
	return 0, 0
}

// tag reads what is between < and >.
func (r *markupReader) tag(from, to int, escaped bool) (ok bool) {
	ends := r.body[from] == '/'
	if ends {
		from++
	}
	at := from
	for at < to && !isSpace(r.body[at]) && r.body[at] != '/' {
		at++
	}
	called := r.body[from:at]
	if len(called) == 0 {
		return r.html
	}
	if ends {
		r.tell(event{kind: tag, under: "/", from: from, to: at})
		return r.ends(called)
	}
	under := "/"
	if escaped && len(r.open) > 0 {
		under = "/&"
	}
	r.tell(event{kind: name, under: under, from: from, to: at})
	r.tell(event{kind: element})
	if !documents[string(called)] {
		r.attributes(at, to)
	}
	r.open = append(r.open, called)
	if r.body[to-1] == '/' {
		return r.ends(called)
	}
	return len(r.open) <= maxDepth
}

// ends ends the element that is open, which has to be that of a name.
func (r *markupReader) ends(called []byte) (ok bool) {
	innermost := len(r.open) - 1
	if innermost < 0 || !bytes.Equal(r.open[innermost], called) {
		return r.html
	}
	r.open = r.open[:innermost]
	r.tell(event{kind: ended})
	return true
}

// attributes reads those of a tag.
func (r *markupReader) attributes(at, to int) {
	if bytes.IndexByte(r.body[at:to], '=') < 0 {
		return
	}
	for _, found := range attribute.FindAllSubmatchIndex(r.body[at:to], -1) {
		called := event{kind: name, under: "/@", from: at + found[2], to: at + found[3]}
		value := event{kind: text, from: at + found[4], to: at + found[5]}
		if c := r.body[value.from]; c == '"' || c == '\'' {
			value.from, value.to = value.from+1, value.to-1
		}
		if declares := r.body[called.from:called.to]; bytes.HasPrefix(declares, []byte("xmlns")) {
			called.kind, value.kind = tag, namespace
		}
		r.tell(called)
		r.tell(value)
		if called.kind == name {
			r.tell(event{kind: ended})
		}
	}
}

var attribute = regexp.MustCompile(`([^\s=/"']+)\s*=\s*("[^"]*"|'[^']*'|[^\s"']+)`)

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
