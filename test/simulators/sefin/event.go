package sefin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// event is what was registered about a note. Its XML never changes the note's.
type event struct {
	Type      string `json:"type"` // six digits
	RequestID string `json:"request_id"`
	Digest    string `json:"digest,omitempty"`   // of the signed request; none when the authority made it
	Sequence  int    `json:"sequence,omitempty"` // among those of its type; 0 is of a file from before: 1
	Bars      string `json:"bars,omitempty"`     // of a block: the type that it bars
	// Replacement is the access key of the note that replaces this one.
	Replacement string    `json:"replacement,omitempty"`
	NSU         int64     `json:"nsu"`
	At          time.Time `json:"at"`
	XML         []byte    `json:"xml"`
}

// eventNames are what the descriptions of events begin with.
var eventNames = map[string]string{
	"101101": "Cancelamento de NFS-e",
	"101103": "Solicitação de Análise Fiscal para Cancelamento de NFS-e",
	"105102": "Cancelamento de NFS-e por Substituição",
	"105104": "Cancelamento de NFS-e Deferido por Análise Fiscal",
	"105105": "Cancelamento de NFS-e Indeferido por Análise Fiscal",
	"202201": "Manifestação de NFS-e - Confirmação do Prestador",
	"203202": "Manifestação de NFS-e - Confirmação do Tomador",
	"204203": "Manifestação de NFS-e - Confirmação do Intermediário",
	"205204": "Manifestação de NFS-e - Confirmação Tácita",
	"202205": "Manifestação de NFS-e - Rejeição do Prestador",
	"203206": "Manifestação de NFS-e - Rejeição do Tomador",
	"204207": "Manifestação de NFS-e - Rejeição do Intermediário",
	"205208": "Manifestação de NFS-e - Anulação da Rejeição",
	"305101": "Cancelamento de NFS-e por Ofício",
	"305102": "Bloqueio de NFS-e por Ofício",
	"305103": "Desbloqueio de NFS-e por Ofício",
}

// cancellingEvents are the events after which a note is cancelled.
var cancellingEvents = []string{"101101", "105102", "105104", "305101"}

// barredBy are the events that, once registered, keep another from being so: the
// columns of the official matrix for what an issuer asks, and for a replacement.
var barredBy = map[string][]string{
	"101101": {
		"101101", "105102", "101103", "105104", "105105", "305101", "202201", "203202", "204203", "205204", "205208",
	},
	"101103": {"101101", "105102", "101103", "105104", "105105", "305101", "202201", "203202", "204203"},
	// That a confirmation bars a replacement is a rule of the DPS (E0070, E0072).
	"105102": {"101101", "105102", "101103", "105104", "105105", "305101"},
}

// barring returns the first event of a note that keeps one of a type from being
// registered; empty when none does.
func (n *note) barring(kind string) string {
	for _, e := range n.events {
		if slices.Contains(barredBy[kind], e.Type) {
			return e.Type
		}
	}
	if n.blocked(kind) {
		return "305102"
	}
	return ""
}

// blocked reports whether the last block of an event's type was not lifted.
func (n *note) blocked(kind string) (blocked bool) {
	for _, e := range n.events {
		switch {
		case e.Type == "305102" && e.Bars == kind:
			blocked = true
		case e.Type == "305103":
			blocked = false
		}
	}
	return blocked
}

// addEvent registers an event of a note. The lock is held.
func (s *Simulator) addEvent(n *note, registered event, request []byte) (*event, error) {
	registered.NSU, registered.Sequence = s.ledger.last+1, 1
	for _, e := range n.events {
		if e.Type == registered.Type {
			registered.Sequence++
		}
	}
	var err error
	if registered.XML, err = s.signer.buildEvent(registered, request); err != nil {
		return nil, err
	}
	return &registered, s.ledger.addEvent(n, &registered)
}

// buildEvent makes the event of a request, signed.
func (g *signer) buildEvent(e event, request []byte) ([]byte, error) {
	var x xmlWriter
	sequence := fmt.Sprintf("%03d", e.Sequence)
	x.raw(`<infEvento Id="EVT` + strings.TrimPrefix(e.RequestID, "PRE") + sequence + `">`)
	x.text("verAplic", application)
	x.text("ambGer", generatedBy(e.Type))
	x.text("nSeqEvento", sequence)
	x.text("dhProc", printTime(e.At))
	x.text("nDFSe", strconv.FormatInt(e.NSU, 10))
	x.raw(string(request))
	x.raw(`</infEvento>`)
	return g.sign(`<evento xmlns="`+fiscalNamespace+`" versao="1.01">`, x.String(), `</evento>`)
}
