package company

import (
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// rateOfTax is a rate of a set, by the word for it in commands and forms.
type rateOfTax struct {
	Name string
	Of   func(*nfse.Withholding) *nfse.Percent
}

// WithheldRates are the rates of a set of withholdings, by their names.
var WithheldRates = []rateOfTax{
	{"irrf", func(w *nfse.Withholding) *nfse.Percent { return &w.IRRF }},
	{"pis", func(w *nfse.Withholding) *nfse.Percent { return &w.PIS }},
	{"cofins", func(w *nfse.Withholding) *nfse.Percent { return &w.COFINS }},
	{"csll", func(w *nfse.Withholding) *nfse.Percent { return &w.CSLL }},
	{"inss", func(w *nfse.Withholding) *nfse.Percent { return &w.INSS }},
	{"inss-base", func(w *nfse.Withholding) *nfse.Percent { return &w.INSSBase }},
}

// csrfNames are the taxes that the word csrf stands for.
var csrfNames = []string{"pis", "cofins", "csll"}

// ParseWithholding reads a set as irrf=1.5,csrf,inss=11,inss-base=60: names of WithheldRates with
// their rates, or without one at the law's of a day; csrf is PIS, COFINS and CSLL. "none" is the
// empty set. An error is an *nfse.Error of the field withholding.
func ParseWithholding(words string, on nfse.Day) (set nfse.Withholding, err error) {
	if strings.TrimSpace(words) == "none" {
		return set, nil
	}
	usual := taxes.LawOn(on).Usual
	for word := range strings.SplitSeq(words, ",") {
		name, rate, given := strings.Cut(strings.TrimSpace(word), "=")
		names := []string{name}
		if name == "csrf" {
			if names = csrfNames; given {
				return set, withholdingInvalid(fact.WithheldSumWithRate.Fact())
			}
		}
		for _, name := range names {
			if err := putRate(&set, usual, name, rate, given); err != nil {
				return set, err
			}
		}
	}
	return set, CheckWithholding(set)
}

func putRate(set *nfse.Withholding, usual nfse.Withholding, name, rate string, given bool) error {
	for _, one := range WithheldRates {
		if one.Name != name {
			continue
		}
		if *one.Of(set) = *one.Of(&usual); !given {
			return nil
		}
		percent, err := nfse.ParsePercent(rate)
		if err != nil {
			return withholdingInvalid(fact.WithheldRateUnread.With("tax", name))
		}
		*one.Of(set) = percent
		return nil
	}
	return withholdingInvalid(fact.WithheldTaxUnknown.With("tax", name))
}

func withholdingInvalid(why fact.Fact) error { return nfse.Invalid("withholding", "%s", why) }

// WithholdingWords prints a set as ParseWithholding reads it.
func WithholdingWords(set nfse.Withholding) string {
	var words []string
	for _, one := range WithheldRates {
		if rate := *one.Of(&set); rate != 0 {
			words = append(words, one.Name+"="+rate.String())
		}
	}
	if words == nil {
		return "none"
	}
	return strings.Join(words, ",")
}

// CheckWithholding refuses a set that no note could be issued with.
func CheckWithholding(set nfse.Withholding) error {
	sum := nfse.Percent(0)
	for _, one := range WithheldRates {
		rate := *one.Of(&set)
		if rate < 0 || rate > 100_00 {
			return withholdingInvalid(fact.WithheldRateUnread.With("tax", one.Name))
		}
		if one.Name != "inss-base" {
			sum += rate
		}
	}
	switch {
	case sum >= 100_00:
		return withholdingInvalid(fact.WithheldRatesTooHigh.Fact())
	case set.INSSBase != 0 && set.INSS == 0:
		return withholdingInvalid(fact.INSSBaseWithoutRate.Fact())
	}
	return nil
}

// CheckCustomerTaxation refuses a rule that says nothing, or says it twice.
func CheckCustomerTaxation(taxation nfse.CustomerTaxation) error {
	switch taxation.Withholds {
	case nfse.WithholdsByService, nfse.WithholdsNothing:
		if taxation.Withholding != nil {
			return nfse.Invalid("withholds", "%s", fact.WithholdingRuleWithSet.Fact())
		}
		return nil
	case nfse.WithholdsItsOwn:
		if taxation.Withholding == nil {
			return withholdingInvalid(fact.WithholdingSetMissing.Fact())
		}
		return CheckWithholding(*taxation.Withholding)
	}
	return nfse.Invalid("withholds", "%s", fact.WithholdingRuleUnknown.Fact())
}

// ServiceTaxWarnings are what a person should look at in what is withheld of a service: none of it
// keeps a note from being issued. What the product cannot know, such as which law a service falls
// under, is said for a person to decide.
func ServiceTaxWarnings(profile nfse.FiscalProfile, taxation nfse.ServiceTaxation, on nfse.Day) []fact.Fact {
	if taxation.Withholding == nil {
		return nil
	}
	set := *taxation.Withholding
	warnings := issuerWarnings(profile, set)
	return append(warnings, setWarnings(set, on)...)
}

// issuerWarnings say what of a set is not withheld of the company.
func issuerWarnings(profile nfse.FiscalProfile, set nfse.Withholding) (warnings []fact.Fact) {
	if set == (nfse.Withholding{}) || profile.TaxID == "" {
		return nil
	}
	within := profile.PaysFederalTaxesWithinSimples()
	switch {
	case !profile.TaxID.IsCNPJ() || profile.Simples == nfse.SimplesMEI:
		return []fact.Fact{fact.WithheldOfNobody.Fact()}
	case within && (set.IRRF != 0 || csrfOf(set) != 0):
		warnings = append(warnings, fact.WithheldOfSimples.Fact())
	}
	if within && set.INSS != 0 {
		warnings = append(warnings, fact.INSSOfSimples.Fact())
	}
	return warnings
}

func setWarnings(set nfse.Withholding, on nfse.Day) (warnings []fact.Fact) {
	if set.INSS != 0 {
		warnings = append(warnings, fact.INSSOfAssignedLabour.Fact())
	}
	if end := taxes.EndOfContributions(); on < end && (set.PIS != 0 || set.COFINS != 0) {
		warnings = append(warnings, fact.ContributionsEnd.With("day", end))
	}
	return warnings
}

func csrfOf(set nfse.Withholding) nfse.Percent { return set.PIS + set.COFINS + set.CSLL }

// CustomerTaxWarnings are the same for what a customer withholds.
func CustomerTaxWarnings(
	profile nfse.FiscalProfile, customer nfse.TaxID, taxation nfse.CustomerTaxation, on nfse.Day,
) (warnings []fact.Fact) {
	if !customer.IsCNPJ() && (taxation.Withholding != nil || taxation.Simples) {
		return []fact.Fact{fact.PersonWithholdsNothing.Fact()}
	}
	if taxation.Withholding == nil {
		return nil
	}
	if taxation.Simples && csrfOf(*taxation.Withholding) != 0 {
		warnings = append(warnings, fact.SimplesWithholdsNoCSRF.Fact())
	}
	warnings = append(warnings, issuerWarnings(profile, *taxation.Withholding)...)
	return append(warnings, setWarnings(*taxation.Withholding, on)...)
}

// NoteTaxWarnings are the same for what a person gives for one note.
func NoteTaxWarnings(declaration fiscal.Declaration) (warnings []fact.Fact) {
	set, customer := declaration.Details.Withholding, declaration.Taxation.Customer
	switch {
	case set == nil || *set == (nfse.Withholding{}) || declaration.Details.ForeignTaker != nil:
		return nil
	case !declaration.Note.Customer.TaxID.IsCNPJ():
		return []fact.Fact{fact.PersonWithholdsNothing.Fact()}
	}
	if csrf := csrfOf(taxes.WithheldSet(declaration)); csrf != 0 && customer != nil && customer.Simples {
		warnings = append(warnings, fact.SimplesWithholdsAllTheSame.Fact())
	}
	warnings = append(warnings, issuerWarnings(declaration.Issuer, *set)...)
	return append(warnings, setWarnings(*set, declaration.Note.Competence)...)
}
