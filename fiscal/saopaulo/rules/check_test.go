package rules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/rulecatalogue"
	"emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/long"
	"emissor/test/reference"
)

// broken are declarations that break a rule, and what becomes of them: the code of
// the rejection, or a word of what holds them.
var broken = map[string]struct {
	change func(*fiscal.Declaration)
	code   string
	hold   string
}{
	"206":  {func(d *fiscal.Declaration) { d.Note.Service.MunicipalTaxation = new("X") }, "206", ""},
	"225":  {func(d *fiscal.Declaration) { outside(d); d.Note.Service.ISSRate = new(nfse.Rate(199)) }, "225", ""},
	"303":  {func(d *fiscal.Declaration) { d.Note.AmountCents = 0 }, "303", ""},
	"306":  {func(d *fiscal.Declaration) { d.Note.Service.MunicipalTaxCode = new("107") }, "306", ""},
	"310":  {func(d *fiscal.Declaration) { d.Note.Service.MunicipalTaxCode = nil }, "municipal_tax_code_missing", ""},
	"1232": {func(d *fiscal.Declaration) { outside(d); d.Note.Service.MunicipalityCode = "3550308" }, "1232", ""},
	"1616": {func(d *fiscal.Declaration) {
		d.Note.Customer.TaxID, d.Note.ISSWithheld = "52998224725", true
	}, "1616", ""},
	"321": {func(d *fiscal.Declaration) { d.Issuer.TaxationInside, d.Note.ISSWithheld = "A", true }, "321", ""},
	"letters": {func(d *fiscal.Declaration) { d.Issuer.TaxationInside = "F" }, "",
		"taxation_inside must be one of T, A, D"},
	"265":  {func(d *fiscal.Declaration) { d.Note.Service.MunicipalityCode = "0000000" }, "265", ""},
	"301":  {func(d *fiscal.Declaration) { d.Note.Customer.TaxID = d.Issuer.TaxID }, "301", ""},
	"302":  {func(d *fiscal.Declaration) { d.Note.Customer.TaxID = "99888777000101" }, "302", ""},
	"343":  {func(d *fiscal.Declaration) { d.Note.Customer.TaxID = "99888777000102" }, "302", ""},
	"244":  {func(d *fiscal.Declaration) { d.Note.Customer.TaxID = "99888777000103" }, "302", ""},
	"1109": {func(d *fiscal.Declaration) { d.Note.Customer.TaxID = "52998224726" }, "1109", ""},
	"337":  {func(d *fiscal.Declaration) { d.Note.Customer.TaxID = "52998224727" }, "1109", ""},
	"317": {func(d *fiscal.Declaration) {
		d.Note.Customer.Address.Street, d.Note.Customer.Address.StreetType = nil, nil
	}, "317", ""},
	"318": {func(d *fiscal.Declaration) { d.Note.Municipality.Code = "9950308" }, "318", ""},
	"246": {func(d *fiscal.Declaration) { d.Note.Municipality.Code = "35503" }, "318", ""},
	"342": {func(d *fiscal.Declaration) { d.Note.Customer.Address.ZipCode = new("1001000") }, "342", ""},
	"260": {func(d *fiscal.Declaration) { d.Note.Customer.Address.ZipCode = new("01001-000") }, "342", ""},
	"322": {func(d *fiscal.Declaration) { d.Note.Service.Description = " \u6f22" }, "text_not_printable", ""},
	"637": {func(d *fiscal.Declaration) { d.Classification.CIndOp = "040101" }, "637", ""},
	"306 of three digits": {func(d *fiscal.Declaration) {
		d.Note.Service.MunicipalTaxCode = new("00123")
	}, "306", ""},
	"317 without a number": {func(d *fiscal.Declaration) {
		d.Note.Customer.Address.Number = new("\u6f22")
	}, "text_not_printable", ""},
	"317 without a district": {func(d *fiscal.Declaration) {
		d.Note.Customer.Address.District = new(" \u200b")
	}, "text_not_printable", ""},
	"251": {func(d *fiscal.Declaration) { d.Note.Customer.Address.District = nil }, "251", ""},
	"252": {func(d *fiscal.Declaration) {
		d.Note.Customer.Address.Street, d.Note.Customer.Address.StreetType = nil, nil
	},
		"317", ""},
	"253": {func(d *fiscal.Declaration) { d.Note.Customer.Address.Number = nil }, "253", ""},
	"283": {func(d *fiscal.Declaration) {
		d.Note.Customer.TaxID = "52998224725"
		d.Classification.TpEnteGov, d.Classification.TpOper = new(1), new(1)
	}, "283", ""},
	"295": {func(d *fiscal.Declaration) { d.Classification.TpEnteGov = new(1) }, "",
		"tp-oper must be given with tp-ente-gov (295)"},
	"268": {func(d *fiscal.Declaration) { d.Classification.NBS = "1.1502.20.00" }, "", "268"},
	"268 of no table": {func(d *fiscal.Declaration) { d.Classification.NBS = "115022001" }, "",
		"nbs 115022001 is not in the NBS of Annex B (268)"},
	"270": {func(d *fiscal.Declaration) {
		property(d).CIB, d.Classification.Property.Address = new("x"), nil
	}, "", "property-cib must be 8 capital letters and digits (270)"},
	"281": {func(d *fiscal.Declaration) { class(d, "550", "550016") }, "", "(281)"},
	"282": {func(d *fiscal.Declaration) {
		d.Classification.RegularTaxation = &nfse.RegularTaxation{CST: "000", CClassTrib: "000001"}
	}, "", "(282)"},
	"297": {func(d *fiscal.Declaration) {
		d.Classification.TpOper = new(2)
	}, "", "tp-oper must be 1, 4 or 5: 2 and 3"},
	"tpOper": {func(d *fiscal.Declaration) {
		d.Classification.TpOper = new(6)
	}, "", "tp-oper must be 1, 4 or 5 (schema)"},
	"515001": {func(d *fiscal.Declaration) {
		class(d, "515", "515001")
		d.Classification.Deferral = &nfse.Deferral{State: 100_00, Municipal: 100_00, Federal: 100_00}
	}, "", "pdif-uf must not be given: the city's layout has no deferral"},
	"515001 alone": {func(d *fiscal.Declaration) { class(d, "515", "515001") }, "", "515001 requires a deferral"},
	"credit": {func(d *fiscal.Declaration) { d.Classification.CCredPres = new("01") }, "",
		"ccredpres must not be given: the city's layout has no presumed credit"},
	"619": {func(d *fiscal.Declaration) { d.Classification.TpEnteGov = new(5) }, "", "(619)"},
	"620": {func(d *fiscal.Declaration) { d.Classification.CIndOp = "020201" }, "", "cIndOp 020201 (620)"},
	"620 of special characteristics": {func(d *fiscal.Declaration) {
		d.Classification.CIndOp = "020202"
	}, "", "cIndOp 020202 (620)"},
	"620 of a lease": {func(d *fiscal.Declaration) { d.Classification.CIndOp = "020401" }, "", "cIndOp 020401 (620)"},
	"621":            {func(d *fiscal.Declaration) { property(d); d.Classification.CIndOp = "100301" }, "", "(621)"},
	"628": {func(d *fiscal.Declaration) { class(d, "000", "000099") }, "",
		"cclasstrib 000099 is not in the table in force on 2026-11-22 (628)"},
	"630": {func(d *fiscal.Declaration) { d.Classification.CIndOp = "030103" }, "",
		"cindop 030103 is not in Annex VII as the city goes by it (630)"},
	"property of nothing": {func(d *fiscal.Declaration) {
		property(d).Address = nil
	}, "", "(270)"},
	"property twice": {func(d *fiscal.Declaration) {
		property(d).CIB = new("1234567A")
	}, "", "and not both"},
	"property's registration": {func(d *fiscal.Declaration) { property(d).Registration = new("\u6f22") }, "",
		"property-registration must be given, in characters"},
	"property's street": {func(d *fiscal.Declaration) {
		property(d).Address.Street = "\u6f22"
	}, "", "property-street"},
	"property's number": {func(d *fiscal.Declaration) {
		property(d).Address.Number = ""
	}, "", "property-number"},
	"property's district": {func(d *fiscal.Declaration) {
		property(d).Address.District = " "
	}, "", "property-district"},
	"property's complement": {func(d *fiscal.Declaration) {
		property(d).Address.Complement = new("\u6f22")
	}, "", "property-complement"},
	"273": {func(d *fiscal.Declaration) { d.Classification.CClassTrib = "1" }, "", "273"},
	"274": {func(d *fiscal.Declaration) {
		d.Classification.RegularTaxation = &nfse.RegularTaxation{}
	}, "", "274"},
	"286": {func(d *fiscal.Declaration) { d.Classification = nil }, "", "no classification"},
	"293": {func(d *fiscal.Declaration) { d.Classification.IndFinal = nil }, "", "293"},
	"294": {func(d *fiscal.Declaration) { d.Classification.CIndOp = "" }, "", "294"},
	"296": {func(d *fiscal.Declaration) {
		property(d).Address.ZipCode = "00123456"
	}, "", "property-zip-code must be 8"},
	"359": {func(d *fiscal.Declaration) { d.Issuer.Simples = nfse.SimplesMEI }, "", "641"},
	"394": {func(d *fiscal.Declaration) { d.Issuer.Simples = nfse.SimplesME }, "", "641"},
	"641": {func(d *fiscal.Declaration) { d.Issuer.Simples = nfse.SimplesME }, "", "national system"},

	"municipal_tax_code_missing": {func(d *fiscal.Declaration) { d.Note.Service.MunicipalTaxCode = nil },
		"municipal_tax_code_missing", ""},
	"municipal_taxation_missing": {func(d *fiscal.Declaration) { d.Note.Service.MunicipalTaxation = nil },
		"municipal_taxation_missing", ""},
	"iss_rate_missing": {func(d *fiscal.Declaration) { outside(d); d.Note.Service.ISSRate = nil },
		"iss_rate_missing", ""},
	"text_not_printable": {func(d *fiscal.Declaration) { d.Note.Customer.Name = "\u6f22" }, "text_not_printable",
		""},
	"amount_out_of_range": {func(d *fiscal.Declaration) { d.Note.AmountCents = nfse.MaxAmountCents + 1 },
		"amount_out_of_range", ""},
	"withheld_takes_price": {func(d *fiscal.Declaration) {
		d.Taxation.Service = &nfse.ServiceTaxation{Withholding: &nfse.Withholding{IRRF: 60_00, INSS: 40_00}}
	}, "withheld_takes_price", ""},
	"own contributions": {func(d *fiscal.Declaration) {
		d.Issuer.OwnContributions = &nfse.OwnContributions{CST: "01"}
	}, "", "own_contributions"},
	"fiscal_profile_invalid": {func(d *fiscal.Declaration) { d.Issuer.MunicipalRegistration = nil }, "",
		"municipal_registration"},
	"restricted": {func(d *fiscal.Declaration) { d.Issuer.Production = false }, "", "no test system"},
}

