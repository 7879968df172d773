package national_test

import (
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/long"
)

// drawOrdinary draws a note of a company outside Simples Nacional to a company, of which every
// total follows from the city's rate: with discounts, deduction or benefit, what is withheld and what the
// issuer owes itself.
func drawOrdinary(t *rapid.T) fiscal.Declaration {
	d := nationaltest.Declaration()
	d.Note.AmountCents = rapid.Int64Range(100, nfse.MaxAmountCents).Draw(t, "amount")
	if rapid.Bool().Draw(t, "of a usual price") {
		d.Note.AmountCents = 100 + d.Note.AmountCents%1_000_000
	}
	d.Note.Customer.TaxID = "33444555000181"
	least := nfse.Rate(2_00)
	d.Note.Service.ISSRate = new(rapid.SampledFrom([]nfse.Rate{least, nfse.MaxRate}).Draw(t, "rate")) // not the city's
	d.Note.ISSWithheld = rapid.Bool().Draw(t, "ISS withheld")
	d.Classification = nationaltest.Classification()
	price, part := d.Note.AmountCents, rapid.Int64Range(0, d.Note.AmountCents/5)
	d.Details.UnconditionalDiscountCents = part.Draw(t, "unconditional")
	d.Details.ConditionalDiscountCents = part.Draw(t, "conditional")
	switch rapid.IntRange(0, 2).Draw(t, "reduced by") {
	case 1:
		d.Details.Deduction = &nfse.Deduction{Cents: rapid.Int64Range(1, price/5).Draw(t, "deducted")}
	case 2:
		d.Details.ISS = &nfse.ISSTreatment{Kind: nfse.ISSBenefit, Benefit: "33045570200001",
			BenefitCents: rapid.Int64Range(1, price/5).Draw(t, "relieved")}
	}
	d.Taxation.Service = &nfse.ServiceTaxation{}
	nationaltest.DrawFederal(t, &d)
	return d
}

// The totals that are expected of ordinary notes all follow from what is sent and the city's rate, regardless of the
// service's, and equal the simulator's, which computes them by itself.
func TestSimulator_ExpectedTotals(t *testing.T) {
	simulator, client := startSimulator(t, false)
	drawn := rapid.Custom(drawOrdinary)
	for seed := range long.Cases(40, 10) {
		declaration := drawn.Example(seed)
		declaration.Number = int64(seed) + 1
		simulator.SetRegistry(registryOf(declaration))
		answer, _, _ := issue(t, client, simulator, declaration)
		if answer.Document == nil {
			continue
		}
		for _, one := range answer.Document.Authorization.Totals.Stated() {
			other, totals := *answer.Document, *answer.Document.Authorization.Totals
			*memberOf(&totals, one.Name) = new(one.Cents + 2)
			other.Authorization.Totals = &totals
			alarm := client.CompareTotals(declaration, other)
			if !alarm.Is(fact.TotalsDiffer) || alarm.Arguments["member"] != one.Name {
				t.Fatalf("two cents more of %s are %q", one.Name, alarm)
			}
		}
	}
}

func memberOf(totals *nfse.Totals, name string) **int64 {
	return map[string]**int64{
		"service": &totals.ServiceCents, "net": &totals.NetCents, "total": &totals.TotalCents, "iss": &totals.ISSCents,
		"iss_withheld": &totals.ISSWithheldCents, "irrf": &totals.IRRFCents, "csrf": &totals.CSRFCents,
		"inss": &totals.INSSCents, "ibs": &totals.IBSCents, "cbs": &totals.CBSCents,
	}[name]
}
