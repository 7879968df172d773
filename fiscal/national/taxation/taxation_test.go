package taxation_test

import (
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
	"emissor/test/reference"
)

// The authority's table, row by row.
func TestAliquotOf(t *testing.T) {
	const never, active, inactive, anywhere = "never", "where active", "where inactive", "anywhere"
	for _, row := range []struct {
		name     string
		rules    string
		simples  nfse.SimplesOption
		regime   int // 0 is none
		special  int
		withheld bool
		required string
	}{
		{"outside Simples", "E0617, E0619", nfse.SimplesNone, 0, 0, false, inactive},
		{"outside Simples, withheld", "E0617, E0619", nfse.SimplesNone, 0, 0, true, inactive},
		{"outside Simples, special regime", "E0604", nfse.SimplesNone, 0, 1, false, never},
		{"MEI", "E0600", nfse.SimplesMEI, 0, 0, false, never},
		{"ME within Simples", "E0625, E0631", nfse.SimplesME, 1, 0, false, never},
		{"ME within Simples, withheld", "E0621, E0628", nfse.SimplesME, 1, 0, true, anywhere},
		{"ME, ISS outside", "E0635, E0640", nfse.SimplesME, 2, 0, false, inactive},
		{"ME, ISS outside, withheld", "E0635, E0640", nfse.SimplesME, 2, 0, true, inactive},
		{"ME, all outside", "E0635, E0640", nfse.SimplesME, 3, 0, false, inactive},
		{"ME, all outside, withheld", "E0635, E0640", nfse.SimplesME, 3, 0, true, inactive},
		{"ME, all outside, special regime", "E0604", nfse.SimplesME, 3, 5, false, never},
	} {
		for where, cities := range map[string][]string{active: nil, inactive: {"3304557"}} {
			for _, rate := range []*nfse.Rate{nil, new(nfse.Rate(250))} {
				d := nationaltest.Declaration()
				d.Issuer.Simples, d.Issuer.SpecialRegime = row.simples, row.special
				d.Issuer.InactiveMunicipalities = cities
				if row.regime != 0 {
					d.Issuer.SimplesRegime = &row.regime
				}
				d.Note.ISSWithheld, d.Note.Service.ISSRate = row.withheld, rate
				var want taxation.Aliquot
				if row.required == anywhere || row.required == where {
					if want.Missing = rate == nil; rate != nil {
						want.Sent, want.Rate = true, *rate
					}
				}
				if got := taxation.AliquotOf(d); got != want {
					t.Errorf("%s %s (%s), rate %v: %+v, want %+v", row.name, where, row.rules, rate, got, want)
				}
			}
		}
	}
}

// It is the city that the ISS is due to which must be active, not the issuer's.
func TestAliquotOf_FollowsTheIncidence(t *testing.T) {
	d := nationaltest.Declaration()
	service := &d.Note.Service
	service.NationalTaxCode, service.MunicipalityCode, service.ISSRate = new("110201"), "3205309", new(nfse.Rate(200))
	d.Issuer.InactiveMunicipalities = []string{"3205309"}
	if !taxation.AliquotOf(d).Sent {
		t.Error("no rate where the place of the service is inactive")
	}
	d.Note.Service.NationalTaxCode = new("010101")
	if taxation.AliquotOf(d).Sent {
		t.Error("a rate where the issuer's city is active")
	}
}

func TestIncidence(t *testing.T) {
	const home, place, taker = "3304557", "3205309", "3550308"
	for code, want := range map[string]string{
		"010101": home, "170601": home, "200101": home, "121301": home, "150101": home, "990101": home, "": home,
		"141401": home, "141403": home, "200102": home,
		"030401": place, "030501": place, "070202": place, "071901": place, "110104": place,
		"110301": place, "120101": place, "121701": place,
		"160101": place, "160201": place, "171001": place, "171002": place, "220101": place,
		"170501": taker,
	} {
		d := nationaltest.Declaration()
		d.Note.Service.NationalTaxCode, d.Note.Service.MunicipalityCode = &code, place
		if got := taxation.Incidence(d); got != want {
			t.Errorf("%s: due to %s, want %s", code, got, want)
		}
		d.Note.Service.MunicipalityCode = taxation.AtSea
		if got := taxation.Incidence(d); want == place && got != home {
			t.Errorf("%s at sea: due to %s, want the issuer's", code, got)
		}
	}
	if d := nationaltest.Declaration(); taxation.Incidence(d) != home {
		t.Error("not due to the issuer's city")
	}
}

