package rules_test

import (
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const home = "3304557" // the issuer's city, to which the ISS of the test's service is due

func knowing(city fiscal.City) func(*fiscal.Declaration) {
	return func(d *fiscal.Declaration) { d.Cities = map[string]fiscal.City{home: city} }
}

var (
	open      = agreed(true, true)
	ownIssuer = agreed(false, true)
	saoPaulo  = agreed(true, false)
	silent    = fiscal.City{Active: true}
)

func agreed(issuer, situation bool) fiscal.City {
	return fiscal.City{Active: true, AderenteEmissorNacional: &issuer,
		SituacaoEmissaoPadraoContribuintesRFB: &situation}
}

func onlyAnother(d *fiscal.Declaration) { d.Cities = map[string]fiscal.City{"3550308": {}} }

func rated(d *fiscal.Declaration) { d.Note.Service.ISSRate = new(nfse.Rate(201)) }

func small(regime int) func(*fiscal.Declaration) {
	return func(d *fiscal.Declaration) { nationaltest.Small(d, regime) }
}

func monthly(month nfse.Month) func(*fiscal.Declaration) {
	return func(d *fiscal.Declaration) { d.Issuer.SimplesRates = map[nfse.Month]nfse.Rate{month: 2_01} }
}

func TestHold(t *testing.T) {
	for name, test := range map[string]struct {
		changes []func(*fiscal.Declaration)
		code    string // empty: it goes
	}{
		"nothing is known":             {nil, ""},
		"a city that takes all":        {changes(knowing(open)), ""},
		"a city that says nothing":     {changes(knowing(silent)), ""},
		"not active":                   {changes(knowing(fiscal.City{}), rated), "E0038"},
		"not active, by the profile":   {changes(nationaltest.Inactive, rated), ""},
		"not active, of an MEI":        {changes(knowing(fiscal.City{}), nationaltest.Micro), ""},
		"not active, of an EPP":        {changes(knowing(fiscal.City{}), small(1)), ""},
		"a system of its own":          {changes(knowing(ownIssuer)), "E0039"},
		"a system of its own, an MEI":  {changes(knowing(ownIssuer), nationaltest.Micro), ""},
		"a system of its own, an EPP":  {changes(knowing(ownIssuer), small(1)), ""},
		"São Paulo":                    {changes(knowing(saoPaulo)), "E0084"},
		"São Paulo, an MEI":            {changes(knowing(saoPaulo), nationaltest.Micro), ""},
		"São Paulo, an EPP":            {changes(knowing(saoPaulo), small(1)), ""},
		"São Paulo, an EPP outside":    {changes(knowing(saoPaulo), small(3)), ""},
		"São Paulo, by its own record": {changes(knowing(saoPaulo), registered), ""},
		"parameters that are ignored":  {changes(knowing(saoPaulo), ignoring), ""},
		"another city's":               {changes(onlyAnother), ""},
		"no rate":                      {changes(knowing(fiscal.City{}), small(2)), "E0640"},
		"no rate, of the other city":   {changes(dueElsewhere), "E0619"},
		"no rate, ignored":             {changes(dueElsewhere, ignoring), ""},
		"a rate, of the other city":    {changes(dueElsewhere, rated), ""},
		"withheld within Simples":      {changes(knowing(fiscal.City{}), small(1), withheld), ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := nationaltest.Declaration()
			for _, change := range test.changes {
				change(&d)
			}
			if rejection := rules.Check(d); rejection != nil {
				t.Fatalf("it is rejected: %+v", rejection)
			}
			hold := rules.Hold(d)
			if rule, _ := hold.Arguments["rule"].(string); rule != test.code || hold.None() != (test.code == "") {
				t.Errorf("it is held by %q, expected %q", hold, test.code)
			}
			city := home
			if taxation.Incidence(d) != home {
				city = taxation.Incidence(d)
			}
			if !hold.None() && (hold.Arguments["municipality"] != city || !strings.Contains(hold.English(), city) ||
				strings.Contains(hold.English(), string(d.Issuer.TaxID)) ||
				!strings.Contains(hold.English(), "--ignore-municipal-parameters")) {
				t.Errorf("the reason is %q", hold)
			}
		})
	}
}

func changes(list ...func(*fiscal.Declaration)) []func(*fiscal.Declaration) { return list }

func ignoring(d *fiscal.Declaration) { d.Issuer.IgnoreMunicipalParameters = true }

func withheld(d *fiscal.Declaration) { nationaltest.Withhold(d, 300) }

func registered(d *fiscal.Declaration) {
	d.Issuer.MunicipalRegistration, d.Issuer.SendMunicipalRegistration = new("998877"), true
}

