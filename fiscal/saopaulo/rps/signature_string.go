package rps

import (
	"fmt"
	"strings"

	"emissor/nfse"
)

// signed is what the signature of an RPS covers (Assinatura).
type signed struct {
	key             Key
	date            string // 2026-11-22
	taxation        string // TributacaoRPS
	status          string // StatusRPS
	withheld        bool
	amountCents     int64
	deductionsCents int64
	serviceCode     string
	taker           nfse.TaxID // empty: none
	intermediary    *intermediary
	foreignTaker    *string // NIF, or the reason for which there is none; nil: the taker has a tax id, or is none
}

// intermediary is whom a service was mediated by.
type intermediary struct {
	taxID    nfse.TaxID
	withheld bool // the ISS, by it
}

// text is the string that is signed: 90 characters, 106 with an intermediary, and
// the identification of a foreign taker after them.
func (s signed) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%-5s%012d%s%s%s%s%015d%015d%s", zeros(s.key.Registration, 12), s.key.Series, s.key.Number,
		strings.ReplaceAll(s.date, "-", ""), s.taxation, s.status, yesNo(s.withheld), s.amountCents,
		s.deductionsCents, zeros(s.serviceCode, 5))
	kind := kindOf(s.taker)
	if s.foreignTaker != nil {
		kind = "4"
	}
	b.WriteString(kind + zeros(string(s.taker), 14))
	if s.intermediary != nil {
		b.WriteString(kindOf(s.intermediary.taxID) + zeros(string(s.intermediary.taxID), 14) +
			yesNo(s.intermediary.withheld))
	}
	if s.foreignTaker != nil {
		b.WriteString(*s.foreignTaker)
	}
	return b.String()
}

// kindOf is the digit of a tax id's kind.
func kindOf(id nfse.TaxID) string {
	switch {
	case id == "":
		return "3"
	case id.IsCNPJ():
		return "2"
	}
	return "1"
}

func yesNo(yes bool) string {
	if yes {
		return "S"
	}
	return "N"
}

// cancellationText is the string that is signed to cancel a note
// (AssinaturaCancelamento): 20 characters, or 24 where the city takes the
// registration of layout 2.
func cancellationText(registration string, number int64, wide bool) string {
	width := 8
	if wide {
		width = 12
	}
	return fmt.Sprintf("%s%012d", zeros(registration, width), number)
}

// zeros puts zeros before a text, to so many characters.
func zeros(text string, width int) string {
	return strings.Repeat("0", max(0, width-len(text))) + text
}
