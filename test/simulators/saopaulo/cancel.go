package saopaulo

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/xmltree"
)

// cancellation is one Detalhe of CancelamentoNFe.
type cancellation struct {
	key       noteKey
	signature string
}

func newCancellation(detail *etree.Element) cancellation {
	number, _ := strconv.ParseInt(xmltree.TextAt(detail, "ChaveNFe/NumeroNFe"), 10, 64) // the schema accepted it
	return cancellation{
		noteKey{bareNumber(xmltree.TextAt(detail, "ChaveNFe/InscricaoPrestador")), number},
		xmltree.TextAt(detail, "AssinaturaCancelamento"),
	}
}

// text is what AssinaturaCancelamento signs: the registration in 8 digits, or in 12 where
// the string is of 24 characters or it has more of them, and the number in 12.
func (n noteKey) text(width int) string {
	digits := 8
	if width == wideString || len(n.registration) > digits {
		digits = 12
	}
	return zeros(n.registration, digits) + fmt.Sprintf("%012d", n.number)
}

// wideString is how wide the string is that has the registration of layout 2.
const wideString = 24

// cancelNotes is CancelamentoNFe. With transacao all of its notes are cancelled or none.
func (s *Simulator) cancelNotes(c *call) answer {
	var all []cancellation
	for _, detail := range c.message.children("Detalhe") {
		all = append(all, newCancellation(detail))
	}
	if slices.ContainsFunc(all, func(one cancellation) bool {
		return one.key.registration != all[0].key.registration
	}) {
		return answer{events: []event{refuse(1303)}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var events []event
	var good []*note
	for _, one := range all {
		n := s.ledger.byNumber[one.key]
		if slices.Contains(good, n) && n != nil {
			events = append(events, warn(1302).on(one.key.element()))
			continue
		}
		if found, stands := cancellable(n, one, c); stands {
			events = append(events, found.on(one.key.element()))
			continue
		}
		good = append(good, n)
	}
	if hasError(events) && c.message.get("Cabecalho/transacao") != "false" {
		return answer{events: events}
	}
	for _, n := range good {
		if err := s.ledger.cancel(n, ByRequest, c.Now); err != nil {
			return s.failure(err)
		}
		c.record.Cancelled = append(c.record.Cancelled, n.Number)
	}
	return answer{events: events}
}

// cancellable says what forbids a cancellation.
func cancellable(n *note, one cancellation, c *call) (event, bool) {
	switch {
	case !verifies(c.signer, []byte(one.key.text(c.registry.CancelWidth)), one.signature):
		return refuse(1305), true
	case n == nil:
		return refuse(1304), true
	case n.Issuer != c.message.sender():
		return refuse(1107), true
	case n.Cancelled:
		return warn(1301, n.CancelledAt.In(saoPauloTime).Format("02/01/2006")), true
	case n.OnSite:
		return refuse(1306), true
	case passed(c.registry.CancelWithin, n.IssuedAt, c.Now):
		return refuse(324), true
	case n.has(InGuide):
		return refuse(323), true
	case n.has(Deducted):
		return refuse(386), true
	}
	return event{}, false
}
