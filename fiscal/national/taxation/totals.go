package taxation

import (
	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
)

// SentRate is the ISS rate that a declaration is sent with; nil where the authority applies its own,
// or none.
func SentRate(declaration fiscal.Declaration) *nfse.Rate {
	if aliquot := AliquotOf(declaration); aliquot.Sent {
		return &aliquot.Rate
	}
	return nil
}

// LikelyRate returns the ISS rate by which a declaration's totals are estimated: the one that is
// sent, or that the service has where the authority applies the city's, which should be the same.
// It is nil where nothing is known: for what is not taxed, for what is assessed within Simples
// Nacional, and where a benefit has a rate of its own.
func LikelyRate(declaration fiscal.Declaration) *nfse.Rate {
	switch sent := SentRate(declaration); {
	case sent != nil:
		return sent
	case ISSOf(declaration) != Taxable, PaysWithinSimples(declaration.Issuer), SetsNoRate(declaration.ISS()):
		return nil
	}
	return declaration.Note.Service.ISSRate
}

// LikelyTotals are the totals that the authority is likely to state of a declaration. A member that
// cannot be estimated is nil.
func (i IBSCBS) LikelyTotals(declaration fiscal.Declaration) nfse.Totals {
	iss := taxes.ISSAt(declaration, LikelyRate(declaration))
	return taxes.TotalsOf(declaration, iss, i.Sent(declaration, declaration.Note.Competence))
}
