package national

import (
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
)

// TestAliquot is the authority's table, row by row.
func TestAliquot(t *testing.T) {
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
			for _, rate := range []*nfse.Rate{nil, pointer(nfse.Rate(250))} {
				d := plainDocument()
				d.Issuer.Simples, d.Issuer.SpecialRegime, d.Issuer.InactiveMunicipalities = row.simples, row.special, cities
				if row.regime != 0 {
					d.Issuer.SimplesRegime = &row.regime
				}
				d.Note.ISSWithheld, d.Note.Service.ISSRate = row.withheld, rate
				var want aliquot
				if row.required == anywhere || row.required == where {
					if want.missing = rate == nil; rate != nil {
						want.send, want.rate = true, *rate
					}
				}
				if got := decideAliquot(d); got != want {
					t.Errorf("%s %s (%s), rate %v: %+v, want %+v", row.name, where, row.rules, rate, got, want)
				}
			}
		}
	}
}

// TestAliquotFollowsTheIncidence: it is the city that the ISS is due to which
// must be active, not the issuer's.
func TestAliquotFollowsTheIncidence(t *testing.T) {
	d := plainDocument()
	d.Note.Service.NationalTaxCode, d.Note.Service.MunicipalityCode, d.Note.Service.ISSRate = pointer("110201"), "3205309", pointer(nfse.Rate(200))
	d.Issuer.InactiveMunicipalities = []string{"3205309"}
	if !decideAliquot(d).send {
		t.Error("no rate where the place of the service is inactive")
	}
	d.Note.Service.NationalTaxCode = pointer("010101")
	if decideAliquot(d).send {
		t.Error("a rate where the issuer's city is active")
	}
}

func TestIncidence(t *testing.T) {
	const home, place, taker = "3304557", "3205309", "3550308"
	for code, want := range map[string]string{
		"010101": home, "170601": home, "200101": home, "121301": home, "150101": home, "990301": home, "": home,
		"030401": place, "030501": place, "070202": place, "071901": place, "110104": place, "110301": place, "120101": place, "121701": place,
		"160101": place, "160201": place, "171001": place, "171002": place, "220101": place,
		"170501": taker,
	} {
		d := plainDocument()
		d.Note.Service.NationalTaxCode, d.Note.Service.MunicipalityCode = &code, place
		if got := incidence(d); got != want {
			t.Errorf("%s: due to %s, want %s", code, got, want)
		}
		d.Note.Service.MunicipalityCode = waters
		if got := incidence(d); want == place && got != home {
			t.Errorf("%s at sea: due to %s, want the issuer's", code, got)
		}
	}
	if d := plainDocument(); incidence(d) != home {
		t.Error("not due to the issuer's city")
	}
}

// TestIncidenceFollowsTheRule reads the codes out of the authority's rule.
func TestIncidenceFollowsTheRule(t *testing.T) {
	var rule string
	for line := range strings.Lines(paper(t, "data/sefin-rules-anexoI-v1.00-20251216.tsv")) {
		if strings.Contains(line, "\tE1317\t") {
			rule = line
		}
	}
	if rule == "" {
		t.Fatal("the rule E1317 was not found")
	}
	for code := range nationalCodeList {
		d := plainDocument()
		d.Note.Service.NationalTaxCode, d.Note.Service.MunicipalityCode = &code, "3205309"
		if got, want := incidence(d) == "3205309", strings.Contains(rule, code); got != want {
			t.Errorf("%s is due at the place of the service: %v, the rule says %v", code, got, want)
		}
	}
}

// TestTotals is the table of approximate taxes.
func TestTotals(t *testing.T) {
	for name, row := range map[string]struct {
		change func(*fiscal.Document)
		want   string
	}{
		"outside Simples": {func(*fiscal.Document) {}, "<pTotTrib><pTotTribFed>13.45</pTotTribFed><pTotTribEst>0.00</pTotTribEst><pTotTribMun>5.00</pTotTribMun></pTotTrib>"},
		"MEI":             {micro, "<indTotTrib>0</indTotTrib>"},
		"ME":              {func(d *fiscal.Document) { small(d, 1) }, "<pTotTribSN>6.00</pTotTribSN>"},
		"ME, ISS outside": {func(d *fiscal.Document) { small(d, 3) }, "<pTotTribSN>6.00</pTotTribSN>"},
		"nothing said": {func(d *fiscal.Document) { d.Issuer.ApproximateTaxes = nfse.ApproximateTaxes{} },
			"<pTotTrib><pTotTribFed>0.00</pTotTribFed><pTotTribEst>0.00</pTotTribEst><pTotTribMun>0.00</pTotTribMun></pTotTrib>"},
	} {
		if got := between(t, rendered(t, row.change), "totTrib"); got != row.want {
			t.Errorf("%s: %s, want %s", name, got, row.want)
		}
	}
}

// rendered is the plain document, changed, as it is sent.
func rendered(t *testing.T, change func(*fiscal.Document)) string {
	t.Helper()
	d := numbered()
	change(&d)
	rendering, err := renderDPS(Options{}, d, testCredentials(t), checkedAt)
	if err != nil {
		t.Fatal(err)
	}
	return string(rendering.XML)
}

// numbered is the plain document with a number.
func numbered() fiscal.Document {
	d := plainDocument()
	d.Number = 42
	return d
}

// between is what an element holds.
func between(t *testing.T, document, element string) string {
	t.Helper()
	_, after, found := strings.Cut(document, "<"+element+">")
	content, _, ended := strings.Cut(after, "</"+element+">")
	if !found || !ended {
		t.Fatalf("no %s in %s", element, document)
	}
	return content
}
