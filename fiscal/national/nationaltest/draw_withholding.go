package nationaltest

import (
	"cmp"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/taxes"
	"emissor/nfse"
)

// DrawFederal draws what is withheld of federal taxes, and what the issuer owes itself: by
// service, customer and form, at rates of the law and at others that leave something of the
// price.
func DrawFederal(t *rapid.T, d *fiscal.Declaration) {
	set := func(label string) *nfse.Withholding {
		return rapid.Ptr(rapid.Custom(drawSet), true).Draw(t, label)
	}
	if rapid.Bool().Draw(t, "the service has withholdings") {
		service := nfse.ServiceTaxation{}
		if d.Taxation.Service != nil {
			service = *d.Taxation.Service
		}
		service.Withholding = set("of the service")
		d.Taxation.Service = &service
	}
	if rapid.IntRange(0, 3).Draw(t, "the customer has a rule") == 0 {
		customer := nfse.CustomerTaxation{}
		if d.Taxation.Customer != nil {
			customer = *d.Taxation.Customer
		}
		customer.Withholds = rapid.SampledFrom([]nfse.WithholdingRule{
			nfse.WithholdsByService, nfse.WithholdsNothing, nfse.WithholdsItsOwn,
		}).Draw(t, "rule")
		customer.Withholding = set("of the customer")
		customer.Simples = rapid.Bool().Draw(t, "takes in Simples")
		d.Taxation.Customer = &customer
	}
	if rapid.IntRange(0, 5).Draw(t, "the form has withholdings") == 0 {
		d.Details.Withholding = set("of the form")
	}
	rate := cmp.Or(taxation.SentRate(*d), new(nfse.MaxRate)) // of a city: it may be any
	if taxes.Taken(*d, rate) > d.Note.AmountCents {          // beside large discounts and deductions
		d.Details.Withholding = &nfse.Withholding{}
	}
	if taxes.DeclaresContributions(d.Issuer) {
		law := taxes.LawOn("2026-12-31")
		d.Issuer.OwnContributions = rapid.SampledFrom([]*nfse.OwnContributions{
			nil, law.Cumulative, law.NonCumulative, {CST: "08"}, {CST: "49", PIS: 99_99, COFINS: 1},
		}).Draw(t, "own contributions")
	}
}

// drawSet draws one that leaves something of the price, also after ISS is withheld.
func drawSet(t *rapid.T) nfse.Withholding {
	percent := func(label string, usual nfse.Percent) nfse.Percent {
		other := rapid.IntRange(0, 18_00)
		return rapid.OneOf(rapid.SampledFrom([]nfse.Percent{0, usual, usual}),
			rapid.Map(other, func(hundredths int) nfse.Percent { return nfse.Percent(hundredths) })).Draw(t, label)
	}
	return nfse.Withholding{
		IRRF: percent("IRRF", 1_50), PIS: percent("PIS", 65), COFINS: percent("COFINS", 3_00),
		CSLL: percent("CSLL", 1_00), INSS: percent("INSS", 11_00),
		INSSBase: rapid.SampledFrom([]nfse.Percent{0, 60_00, 100_00, 1}).Draw(t, "base of the INSS"),
	}
}
