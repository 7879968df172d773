package sefin

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/icp"
	"emissor/test/simulators/shared/xmltree"
)

// eventRequest is a received pedRegEvento that the schema accepted.
type eventRequest struct {
	root, info *etree.Element
	raw        []byte
}

func (q *eventRequest) get(path string) string { return xmltree.TextAt(q.info, path) }
func (q *eventRequest) id() string             { return q.info.SelectAttrValue("Id", "") }
func (q *eventRequest) digest() string         { return strings.TrimSpace(xmltree.TextAt(q.root, digestPath)) }

// kind is the type of the event: 101101 cancels, 101103 asks for an analysis, and 105102, which
// the system makes of a replacement, nobody may ask for.
func (q *eventRequest) kind() string {
	for _, kind := range []string{"101103", "105102"} {
		if xmltree.At(q.info, "e"+kind) != nil {
			return kind
		}
	}
	return "101101"
}

// author is the CNPJ or CPF of who asks.
func (q *eventRequest) author() string {
	if cnpj := q.get("CNPJAutor"); cnpj != "" {
		return cnpj
	}
	return q.get("CPFAutor")
}

// registerEvent answers POST /nfse/{key}/eventos.
func (s *Simulator) registerEvent(c *call) response {
	if c.unreadable != nil {
		return s.rejectWith(c, *c.unreadable)
	}
	root := c.document.root
	if violation := schemaViolation(root, "pedRegEvento"); violation != "" {
		return s.rejectWith(c, *reject("E1235").withComplement(violation))
	}
	q := &eventRequest{root: root, info: xmltree.At(root, "infPedReg"), raw: c.document.raw}
	if c.city != nil && q.kind() != "101101" {
		return s.notImplemented("any event but 101101 at a city")
	}
	if q.kind() == "105102" {
		return s.rejectWith(c, *reject("E1861"))
	}
	if rejected := s.reviewEventRequest(q, c); rejected != nil {
		return s.rejectWith(c, *rejected)
	}
	registered, rejected, err := s.commitEvent(q, c)
	switch {
	case err != nil:
		s.Log.Error("an event could not be registered", "error", err)
		return response{status: http.StatusInternalServerError}
	case rejected != nil:
		return s.rejectWith(c, *rejected)
	}
	c.post.Issued = true
	body := s.envelope(c, map[string]any{"eventoXmlGZipB64": pack(registered.XML)})
	if c.city != nil {
		body["alertas"] = []any{}
	}
	return response{status: http.StatusCreated, body: body}
}

// reviewEventRequest applies the rules for a request by itself, and for who made
// it.
func (s *Simulator) reviewEventRequest(q *eventRequest, c *call) *rejection {
	at, _ := time.Parse(time.RFC3339, q.get("dhEvento")) // the schema accepted it
	switch {
	case q.root.SelectAttrValue("versao", "") == "1.00":
		return reject("E1825")
	case q.id() != "PRE"+q.get("chNFSe")+q.kind(), q.get("chNFSe") != plainKey(c):
		return reject("E1827")
	case q.get("tpAmb") != s.environment():
		return reject("E1845")
	case at.After(c.Now):
		return reject("E1843")
	}
	signer, rejected := s.checkSignature(q.root, q.info, c.Now, eventSignatureCodes)
	if rejected == nil && c.city != nil {
		rejected = c.city.signedForCity(q.root, eventSignatureCodes)
	}
	switch {
	case rejected != nil:
		return rejected
	case icp.CompanyOf(signer) == icp.CompanyOf(q.author()):
		return nil
	case len(q.author()) == 11:
		return reject("E0815")
	}
	return reject("E0812")
}

// commitEvent decides and writes under one lock.
func (s *Simulator) commitEvent(q *eventRequest, c *call) (*event, *rejection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.ledger.byKey[q.get("chNFSe")]
	switch ofCity := q.get("chNFSe")[7] == '0'+accesskey.OfMunicipality; {
	case ofCity && s.generator(c.city) == accesskey.OfNation:
		return nil, reject("E0831"), nil // it is the city's own system that is to be asked
	case n == nil:
		return nil, reject("E1831"), nil
	case c.city != nil && c.city.Clone == "" && n.cancelled():
		return nil, &rejection{Text: notActive}, nil
	}
	if rejected := s.reviewEvent(n, q, c.Now); rejected != nil {
		return nil, rejected, nil
	}
	registered, err := s.addEvent(n,
		event{Type: q.kind(), RequestID: q.id(), Digest: q.digest(), At: c.Now}, q.raw)
	return registered, nil, err
}

// reviewEvent applies the rules for an event of a note. The lock is held.
func (s *Simulator) reviewEvent(n *note, q *eventRequest, now time.Time) *rejection {
	if q.author() != n.Issuer {
		if len(q.author()) == 11 {
			return reject("E0816")
		}
		return reject("E0813")
	}
	if s.isDuplicate(n, q) {
		return reject("E0802")
	}
	if barring := n.barring(q.kind()); barring != "" {
		return rejectBarred(q.kind(), barring)
	}
	if q.kind() == "101103" {
		return nil
	}
	switch {
	case s.registry.tooLateToCancel(n.Municipality, n.IssuedAt, now):
		return reject("E0822")
	case s.registry.cancelLimit(n.Municipality) > 0 && n.AmountCents > s.registry.cancelLimit(n.Municipality):
		return reject("E0823")
	case s.registry.cancelNeedsTaker(n.Municipality) && n.Taker == "":
		return reject("E0824")
	case slices.Contains(s.registry.Collected, n.AccessKey):
		return reject("E0827")
	}
	return nil
}

// isDuplicate reports whether a request is one that was registered, and is refused as that. The same cancellation is
// barred by the first one instead (E0840, recording 05): only the description has it a duplicate.
func (s *Simulator) isDuplicate(n *note, q *eventRequest) bool {
	same := n.event(q.kind())
	return same != nil && same.Digest == q.digest() && (s.described || q.kind() != "101101")
}

// rejectBarred names the registered event in the text, as the authority does.
func rejectBarred(kind, barring string) *rejection {
	rejected := reject(map[string]string{"101101": "E0840", "101103": "E0848", "105102": "E0845"}[kind])
	rejected.Text = strings.TrimSuffix(rejected.Text, ".") + ", pois o evento de " + eventNames[barring] +
		" já está vinculado à NFS-e indicada no evento enviado."
	return rejected
}
