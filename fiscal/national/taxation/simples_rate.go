package taxation

import (
	"emissor/fiscal"
	"emissor/nfse"
)

// rateOf returns the ISS rate that a declaration would be sent with; nil where there is none.
// ISS that is withheld within Simples Nacional is withheld at the rate that the company was
// subject to in the month before (LC 123, art. 21 §4). The service's rate, which does not change
// by the month, stands for it only where the company keeps no such rates.
func rateOf(declaration fiscal.Declaration) *nfse.Rate {
	issuer := declaration.Issuer
	if !withheldWithinSimples(declaration) || len(issuer.SimplesRates) == 0 {
		return declaration.Note.Service.ISSRate
	}
	if rate, known := issuer.SimplesRates[declaration.Note.Competence.MonthBefore()]; known {
		return &rate
	}
	return nil
}

// LacksSimplesRate returns the month of which the company must give its effective rate before
// the declaration can be sent; empty when nothing is missing.
func LacksSimplesRate(declaration fiscal.Declaration) nfse.Month {
	if !AliquotOf(declaration).Missing || !withheldWithinSimples(declaration) {
		return ""
	}
	return declaration.Note.Competence.MonthBefore()
}

func withheldWithinSimples(declaration fiscal.Declaration) bool {
	return PaysWithinSimples(declaration.Issuer) && declaration.ISSWithheldBy() != fiscal.WithheldByNobody
}
