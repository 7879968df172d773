package national_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/test/long"
)

// Declarations of which parts are another's break rules of all kinds. Those that the checks accept are issued by the
// simulator, which has the rules by code of its own.
func TestSimulator_IssuesWhatIsAccepted(t *testing.T) {
	simulator, authority := startSimulator(t, false)
	drawn := rapid.Custom(nationaltest.DrawDeclaration)
	refused := map[string]bool{}
	count, accepted := long.Cases(600, 40), 0
	for seed := range count {
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		d := mixed(random, drawn.Example(2_000_000+2*seed), drawn.Example(2_000_001+2*seed))
		d = nationaltest.Existing(d)
		d.Issuer.Production = false
		if slices.Contains(d.Issuer.InactiveMunicipalities, d.Issuer.MunicipalityCode) {
			continue // E0038
		}
		if objection := authority.Check(d, now); objection != nil {
			if objection.Rejection != nil {
				refused[objection.Rejection.Code] = true
			}
			continue
		}
		accepted++
		simulator.SetRegistry(registryOf(d))
		issue(t, authority, simulator, d)
	}
	if accepted < count/3 || len(refused) < 3 {
		t.Errorf("of %d are accepted %d, and the others refused by %d rules", count, accepted, len(refused))
	}
}

// mixed takes some parts of a declaration from another one.
func mixed(random *rand.Rand, d, other fiscal.Declaration) fiscal.Declaration {
	service, form := *d.Taxation.Service, &d.Details
	d.Taxation.Service = &service
	for _, take := range []func(){
		func() {
			d.Issuer.Simples, d.Issuer.SimplesRegime = other.Issuer.Simples, other.Issuer.SimplesRegime
			d.Issuer.ApproximateTaxes = other.Issuer.ApproximateTaxes
			d.Issuer.OwnContributions = other.Issuer.OwnContributions
			d.Issuer.SpecialRegime = other.Issuer.SpecialRegime
		},
		func() { d.Note.Service.NationalTaxCode = other.Note.Service.NationalTaxCode },
		func() { d.Note.Service.ISSRate = other.Note.Service.ISSRate },
		func() { d.Note.AmountCents = other.Note.AmountCents },
		func() { d.Note.ISSWithheld = other.Note.ISSWithheld },
		func() { d.Note.Customer = other.Note.Customer },
		func() { d.Classification = other.Classification },
		func() { service.ISS = other.Taxation.Service.ISS },
		func() { service.Abroad = other.Taxation.Service.Abroad },
		func() { service.Deduction = other.Taxation.Service.Deduction },
		func() { service.Withholding = other.Taxation.Service.Withholding },
		func() { d.Taxation.Customer = other.Taxation.Customer },
		func() { d.Taxation.Work, d.Taxation.Event = other.Taxation.Work, other.Taxation.Event },
		func() { form.ISS = other.Details.ISS },
		func() { form.Abroad = other.Details.Abroad },
		func() { form.Deduction = other.Details.Deduction },
		func() { form.UnconditionalDiscountCents = other.Details.UnconditionalDiscountCents },
		func() { form.ConditionalDiscountCents = other.Details.ConditionalDiscountCents },
		func() { form.ForeignTaker = other.Details.ForeignTaker },
		func() { form.Intermediary = other.Details.Intermediary },
		func() { form.Work = other.Details.Work },
		func() { form.Event = other.Details.Event },
		func() { form.Withholding = other.Details.Withholding },
	} {
		if random.IntN(4) == 0 {
			take()
		}
	}
	return d
}