// property gives the service of a declaration to one about property.
func property(d *fiscal.Declaration) *nfse.Property {
	d.Classification.CIndOp = "020101"
	d.Classification.Property = &nfse.Property{Address: &nfse.PropertyAddress{ZipCode: "01310100", Street: "a",
		Number: "1", District: "b"}}
	return d.Classification.Property
}

func class(d *fiscal.Declaration, cst, code string) {
	d.Classification.CST, d.Classification.CClassTrib = cst, code
}

const today = "2026-11-22"

var checker = rules.Checker{Tables: classification.NewEditions().On}

// A profile says how what is taxed in the city, and what is taxed elsewhere, is taxed.
func TestLetter(t *testing.T) {
	d := saopaulotest.Declaration()
	d.Issuer.TaxationInside, d.Issuer.TaxationOutside = "X", "B"
	for service, expected := range map[string]struct {
		letter             string
		outside, suspended bool
	}{"T": {"X", false, true}, "F": {"B", true, false}} {
		d.Note.Service.MunicipalTaxation = &service
		letter := rules.Letter(d)
		if letter != expected.letter || rules.TaxedOutside(letter) != expected.outside ||
			rules.Suspended(letter) != expected.suspended {
			t.Errorf("%s is %s", service, letter)
		}
	}
	d.Note.Service.MunicipalTaxation, d.Issuer.TaxationInside = new("T"), ""
	if letter := rules.Letter(d); letter != "T" {
		t.Errorf("the letter is %s", letter)
	}
}

