package saopaulo

import (
	"slices"
	"strconv"
	"time"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/xmltree"
)

// findNotes is ConsultaNFe: up to fifty notes, by their own keys or by those of their
// RPS. Of an RPS that made two, the last one is shown.
func (s *Simulator) findNotes(c *call) answer {
	details := c.message.children("Detalhe")
	registration := func(detail *etree.Element) string {
		const name = "InscricaoPrestador"
		return bareNumber(xmltree.TextAt(detail, "ChaveRPS/"+name) + xmltree.TextAt(detail, "ChaveNFe/"+name))
	}
	if slices.ContainsFunc(details, func(detail *etree.Element) bool {
		return registration(detail) != registration(details[0])
	}) {
		return answer{events: []event{refuse(1401)}}
	}
	var found answer
	var missing []event
	for _, detail := range details {
		n, about := s.lookUp(detail, c)
		if n == nil {
			missing = append(missing, refuse(1106).on(about))
			continue
		}
		found.tail += n.document(&c.registry)
	}
	switch {
	case len(missing) == 0:
	case c.registry.NotFound == Omitted && found.tail != "":
	case c.registry.NotFound != "":
		found.events = []event{refuse(1106)}
	default:
		found.events = missing
	}
	found.partial = found.tail != ""
	return found
}

// lookUp finds the note of a Detalhe, unless it is another's or still hidden.
func (s *Simulator) lookUp(detail *etree.Element, c *call) (n *note, about string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if xmltree.At(detail, "ChaveRPS") != nil {
		key := (&rps{detail}).key()
		n, about = s.ledger.byRPS[key], key.element()
	} else {
		number, _ := strconv.ParseInt(xmltree.TextAt(detail, "ChaveNFe/NumeroNFe"), 10, 64) // the schema accepted it
		key := noteKey{bareNumber(xmltree.TextAt(detail, "ChaveNFe/InscricaoPrestador")), number}
		n, about = s.ledger.byNumber[key], key.element()
		code := xmltree.TextAt(detail, "ChaveNFe/CodigoVerificacao")
		if n != nil && code != "" && code != n.VerificationCode {
			n = nil
		}
	}
	if n == nil || n.Issuer != c.message.sender() || c.hides(n) {
		return nil, about
	}
	return n.copy(), about
}

// hides reports whether a note is not indexed yet.
func (c *call) hides(n *note) bool {
	hide, found := c.Faults.Find(Hide)
	return found && c.Now.Before(n.IssuedAt.Add(time.Duration(hide.Delay)))
}

const (
	longestPeriod = 31 * 24 * time.Hour
	pageOfNotes   = 50
)

// findIssued is ConsultaNFeEmitidas: the notes of a period, fifty on a page.
func (s *Simulator) findIssued(c *call) answer {
	from, _ := time.ParseInLocation(time.DateOnly, c.message.get("Cabecalho/dtInicio"), saoPauloTime)
	to, _ := time.ParseInLocation(time.DateOnly, c.message.get("Cabecalho/dtFim"), saoPauloTime)
	issuer := c.message.taxID("Cabecalho/CPFCNPJ")
	switch {
	case issuer != c.message.sender():
		return answer{events: []event{refuse(1107)}}
	case to.Sub(from) > longestPeriod:
		return answer{events: []event{refuse(1403)}}
	}
	registration := c.message.get("Cabecalho/Inscricao")
	var found []*note
	s.mu.Lock()
	for _, n := range s.ledger.notes {
		inPeriod := !n.IssuedAt.Before(from) && n.IssuedAt.Before(to.AddDate(0, 0, 1))
		ofRegistration := registration == "" || n.Registration == bareNumber(registration)
		if n.Issuer == issuer && inPeriod && ofRegistration && !c.hides(n) {
			found = append(found, n.copy())
		}
	}
	s.mu.Unlock()
	page, _ := strconv.Atoi(c.message.get("Cabecalho/NumeroPagina"))
	first := min((max(page, 1)-1)*pageOfNotes, len(found))
	var a answer
	for _, n := range found[first:min(first+pageOfNotes, len(found))] {
		a.tail += n.document(&c.registry)
	}
	return a
}

// findTaxpayer is ConsultaCNPJ: the registrations of a CNPJ or CPF.
func (s *Simulator) findTaxpayer(c *call) answer {
	taxID := c.message.taxID("CNPJContribuinte")
	registrations := map[string]bool{} // and whether it issues
	for registration, taxpayer := range c.registry.Taxpayers {
		if taxpayer.TaxID == taxID {
			registrations[registration] = !taxpayer.NoNotes && !taxpayer.Cancelled
		}
	}
	s.mu.Lock()
	for registration := range s.ledger.last {
		if _, listed := c.registry.Taxpayers[registration]; !listed && s.ledger.issuerOf(registration) == taxID {
			registrations[registration] = true
		}
	}
	s.mu.Unlock()
	return taxpayerAnswer(taxID, registrations)
}
