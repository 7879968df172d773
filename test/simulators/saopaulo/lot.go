package saopaulo

import (
	"slices"
	"strconv"
	"time"
)

// issueLot is EnvioLoteRPS: with transacao all of its RPS are converted or none.
func (s *Simulator) issueLot(c *call) answer {
	events, good := s.reviewLot(c)
	atomic := c.message.get("Cabecalho/transacao") == "true"
	if hasError(events) && (atomic || len(good) == 0) {
		return answer{events: events}
	}
	issued, more, err := s.convert(good, atomic, c)
	if err != nil {
		return s.failure(err)
	}
	return answer{
		partial: len(issued) > 0, events: append(events, more...), header: lotHeader(c, issued), tail: pairs(issued),
	}
}

// testLot is TesteEnvioLoteRPS: it checks everything and issues nothing.
func (s *Simulator) testLot(c *call) answer {
	events, good := s.reviewLot(c)
	if hasError(events) {
		return answer{events: events}
	}
	for _, item := range good {
		s.mu.Lock()
		refused, is := standing(s.ledger.byRPS[item.key()], c)
		s.mu.Unlock()
		if is {
			events = append(events, refused.on(item.key().element()))
		}
	}
	return answer{events: events, header: lotHeader(c, nil)}
}

// reviewLot checks a lot and its RPS, and returns those that may be converted.
func (s *Simulator) reviewLot(c *call) (events []event, good []*rps) {
	items := c.message.rps()
	if events = checkLot(c, items); len(events) > 0 {
		return events, nil
	}
	var seen []rpsKey
	for _, item := range items {
		found := s.review(item, c)
		key := item.key()
		date := item.get("DataEmissao")
		from, to := c.message.get("Cabecalho/dtInicio"), c.message.get("Cabecalho/dtFim")
		if date < from || date > to {
			found = append(found, refuse(207, from, to).on(key.element()))
		}
		if slices.Contains(seen, key) {
			found = append(found, refuse(215, key.number, key.series).on(key.element()))
		}
		seen = append(seen, key)
		if !hasError(found) {
			good = append(good, item)
		}
		events = append(events, found...)
	}
	return events, good
}

// checkLot checks what a lot says of itself.
func checkLot(c *call, items []*rps) (events []event) {
	rejectIf := func(wrong bool, code int, details ...string) {
		if wrong {
			events = append(events, refuse(code, details...))
		}
	}
	const beginning = "2006-06-01"
	from, to := c.message.get("Cabecalho/dtInicio"), c.message.get("Cabecalho/dtFim")
	rejectIf(from < beginning, 104)
	rejectIf(to < beginning, 106)
	rejectIf(to > c.today(), 107, c.today())
	rejectIf(to < from, 108)
	rejectIf(c.message.get("Cabecalho/QtdRPS") != strconv.Itoa(len(items)), 1203, strconv.Itoa(len(items)))
	rejectIf(slices.ContainsFunc(items, func(item *rps) bool {
		return item.key().registration != items[0].key().registration
	}), 1201)
	return events
}

// lotHeader is InformacoesLote, without a number: lots are not kept.
func lotHeader(c *call, issued []*note) string {
	var x xmlWriter
	total := int64(0)
	for _, n := range issued {
		total += n.AmountCents
	}
	x.raw("<InformacoesLote>")
	x.text("InscricaoPrestador", c.message.rps()[0].key().registration)
	x.raw("<CPFCNPJRemetente>" + taxIDElement(c.message.sender()) + "</CPFCNPJRemetente>")
	x.text("DataEnvioLote", moment(c.Now))
	x.text("QtdNotasProcessadas", strconv.Itoa(len(issued)))
	x.text("TempoProcessamento", "1")
	x.text("ValorTotalServicos", money(total))
	x.raw("</InformacoesLote>")
	return x.String()
}

// moment prints a time of São Paulo as the city does, without a zone.
func moment(t time.Time) string { return t.In(saoPauloTime).Format("2006-01-02T15:04:05") }
