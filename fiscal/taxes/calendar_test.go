package taxes_test

import (
	"slices"
	"testing"

	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// What changes is of the issuer's own regime and authority, in the order of its days, and follows
// the laws by which notes are computed.
func TestCalendar(t *testing.T) {
	t.Parallel()
	small := nfse.FiscalProfile{TaxID: "11222333000181", Simples: nfse.SimplesME, SimplesRegime: new(1)}
	outside := small
	outside.SimplesRegime = new(3) // its federal taxes are not part of its payment
	regular := nfse.FiscalProfile{TaxID: "11222333000181", Simples: nfse.SimplesNone}
	micro := nfse.FiscalProfile{TaxID: "11222333000181", Simples: nfse.SimplesMEI}
	for name, row := range map[string]struct {
		issuer   nfse.FiscalProfile
		national bool
		from     nfse.Day
		codes    []fact.Code
	}{
		"regular": {regular, true, "2027-01-01", []fact.Code{fact.IBSCBSStated, fact.LinksApplied,
			fact.IBSCBSStatedByOthers, fact.IBSCBSRequired, fact.ContributionsEnd, fact.IBSCBSOnTop, fact.NextLayout}},
		"regular, postponed": {regular, true, "2027-07-01", []fact.Code{fact.IBSCBSStated, fact.LinksApplied,
			fact.IBSCBSStatedByOthers, fact.ContributionsEnd, fact.IBSCBSOnTop, fact.IBSCBSRequired, fact.NextLayout}},
		"regular, never required": {regular, true, "", []fact.Code{fact.IBSCBSStated, fact.LinksApplied,
			fact.IBSCBSStatedByOthers, fact.ContributionsEnd, fact.IBSCBSOnTop, fact.NextLayout}},
		"of a city": {regular, false, "2027-01-01", []fact.Code{fact.IBSCBSStated, fact.IBSCBSStatedByOthers,
			fact.ContributionsEnd, fact.IBSCBSOnTop}},
		"small company": {small, true, "2027-01-01", []fact.Code{fact.SimplesIssuesNationally,
			fact.IBSCBSRequiredInSimples, fact.IBSCBSOnTopInSimples, fact.NextLayout}},
		"small company, never required": {small, true, "", []fact.Code{fact.SimplesIssuesNationally, fact.NextLayout}},
		"small company, federal taxes outside": {outside, true, "2027-01-01", []fact.Code{fact.SimplesIssuesNationally,
			fact.IBSCBSRequiredInSimples, fact.ContributionsEnd, fact.IBSCBSOnTopInSimples, fact.NextLayout}},
		"microentrepreneur": {micro, true, "2027-01-01", []fact.Code{fact.IBSCBSRequiredInSimples,
			fact.IBSCBSOnTopInSimples, fact.NextLayout}},
	} {
		var codes []fact.Code
		for _, change := range taxes.Calendar(row.issuer, row.national, row.from) {
			codes = append(codes, change.What.Code)
			ends := change.What.Is(fact.ContributionsEnd)
			if change.Source == "" || ends && change.Day != taxes.EndOfContributions() {
				t.Errorf("%s: a change is %+v", name, change)
			}
		}
		if !slices.Equal(codes, row.codes) {
			t.Errorf("%s: it is %q, expected %q", name, codes, row.codes)
		}
	}
}
