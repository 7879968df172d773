package taxes

import (
	"cmp"
	"slices"

	"emissor/nfse"
	"emissor/nfse/fact"
)

const (
	// chargedOnTopFrom is the first day of competence whose IBS and CBS the customer is charged in
	// addition to the price (E1555).
	chargedOnTopFrom nfse.Day = "2027-01-01"
	// LinksFrom is the first day of competence on which the calculator of IBS and CBS applies its
	// links of NBS, cClassTrib and cIndOp.
	LinksFrom nfse.Day = "2026-11-03"
)

// Change is what the law changes for an issuer from a day of competence on.
type Change struct {
	Day    nfse.Day // empty: none is published
	What   fact.Fact
	Source string // the act, in the words by which it is cited

	// Classification says that services without a right classification are concerned by it.
	Classification bool

	concerns func(issuer) bool
}

// issuer is for whom the calendar is.
type issuer struct {
	nfse.FiscalProfile
	national bool // it issues by the national system
}

func (i issuer) inSimples() bool        { return i.Simples != nfse.SimplesNone }
func (i issuer) regular() bool          { return i.Simples == nfse.SimplesNone }
func (i issuer) owesByItsNotes() bool   { return DeclaresContributions(i.FiscalProfile) }
func (i issuer) smallCompany() bool     { return i.Simples == nfse.SimplesME && i.national }
func (i issuer) byTheLayout() bool      { return i.national }
func (i issuer) classifies() bool       { return i.regular() && i.national }
func (i issuer) beginsToClassify() bool { return i.inSimples() && i.national }

// calendar is the dated table of what changes, beside laws, which has the rates. classifiedFrom is
// the day from which the national system wants IBS and CBS on every note.
func calendar(classifiedFrom nfse.Day) []Change {
	onTopInSimples := classifiedFrom
	if classifiedFrom != "" {
		onTopInSimples = max(classifiedFrom, chargedOnTopFrom)
	}
	return []Change{
		{Day: "2026-10-01", What: fact.IBSCBSStated.Fact(), Source: "Ato Conjunto RFB/CGIBS 4/2026",
			concerns: issuer.regular},
		{Day: "2026-11-01", What: fact.SimplesIssuesNationally.Fact(), Source: "Resolução CGSN 191/2026",
			concerns: issuer.smallCompany},
		{Day: LinksFrom, What: fact.LinksApplied.Fact(), Source: "Calculadora da RFB, tabela CLASSIF_NBS_INDOP_LC",
			Classification: true, concerns: issuer.classifies},
		{Day: "2026-12-01", What: fact.IBSCBSStatedByOthers.Fact(), Source: "Ato Conjunto RFB/CGIBS 4/2026",
			concerns: issuer.regular},
		{Day: classifiedFrom, What: fact.IBSCBSRequired.Fact(), Source: "CGNFS-e, orientação de 2026-08-07",
			Classification: true, concerns: issuer.classifies},
		{Day: classifiedFrom, What: fact.IBSCBSRequiredInSimples.Fact(),
			Source: "CGNFS-e, perguntas e respostas v1.1, 15.1 a 15.4", Classification: true,
			concerns: issuer.beginsToClassify},
		{Day: EndOfContributions(), What: fact.ContributionsEnd.With("day", EndOfContributions()),
			Source: "LC 214/2025, art. 542", concerns: issuer.owesByItsNotes},
		{Day: chargedOnTopFrom, What: fact.IBSCBSOnTop.Fact(), Source: "CGNFS-e, Anexo I, E1555",
			concerns: issuer.regular},
		{Day: onTopInSimples, What: fact.IBSCBSOnTopInSimples.Fact(),
			Source: "CGNFS-e, Anexo I, E1555; NT 009 v1.01", concerns: issuer.beginsToClassify},
		{What: fact.NextLayout.Fact(), Source: "NT 009 v1.01 (SE/CGNFS-e)", concerns: issuer.byTheLayout},
	}
}

// Calendar lists what changes for an issuer, by its days, what has none last. national says that it
// issues by the national system, which wants IBS and CBS on every note from the day
// classifiedFrom; empty: never.
func Calendar(profile nfse.FiscalProfile, national bool, classifiedFrom nfse.Day) (changes []Change) {
	for _, change := range calendar(classifiedFrom) {
		never := change.Day == "" && !change.What.Is(fact.NextLayout)
		if !never && change.concerns(issuer{profile, national}) {
			changes = append(changes, change)
		}
	}
	const last = "9999"
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Compare(cmp.Or(a.Day, last), cmp.Or(b.Day, last))
	})
	return changes
}
