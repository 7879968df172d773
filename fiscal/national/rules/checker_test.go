package rules

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// checker checks by what is built in.
var checker = Checker{
	IBSCBS: taxation.IBSCBS{RequiredFrom: "2027-01-01"}, Tables: classification.NewEditions().On,
}

const today nfse.Day = "2026-11-21"

// ibscbsBreaches break one rule each about the group IBSCBS.
var ibscbsBreaches = []struct {
	name, code, field string
	change            func(d *declaration, c *nfse.Classification)
}{
	{"unknown NBS", "E0316", "", func(_ *declaration, c *nfse.Classification) { c.NBS = "104022900" }},
	{"cIndOp of Annex VII alone", "E0901", "", func(_ *declaration, c *nfse.Classification) { c.CIndOp = "010101" }},
	{"government without tpOper", "E0903", "", func(_ *declaration, c *nfse.Classification) { c.TpEnteGov = new(4) }},
	{"a subitem without tpOper", "E0903", "", func(d *declaration, _ *nfse.Classification) {
		d.Note.Service.NationalTaxCode = new("171201")
	}},
	{"tpOper without government", "E0904", "", func(_ *declaration, c *nfse.Classification) { c.TpOper = new(1) }},
	{"tpOper that refers to notes", "E0905", "", func(_ *declaration, c *nfse.Classification) {
		c.TpEnteGov, c.TpOper = new(1), new(2)
	}},
	{"a property that is none", "E0928", "", func(_ *declaration, c *nfse.Classification) { c.Property = cib() }},
	{"a property of construction", "E0931", "", func(d *declaration, c *nfse.Classification) {
		d.Note.Service.NationalTaxCode, d.Details.Work = new("070202"), work()
		c.CIndOp, c.Property = "020101", cib()
	}},
	{"a property abroad", "E0934", "", func(d *declaration, c *nfse.Classification) {
		exported(d)
		d.Details.Abroad.Country, d.Details.Abroad.ResultCountry = "US", ""
		c.CIndOp, c.Property = "020101", cib()
	}},
	{"no property", "E0932", "", func(_ *declaration, c *nfse.Classification) { c.CIndOp = "020101" }},
	{"cClassTrib of goods", "E0958", "", func(_ *declaration, c *nfse.Classification) { c.CClassTrib = "000003" }},
	{"cClassTrib that has ended", "E0958", "", func(_ *declaration, c *nfse.Classification) {
		c.CST, c.CClassTrib = "220", "220001"
	}},
	{"cClassTrib of another CST", "E0959", "", func(_ *declaration, c *nfse.Classification) { c.CST = "200" }},
	{"regular taxation that is none", "E0964", "", func(_ *declaration, c *nfse.Classification) {
		c.RegularTaxation = &nfse.RegularTaxation{CST: "000", CClassTrib: "000001"}
	}},
	{"no regular taxation", "E0965", "", func(_ *declaration, c *nfse.Classification) {
		c.CST, c.CClassTrib = "550", "550022"
	}},
	{"regular taxation of goods", "E0969", "", func(_ *declaration, c *nfse.Classification) {
		c.CST, c.CClassTrib = "550", "550022"
		c.RegularTaxation = &nfse.RegularTaxation{CST: "000", CClassTrib: "000003"}
	}},
	{"regular taxation of another CST", "E0970", "", func(_ *declaration, c *nfse.Classification) {
		c.CST, c.CClassTrib = "550", "550022"
		c.RegularTaxation = &nfse.RegularTaxation{CST: "200", CClassTrib: "000001"}
	}},
	{"a deferral that is none", "E0971", "", func(_ *declaration, c *nfse.Classification) {
		c.Deferral = &nfse.Deferral{}
	}},
	{"no deferral", "E0972", "", func(_ *declaration, c *nfse.Classification) {
		c.CST, c.CClassTrib = "515", "515001"
	}},
	{"the taker's place without an address", "E0234", "customer.address.street",
		func(d *declaration, _ *nfse.Classification) { d.Note.Customer.Address = nfse.Address{} }},
	{"a credit that the row does not allow", classificationInvalid, "",
		func(_ *declaration, c *nfse.Classification) { c.CCredPres = new("01") }},
	{"an NBS with dots", classificationInvalid, "",
		func(_ *declaration, c *nfse.Classification) { c.NBS = "1.1501.30.00" }},
}

func cib() *nfse.Property { return &nfse.Property{CIB: new("1234567A")} }

func TestChecker_RefusesWhatTheTablesRefuse(t *testing.T) {
	for _, breach := range ibscbsBreaches {
		t.Run(breach.name, func(t *testing.T) {
			declaration := nationaltest.Declaration()
			declaration.Classification = nationaltest.Classification()
			breach.change(&declaration, declaration.Classification)
			objection := checker.Check(declaration, today)
			if objection == nil || objection.Rejection == nil {
				t.Fatalf("%+v", objection)
			}
			rejection := *objection.Rejection
			explanation, action, _ := Catalogue.Explain(fiscal.Issue, breach.code)
			switch {
			case rejection.Code != breach.code:
				t.Errorf("%s, want %s: %s", rejection.Code, breach.code, rejection.Message)
			case breach.field == "" && rejection.Field != nil, breach.field != "" && *rejection.Field != breach.field:
				t.Errorf("field %v, want %q", rejection.Field, breach.field)
			case !strings.HasPrefix(rejection.Explanation, explanation) || rejection.Action != action:
				t.Errorf("explanation %q, action %q", rejection.Explanation, rejection.Action)
			}
		})
	}
}

