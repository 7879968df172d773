package taxation_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/taxation"
	"emissor/internal/reference"
	"emissor/nfse"
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
		"010101": home, "170601": home, "200101": home, "121301": home, "150101": home, "990301": home, "": home,
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

// The codes are read out of the authority's rule.
func TestIncidence_FollowsTheRule(t *testing.T) {
	var rule string
	for line := range strings.Lines(official(t, "sefin-rules-anexoI-v1.00-20251216.tsv")) {
		if strings.Contains(line, "\tE1317\t") {
			rule = line
		}
	}
	if rule == "" {
		t.Fatal("the rule E1317 was not found")
	}
	for _, code := range taxation.ServiceCodes() {
		d := nationaltest.Declaration()
		d.Note.Service.NationalTaxCode, d.Note.Service.MunicipalityCode = &code, "3205309"
		if got, want := taxation.Incidence(d) == "3205309", strings.Contains(rule, code); got != want {
			t.Errorf("%s is due at the place of the service: %v, the rule says %v", code, got, want)
		}
	}
}

func TestServiceCodes(t *testing.T) {
	var codes []string
	for i, line := range strings.Split(strings.TrimSpace(official(t, "ctribnac-anexoB.tsv")), "\n") {
		if code, _, _ := strings.Cut(line, "\t"); i > 0 {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	if codes = slices.Compact(codes); len(codes) != 335 || !slices.Equal(codes, taxation.ServiceCodes()) {
		t.Errorf("%d codes are official, %d are ours", len(codes), len(taxation.ServiceCodes()))
	}
}

// official reads one of the authority's tables.
func official(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(reference.National(t, "data", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
