package taxes

import (
	"emissor/fiscal"
	"emissor/nfse"
)

// WithheldSet decides at which rates the taker of a declaration withholds federal taxes: what the
// form says goes before the customer's rule, and that before the service. A zero rate is not
// withheld. Beside who says so, the law has these bounds:
//   - nobody withholds of an individual or a microentrepreneur (E0675, E0676), and neither
//     individuals nor takers abroad withhold;
//   - of an ME or EPP whose federal taxes are within Simples Nacional only the INSS is withheld;
//   - a customer in Simples Nacional withholds no PIS, COFINS and CSLL, unless the form says so.
func WithheldSet(declaration fiscal.Declaration) nfse.Withholding {
	set := saidSet(declaration)
	taker := declaration.Note.Customer.TaxID
	switch {
	case !mayBeWithheld(declaration.Issuer) || !taker.IsCNPJ() || declaration.Details.ForeignTaker != nil:
		return nfse.Withholding{}
	case declaration.Issuer.PaysFederalTaxesWithinSimples():
		set = nfse.Withholding{INSS: set.INSS, INSSBase: set.INSSBase}
	}
	return LawOn(declaration.Note.Competence).existing(set)
}

// saidSet is the set that form, customer or service give.
func saidSet(declaration fiscal.Declaration) (set nfse.Withholding) {
	if declaration.Details.Withholding != nil {
		return *declaration.Details.Withholding
	}
	if service := declaration.Taxation.Service; service != nil && service.Withholding != nil {
		set = *service.Withholding
	}
	customer := declaration.Taxation.Customer
	if customer == nil {
		return set
	}
	switch customer.Withholds {
	case nfse.WithholdsNothing:
		return nfse.Withholding{}
	case nfse.WithholdsItsOwn:
		set = nfse.Withholding{}
		if customer.Withholding != nil {
			set = *customer.Withholding
		}
	}
	if customer.Simples {
		set.PIS, set.COFINS, set.CSLL = 0, 0, 0
	}
	return set
}

// mayBeWithheld reports whether anything federal may be withheld of an issuer, or declared by it.
func mayBeWithheld(issuer nfse.FiscalProfile) bool {
	return issuer.TaxID.IsCNPJ() && issuer.Simples != nfse.SimplesMEI
}

// DeclaresContributions reports whether an issuer owes PIS and COFINS by its notes: not within
// Simples Nacional, and not an individual.
func DeclaresContributions(issuer nfse.FiscalProfile) bool {
	return mayBeWithheld(issuer) && !issuer.PaysFederalTaxesWithinSimples()
}
