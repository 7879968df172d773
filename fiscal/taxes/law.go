package taxes

import "emissor/nfse"

// Law is what the federal law has for notes of a day of competence.
type Law struct {
	from nfse.Day

	// Usual are the rates that the law withholds: of a set that a company gives, others are
	// taken as it gives them. A rate of 0 is a tax that does not exist: it is not withheld.
	Usual nfse.Withholding
	// MinimumCents is withheld of neither IRRF nor of PIS, COFINS and CSLL together: only what
	// is above it is (Lei 10.833, art. 31 §3; Lei 9.430, art. 67).
	MinimumCents int64
	// Cumulative and NonCumulative are what issuers owe of PIS and COFINS themselves, by their
	// regime; nil where these do not exist.
	Cumulative, NonCumulative *nfse.OwnContributions
}

// laws are in the order of their first day.
var laws = []Law{{
	Usual:         nfse.Withholding{IRRF: 1_50, PIS: 65, COFINS: 3_00, CSLL: 1_00, INSS: 11_00},
	MinimumCents:  10_00,
	Cumulative:    &nfse.OwnContributions{CST: "01", PIS: 65, COFINS: 3_00},
	NonCumulative: &nfse.OwnContributions{CST: "01", PIS: 1_65, COFINS: 7_60},
}, {
	from:         "2027-01-01", // PIS and COFINS have ended (LC 214, art. 542)
	Usual:        nfse.Withholding{IRRF: 1_50, CSLL: 1_00, INSS: 11_00},
	MinimumCents: 10_00,
}}

// LawOn returns the law for notes of a day of competence.
func LawOn(day nfse.Day) Law {
	current := laws[0]
	for _, law := range laws {
		if law.from <= day {
			current = law
		}
	}
	return current
}

// EndOfContributions is the first day of competence without PIS and COFINS.
func EndOfContributions() nfse.Day {
	for _, law := range laws {
		if !law.hasContributions() {
			return law.from
		}
	}
	return ""
}

func (l Law) hasContributions() bool { return l.Usual.PIS > 0 }

// existing is what of a set is withheld under the law.
func (l Law) existing(set nfse.Withholding) nfse.Withholding {
	if !l.hasContributions() {
		set.PIS, set.COFINS = 0, 0
	}
	return set
}
