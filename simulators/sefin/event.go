package sefin

import (
	"slices"
	"strconv"
	"strings"
	"time"
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

// eventNames are what the descriptions of events begin with.
var eventNames = map[string]string{
	"101101": "Cancelamento de NFS-e",
	"101103": "Solicitação de Análise Fiscal para Cancelamento de NFS-e",
	"105102": "Cancelamento de NFS-e por Substituição",
	"105104": "Cancelamento de NFS-e Deferido por Análise Fiscal",
	"105105": "Cancelamento de NFS-e Indeferido por Análise Fiscal",
	"203202": "Manifestação de NFS-e - Confirmação do Tomador",
	"305101": "Cancelamento de NFS-e por Ofício",
}

// cancellingEvents are the events after which a note is cancelled.
var cancellingEvents = []string{"101101", "105102", "105104", "305101"}

// barredBy are the events that, once registered, keep another from being so: the
// columns of the official matrix for what an issuer asks.
var barredBy = map[string][]string{
	"101101": {
		"101101", "105102", "101103", "105104", "105105", "305101", "202201", "203202", "204203", "205204", "205208",
	},
	"101103": {"101101", "105102", "101103", "105104", "105105", "305101", "202201", "203202", "204203"},
}

// barring returns the first event of a note that keeps one of a type from being
// registered; empty when none does.
func (n *note) barring(kind string) string {
	for _, e := range n.events {
		if slices.Contains(barredBy[kind], e.Type) {
			return e.Type
		}
	}
	return ""
}

// addEvent registers an event of a note. The lock is held.
func (s *Simulator) addEvent(
	n *note, kind, requestID string, request []byte, digest string, now time.Time,
) (*event, error) {
	nsu := s.ledger.last + 1
	xml, err := s.pki.buildEvent(request, requestID, nsu, now)
	if err != nil {
		return nil, err
	}
	registered := &event{Type: kind, RequestID: requestID, Digest: digest, NSU: nsu, At: now, XML: xml}
	return registered, s.ledger.addEvent(n, registered)
}

// buildEvent makes the event of a request, signed.
func (p *pki) buildEvent(request []byte, requestID string, document int64, now time.Time) ([]byte, error) {
	var x xmlWriter
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
