package company

import (
	"errors"
	"maps"
	"strings"

	"emissor/fiscal/taxes"
	"emissor/nfse"
)

// The words for regimes of PIS and COFINS that an issuer owes itself.
const (
	NoContributions            = "none"
	CumulativeContributions    = "cumulative"
	NonCumulativeContributions = "non-cumulative"
)

// contributionLaw is the law of the last days that have PIS and COFINS: profiles name its regimes
// for as long as notes of those days are issued.
func contributionLaw() taxes.Law { return taxes.LawOn(taxes.EndOfContributions().Before(1)) }

// ParseOwnContributions reads the word of a regime, or a tax situation and rates as 01,0.65,3. The
// message of its error reads after the name of a field.
func ParseOwnContributions(words string) (*nfse.OwnContributions, error) {
	law := contributionLaw()
	switch words {
	case NoContributions:
		return nil, nil
	case CumulativeContributions:
		return law.Cumulative, nil
	case NonCumulativeContributions:
		return law.NonCumulative, nil
	}
	parts := strings.Split(words, ",")
	if len(parts) != 3 {
		return nil, errors.New("must be none, cumulative, non-cumulative, or CST,PIS,COFINS as 01,0.65,3")
	}
	own := nfse.OwnContributions{CST: strings.TrimSpace(parts[0])}
	for i, rate := range []*nfse.Percent{&own.PIS, &own.COFINS} {
		var err error
		if *rate, err = nfse.ParsePercent(strings.TrimSpace(parts[i+1])); err != nil {
			return nil, err
		}
	}
	return &own, nil
}

// OwnContributionsWords prints contributions as ParseOwnContributions reads them.
func OwnContributionsWords(own *nfse.OwnContributions) string {
	law := contributionLaw()
	switch {
	case own == nil:
		return NoContributions
	case *own == *law.Cumulative:
		return CumulativeContributions
	case *own == *law.NonCumulative:
		return NonCumulativeContributions
	}
	return strings.Join([]string{own.CST, own.PIS.String(), own.COFINS.String()}, ",")
}

// ChangeSimplesRates returns the rates with those that are given as 2026-10=2.01, and without those
// that are given as 2026-10=. The message of its error reads after the name of a field.
func ChangeSimplesRates(rates map[nfse.Month]nfse.Rate, given []string) (map[nfse.Month]nfse.Rate, error) {
	changed := maps.Clone(rates)
	if changed == nil {
		changed = map[nfse.Month]nfse.Rate{}
	}
	for _, words := range given {
		name, number, paired := strings.Cut(strings.TrimSpace(words), "=")
		if !paired {
			return nil, errors.New("must be a month and its rate, as 2026-10=2.01")
		}
		month, err := nfse.ParseMonth(name)
		if err != nil {
			return nil, err
		}
		if number == "" {
			delete(changed, month)
			continue
		}
		if changed[month], err = nfse.ParseRate(number); err != nil {
			return nil, err
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	return changed, nil
}
