package sefin

import (
	"errors"
	"fmt"
	"time"
)

// taxAgent is the CPF of the tax agent that acts for a municipality.
const taxAgent = "00000000191"

// RegisterEvent registers an event of a note that no client of this API asks for,
// as the municipality, the taker or a web page of the authority would: 305101
// (cancelled by office), 105102 (replaced by another note), 105104 and 105105 (a
// requested analysis granted and denied) or 203202 (confirmed by the taker, which
// bars a cancellation). It fails when there is no such note, when the note is
// cancelled, and when no analysis was requested.
func (s *Simulator) RegisterEvent(accessKey, kind string) error {
	const agent = "<CPFAgTrib>" + taxAgent + "</CPFAgTrib>"
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.ledger.byKey[accessKey]
	switch {
	case n == nil:
		return errors.New("there is no note with this access key")
	case n.cancelled():
		return errors.New("the note is cancelled already")
	}
	details, known := map[string]string{
		"305101": agent + "<nProcAdm>1</nProcAdm><xProcAdm>Cancelamento por oficio de teste</xProcAdm>",
		"105102": "<cMotivo>05</cMotivo><chSubstituta>" + neighbouringKey(accessKey) + "</chSubstituta>",
		"105104": agent + "<cMotivo>1</cMotivo><xMotivo>Deferido em teste</xMotivo>",
		"105105": agent + "<cMotivo>1</cMotivo><xMotivo>Indeferido em teste</xMotivo>",
		"203202": "",
	}[kind]
	switch {
	case !known:
		return fmt.Errorf("the event %q is not one of 305101, 105102, 105104, 105105 and 203202", kind)
	case (kind == "105104" || kind == "105105") && n.event("101103") == nil:
		return errors.New("no analysis was requested (101103)")
	}
	now := s.now()
	id := "PRE" + n.AccessKey + kind
	_, err := s.addEvent(n, kind, id, []byte(s.ownRequest(n, id, kind, details, now)), "", now)
	return err
}

// ownRequest is the request for an event that the authority makes itself: it has
// no signature.
func (s *Simulator) ownRequest(n *note, id, kind, details string, now time.Time) string {
	author, taxID := "CNPJAutor", n.Issuer
	if kind == "203202" && n.Taker != "" {
		taxID = n.Taker
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
