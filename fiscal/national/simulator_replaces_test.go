package national_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/simulators/sefin"
)

// What TestSimulator_IssuesAndCancels leaves out: any drawn note replaces one that the simulator
// has issued, and what its city does not tax is issued where the city says so; by the law of the
// last day of PIS and COFINS, and of the first without.
func TestSimulator_ReplacesAndLeavesUntaxed(t *testing.T) {
	simulator, authority := startSimulator(t, false)
	before := now
	now = time.Date(2027, time.January, 2, 12, 0, 0, 0, time.UTC) // the simulator's certificates are older
	t.Cleanup(func() { now = before })
	send := func(declaration fiscal.Declaration) (accessKey string) {
		if answer, _, _ := issue(t, authority, simulator, declaration); answer.Document != nil {
			accessKey = answer.Document.AccessKey
		}
		return accessKey
	}
	drawn := rapid.Custom(nationaltest.DrawDeclaration)
	replaced, untaxed := 0, 0
	for seed := range long.Cases(800, 40) {
		declaration := drawn.Example(1_000_000 + seed) // others than the first test has
		kind, replaces := declaration.ISS().Kind, declaration.Details.Replaces
		nationaltest.OnDay(&declaration, []nfse.Day{"2026-12-31", "2027-01-01"}[seed%2])
		declaration.Issuer.Production, declaration.Issuer.InactiveMunicipalities = false, nil
		declaration = nationaltest.Existing(declaration)
		if kind == nfse.ISSNotTaxed {
			declaration.Details.ISS = &nfse.ISSTreatment{Kind: kind}
		}
		if replaces == nil && kind != nfse.ISSNotTaxed {
			continue
		}
		simulator.SetRegistry(untaxing(declaration))
		key := send(declaration)
		if key != "" && kind == nfse.ISSNotTaxed {
			untaxed++
		}
		if replaces == nil || !schema.SchemaTakesKey(key) {
			continue
		}
		replaces.AccessKey = key
		replaces.Original.MunicipalityCode = taxation.PlaceOf(declaration).Municipality
		declaration.Details.Replaces, declaration.Number = replaces, 1+declaration.Number%schema.MaxNumber
		if send(declaration) != "" {
			replaced++
			checkReplaced(t, simulator, key)
		}
	}
	if replaced == 0 || untaxed == 0 {
		t.Errorf("%d notes replaced another one, and %d were not taxed", replaced, untaxed)
	}
}

func checkReplaced(t *testing.T, simulator *sefin.Simulator, key string) {
	t.Helper()
	for _, entry := range simulator.Ledger() {
		if entry.AccessKey == key && (!entry.Cancelled || entry.ReplacedBy == "") {
			t.Errorf("the replaced note is %+v", entry)
		}
	}
}

// untaxing is registryOf where the city of a declaration that is not taxed says so.
func untaxing(declaration fiscal.Declaration) sefin.Registry {
	registry, code := registryOf(declaration), *declaration.Note.Service.NationalTaxCode
	if declaration.ISS().Kind == nfse.ISSNotTaxed && !taxation.NeverTaxed(code) {
		registry.Municipalities[taxation.Incidence(declaration)] = sefin.Agreement{NotIncident: []string{code}}
	}
	return registry
}
