package taxation

import (
	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
)

// KnownRate returns the ISS rate that the authority applies, as far as it is known before: the
// one that is sent, or that the service has where the authority takes its own. It is nil where
// nothing is known: for what is not taxed, for what is assessed within Simples Nacional, and
// where a benefit has a rate of its own.
func KnownRate(declaration fiscal.Declaration) *nfse.Rate {
	switch aliquot := AliquotOf(declaration); {
	case aliquot.Sent:
		return &aliquot.Rate
	case ISSOf(declaration) != Taxable, PaysWithinSimples(declaration.Issuer), SetsNoRate(declaration.ISS()):
		return nil
	}
	return declaration.Note.Service.ISSRate
}

// ExpectedTotals are the totals that the authority is expected to state of a declaration. A
// member that is not known before is nil.
func (i IBSCBS) ExpectedTotals(declaration fiscal.Declaration) nfse.Totals {
	return taxes.TotalsOf(declaration, KnownRate(declaration), i.Sent(declaration, declaration.Note.Competence))
}
