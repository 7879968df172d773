package whereissued

import (
	"context"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const today nfse.Day = "2026-11-24"

var (
	onIt   = &fiscal.City{Active: true, AderenteEmissorNacional: new(true)}
	offIt  = &fiscal.City{Active: true, AderenteEmissorNacional: new(false)}
	nobody = []string{}
)

func of(authority, city string, simples nfse.SimplesOption, known *fiscal.City) Company {
	return Company{City: known, Profile: nfse.FiscalProfile{Authority: authority,
		MunicipalityCode: city, Simples: simples, TaxID: "11222333000181", Series: 10001}}
}

// Every case is who takes the notes of a company, what that says of its profile, and why.
func TestOn(t *testing.T) {
	const rio, campinas, campoGrande, sampa = "3304557", "3509502", "5002704", "3550308"
	for name, c := range map[string]struct {
		company Company
		day     nfse.Day
		who     []string
		verdict Verdict
		why     []fact.Code
		act     fact.Code
	}{
		"a city on the national system": {of("national", rio, nfse.SimplesNone, onIt), today,
			[]string{"national"}, Right, []fact.Code{fact.WhereNationalTakes}, ""},
		"nothing known": {of("national", rio, nfse.SimplesNone, nil), today,
			[]string{"national"}, NotSure, []fact.Code{fact.WhereNationalNotKnown}, ""},
		"a city that nobody serves": {of("national", rio, nfse.SimplesNone, offIt), today,
			nobody, Wrong, []fact.Code{fact.WhereNationalRefuses}, fact.WhereIssueThere},
		"a city with a server": {of("campinas", campinas, nfse.SimplesNone, offIt), today,
			[]string{"campinas"}, Right, []fact.Code{fact.WhereCityServer, fact.WhereNationalRefuses}, ""},
		"the same, of which nothing is known": {of("campinas", campinas, nfse.SimplesNone, nil), today,
			[]string{"campinas"}, Right, []fact.Code{fact.WhereCityServer, fact.WhereNationalNotKnown}, ""},
		"the same, whose profile names the national system": {of("national", campinas, nfse.SimplesNone, offIt), today,
			[]string{"campinas"}, Wrong, []fact.Code{fact.WhereCityServer, fact.WhereNationalRefuses},
			fact.WhereChangeTo},
		"the same before its row": {of("campinas", campinas, nfse.SimplesNone, offIt), "2026-09-20",
			nobody, Wrong, []fact.Code{fact.CityNotOnDay, fact.WhereNationalRefuses}, fact.WhereIssueThere},
		"a city that has turned national": {of("campinas", campinas, nfse.SimplesNone, onIt), today,
			[]string{"campinas", "national"}, Decide, []fact.Code{fact.WhereCityServer, fact.WhereNationalTakes},
			fact.WhereDecide},
		"the same, and the profile with it": {of("national", campinas, nfse.SimplesNone, onIt), today,
			[]string{"campinas", "national"}, Right, []fact.Code{fact.WhereCityServer, fact.WhereNationalTakes}, ""},
		"in Simples, by the city": {of("campinas", campinas, nfse.SimplesME, offIt), today,
			[]string{"national"}, Wrong, []fact.Code{fact.CityOfSimples}, fact.WhereChangeTo},
		"in Simples, by the national system": {of("national", campinas, nfse.SimplesME, offIt), today,
			[]string{"national"}, Right, []fact.Code{fact.CityOfSimples}, ""},
		"an MEI": {of("campinas", campinas, nfse.SimplesMEI, nil), "2026-10-01",
			[]string{"national"}, Wrong, []fact.Code{fact.CityOfMEI}, fact.WhereChangeTo},
		"a row that is off": {of("campo-grande", campoGrande, nfse.SimplesNone, offIt), today,
			nobody, Wrong, []fact.Code{fact.CityOff, fact.WhereNationalRefuses}, fact.WhereIssueThere},
		"a row that is off, of a city that has turned": {of("campo-grande", campoGrande, nfse.SimplesNone, onIt), today,
			[]string{"national"}, Wrong, []fact.Code{fact.CityOff, fact.WhereNationalTakes}, fact.WhereChangeTo},
		"São Paulo": {of("sao-paulo", sampa, nfse.SimplesNone, nil), today,
			[]string{"sao-paulo"}, Right, []fact.Code{fact.WhereCityItself, fact.WhereNationalNotKnown}, ""},
		"São Paulo in Simples": {of("sao-paulo", sampa, nfse.SimplesME, nil), today,
			[]string{"national"}, Wrong, []fact.Code{fact.WhereNotOfSimples, fact.CityOfSimples}, fact.WhereChangeTo},
	} {
		decision := c.company.On(c.day)
		var why []fact.Code
		for _, one := range decision.Why {
			why = append(why, one.Code)
			if strings.ContainsAny(one.English()+one.Portuguese()+decision.Do.Portuguese(), "{}") {
				t.Errorf("%s: %s", name, one.English())
			}
		}
		if !slices.Equal(decision.Authorities, c.who) || decision.Verdict != c.verdict ||
			!slices.Equal(why, c.why) || decision.Do.Code != c.act {
			t.Errorf("%s: %q %s %q %s", name, decision.Authorities, decision.Verdict, why, decision.Do.Code)
		}
	}
}

// An individual issues by the national system where the city lets it; whether a city's server takes
// one is not known.
func TestOn_Individual(t *testing.T) {
	c := of("campinas", "3509502", nfse.SimplesNone, offIt)
	c.Profile.TaxID = "52998224725"
	if decision := c.On(today); decision.Verdict != Wrong || decision.Why[0].Code != fact.CityOfIndividual {
		t.Errorf("%+v", decision)
	}
}

// imported is a table of cities as an operator imported it; empty: none was.
type imported string

func (i imported) CityTable(context.Context) (id, content string, err error) {
	if i == "" {
		return "", "", nil
	}
	return "ctb_1", strings.Join(cities.Columns(), "\t") + "\n" + string(i), nil
}

// A row that begins, or ends, later is announced.
func TestComing(t *testing.T) {
	load := func(table imported) {
		if err := cities.Load(context.Background(), table, cityrules.Quirks()); err != nil {
			t.Fatal(err)
		}
	}
	load("3304557\trio\tdsf\ton\t2026-12-01\t2026-12-31\thttps://rio.example\t\tinclusive-sha1\t3\t\ta test\n")
	t.Cleanup(func() { load("") })
	c := of("national", "3304557", nfse.SimplesNone, offIt)
	for after, want := range map[nfse.Day]Decision{
		"2026-11-24": {Day: "2026-12-01", Authorities: []string{"rio"}},
		"2026-12-05": {Day: "2027-01-01", Authorities: nobody},
		"2027-01-01": {},
	} {
		coming, changes := c.Coming(after)
		if changes != (want.Day != "") || coming.Day != want.Day ||
			!slices.Equal(coming.Authorities, want.Authorities) {
			t.Errorf("after %s: %+v", after, coming)
		}
		day := want.Day.Begin().Format("02/01/2006")
		if said := coming.Said().Portuguese(); changes && !strings.Contains(said, day) {
			t.Errorf("after %s it is said: %s", after, said)
		}
	}
}
