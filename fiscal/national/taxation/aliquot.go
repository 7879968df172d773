package taxation

import (
	"slices"

	"emissor/fiscal"
	"emissor/nfse"
)

// Aliquot says whether the ISS rate (pAliq) is sent. The authority knows most rates
// itself: it rejects a rate that it does not expect, and the lack of one that it does.
type Aliquot struct {
	Sent    bool
	Rate    nfse.Rate // when it is sent
	Missing bool      // it must be sent, and there is none
}

// AliquotOf decides by how the ISS is due, option and regime of Simples Nacional, special regime,
// withholding, and whether the municipality that the ISS is due to has an active
// agreement with the national system. What the authority has answered to the declaration
// counts before.
func AliquotOf(declaration fiscal.Declaration) Aliquot {
	rate := rateOf(declaration)
	switch autoFixes := declaration.AutoFixes; {
	case autoFixes.Has(fiscal.OmitRate):
		return Aliquot{}
	case !needsAliquot(declaration) && !autoFixes.Has(fiscal.SendRate):
		return Aliquot{}
	case rate == nil:
		return Aliquot{Missing: true}
	}
	return Aliquot{Sent: true, Rate: *rate}
}

func needsAliquot(declaration fiscal.Declaration) bool {
	issuer := declaration.Issuer
	switch {
	case ISSOf(declaration) != Taxable:
		return false // E0602
	case SetsNoRate(declaration.ISS()):
		return false // E0612
	case issuer.SpecialRegime != 0:
		return false // E0604
	case issuer.Simples == nfse.SimplesMEI:
		return false // E0600
	case PaysWithinSimples(issuer):
		return withheldWithinSimples(declaration) // E0621, E0628; else E0625, E0631
	}
	return !DueToActiveCity(declaration) // E0619, E0640; else E0617, E0635
}

// AppliesCityRate reports whether the authority applies the rate that the city has set: to what is taxed, and not
// by a regime of its own, in a city with an active agreement.
func AppliesCityRate(declaration fiscal.Declaration) bool {
	issuer := declaration.Issuer
	return ISSOf(declaration) == Taxable && !SetsNoRate(declaration.ISS()) && issuer.SpecialRegime == 0 &&
		issuer.Simples != nfse.SimplesMEI && !PaysWithinSimples(issuer) && DueToActiveCity(declaration)
}

// DueToActiveCity reports whether the municipality that the ISS is due to has an
// active agreement with the national system: by what the profile says, else by
// the municipality's parameters. One of which nothing is known has.
func DueToActiveCity(declaration fiscal.Declaration) bool {
	if ProfileSaysInactive(declaration) {
		return false
	}
	city, known := declaration.City(Incidence(declaration))
	return !known || city.Active
}

// ProfileSaysInactive reports whether the issuer's profile says that the
// municipality that the ISS is due to has no active agreement.
func ProfileSaysInactive(declaration fiscal.Declaration) bool {
	return slices.Contains(declaration.Issuer.InactiveMunicipalities, Incidence(declaration))
}

// PaysWithinSimples reports whether the issuer's ISS is part of its payment to
// Simples Nacional (opSimpNac 3, regApTribSN 1).
func PaysWithinSimples(issuer nfse.FiscalProfile) bool {
	return issuer.Simples == nfse.SimplesME && issuer.SimplesRegime != nil && *issuer.SimplesRegime == 1
}
