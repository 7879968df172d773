package sefin

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/beevik/etree"
)

// event is what was registered about a note. Its XML never changes the note's.
type event struct {
	Type      string    `json:"type"` // six digits
	RequestID string    `json:"request_id"`
	Digest    string    `json:"digest,omitempty"` // of the signed request; none when the authority made it
	NSU       int64     `json:"nsu"`
	At        time.Time `json:"at"`
	XML       []byte    `json:"xml"`
}

// ending are the events after which a note is cancelled.
var ending = []string{"101101", "105102", "105104", "305101"}

// barredBy are the events that, once registered, keep another from being so: the
// columns of the official matrix for what an issuer, or a replacing DPS, asks.
var barredBy = map[string][]string{
	"101101": {"101101", "105102", "101103", "105104", "105105", "305101", "202201", "203202", "204203", "205204", "205208"},
	"101103": {"101101", "105102", "101103", "105104", "105105", "305101", "202201", "203202", "204203"},
	"105102": ending,
}

// barring is the first event of a note that keeps one of a type from being
// registered; empty when none does.
func (n *note) barring(kind string) string {
	for _, e := range n.events {
		if slices.Contains(barredBy[kind], e.Type) {
			return e.Type
		}
	}
	return ""
}

// request is a received event request that the schema accepted.
type request struct {
	root, info *etree.Element
	raw        []byte
}

func (q *request) get(path string) string { return textAt(q.info, path) }
func (q *request) id() string             { return q.info.SelectAttrValue("Id", "") }
func (q *request) digest() string         { return strings.TrimSpace(textAt(q.root, digestPath)) }

func (q *request) kind() string {
	if q.has("e101103") {
		return "101103"
	}
	return "101101"
}

func (q *request) has(path string) bool { return at(q.info, path) != nil }

func (q *request) author() string {
	if cnpj := q.get("CNPJAutor"); cnpj != "" {
		return cnpj
	}
	return q.get("CPFAutor")
}

// renderEvent makes the event of a request, signed.
func (p *authorities) renderEvent(request []byte, requestID string, document int64, now time.Time) ([]byte, error) {
	var x writer
	x.raw(`<infEvento Id="EVT` + strings.TrimPrefix(requestID, "PRE") + `001">`)
	x.text("verAplic", application)
	x.text("ambGer", "2")
	x.text("nSeqEvento", "001")
	x.text("dhProc", printTime(now))
	x.text("nDFSe", strconv.FormatInt(document, 10))
	x.raw(string(request))
	x.raw(`</infEvento>`)
	return p.sign(`<evento xmlns="`+fiscalNamespace+`" versao="1.01">`, x.String(), `</evento>`)
}