func outside(d *fiscal.Declaration) {
	d.Note.Service.MunicipalTaxation, d.Note.Service.MunicipalityCode = new("F"), "3304557"
}

func TestCheck_Broken(t *testing.T) {
	for name, c := range broken {
		d := saopaulotest.Declaration()
		c.change(&d)
		objection := checker.Check(d, today)
		switch {
		case objection == nil:
			t.Errorf("%s: nothing is objected", name)
		case c.code != "":
			if r := objection.Rejection; r == nil || r.Code != c.code || r.Source != nfse.RejectedByService ||
				r.Message == "" || r.Action == "" ||
				r.Message != r.Reason.English() || r.Catalogue != rules.Name || !r.Remark.Is(fact.CheckedHere) ||
				!strings.Contains(r.Explanation, "nothing was sent") {
				t.Errorf("%s: %+v", name, objection.Rejection)
			}
		case objection.Rejection != nil || !strings.Contains(objection.Hold.English(), c.hold):
			t.Errorf("%s: %+v", name, objection)
		}
	}
	for _, code := range []string{"286", "293", "268", "515001", "620", "630"} {
		d := saopaulotest.Declaration()
		broken[code].change(&d)
		if !checker.Check(d, today).Unclassified {
			t.Errorf("%s does not wait for a classification", code)
		}
	}
}