// The places that the ISS can be due to, as the table of places names them.
const (
	establishment = "EP" // where the provider is
	performance   = "LP" // where the service is rendered
	customers     = "ET" // where the customer is
)

// dueTo returns the one that Incidence decides for a code.
func dueTo(code string) string {
	d := nationaltest.Declaration()
	d.Note.Service.NationalTaxCode, d.Note.Service.MunicipalityCode = &code, "3205309"
	return map[string]string{
		d.Issuer.MunicipalityCode: establishment, "3205309": performance, d.Note.Municipality.Code: customers,
	}[taxation.Incidence(d)]
}

// The codes are read out of the authority's rules.
func TestIncidence_FollowsTheRules(t *testing.T) {
	rules := map[string]string{}
	for _, row := range official(t, "sefin-rules-anexoI-v1.01-20260209.tsv") {
		rules[row[1]] = row[5]
	}
	for _, rule := range []string{"E1317", "E1321", "E1325"} {
		if rules[rule] == "" {
			t.Fatalf("the rule %s was not found", rule)
		}
	}
	for _, code := range taxation.ServiceCodes() {
		want := establishment
		switch {
		case strings.Contains(rules["E1317"], code):
			want = performance
		case strings.Contains(rules["E1321"], code):
			want = customers
		}
		if got := dueTo(code); got != want {
			t.Errorf("%s is due to %s, the rules say %s", code, got, want)
		}
		if excepted := strings.Contains(rules["E1325"], code); excepted != (want != establishment) && code != "990101" {
			t.Errorf("%s is an exception of E1325: %v, but due to %s", code, excepted, want)
		}
	}
}

// Row by row, but for those in which the table says other than the rules.
func TestIncidence_FollowsTheTable(t *testing.T) {
	otherwise := map[string]string{
		"110301": establishment, "141401": performance, "141402": performance, "141403": performance,
		"141404": performance, "200101": performance, "200201": performance, "200301": performance,
	}
	rows := official(t, "iss-incidence-anexoI-v1.01-20260209.tsv")
	for _, row := range rows {
		code, want := row[0], ""
		for i, place := range []string{establishment, performance, customers} {
			if strings.HasSuffix(row[2+i], "X") {
				want = place
			}
		}
		got := dueTo(code)
		if other := otherwise[code]; other != "" {
			if other != want || got == want {
				t.Errorf("%s is due to %s, and the table says %s: no disagreement, or another", code, got, want)
			}
		} else if code != "990101" && got != want {
			t.Errorf("%s is due to %s, the table says %s", code, got, want)
		}
		if got, want := taxation.NeedsWorks(code), row[6] == "obra"; got != want {
			t.Errorf("%s needs the group obra: %v, the table says %v", code, got, want)
		}
		if got, want := taxation.NeedsEvent(code), row[6] == "atvEvento"; got != want {
			t.Errorf("%s needs the group atvEvento: %v, the table says %v", code, got, want)
		}
	}
	if len(rows) != 337 { // that of 200102 is missing
		t.Errorf("the table has %d rows", len(rows))
	}
}

func TestServiceCodes(t *testing.T) {
	var codes []string
	for _, row := range official(t, "ctribnac-anexoB-v1.01-20260122.tsv") {
		codes = append(codes, row[0])
	}
	slices.Sort(codes)
	if codes = slices.Compact(codes); len(codes) != 338 || !slices.Equal(codes, taxation.ServiceCodes()) {
		t.Errorf("%d codes are official, %d are ours", len(codes), len(taxation.ServiceCodes()))
	}
	for _, code := range []string{"990301", "990201", "99", "010102", "01.01.01", ""} {
		if taxation.KnownServiceCode(code) {
			t.Errorf("%q is on the list", code)
		}
	}
}

// official reads the rows of one of the authority's tables.
func official(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	for line := range strings.Lines(string(officialText(t, name))) {
		rows = append(rows, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
	}
	return rows[1:]
}

func officialText(t *testing.T, name string) []byte {
	t.Helper()
	return reference.ReadNational(t, "data/"+name)
}