// dueElsewhere has the ISS due to another city, which is not active.
func dueElsewhere(d *fiscal.Declaration) {
	d.Note.Service.NationalTaxCode, d.Note.Service.MunicipalityCode = new("110101"), "3509502"
	d.Cities = map[string]fiscal.City{home: open, "3509502": {}}
}

// The parameters decide whether the rate is sent, the profile before them.
func TestAliquot_ByParameters(t *testing.T) {
	for name, test := range map[string]struct {
		changes []func(*fiscal.Declaration)
		sent    bool
	}{
		"nothing is known":              {nil, false},
		"active":                        {changes(knowing(open)), false},
		"not active":                    {changes(knowing(fiscal.City{})), true},
		"not active by the profile":     {changes(knowing(open), nationaltest.Inactive), true},
		"ignored":                       {changes(knowing(fiscal.City{}), ignoring), false},
		"an EPP outside Simples":        {changes(knowing(fiscal.City{}), small(2)), true},
		"an EPP within Simples":         {changes(knowing(fiscal.City{}), small(1)), false},
		"an EPP within, withheld":       {changes(knowing(fiscal.City{}), small(1), withheld), true},
		"an EPP within, active":         {changes(knowing(open), small(1), withheld), true},
		"due to another city, inactive": {changes(dueElsewhere), true},
	} {
		d := nationaltest.Declaration()
		for _, change := range append(test.changes, rated) {
			change(&d)
		}
		if aliquot := taxation.AliquotOf(d); aliquot.Sent != test.sent {
			t.Errorf("%s: %+v", name, aliquot)
		}
	}
}

// A rate that is missing by the parameters says so in words for the operator.
func TestCheck_RateMissingByParameters(t *testing.T) {
	d := nationaltest.Declaration()
	dueElsewhere(&d)
	authority, err := national.New(national.Options{
		Connection: national.Connection{RestrictedURL: "https://sefin.example"}})
	if err != nil {
		t.Fatal(err)
	}
	if objection := authority.Check(d, nationaltest.At); objection == nil || objection.Rejection != nil ||
		!objection.Hold.Is(fact.CityNeedsRate) || !objection.Hold.Equal(rules.MissingRate(d)) {
		t.Errorf("checked it is %+v", objection)
	}
	if authority.ServesCities(false) {
		t.Error("without an address of the ADN it is asked")
	}
	if cities := authority.CitiesOf(d); cities != (fiscal.DeclarationCities{
		Issuer: home, Incidence: "3509502", Service: "11.01.01.000",
	}) {
		t.Errorf("it depends on %+v", cities)
	}
}

// ISS that is withheld within Simples waits for the company's rate, no matter what the city has set and who withholds
// it: it is given in the fiscal profile, and the note goes on with it.
func TestHold_SimplesRate(t *testing.T) {
	for code, city := range map[string]fiscal.City{"E0621": open, "E0628": {}} {
		for name, change := range map[string]func(*fiscal.Declaration){
			"no rate at all":  func(d *fiscal.Declaration) { d.Note.Service.ISSRate = nil },
			"another month":   monthly("2026-11"),
			"an intermediary": byIntermediary,
		} {
			d := nationaltest.Declaration()
			for _, change := range changes(knowing(city), small(1), withheld, change) {
				change(&d)
			}
			want := fact.SimplesRateMissing.With("rule", code, "month", "2026-10")
			if rejection := rules.Check(d); rejection != nil || rules.Hold(d).English() != want.English() {
				t.Errorf("%s, %s: it is rejected by %+v, held by %q", code, name, rejection, rules.Hold(d))
			}
			monthly("2026-10")(&d)
			aliquot := taxation.AliquotOf(d)
			if !rules.Hold(d).None() || !aliquot.Sent || aliquot.Rate != 2_01 {
				t.Errorf("%s, %s: with its month it is held by %q and sends %+v", code, name, rules.Hold(d), aliquot)
			}
		}
	}
}

// byIntermediary has an intermediary withhold the ISS, and not the taker, at another month's rate.
func byIntermediary(d *fiscal.Declaration) {
	monthly("2026-11")(d)
	d.Note.ISSWithheld = false
	d.Details.Intermediary = &nfse.Intermediary{WithholdsISS: true, Party: nfse.Party{
		TaxID: "12345678000195", Name: "Plataforma SA", Address: &nfse.PartyAddress{
			MunicipalityCode: home, PropertyAddress: nfse.PropertyAddress{
				ZipCode: "20040002", Street: "Rua", Number: "10", District: "Centro",
			},
		},
	}}
}

func TestDoubtsCities(t *testing.T) {
	for code, expected := range map[string]bool{
		"E0619": true, "E0037": true, "E0084": true, "E0207": false, "": false,
	} {
		if rules.DoubtsCities(code) != expected {
			t.Errorf("%s: %t", code, !expected)
		}
	}
}