// Every rule that is said to be checked has a declaration that breaks it.
func TestCheck_EveryCheckedRuleIs(t *testing.T) {
	byCertificate := map[string]bool{"1050": true, "1051": true, "1052": true, "1100": true, "1107": true}
	for _, rule := range rules.Catalogue.All() {
		if _, is := broken[rule.Code]; rule.Coverage.Kind == rulecatalogue.Checked && !is && !byCertificate[rule.Code] {
			t.Errorf("%s is said to be checked: %s", rule.Code, rule.Coverage.Why)
		}
	}
}

func TestCheck_NothingWrong(t *testing.T) {
	drawn := rapid.Custom(saopaulotest.DrawDeclaration)
	for i := range long.Cases(1000, 100) {
		if objection := rules.Check(drawn.Example(i)); objection != nil {
			t.Fatalf("%+v %+v", objection.Rejection, objection)
		}
	}
	person := saopaulotest.Declaration()
	person.Note.Customer = nfse.CustomerSnapshot{TaxID: "52998224725", Name: "Maria"}
	if objection := rules.Check(person); objection != nil {
		t.Errorf("a person without an address: %+v", objection)
	}
	government := saopaulotest.Declaration()
	government.Classification.TpEnteGov, government.Classification.TpOper = new(4), new(1)
	if objection := rules.Check(government); objection != nil {
		t.Errorf("a purchase of the government: %+v", objection)
	}
}

// What the city takes and the national system does not is sent, and the reverse is not: the
// tables are the city's.
func TestCheck_IndicatorsOfTheCity(t *testing.T) {
	for code, taken := range map[string]bool{
		"010101": true, "020401": true, "020202": true, "100301": true, "060101": true,
		"010104": false, "010201": false, "080101": false, "130201": false, // not for NFS-e
		"030103": false, "030104": false, "050103": false, "050104": false, "020102": false, "000000": false,
	} {
		d := saopaulotest.Declaration()
		if strings.HasPrefix(code, "02") {
			property(&d)
		}
		d.Classification.CIndOp = code
		if objection := checker.Check(d, today); (objection == nil) != taken {
			t.Errorf("%s: %+v", code, objection)
		}
		tables := classification.NewEditions().On(today)
		if defect := rules.ClassificationDefect(tables, *d.Classification); (defect == nil) != taken ||
			rules.Misclassified(tables, *d.Classification) == taken {
			t.Errorf("%s: %v", code, defect)
		}
	}
}

// A note is checked by the tables of its day. Before it is held, those that were imported
// since are read.
func TestChecker_Reload(t *testing.T) {
	var list []classification.Record
	built := classification.NewEditions().On(today).WithIndOps(classification.TableIndOpSaoPaulo)
	for _, row := range built.IndOps() {
		list = append(list, classification.Record{"cIndOp": row.Code, "name": row.Name, "place": row.Place})
	}
	list = append(list, classification.Record{"cIndOp": "990101"})
	newer, err := classification.NewEdition(classification.TableIndOpSaoPaulo, "next", today, list)
	if err != nil {
		t.Fatal(err)
	}
	d := saopaulotest.Declaration()
	d.Classification.CIndOp = "990101"
	known := classification.NewEditions()
	reloads := 0
	c := rules.Checker{Tables: func(day string) classification.Tables { return known.On(day) }, Reload: func() error {
		reloads++
		known = classification.NewEditions(newer)
		return nil
	}}
	if objection := c.Check(saopaulotest.Declaration(), today); objection != nil || reloads != 0 {
		t.Errorf("%+v after %d", objection, reloads)
	}
	if objection := c.Check(d, today); objection != nil || reloads != 1 {
		t.Errorf("%+v after %d", objection, reloads)
	}
	if objection := c.Check(d, "2026-11-21"); objection == nil || !strings.Contains(objection.Hold.English(), "(630)") {
		t.Errorf("the day before: %+v", objection)
	}
	c.Reload = func() error { return errors.New("no database") }
	if objection := c.Check(d, "2026-11-21"); objection == nil || !objection.Unclassified ||
		!objection.Hold.Is(fact.ClassificationTablesUnread) {
		t.Errorf("without a database: %+v", objection)
	}
}

// A person's house number and district are what there is: one that cannot be printed is left
// out. Zeros before a service code are not sent.
func TestCheck_WhatIsLeftOut(t *testing.T) {
	d := saopaulotest.Declaration()
	d.Note.Customer.TaxID = "52998224725"
	d.Note.Customer.Address.Number, d.Note.Customer.Address.District = new("\u6f22"), new("\u6f22")
	d.Note.Service.MunicipalTaxCode = new("02919")
	if objection := checker.Check(d, today); objection != nil {
		t.Errorf("%+v", objection)
	}
}

