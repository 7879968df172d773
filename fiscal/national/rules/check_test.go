package rules

import (
	"slices"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

type declaration = fiscal.Declaration

// breaches break one rule each, and name the field that is to be named.
var breaches = []struct {
	name, code, field string
	change            func(d *declaration)
}{
	{"profile with a wrong CNPJ", "E0080", "", func(d *declaration) { d.Issuer.TaxID = "11222333000182" }},
	{"profile with a wrong CPF", "E0096", "", func(d *declaration) { d.Issuer.TaxID = "11144477736" }},
	{"profile without a document", "E0096", "", func(d *declaration) { d.Issuer.TaxID = "" }},
	{"profile with half a municipality", "E0037", "", func(d *declaration) { d.Issuer.MunicipalityCode = "330455" }},
	{"profile with half an inactive municipality", "fiscal_profile_invalid", "", func(d *declaration) {
		d.Issuer.InactiveMunicipalities = []string{"3304"}
	}},
	{"registration to be sent is missing", "E0116", "", func(d *declaration) {
		d.Issuer.SendMunicipalRegistration = true
	}},
	{"registration too long", "fiscal_profile_invalid", "", func(d *declaration) {
		d.Issuer.MunicipalRegistration = new(strings.Repeat("1", 16))
	}},
	{"registration empty", "fiscal_profile_invalid", "", func(d *declaration) {
		d.Issuer.MunicipalRegistration = new("")
	}},
	{"unknown option of Simples", "fiscal_profile_invalid", "", func(d *declaration) { d.Issuer.Simples = 4 }},
	{"unknown special regime", "fiscal_profile_invalid", "", func(d *declaration) { d.Issuer.SpecialRegime = 7 }},
	{"unknown regime of Simples", "fiscal_profile_invalid", "", func(d *declaration) { nationaltest.Small(d, 4) }},
	{"regime outside Simples", "E0162", "", func(d *declaration) { d.Issuer.SimplesRegime = new(1) }},
	{"regime of an MEI", "E0162", "", func(d *declaration) {
		nationaltest.Micro(d)
		d.Issuer.SimplesRegime = new(1)
	}},
	{"no regime in Simples", "E0166", "", func(d *declaration) {
		nationaltest.Small(d, 1)
		d.Issuer.SimplesRegime = nil
	}},
	{"special regime of an MEI", "E0174", "", func(d *declaration) {
		nationaltest.Micro(d)
		d.Issuer.SpecialRegime = 1
	}},
	{"special regime within Simples", "E0175", "", func(d *declaration) {
		nationaltest.Small(d, 1)
		d.Issuer.SpecialRegime = 5
	}},
	{"series 0", "E0010", "", func(d *declaration) { d.Issuer.Series = 0 }},
	{"series of the portal", "E0010", "", func(d *declaration) { d.Issuer.Series = 70000 }},
	{"federal taxes above 100", "E0706", "", func(d *declaration) { d.Issuer.ApproximateTaxes.Federal = 10001 }},
	{"state taxes above 100", "E0707", "", func(d *declaration) { d.Issuer.ApproximateTaxes.State = 10001 }},
	{"taxes above 100 together", profileInvalid, "", func(d *declaration) {
		d.Issuer.ApproximateTaxes = nfse.ApproximateTaxes{Federal: 6000, State: 3000, Municipal: 1001}
	}},
	{"municipal taxes below 0", "E0708", "", func(d *declaration) { d.Issuer.ApproximateTaxes.Municipal = -1 }},
	{"taxes of Simples at 100", "fiscal_profile_invalid", "", func(d *declaration) {
		nationaltest.Small(d, 1)
		d.Issuer.ApproximateTaxes.Simples = 10000
	}},
	{"taxes of an MEI", "E0710", "", func(d *declaration) {
		nationaltest.Micro(d)
		d.Issuer.ApproximateTaxes.Simples = 600
	}},
	{"federal taxes in Simples", "fiscal_profile_invalid", "", func(d *declaration) {
		nationaltest.Small(d, 1)
		d.Issuer.ApproximateTaxes.Federal = 1
	}},
	{"taxes of Simples outside it", "E0713", "", func(d *declaration) { d.Issuer.ApproximateTaxes.Simples = 1 }},

	{"no national code", "national_tax_code_missing", fieldTaxCode, func(d *declaration) {
		d.Note.Service.NationalTaxCode = nil
	}},
	{"unknown national code", "E0310", fieldTaxCode, func(d *declaration) {
		d.Note.Service.NationalTaxCode = new("010102")
	}},
	{"national code of a later layout", "E0310", fieldTaxCode, func(d *declaration) {
		d.Note.Service.NationalTaxCode = new("990301")
	}},
	{"national code with dots", "E0310", fieldTaxCode, func(d *declaration) {
		d.Note.Service.NationalTaxCode = new("01.01.01")
	}},
	{"half a place", "E0302", fieldPlace, func(d *declaration) { d.Note.Service.MunicipalityCode = "33045" }},
	{"description of symbols", "text_not_printable", fieldDescription, func(d *declaration) {
		d.Note.Service.Description = "\u2603\u2603\u2603"
	}},
	{"description too long", "text_too_long", fieldDescription, func(d *declaration) {
		d.Note.Service.Description = strings.Repeat("x", 2001)
	}},

	{"customer's CPF", "E0206", fieldTaxID, func(d *declaration) { d.Note.Customer.TaxID = "52998224724" }},
	{"customer's CNPJ", "E0188", fieldTaxID, func(d *declaration) { d.Note.Customer.TaxID = "12ABC34501DE36" }},
	{"customer is the issuer", "E0202", fieldTaxID, func(d *declaration) {
		d.Note.Customer.TaxID = "11222333000181"
	}},
	{"customer is the issuing person", "E0202", fieldTaxID, func(d *declaration) { d.Issuer.TaxID = "52998224725" }},
	{"name of symbols", "text_not_printable", fieldName, func(d *declaration) { d.Note.Customer.Name = "\u2603" }},
	{"name too long", "text_too_long", fieldName, func(d *declaration) {
		d.Note.Customer.Name = strings.Repeat("x", 301)
	}},

	{"no address to withhold", "E0237", fieldStreet, func(d *declaration) {
		nationaltest.Withhold(d, 0)
		d.Note.Customer.Address = nfse.Address{}
	}},
	{"no number to withhold", "E0237", fieldNumber, func(d *declaration) {
		nationaltest.Withhold(d, 0)
		d.Note.Customer.Address.Number = nil
	}},
	{"no zip code where the ISS is due to the customer's city", "E0234", fieldZipCode, func(d *declaration) {
		d.Note.Service.NationalTaxCode, d.Note.Customer.Address.ZipCode = new("170501"), nil
	}},
	{"half a municipality", "E0238", fieldMunicipality, func(d *declaration) { d.Note.Municipality.Code = "355030" }},
	{"half a zip code", "E0240", fieldZipCode, func(d *declaration) {
		d.Note.Customer.Address.ZipCode = new("0131010")
	}},
	{"street of symbols", "text_not_printable", fieldStreet, func(d *declaration) {
		d.Note.Customer.Address.StreetType, d.Note.Customer.Address.Street = nil, new("\u2603")
	}},
	{"street too long", "text_too_long", fieldStreet, func(d *declaration) {
		d.Note.Customer.Address.Street = new(strings.Repeat("x", 248))
	}},
	{"number too long", "text_too_long", fieldNumber, func(d *declaration) {
		d.Note.Customer.Address.Number = new(strings.Repeat("1", 61))
	}},
	{"district too long", "text_too_long", fieldDistrict, func(d *declaration) {
		d.Note.Customer.Address.District = new(strings.Repeat("x", 61))
	}},
	{"complement too long", "text_too_long", fieldComplement, func(d *declaration) {
		d.Note.Customer.Address.Complement = new(strings.Repeat("x", 157))
	}},

	{"withheld from an MEI", "E0583", fieldWithheld, func(d *declaration) {
		nationaltest.Micro(d)
		nationaltest.Withhold(d, 200)
	}},
	{"withheld under a special regime", "E0588", fieldWithheld, func(d *declaration) {
		d.Issuer.SpecialRegime = 5
		nationaltest.Withhold(d, 200)
	}},
	{"withheld road toll", "E0596", fieldWithheld, func(d *declaration) {
		d.Note.Service.NationalTaxCode = new("220101")
		nationaltest.Withhold(d, 200)
	}},
	{"no rate where the city is inactive", "E0619", fieldRate, nationaltest.Inactive},
	{"rate above 5", "E0595", fieldRate, func(d *declaration) {
		nationaltest.Inactive(d)
		d.Note.Service.ISSRate = new(nfse.Rate(501))
	}},
	{"rate 0 where the city is inactive", "E0619", fieldRate, func(d *declaration) {
		nationaltest.Inactive(d)
		d.Note.Service.ISSRate = new(nfse.Rate(0))
	}},
	{"low rate withheld within Simples", "E0621", fieldRate, func(d *declaration) {
		nationaltest.Small(d, 1)
		nationaltest.Withhold(d, 179)
	}},
	{"low rate withheld within Simples, inactive", "E0628", fieldRate, func(d *declaration) {
		nationaltest.Small(d, 1)
		nationaltest.Inactive(d)
		nationaltest.Withhold(d, 100)
	}},
	{"no rate outside Simples, inactive", "E0640", fieldRate, func(d *declaration) {
		nationaltest.Small(d, 2)
		nationaltest.Inactive(d)
	}},
	{"all withheld as INSS", "E0699", fieldAmount, func(d *declaration) {
		nationaltest.WithholdFederal(d, nfse.Withholding{INSS: 100_00})
	}},
	{"all withheld as IRRF", "E0700", fieldAmount, func(d *declaration) {
		nationaltest.WithholdFederal(d, nfse.Withholding{IRRF: 100_00})
	}},
	{"all withheld as CSRF", "E0701", fieldAmount, func(d *declaration) {
		nationaltest.WithholdFederal(d, nfse.Withholding{COFINS: 50_00, CSLL: 50_00})
	}},
	{"withholdings above the price together", "E0428", fieldAmount, func(d *declaration) {
		nationaltest.WithholdFederal(d, nfse.Withholding{IRRF: 60_00, INSS: 50_00})
	}},
	{"withholdings above the price with the ISS", "E0428", fieldAmount, func(d *declaration) {
		nationaltest.WithholdFederal(d, nfse.Withholding{IRRF: 50_00, INSS: 46_00})
		nationaltest.Withhold(d, 5_00)
		nationaltest.Inactive(d) // else the rate is the city's, and not known
	}},
	{"own PIS above 99.99 percent", "E0686", "", func(d *declaration) {
		d.Issuer.OwnContributions = &nfse.OwnContributions{CST: "01", PIS: 100_00}
	}},
	{"own COFINS below 0 percent", "E0692", "", func(d *declaration) {
		d.Issuer.OwnContributions = &nfse.OwnContributions{CST: "01", COFINS: -1}
	}},
	{"own contributions of an unknown situation", "fiscal_profile_invalid", "", func(d *declaration) {
		d.Issuer.OwnContributions = &nfse.OwnContributions{CST: "10"}
	}},
	{"own contributions within Simples", "fiscal_profile_invalid", "", func(d *declaration) {
		nationaltest.Small(d, 1)
		d.Issuer.OwnContributions = &nfse.OwnContributions{CST: "01"}
	}},
	{"a month's rate in Simples that is too low", "E0621", fieldRate, func(d *declaration) {
		nationaltest.Small(d, 1)
		d.Issuer.SimplesRates = map[nfse.Month]nfse.Rate{"2026-10": 1_79}
	}},
	{"a month of Simples that is none", "fiscal_profile_invalid", "", func(d *declaration) {
		d.Issuer.SimplesRates = map[nfse.Month]nfse.Rate{"2026-13": 2_00}
	}},
	{"amount 0", "amount_out_of_range", fieldAmount, func(d *declaration) { d.Note.AmountCents = 0 }},
	{"amount of 16 digits", "amount_out_of_range", fieldAmount, func(d *declaration) {
		d.Note.AmountCents = nfse.MaxAmountCents + 1
	}},
}

func TestCheck_RefusesEachBreach(t *testing.T) {
	if rejection := Check(nationaltest.Declaration()); rejection != nil {
		t.Fatalf("the plain declaration is refused: %+v", rejection)
	}
	for _, breach := range breaches {
		t.Run(breach.name, func(t *testing.T) {
			declaration := nationaltest.Declaration()
			breach.change(&declaration)
			rejection := Check(declaration)
			if rejection == nil {
				t.Fatal("accepted")
			}
			explanation, action, _ := Catalogue.Explain(fiscal.Issue, breach.code)
			switch {
			case rejection.Code != breach.code:
				t.Errorf("code %s, want %s", rejection.Code, breach.code)
			case rejection.Source != nfse.RejectedByService:
				t.Errorf("source %s", rejection.Source)
			case breach.field == "" && rejection.Field != nil:
				t.Errorf("names field %s, which is not the caller's", *rejection.Field)
			case breach.field != "" && (rejection.Field == nil || *rejection.Field != breach.field):
				t.Errorf("field %v, want %s", rejection.Field, breach.field)
			case !strings.HasPrefix(rejection.Explanation, explanation) ||
				!strings.Contains(rejection.Explanation, "nothing was sent") || rejection.Action != action:
				t.Errorf("explanation %q, action %q", rejection.Explanation, rejection.Action)
			case rejection.Message == "" || rejection.Message != rejection.Reason.English():
				t.Errorf("message %q, made of %+v", rejection.Message, rejection.Reason)
			case rejection.Catalogue != Name || !rejection.Remark.Is(fact.CheckedHere):
				t.Errorf("worded by %+v", rejection.Wording)
			}
			if id := string(declaration.Note.Customer.TaxID); id != "" && strings.Contains(rejection.Message, id) {
				t.Errorf("the message holds a tax id: %s", rejection.Message)
			}
		})
	}
}

// The table of rules is tied to the checks.
func TestCheck_BreachesEveryCheckedRule(t *testing.T) {
	breached := map[string]bool{}
	for _, breach := range breaches {
		breached[breach.code] = true
		if rule, _ := Catalogue.Rule(breach.code); rule.Coverage.Kind != rulecatalogue.Checked {
			t.Errorf("%s is checked, but the catalogue says: %s", breach.code, rule.Coverage.Kind)
		}
	}
	for _, breach := range slices.Concat(groupBreaches, missingBreaches) {
		breached[breach.code] = true
		if rule, _ := Catalogue.Rule(breach.code); rule.Coverage.Kind != rulecatalogue.Checked {
			t.Errorf("%s is checked, but the catalogue says: %s", breach.code, rule.Coverage.Kind)
		}
	}
	for _, breach := range ibscbsBreaches {
		breached[breach.code] = true
		if rule, _ := Catalogue.Rule(breach.code); rule.Coverage.Kind != rulecatalogue.Checked {
			t.Errorf("%s is checked, but the catalogue says: %s", breach.code, rule.Coverage.Kind)
		}
	}
	for _, rule := range Catalogue.All() {
		if rule.Coverage.Kind == rulecatalogue.Checked && !breached[rule.Code] {
			t.Errorf("%s is said to be checked, but nothing breaks it", rule.Code)
		}
	}
}

// What comes close to a rule without breaking it is accepted.
func TestCheck_Accepts(t *testing.T) {
	for name, change := range map[string]func(d *declaration){
		"newest national code":        func(d *declaration) { d.Note.Service.NationalTaxCode = new("200102") },
		"towing":                      func(d *declaration) { d.Note.Service.NationalTaxCode = new("141401") },
		"works without the group":     func(d *declaration) { d.Note.Service.NationalTaxCode = new("070301") },
		"MEI":                         nationaltest.Micro,
		"withheld outside Simples":    func(d *declaration) { nationaltest.Withhold(d, 0) },
		"withheld within Simples":     func(d *declaration) { nationaltest.Small(d, 1); nationaltest.Withhold(d, 180) },
		"not withheld within Simples": func(d *declaration) { nationaltest.Small(d, 1); nationaltest.Inactive(d) },
		"rate where the city is inactive": func(d *declaration) {
			nationaltest.Inactive(d)
			d.Note.Service.ISSRate = new(nfse.Rate(500))
		},
		"low rate outside Simples": func(d *declaration) {
			nationaltest.Small(d, 2)
			nationaltest.Inactive(d)
			d.Note.Service.ISSRate = new(nfse.Rate(1))
		},
		"professional elsewhere": func(d *declaration) {
			d.Issuer.SpecialRegime, d.Note.Service.NationalTaxCode = 5, new("110201")
			d.Note.Service.MunicipalityCode = "3550308"
		},
		"cooperative elsewhere": func(d *declaration) {
			d.Issuer.SpecialRegime, d.Note.Service.NationalTaxCode = 1, new("110201")
			d.Note.Service.MunicipalityCode = "3550308"
		},
		"special regime at home":       func(d *declaration) { d.Issuer.SpecialRegime = 6 },
		"another company":              func(d *declaration) { d.Note.Customer.TaxID = "12ABC34501DE35" },
		"another establishment of its": func(d *declaration) { d.Note.Customer.TaxID = "11222333000262" },
		"longest texts": func(d *declaration) {
			d.Note.Customer.Name = strings.Repeat("\u00e3", 300)
			d.Note.Service.Description = strings.Repeat("\u00e7", 2000)
			address := &d.Note.Customer.Address
			address.Street = new(strings.Repeat("x", 247)) // with "Avenida" and a space: 255
			address.Number = new(strings.Repeat("1", 60))
			address.District, address.Complement = new(strings.Repeat("x", 60)), new(strings.Repeat("x", 156))
		},
		"complement of symbols": func(d *declaration) { d.Note.Customer.Address.Complement = new("\u2603") },
		"no address":            func(d *declaration) { d.Note.Customer.Address = nfse.Address{} },
		"largest amount":        func(d *declaration) { d.Note.AmountCents = nfse.MaxAmountCents },
		"last series":           func(d *declaration) { d.Issuer.Series = 49999 },
	} {
		declaration := nationaltest.Declaration()
		change(&declaration)
		if rejection := Check(declaration); rejection != nil {
			t.Errorf("%s is refused: %s %s", name, rejection.Code, rejection.Message)
		}
	}
}

func TestValidateProfile_NamesTheField(t *testing.T) {
	if err := ValidateProfile(nationaltest.Declaration().Issuer); err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, breach := range breaches {
		declaration := nationaltest.Declaration()
		breach.change(&declaration)
		defect := findProfileDefect(declaration.Issuer)
		err := ValidateProfile(declaration.Issuer)
		if defect == nil {
			if err != nil {
				t.Errorf("%s: %v", breach.name, err)
			}
			continue
		}
		invalid, ok := err.(*nfse.Error)
		if !ok || invalid.Code != nfse.CodeInvalidRequest || invalid.Field != defect.field ||
			invalid.Message != defect.reason.English() || defect.reason.None() {
			t.Errorf("%s: %v", breach.name, err)
			continue
		}
		named[invalid.Field] = true
	}
	for _, field := range []string{
		"tax_id", "municipal_registration", "municipality_code", "simples", "simples_regime", "special_regime",
		"series", "approximate_taxes", "inactive_municipalities",
	} {
		if !named[field] {
			t.Errorf("no defect names %s", field)
		}
	}
}
