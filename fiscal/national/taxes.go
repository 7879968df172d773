package national

import (
	"slices"

	"emissor/fiscal"
	"emissor/nfse"
)

// aliquot is what becomes of the ISS rate (pAliq). The authority knows most
// rates itself, and rejects one that it does not expect as well as one that it
// misses.
type aliquot struct {
	send    bool
	rate    nfse.Rate // when it is sent
	missing bool      // it must be sent, and the service has none
}

// decideAliquot decides by option and regime of Simples Nacional, special
// regime, withholding, and whether the municipality that the ISS is due to has
// an active agreement with the national system.
func decideAliquot(document fiscal.Document) aliquot {
	if !needsAliquot(document) {
		return aliquot{}
	}
	rate := document.Note.Service.ISSRate
	if rate == nil {
		return aliquot{missing: true}
	}
	return aliquot{send: true, rate: *rate}
}

func needsAliquot(document fiscal.Document) bool {
	issuer := document.Issuer
	active := !slices.Contains(issuer.InactiveMunicipalities, incidence(document))
	switch {
	case issuer.SpecialRegime != 0:
		return false // E0604
	case issuer.Simples == nfse.SimplesMEI:
		return false // E0600
	case paysWithinSimples(issuer):
		return document.Note.ISSWithheld // E0621, E0628; else E0625, E0631
	}
	return !active // E0619, E0640; else E0617, E0635
}

// rateText prints a rate as pAliq has it: 2.50.
func rateText(rate nfse.Rate) string { return nfse.Percent(rate).String() }
