package sefin

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"emissor/test/simulators/shared/accesskey"
)

const (
	// taxAgent is the CPF of the tax agent that acts for a municipality.
	taxAgent = "00000000191"
	// cityHall is the CNPJ of every municipality.
	cityHall = "42498733000148"
)

// EventDetails are what an event says beside its type. Empty fields have values of
// the simulator's own.
type EventDetails struct {
	Reason string `json:"reason"` // cMotivo
	Text   string `json:"text"`   // xMotivo, xProcAdm
	Bars   string `json:"bars"`   // codEvento of 305102: e101101 when empty
}

// RegisterEvent registers an event of a note that no client of this API asks for, as the municipality, the taker or a
// web page of the authority would. Its types are the types of layout 1.01. It fails when there is no such note, when
// the note is cancelled, when a block bars it, and where what it follows is missing: an analysis that was requested
// (101103), a block (305102) or a rejection.
func (s *Simulator) RegisterEvent(accessKey, kind string) error {
	return s.RegisterEventWith(accessKey, kind, EventDetails{})
}

// RegisterEventWith is RegisterEvent with details.
func (s *Simulator) RegisterEventWith(accessKey, kind string, details EventDetails) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.ledger.byKey[accessKey]
	words, known := details.of(accessKey, kind)
	switch {
	case n == nil:
		return errors.New("there is no note with this access key")
	case !known:
		return fmt.Errorf("the event %q is not one that others make", kind)
	case n.cancelled() && !strings.HasPrefix(kind, "20"):
		return errors.New("the note is cancelled already")
	case n.blocked(kind):
		return errors.New("the event is barred by a block (305102)")
	case (kind == "105104" || kind == "105105") && !n.analysing():
		return errors.New("no analysis (101103) waits for an answer")
	}
	if before := follows[kind]; len(before) > 0 && !slices.ContainsFunc(before, n.has) {
		return fmt.Errorf("nothing was registered that it could follow: %s", strings.Join(before, ", "))
	}
	now := s.Now()
	id := "PRE" + n.AccessKey + kind
	_, err := s.addEvent(n, event{Type: kind, RequestID: id, Bars: details.barred(kind), At: now},
		[]byte(s.ownRequest(n, id, kind, words, now)))
	return err
}

// follows are the events of which one must be there before another is registered.
var follows = map[string][]string{
	"305103": {"305102"}, "205208": {"202205", "203206", "204207"},
}

func (n *note) has(kind string) bool { return n.event(kind) != nil }

// barred is the type of the event that a block bars.
func (d EventDetails) barred(kind string) string {
	if kind != "305102" {
		return ""
	}
	return strings.TrimPrefix(or(d.Bars, "e101101"), "e")
}

// of is what an event of a type holds after its description.
func (d EventDetails) of(accessKey, kind string) (words string, known bool) {
	const agent = "<CPFAgTrib>" + taxAgent + "</CPFAgTrib>"
	element := func(name, value, otherwise string) string {
		var x xmlWriter
		x.text(name, or(value, otherwise))
		return x.String()
	}
	reason := func(code, text string) string {
		return element("cMotivo", d.Reason, code) + element("xMotivo", d.Text, text)
	}
	switch kind {
	case "101101":
		return reason("2", "Servico nao prestado, cancelado no portal"), true
	case "101103":
		return reason("1", "Erro na emissao, fora do prazo"), true
	case "105102":
		return replacementWords(or(d.Reason, "05"), d.Text, accesskey.Neighbour(accessKey)), true
	case "105104":
		return agent + reason("1", "Deferido em teste"), true
	case "105105":
		return agent + reason("1", "Indeferido em teste"), true
	case "202201", "203202", "204203", "205204":
		return "", true
	case "202205", "203206", "204207":
		return reason("3", "Servico nunca foi contratado"), true
	case "205208":
		return agent + element("idEvManifRej", "", accessKey+"203206") +
			element("xMotivo", d.Text, "Rejeicao anulada em teste"), true
	case "305101":
		return agent + "<nProcAdm>1</nProcAdm>" + element("xProcAdm", d.Text, "Cancelamento por oficio de teste"), true
	case "305102":
		return agent + element("codEvento", d.Bars, "e101101") +
			element("xMotivo", d.Text, "Fiscalizacao em andamento na empresa"), true
	case "305103":
		return agent + element("idBloqOfic", "", accessKey+"305102"), true
	}
	return "", false
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

// ownRequest is the request for an event that the authority makes itself: it has
// no signature.
func (s *Simulator) ownRequest(n *note, id, kind, details string, now time.Time) string {
	author, taxID := "CNPJAutor", n.Issuer
	switch {
	case strings.HasPrefix(kind, "203") && n.Taker != "":
		taxID = n.Taker
	case generatedBy(kind) == byCity:
		taxID = cityHall
	}
	if len(taxID) == 11 {
		author = "CPFAutor"
	}
	var x xmlWriter
	x.raw(`<pedRegEvento xmlns="` + fiscalNamespace + `" versao="1.01"><infPedReg Id="` + id + `">`)
	x.text("tpAmb", s.environment())
	x.text("verAplic", application)
	x.text("dhEvento", printTime(now))
	x.text(author, taxID)
	x.text("chNFSe", n.AccessKey)
	x.raw("<e" + kind + ">")
	x.text("xDesc", eventNames[kind])
	x.raw(details)
	x.raw("</e" + kind + "></infPedReg></pedRegEvento>")
	return x.String()
}

// Who generates an event (ambGer).
const (
	byCity  = "1"
	bySefin = "2"
	byADN   = "3"
)

func generatedBy(kind string) string {
	switch {
	case strings.HasPrefix(kind, "305"), kind == "105104", kind == "105105", kind == "205208":
		return byCity
	case strings.HasPrefix(kind, "20"):
		return byADN
	}
	return bySefin
}
