package taxes

import (
	"cmp"

	"emissor/fiscal"
	"emissor/nfse"
)

// Compared are the totals that a document has to state. sent is the rate of the ISS that the declaration
// has, and nil where the city applies its own: no setting of the company knows that one for
// certain, so it is read of the document, and its other amounts have to follow from it. What no rule
// settles is taken as stated: which of the two cents beside its exact amount the ISS is rounded
// to (E1289), a cent of IBS and CBS (E1539 to E1607), and whether the document states an ISS at
// all, which of one that is withheld within Simples Nacional is not known.
func Compared(
	declaration fiscal.Declaration, sent *nfse.Rate, document fiscal.IssuedDocument, ibsCBS bool,
) nfse.Totals {
	stated := document.Authorization.Totals
	iss, rate := stated.ISSCents, cmp.Or(sent, document.ISSRate)
	if exact := ISSAt(declaration, rate); iss != nil && exact != nil &&
		!roundsTo(*statedBase(declaration), *rate, *iss) {
		iss = exact
	}
	expected := TotalsOf(declaration, iss, ibsCBS)
	expected.IBSCents = near(expected.IBSCents, stated.IBSCents)
	expected.CBSCents = near(expected.CBSCents, stated.CBSCents)
	if expected.TotalCents == nil && expected.NetCents != nil && stated.IBSCents != nil && stated.CBSCents != nil &&
		declaration.Issuer.Simples == nfse.SimplesNone { // within it no rule of this layout says
		expected.TotalCents = nfse.SumCents(expected.NetCents, stated.IBSCents, stated.CBSCents) // E1555
	}
	return expected
}

// roundsTo reports whether a rate of an amount can be rounded, down or up, to so many cents.
func roundsTo(amount int64, rate nfse.Rate, cents int64) bool {
	const whole = 100_00
	exact := amount * int64(rate)
	return cents == exact/whole || cents == (exact+whole-1)/whole
}

// near returns an amount that is expected, or the one that is stated where they are at most a
// cent apart.
func near(expected, stated *int64) *int64 {
	if expected == nil || stated == nil {
		return nil
	}
	if apart := *stated - *expected; -1 <= apart && apart <= 1 {
		return stated
	}
	return expected
}
