package saopaulo

import (
	"fmt"
	"slices"
	"time"
)

// SiteNote is a note that its issuer makes by hand on the city's site from an RPS.
type SiteNote struct {
	Registration string `json:"registration"`
	Series       string `json:"series"`
	RPSNumber    string `json:"rps_number"`
	Issuer       string `json:"document"`
	AmountCents  int64  `json:"amount_cents"`
	ServiceCode  string `json:"service_code"`
}

// IssueOnSite makes a note by hand: its RPS sent by a message gets alert 216, and it
// cannot be cancelled by one (1306).
func (s *Simulator) IssueOnSite(asked SiteNote) (Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	registration := bareNumber(asked.Registration)
	number := s.ledger.last[registration] + 1
	key := rpsKey{registration, asked.Series, bareNumber(asked.RPSNumber)}
	if s.ledger.byRPS[key] != nil {
		return Entry{}, fmt.Errorf("the RPS %s %s was converted already", key.series, key.number)
	}
	n := &note{
		Entry: Entry{
			Registration: registration, Number: number, VerificationCode: s.verificationCode(),
			NationalKey: s.nationalKey(asked.Issuer, number, now), Issuer: asked.Issuer,
			Series: key.series, RPSNumber: key.number, AmountCents: asked.AmountCents,
			ServiceCode: asked.ServiceCode, IssuedAt: now.Round(0), OnSite: true,
		},
		rps: siteRPS(asked, key, now),
	}
	return n.Entry, s.ledger.add(n, nil)
}

// siteRPS is what an RPS would have said of a note that was made by hand.
func siteRPS(asked SiteNote, key rpsKey, now time.Time) []byte {
	var x xmlWriter
	x.raw("<RPS>" + key.element())
	x.text("TipoRPS", "RPS")
	x.text("DataEmissao", now.In(saoPauloTime).Format(time.DateOnly))
	x.text("TributacaoRPS", "T")
	x.text("ValorDeducoes", "0")
	x.text("CodigoServico", asked.ServiceCode)
	x.text("AliquotaServicos", "0.05")
	x.text("ISSRetido", "false")
	x.text("Discriminacao", "Nota emitida no site")
	x.text("ValorFinalCobrado", money(asked.AmountCents))
	x.text("ExigibilidadeSuspensa", "0")
	x.raw("</RPS>")
	return []byte(x.String())
}

// CancelOnSite cancels a note as its issuer does by hand.
func (s *Simulator) CancelOnSite(registration string, number int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.ledger.find(registration, number)
	if err == nil && n.Cancelled {
		err = fmt.Errorf("the note %d was cancelled already", number)
	}
	if err != nil {
		return err
	}
	return s.ledger.cancel(n, ByHand, s.Now())
}

// MarkNote records what else happened to a note.
func (s *Simulator) MarkNote(registration string, number int64, mark Mark) error {
	marks := []Mark{InGuide, Accepted, Rejected, Deducted}
	if !slices.Contains(marks, mark) {
		return fmt.Errorf("mark: %q is not one of %q", mark, marks)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.ledger.find(registration, number)
	if err != nil {
		return err
	}
	return s.ledger.mark(n, mark)
}

func (l *ledger) find(registration string, number int64) (*note, error) {
	n := l.byNumber[noteKey{bareNumber(registration), number}]
	if n == nil {
		return nil, fmt.Errorf("there is no note %d of the registration %s", number, registration)
	}
	return n, nil
}