// The group is checked when it is sent, and required of everybody from the day on.
func TestChecker_ByDay(t *testing.T) {
	outside := func(*fiscal.Declaration) {}
	small := func(d *fiscal.Declaration) { nationaltest.Small(d, 1) }
	for name, row := range map[string]struct {
		issuer     func(*fiscal.Declaration)
		classified *nfse.Classification
		day        nfse.Day
		code       string // of the rejection
		held       bool
	}{
		"outside, unclassified, before": {issuer: outside, day: "2026-12-31"},
		"outside, unclassified, on it":  {issuer: outside, day: "2027-01-01", held: true},
		"outside, classified, before":   {issuer: outside, classified: wrongClass(), day: "2026-12-31", code: "E0958"},
		"Simples, unclassified, before": {issuer: small, day: "2026-12-31"},
		"Simples, unclassified, on it":  {issuer: small, day: "2027-01-01", held: true},
		"Simples, wrong, before":        {issuer: small, classified: wrongClass(), day: "2026-12-31"},
		"Simples, wrong, on it":         {issuer: small, classified: wrongClass(), day: "2027-01-01", code: "E0958"},
		"MEI, unclassified, on it":      {issuer: nationaltest.Micro, day: "2027-01-01", held: true},
		"MEI, classified, on it": {
			issuer: nationaltest.Micro, classified: nationaltest.Classification(), day: "2027-01-01",
		},
		"a rejection comes before a hold": {
			issuer: func(d *fiscal.Declaration) { d.Note.AmountCents = 0 }, day: "2027-01-01",
			code: "amount_out_of_range",
		},
		"unclassified, Simples, long past": {issuer: small, day: "2031-05-05", held: true},
	} {
		t.Run(name, func(t *testing.T) {
			declaration := nationaltest.Declaration()
			declaration.Classification = row.classified
			declaration.Note.Competence = row.day
			row.issuer(&declaration)
			objection := checker.Check(declaration, row.day.Before(-40)) // it is checked and signed long after
			switch {
			case row.held:
				if objection == nil || !objection.Unclassified ||
					!objection.Hold.Is(fact.ClassificationRequired) ||
					objection.Hold.Arguments["service"] != declaration.Note.Service.ID {
					t.Errorf("%+v", objection)
				}
			case row.code != "":
				if objection == nil || objection.Rejection == nil || objection.Rejection.Code != row.code {
					t.Errorf("%+v", objection)
				}
			case objection != nil:
				t.Errorf("%+v", objection)
			}
		})
	}
}

// A day of competence that has not begun is waited for, never sent (E0015).
func TestChecker_DayNotBegun(t *testing.T) {
	declaration := nationaltest.Declaration()
	for today, held := range map[nfse.Day]bool{"2026-11-20": true, "2026-11-21": false, "2027-03-01": false} {
		objection := checker.Check(declaration, today)
		if held != (objection != nil && objection.Hold.Is(fact.CompetenceNotBegun)) || !held && objection != nil {
			t.Errorf("on %s: %+v", today, objection)
		}
	}
}

// wrongClass is one that no NFS-e may have.
func wrongClass() *nfse.Classification {
	c := nationaltest.Classification()
	c.CClassTrib = "000003"
	return c
}

// Nothing is refused by tables that were replaced since they were read.
func TestChecker_ReadsNewerTablesBeforeItRefuses(t *testing.T) {
	declaration := nationaltest.Declaration()
	declaration.Classification = nationaltest.Classification()
	declaration.Classification.CClassTrib = "000099"
	var records []classification.Record
	for i := range 150 { // no table is shorter
		records = append(records, classification.Record{"cClassTrib": fmt.Sprintf("000%03d", i), "name": "of a test",
			"indNFSe": "1", "ind_gTribRegular": "0", "ind_gCredPresOper": "0", "ind_gEstornoCred": "0",
			"dIniVig": "2026-01-01"})
	}
	newer, err := classification.NewEdition(classification.TableClassTrib, "newer", "2026-11-01", records)
	if err != nil {
		t.Fatal(err)
	}
	editions, reload := classification.NewEditions(), error(nil)
	checker := Checker{
		Tables: func(day string) classification.Tables { return editions.On(day) },
		Reload: func() error { return reload },
	}
	if objection := checker.Check(declaration, today); objection == nil || objection.Rejection == nil ||
		objection.Rejection.Code != "E0958" {
		t.Errorf("nothing newer, and %+v", objection)
	}
	reload = errors.New("the database is out")
	if objection := checker.Check(declaration, today); objection == nil ||
		!objection.Hold.Is(fact.ClassificationTablesUnread) {
		t.Errorf("the tables cannot be read, and %+v", objection)
	}
	checker.Reload = func() error { editions = classification.NewEditions(newer); return nil }
	if objection := checker.Check(declaration, today); objection != nil {
		t.Errorf("the newer tables have it, and %+v", objection)
	}
}