func TestPlace_Of(t *testing.T) {
	d := saopaulotest.Declaration()
	d.Note.Service.MunicipalityCode, d.Note.Municipality.Code = "3304557", "4106902"
	for code, want := range map[string]string{
		"100301": "4106902", "010106": "4106902", "030101": "3550308", "010101": "3550308", "030102": "3304557",
		"020101": "3304557", "060101": "3304557", "999999": "3304557",
	} {
		d.Classification.CIndOp = code
		for _, place := range []rules.Place{"", rules.PlaceByIndicator} {
			if got, _ := place.Of(d); got != want {
				t.Errorf("%q %s: %s", place, code, got)
			}
		}
		if got, _ := rules.PlaceOfService.Of(d); got != "3304557" {
			t.Errorf("of the service, %s: %s", code, got)
		}
	}
}

// The home of supplier or taker is the place where the official table says so.
func TestPlace_IsThatOfTheTable(t *testing.T) {
	lines := strings.Split(strings.TrimRight(string(reference.ReadNational(t, "data/indop.tsv")), "\n"), "\n")
	columns := strings.Split(lines[0], "\t")
	at := func(name string) int { return slices.Index(columns, name) }
	d := saopaulotest.Declaration()
	d.Note.Service.MunicipalityCode, d.Note.Municipality.Code = "3304557", "4106902"
	homes := map[string]int{}
	for _, line := range lines[1:] {
		row := strings.Split(line, "\t")
		if row[at("in_annexVII_v1.02.00")] != "1" || row[at("indNFSe_VII_v1.02.00")] != "S" {
			continue
		}
		place, want := strings.ToLower(row[at("place_of_supply")]), "3304557"
		domicile := strings.HasPrefix(place, "domicílio principal") || strings.HasPrefix(place, "local do domicílio") ||
			strings.HasPrefix(place, "local do estabelecimento principal")
		switch {
		case strings.HasPrefix(place, "estabelecimento do fornecedor"),
			domicile && strings.Contains(place, "fornecedor"):
			want = "3550308"
		case domicile:
			want = "4106902"
		}
		homes[want]++
		d.Classification.CIndOp = row[at("cIndOp")]
		if got, _ := rules.PlaceByIndicator.Of(d); got != want {
			t.Errorf("%s takes place in %s: %s", d.Classification.CIndOp, got, place)
		}
	}
	if homes["3550308"] != 3 || homes["4106902"] != 7 || homes["3304557"] != 14 {
		t.Errorf("the table has %v", homes)
	}
}

func TestValidateProfile(t *testing.T) {
	for field, change := range map[string]func(*nfse.FiscalProfile){
		"tax_id":                 func(p *nfse.FiscalProfile) { p.TaxID = "11222333000182" },
		"municipality_code":      func(p *nfse.FiscalProfile) { p.MunicipalityCode = "3304557" },
		"municipal_registration": func(p *nfse.FiscalProfile) { p.MunicipalRegistration = new("3.100.000-0") },
		"series":                 func(p *nfse.FiscalProfile) { p.Series = 100000 },
		"simples":                func(p *nfse.FiscalProfile) { p.Simples = nfse.SimplesME },
	} {
		profile := saopaulotest.Issuer()
		change(&profile)
		defect, ok := rules.ValidateProfile(profile).(*nfse.Error)
		if !ok || defect.Field != field || defect.Message == "" {
			t.Errorf("%s: %v", field, defect)
		}
	}
	for _, registration := range []string{"31000000", "031000000", "123456789012", "1"} {
		profile := saopaulotest.Issuer()
		profile.MunicipalRegistration, profile.Production = &registration, false
		if err := rules.ValidateProfile(profile); err != nil {
			t.Errorf("%s: %v", registration, err)
		}
	}
	for _, registration := range []string{"", "0", "000000000000", "1234567890123", "12A", " 1"} {
		profile := saopaulotest.Issuer()
		profile.MunicipalRegistration = &registration
		if rules.ValidateProfile(profile) == nil {
			t.Errorf("%q is taken", registration)
		}
	}
}

func TestStateOf(t *testing.T) {
	for code, want := range map[string]string{"3550308": "SP", "5300108": "DF", "9900000": "", "355030": "",
		"35503O8": "", "": ""} {
		if got := rules.StateOf(code); got != want {
			t.Errorf("%s: %s", code, got)
		}
	}
}
