package classification_test

import (
	"reflect"
	"strings"
	"testing"

	"emissor/fiscal/national/classification"
	"emissor/nfse"
)

const today = "2026-11-22"

func tables() classification.Tables { return classification.NewEditions().On(today) }

// usual is the classification of most services.
func usual() nfse.Classification {
	return nfse.Classification{NBS: "115021000", CIndOp: "100301", CST: "000", CClassTrib: "000001"}
}

func about(change func(*nfse.Classification)) nfse.Classification {
	c := usual()
	change(&c)
	return c
}

func TestDefect_None(t *testing.T) {
	for name, c := range map[string]nfse.Classification{
		"usual": usual(),
		"regular taxation": about(func(c *nfse.Classification) {
			c.CST, c.CClassTrib = "550", "550016"
			c.RegularTaxation = &nfse.RegularTaxation{CST: "200", CClassTrib: "200052"}
		}),
		"deferral": about(func(c *nfse.Classification) {
			c.CST, c.CClassTrib = "515", "515001"
			c.Deferral = &nfse.Deferral{State: 100_00, Municipal: 0, Federal: 50_25}
		}),
		"presumed credit": about(func(c *nfse.Classification) {
			c.CST, c.CClassTrib, c.CCredPres = "410", "410014", new("01")
		}),
		"government": about(func(c *nfse.Classification) { c.TpEnteGov, c.TpOper = new(4), new(5) }),
		"property by its number": about(func(c *nfse.Classification) {
			c.CIndOp, c.Property = "020101", &nfse.Property{CIB: new("1234567A"), Registration: new("12")}
		}),
		"property by its address": about(func(c *nfse.Classification) {
			c.CIndOp, c.Property = "020301", &nfse.Property{Address: address()}
		}),
	} {
		if found := tables().Defect(c, "010101"); found != nil {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func address() *nfse.PropertyAddress {
	return &nfse.PropertyAddress{ZipCode: "01310100", Street: "Avenida Paulista", Number: "1578",
		District: "Bela Vista"}
}

// Every rule, broken once.
func TestDefect_EachRule(t *testing.T) {
	imported, err := classification.NewEdition(classification.TableCredPres, "test", "2026-01-01", creditRecords())
	must(t, err)
	within := classification.NewEditions(imported).On(today)
	property := func(change func(*nfse.Property)) func(*nfse.Classification) {
		return func(c *nfse.Classification) {
			c.CIndOp, c.Property = "020101", &nfse.Property{Address: address()}
			change(c.Property)
		}
	}
	suspended := func(cst, classTrib string) func(*nfse.Classification) {
		return func(c *nfse.Classification) {
			c.CST, c.CClassTrib = "550", "550016"
			c.RegularTaxation = &nfse.RegularTaxation{CST: cst, CClassTrib: classTrib}
		}
	}
	for _, broken := range []struct {
		rule, field, words string
		code               string
		change             func(*nfse.Classification)
	}{
		{"schema", "nbs", "9 digits", "010101", func(c *nfse.Classification) { c.NBS = "1.1502.10.00" }},
		{"schema", "cindop", "6 digits", "010101", func(c *nfse.Classification) { c.CIndOp = "" }},
		{"schema", "cst", "3 digits", "010101", func(c *nfse.Classification) { c.CST = "0" }},
		{"schema", "cclasstrib", "6 digits", "010101", func(c *nfse.Classification) { c.CClassTrib = "00000١" }},
		{"schema", "cst-reg", "3 digits", "010101", suspended("", "200052")},
		{"schema", "cclasstrib-reg", "6 digits", "010101", suspended("200", "")},
		{"schema", "ccredpres", "2 digits", "010101", func(c *nfse.Classification) { c.CCredPres = new("1") }},
		{"E0316", "nbs", "Annex B", "010101", func(c *nfse.Classification) { c.NBS = "104022900" }},
		{"E0901", "cindop", "Annex C", "010101", func(c *nfse.Classification) { c.CIndOp = "010101" }},
		{"E0959", "cclasstrib", "not of the CST 200", "010101", func(c *nfse.Classification) { c.CST = "200" }},
		{"E0958", "cst", "no CST", "010101", func(c *nfse.Classification) { c.CST, c.CClassTrib = "999", "999001" }},
		{"E0958", "cclasstrib", "not in the table", "010101",
			func(c *nfse.Classification) { c.CClassTrib = "000099" }},
		{"E0958", "cclasstrib", "not for NFS-e", "010101",
			func(c *nfse.Classification) { c.CClassTrib = "000002" }},
		{"E0965", "cclasstrib-reg", "550022 requires it", "010101",
			func(c *nfse.Classification) { c.CST, c.CClassTrib = "550", "550022" }},
		{"E0964", "cclasstrib-reg", "000001 does not allow it", "010101", func(c *nfse.Classification) {
			c.RegularTaxation = &nfse.RegularTaxation{CST: "000", CClassTrib: "000001"}
		}},
		{"E0970", "cclasstrib-reg", "not of the CST 000", "010101", suspended("000", "200052")},
		{"E0969", "cclasstrib-reg", "not for NFS-e", "010101", suspended("000", "000002")},
		{"E0972", "pdif-uf", "515 requires", "010101",
			func(c *nfse.Classification) { c.CST, c.CClassTrib = "515", "515001" }},
		{"E0971", "pdif-uf", "000 does not allow", "010101",
			func(c *nfse.Classification) { c.Deferral = &nfse.Deferral{} }},
		{"schema", "pdif-cbs", "from 0 to 100", "010101", func(c *nfse.Classification) {
			c.CST, c.CClassTrib, c.Deferral = "515", "515001", &nfse.Deferral{Federal: 100_01}
		}},
		{"table", "ccredpres", "000001 allows no", "010101", func(c *nfse.Classification) { c.CCredPres = new("01") }},
		{"table", "ccredpres", "valid only from 2027-01-01", "010101", func(c *nfse.Classification) {
			c.CST, c.CClassTrib, c.CCredPres = "410", "410014", new("01")
		}},
		{"table", "ccredpres", "not in the table", "010101", func(c *nfse.Classification) {
			c.CST, c.CClassTrib, c.CCredPres = "410", "410014", new("77")
		}},
		{"schema", "tp-ente-gov", "must be 1", "010101",
			func(c *nfse.Classification) { c.TpEnteGov, c.TpOper = new(5), new(1) }},
		{"schema", "tp-oper", "must be 1, 4 or 5", "010101",
			func(c *nfse.Classification) { c.TpEnteGov, c.TpOper = new(1), new(6) }},
		{"E0905", "tp-oper", "not supported", "010101",
			func(c *nfse.Classification) { c.TpEnteGov, c.TpOper = new(1), new(3) }},
		{"E0903", "tp-oper", "with tp-ente-gov", "010101", func(c *nfse.Classification) { c.TpEnteGov = new(1) }},
		{"E0903", "tp-oper", "171201", "171201", func(*nfse.Classification) {}},
		{"E0904", "tp-oper", "must not be given", "010101", func(c *nfse.Classification) { c.TpOper = new(1) }},
		{"E0931", "property-cib", "construction (070201)", "070201", property(func(*nfse.Property) {})},
		{"E0932", "property-cib", "must be given", "010101", func(c *nfse.Classification) { c.CIndOp = "020201" }},
		{"E0928", "property-cib", "must not be given", "010101",
			func(c *nfse.Classification) { c.Property = &nfse.Property{CIB: new("12345678")} }},
		{"schema", "property-cib", "not both", "010101", property(func(p *nfse.Property) { p.CIB = new("12345678") })},
		{"schema", "property-cib", "not both", "010101", property(func(p *nfse.Property) { p.Address = nil })},
		{"schema", "property-cib", "8 capital", "010101",
			property(func(p *nfse.Property) { p.CIB, p.Address = new("1234567"), nil })},
		{"schema", "property-registration", "at most 30", "010101",
			property(func(p *nfse.Property) { p.Registration = new(strings.Repeat("1", 31)) })},
		{"schema", "property-zip-code", "8 digits", "010101",
			property(func(p *nfse.Property) { p.Address.ZipCode = "01310-100" })},
		{"schema", "property-street", "at most 255", "010101",
			property(func(p *nfse.Property) { p.Address.Street = strings.Repeat("ã", 256) })},
		{"schema", "property-number", "must be given", "010101",
			property(func(p *nfse.Property) { p.Address.Number = " " })},
		{"schema", "property-complement", "at most 156", "010101",
			property(func(p *nfse.Property) { p.Address.Complement = new("") })},
		{"schema", "property-district", "at most 60", "010101",
			property(func(p *nfse.Property) { p.Address.District = "" })},
	} {
		found := within.Defect(about(broken.change), broken.code)
		if found == nil || found.Rule != broken.rule || found.Field != broken.field ||
			!strings.Contains(found.Reason.English(), broken.words) {
			t.Errorf("%s %s (%s) is found as %v", broken.rule, broken.field, broken.words, found)
		}
	}
}

// What depends on a national tax code that is not known is left to the authority.
func TestDefect_WithoutNationalTaxCode(t *testing.T) {
	for name, c := range map[string]nfse.Classification{
		"tpOper":   about(func(c *nfse.Classification) { c.TpOper = new(1) }),
		"property": about(func(c *nfse.Classification) { c.CIndOp = "020101" }),
	} {
		if found := tables().Defect(c, ""); found != nil {
			t.Errorf("%s: %v", name, found)
		}
	}
	if found := tables().Defect(about(func(c *nfse.Classification) { c.CIndOp = "020101" }), "070201"); found != nil {
		t.Errorf("construction needs no property: %v", found)
	}
}

func TestDefect_Dates(t *testing.T) {
	records := classTribRecords()
	for i := range records {
		if records[i]["cClassTrib"] == "000001" {
			records[i]["dIniVig"], records[i]["dFimVig"] = "2026-03-01", "2026-12-31"
		}
	}
	edition, err := classification.NewEdition(classification.TableClassTrib, "dated", "2026-01-01", records)
	must(t, err)
	editions := classification.NewEditions(edition)
	for day, words := range map[string]string{
		"2025-12-31": "valid only from 2026-01-01", // of the edition before
		"2026-02-28": "valid only from 2026-03-01", "2026-03-01": "", "2026-12-31": "",
		"2027-01-01": "was valid only until 2026-12-31",
	} {
		found := editions.On(day).Defect(usual(), "010101")
		if (found == nil) != (words == "") || found != nil &&
			(found.Rule != "E0958" || !strings.Contains(found.Reason.English(), words)) {
			t.Errorf("on %s it is %v, expected %q", day, found, words)
		}
	}
	if warnings := editions.On(today).Warnings(usual()); len(warnings) != 1 ||
		!strings.Contains(warnings[0], "until 2026-12-31") {
		t.Errorf("warned is %q", warnings)
	}
}

func TestWarnings(t *testing.T) {
	for _, expected := range []struct {
		words  string
		change func(*nfse.Classification)
	}{
		{"", func(*nfse.Classification) {}},
		{"E0958", func(c *nfse.Classification) { c.CClassTrib = "000006" }},
		{"E0958", func(c *nfse.Classification) { c.CST, c.CClassTrib = "200", "200055" }},
		{"E0958", func(c *nfse.Classification) {
			c.RegularTaxation = &nfse.RegularTaxation{CST: "200", CClassTrib: "200056"}
		}},
		{"Annex VII (NT 009) it means", func(c *nfse.Classification) { c.CIndOp = "030102" }},
		{"Annex VII (NT 009) it means", func(c *nfse.Classification) { c.CIndOp = "050102" }},
		{"no longer in Annex VII", func(c *nfse.Classification) { c.CIndOp = "050104" }},
		{"no longer in Annex VII|recipient other than the acquirer",
			func(c *nfse.Classification) { c.CIndOp = "030103" }},
		{"NFS-e Via", func(c *nfse.Classification) { c.CIndOp = "080101" }},
	} {
		var parts []string
		if expected.words != "" {
			parts = strings.Split(expected.words, "|")
		}
		c := about(expected.change)
		warnings := tables().Warnings(c)
		fits := len(warnings) == len(parts)
		for i := range parts {
			fits = fits && strings.Contains(warnings[i], parts[i])
		}
		if !fits {
			t.Errorf("%+v is warned of by %q, expected %q", c, warnings, parts)
		}
	}
	// By the tables of another authority, what is of Annex C and its reader is none.
	city := tables().WithIndOps(classification.TableIndOpSaoPaulo)
	for _, change := range []func(*nfse.Classification){
		func(c *nfse.Classification) { c.CClassTrib = "000006" }, func(c *nfse.Classification) { c.CIndOp = "030102" },
	} {
		if warnings := city.Warnings(about(change)); len(warnings) != 0 {
			t.Errorf("in the city: %q", warnings)
		}
	}
}

func TestSuggest(t *testing.T) {
	records := make([]classification.Record, 0, 900)
	for range 900 { // the same line is there many times
		records = append(records, classification.Record{"item": "0101", "cNBS": "115021000", "onerous": "S",
			"abroad": "N", "cIndOp": "100301", "cClassTrib": "000001"})
	}
	records = append(records,
		classification.Record{"item": "0101", "cIndOp": "010101", "cClassTrib": "000001"},
		classification.Record{"item": "0101", "cIndOp": "100301", "cClassTrib": "000002"},
		classification.Record{"item": "990101"},
		classification.Record{"item": "990401", "cIndOp": "100301", "cClassTrib": "000001"})
	edition, err := classification.NewEdition(classification.TableCorrelation, "test", today, records)
	must(t, err)
	without, with := tables(), classification.NewEditions(edition).On(today)
	if without.HasCorrelation() || len(without.Suggest("010101")) != 0 || !with.HasCorrelation() {
		t.Error("there is a correlation without an import, or none with it")
	}
	found := with.Suggest("010101")
	expected := []classification.Suggestion{
		{NBS: "115021000", NBSName: "Serviços de projeto, desenvolvimento e instalação de aplicativos e programas não " +
			"personalizados (não customizados)", CIndOp: "100301", Place: "the acquirer's main domicile", CClassTrib: "000001",
			ClassTribName: "full taxation", Onerous: new(true), AcquirerAbroad: new(false)},
		{CIndOp: "010101", CClassTrib: "000001", ClassTribName: "full taxation",
			Unusable: "cIndOp 010101 is not in Annex C (E0901)"},
		{CIndOp: "100301", Place: "the acquirer's main domicile", CClassTrib: "000002",
			Unusable: "cClassTrib 000002 is not valid for NFS-e on 2026-11-22 (E0958)"},
	}
	if !reflect.DeepEqual(found, expected) {
		t.Errorf("suggested is\n%+v\nexpected\n%+v", found, expected)
	}
	inCity := with.WithIndOps(classification.TableIndOpSaoPaulo).Suggest("010101")
	if len(inCity) != 3 || inCity[1].Unusable != "" || inCity[1].Place != "the supplier's establishment" {
		t.Errorf("in the city is suggested %+v", inCity)
	}
	if first, second := found[0].Condition(), found[1].Condition(); first != "onerous, acquirer in the country" ||
		second != "always" {
		t.Errorf("the conditions are %q and %q", first, second)
	}
	if found := with.Suggest("990101"); len(found) != 1 || found[0].Unusable != "incomplete" {
		t.Errorf("of 990101 is suggested %+v", found)
	}
	for _, none := range []string{"", "99", "140101"} {
		if found := with.Suggest(none); found == nil || len(found) != 0 {
			t.Errorf("of %q is suggested %+v", none, found)
		}
	}
}
