package rules

import (
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
)

func TestExplain_UnknownCode(t *testing.T) {
	unknown := Catalogue.General(fiscal.Issue)
	explanation, action, field := Catalogue.Explain(fiscal.Issue, "E9123")
	if explanation != unknown.Explanation || action != unknown.Action || field != nil {
		t.Errorf("%q, %q, %v", explanation, action, field)
	}
}

func TestExplain_NamesTheField(t *testing.T) {
	for code, want := range map[string]string{
		"E0240": fieldZipCode, "E0310": fieldTaxCode, "E0619": fieldRate, "E0583": fieldWithheld, "E0202": fieldTaxID,
	} {
		if _, _, field := Catalogue.Explain(fiscal.Issue, code); field == nil || *field != want {
			t.Errorf("%s names %v, want %s", code, field, want)
		}
		if _, _, field := Catalogue.Explain(fiscal.Cancel, code); field != nil {
			t.Errorf("%s names %s in a cancellation", code, *field)
		}
	}
	for _, code := range []string{"E0160", "E0714", "E1217", "E0822"} {
		if _, _, field := Catalogue.Explain(fiscal.Issue, code); field != nil {
			t.Errorf("%s names %s, which no caller sent", code, *field)
		}
	}
}

// Anybody who reads why a cancellation was refused has a note that exists: no words may make them issue it again.
func TestExplain_CancellationsAreNotToldToIssueAgain(t *testing.T) {
	for _, rule := range append(Catalogue.All(), rulecatalogue.Rule{Code: "E9123"}) {
		explanation, action, _ := Catalogue.Explain(fiscal.Cancel, rule.Code)
		if explanation == "" || action == "" || strings.Contains(action, "issue again") ||
			strings.Contains(action, "Nothing was issued") {
			t.Errorf("%s: %q, %q", rule.Code, explanation, action)
		}
	}
}

// Nor does a note that was refused by a code of events stay issued.
func TestExplain_RejectedNotesAreNotSaidToStay(t *testing.T) {
	for _, rule := range Catalogue.All() {
		_, action, _ := Catalogue.Explain(fiscal.Issue, rule.Code)
		if action == "" || strings.Contains(action, "stays issued") {
			t.Errorf("%s: %q", rule.Code, action)
		}
	}
}

func TestDisposition(t *testing.T) {
	const nextLayout = `The element 'infDPS' has invalid child element 'cLocEmi'. ` +
		`List of possible elements expected: 'finNFSe'.`
	want := map[string]fiscal.Handling{
		"E1206": fiscal.TryLater, "E1217": fiscal.TryLater, "E0008": fiscal.SignAgain,
		"E1843": fiscal.SignAgain,
		"E0046": fiscal.NeedsConfirmation, "E0840": fiscal.NeedsConfirmation, "E0848": fiscal.NeedsConfirmation,
		"E0822": fiscal.TermOver, "E0823": fiscal.CityRefuses, "E0824": fiscal.CityRefuses, "E0827": fiscal.CityRefuses,
		"": fiscal.Uncatalogued, "E9123": fiscal.Uncatalogued, "E999": fiscal.Uncatalogued,
		"E9999": fiscal.Uncatalogued, "RNG9999": fiscal.Uncatalogued,
	}
	for _, code := range []string{"E0014", "E0802", "E1805"} {
		want[code] = fiscal.AlreadyExists
	}
	for _, code := range []string{
		"E1200", "E1203", "E1205", "E1207", "E1208", "E1209", "E0715", "E0716", "E0718", "E1983", "E1986", "E1991",
	} {
		want[code] = fiscal.CertificateRefused
	}
	for _, code := range strings.Fields(`E0016 E0018 E0020 E0023 E0025
		E0004 E0006 E0010 E0015 E0037 E0038 E0039 E0082 E0084 E0098 E0099 E0116 E0119 E0120 E0124 E0160 E0162 E0166
		E0172 E0174 E0175 E0176 E0177 E0178 E0238 E0240 E0247 E0312 E0314 E0316 E0318 E0322 E0330 E0370 E0372 E0373
		E0380 E0390 E0392 E0427 E0428 E0440 E0441 E0529 E0530 E0539 E0540 E0595 E0600 E0602 E0604 E0612 E0617 E0619
		E0621 E0625 E0628 E0631 E0635 E0640 E0667 E0675 E0676 E0694 E0696 E0720 E0724 E0712 E0713 E0714 E0717 E0850
		E0901 E0958 E1235 E0068 E0076 E0078 RNG6110 E0121 E1225 E1226 E1228 E1229 E1242 E6154 E6155`) {
		want[code] = fiscal.NeedsPerson
	}
	codes := []string{"", "E9123", "E999", "E9999"}
	for _, rule := range Catalogue.All() {
		codes = append(codes, rule.Code)
	}
	for _, code := range codes {
		expected, special := want[code]
		if !special {
			expected = fiscal.Final
		}
		if got := Handling(code, ""); got != expected {
			t.Errorf("%s is %s, want %s", code, got, expected)
		}
	}
	for _, test := range []struct {
		code, complement string
		want             fiscal.Handling
	}{
		{"E1235", nextLayout, fiscal.SignAgain},
		{"RNG6110", nextLayout, fiscal.SignAgain},
		{"E1235", strings.ToUpper(nextLayout), fiscal.SignAgain},
		{"E1235", `The element 'IBSCBS' has invalid child element 'finNFSe'. ` +
			`List of possible elements expected: 'cIndOp'.`, fiscal.NeedsPerson},
		{"E1235", `The element 'finNFSe' is invalid.`, fiscal.NeedsPerson},
		{"E0310", nextLayout, fiscal.Final},
	} {
		if got := Handling(test.code, test.complement); got != test.want {
			t.Errorf("%s, %q is %s, want %s", test.code, test.complement, got, test.want)
		}
	}
}
