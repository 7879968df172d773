package taxes

import (
	"emissor/fiscal"
	"emissor/nfse"
)

// TotalsOf are the totals, as a document states them, that a declaration leads to with its ISS:
// Expect by member, with what is withheld one by one, and IBS and CBS. A member that is not known
// is nil.
func TotalsOf(declaration fiscal.Declaration, iss *int64, ibsCBS bool) nfse.Totals {
	expected, federal := Expect(declaration, iss, ibsCBS), FederalOf(declaration)
	totals := nfse.Totals{
		ServiceCents: new(declaration.Note.AmountCents), NetCents: expected.NetCents, TotalCents: expected.TotalCents,
		ISSCents: expected.ISSCents, ISSWithheldCents: new(int64(0)),
		IRRFCents: new(federal.IRRF), CSRFCents: new(federal.CSRF()), INSSCents: new(federal.INSS),
	}
	if declaration.ISSWithheldBy() != fiscal.WithheldByNobody {
		totals.ISSWithheldCents = expected.ISSCents
	}
	if ibsCBS && expected.ISSCents != nil && inTestYear(declaration) {
		base := ibsCBSBase(declaration, *expected.ISSCents)
		totals.IBSCents, totals.CBSCents = new(testIBS.Of(base)), new(testCBS.Of(base))
	}
	return totals
}

// The rates of IBS and CBS in 2026, a year of test (LC 214, arts. 343, 346). Those of later years
// are not fixed.
const (
	testIBS nfse.Percent = 10
	testCBS nfse.Percent = 90
)

// inTestYear reports whether IBS and CBS are computed by the rates of 2026 in full: CST 000, and
// not of what a government buys. All else is the authority's to compute.
func inTestYear(declaration fiscal.Declaration) bool {
	class := declaration.Classification
	return class != nil && class.CST == "000" && class.TpEnteGov == nil &&
		declaration.Note.Competence < chargedOnTopFrom
}

// ibsCBSBase is the base of IBS and CBS in 2026: the price less unconditional discount, ISS and
// the issuer's own PIS and COFINS (E1530).
func ibsCBSBase(declaration fiscal.Declaration, iss int64) int64 {
	base := FederalBase(declaration) - iss
	if own := FederalOf(declaration).Own; own != nil {
		base -= own.PISCents + own.COFINSCents
	}
	return max(0, base)
}
