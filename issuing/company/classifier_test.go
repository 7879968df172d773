package company_test

import (
	"slices"
	"testing"

	"emissor/fiscal/national/classification"
	national "emissor/fiscal/national/rules"
	saopaulo "emissor/fiscal/saopaulo/rules"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/catalogues"
)

// A service is classified as the organization's authority does: the city takes indicators of
// the operation that the national system refuses, and the reverse.
func TestClassifier(t *testing.T) {
	tables := classification.NewEditions().On("2026-11-22")
	usual := nfse.Classification{NBS: "115022000", CIndOp: "100301", CST: "000", CClassTrib: "000001",
		IndFinal: new(false)}
	with := func(change func(*nfse.Classification)) nfse.Classification {
		c := usual
		change(&c)
		return c
	}
	indOp := func(code string) nfse.Classification {
		return with(func(c *nfse.Classification) { c.CIndOp = code })
	}
	rightOfWay := with(func(c *nfse.Classification) {
		c.CIndOp, c.Property = "020401", &nfse.Property{CIB: new("1234567A")}
	})
	deferral := with(func(c *nfse.Classification) {
		c.CST, c.CClassTrib = "515", "515001"
		c.Deferral = &nfse.Deferral{State: 100_00, Municipal: 100_00, Federal: 100_00}
	})
	for name, c := range map[string]struct {
		classified     nfse.Classification
		national, city string // the rule that it breaks
	}{
		"usual":                   {usual, "", ""},
		"a movable good":          {indOp("010101"), "E0901", ""},
		"a right of way":          {rightOfWay, "E0901", ""},
		"one of no property":      {indOp("020401"), "E0901", "620"},
		"at the recipient's":      {indOp("030103"), "", "630"},
		"elsewhere":               {indOp("030104"), "", "630"},
		"a good, the recipient's": {indOp("050103"), "", "630"},
		"a good, elsewhere":       {indOp("050104"), "", "630"},
		"property":                {indOp("020101"), "E0932", "620"},
		"a deferral":              {deferral, "", "schema"},
	} {
		for authority, want := range map[string]string{national.Name: c.national, saopaulo.Name: c.city} {
			found := ""
			if defect := company.NewClassifier(authority, tables).Defect(c.classified, "010101"); defect != nil {
				found = defect.Rule
			}
			if found != want {
				t.Errorf("%s: by %s it breaks %q, expected %q", name, authority, found, want)
			}
			service := catalogues.ClassifiedService{Classification: &c.classified}
			service.NationalTaxCode = new("010101")
			defects := company.ServiceDefects(authority, tables, service)
			if slices.Contains(defects, company.Misclassified) != (want != "") {
				t.Errorf("%s: by %s the service has %q", name, authority, defects)
			}
		}
	}
}
