package rules_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse"
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
	"268": {func(d *fiscal.Declaration) { d.Classification.NBS = "1.1502.20.00" }, "", "268"},
	"270": {func(d *fiscal.Declaration) { d.Classification.Property = &nfse.Property{CIB: new("x")} }, "", "270"},
	"273": {func(d *fiscal.Declaration) { d.Classification.CClassTrib = "1" }, "", "273"},
	"274": {func(d *fiscal.Declaration) { d.Classification.RegularTaxation = &nfse.RegularTaxation{} }, "", "274"},
	"286": {func(d *fiscal.Declaration) { d.Classification = nil }, "", "no classification"},
	"293": {func(d *fiscal.Declaration) { d.Classification.IndFinal = nil }, "", "293"},
	"294": {func(d *fiscal.Declaration) { d.Classification.CIndOp = "" }, "", "294"},
	"296": {func(d *fiscal.Declaration) {
		d.Classification.Property = &nfse.Property{Address: &nfse.PropertyAddress{ZipCode: "00123456", Street: "a",
			Number: "1", District: "b"}}
	}, "", "not whole"},
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
	"fiscal_profile_invalid": {func(d *fiscal.Declaration) { d.Issuer.MunicipalRegistration = nil }, "",
		"municipal_registration"},
	"restricted": {func(d *fiscal.Declaration) { d.Issuer.Production = false }, "", "no test system"},
}

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
		objection := rules.Check(d)
		switch {
		case objection == nil:
			t.Errorf("%s: nothing is objected", name)
		case c.code != "":
			if r := objection.Rejection; r == nil || r.Code != c.code || r.Source != nfse.RejectedByService ||
				r.Message == "" || r.Action == "" || !strings.Contains(r.Explanation, "nothing was sent") {
				t.Errorf("%s: %+v", name, objection.Rejection)
			}
		case objection.Rejection != nil || !strings.Contains(objection.Hold, c.hold):
			t.Errorf("%s: %+v", name, objection)
		}
	}
	for _, code := range []string{"286", "293", "268"} {
		d := saopaulotest.Declaration()
		broken[code].change(&d)
		if !rules.Check(d).Unclassified {
			t.Errorf("%s does not wait for a classification", code)
		}
	}
}

// Every rule that is said to be checked has a declaration that breaks it.
func TestCheck_EveryCheckedRuleIs(t *testing.T) {
	byCertificate := map[string]bool{"1050": true, "1051": true, "1052": true, "1100": true, "1107": true}
	for _, rule := range rules.All() {
		if _, is := broken[rule.Code]; rule.Handling == rules.Checked && !is && !byCertificate[rule.Code] {
			t.Errorf("%s is said to be checked: %s", rule.Code, rule.Why)
		}
	}
}

func TestCheck_NothingWrong(t *testing.T) {
	drawn := rapid.Custom(saopaulotest.DrawDeclaration)
	for i := range nationaltest.Cases(1000, 100) {
		if objection := rules.Check(drawn.Example(i)); objection != nil {
			t.Fatalf("%+v %+v", objection.Rejection, objection)
		}
	}
	person := saopaulotest.Declaration()
	person.Note.Customer = nfse.CustomerSnapshot{TaxID: "52998224725", Name: "Maria"}
	if objection := rules.Check(person); objection != nil {
		t.Errorf("a person without an address: %+v", objection)
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
		fault, ok := rules.ValidateProfile(profile).(*nfse.Error)
		if !ok || fault.Field != field || fault.Message == "" {
			t.Errorf("%s: %v", field, fault)
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
