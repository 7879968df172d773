package national

import (
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
)

var checkedAt = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func pointer[T any](value T) *T { return &value }

// plainDocument is one that nothing is wrong with: a company outside Simples
// Nacional, a person in another city, nothing withheld.
func plainDocument() fiscal.Document {
	return fiscal.Document{
		Note: nfse.Note{
			ID: "nfse_1", Status: nfse.StatusProcessing, Livemode: true, Reference: "order-1", AmountCents: 15000,
			Service: nfse.ServiceSnapshot{
				Name: "Consultoria", Description: "Consultoria em software", MunicipalityCode: "3304557", NationalTaxCode: pointer("010601"),
			},
			Customer: nfse.CustomerSnapshot{
				TaxID: "52998224725", Name: "Maria da Silva", MunicipalityCode: pointer("3550308"),
				Address: nfse.Address{
					StreetType: pointer("Avenida"), Street: pointer("Paulista"), Number: pointer("1000"), District: pointer("Bela Vista"),
					ZipCode: pointer("01310100"), Complement: pointer("Sala 1"),
				},
			},
			Municipality: nfse.NoteMunicipality{Code: "3550308", Source: nfse.MunicipalityFromZipCode, Verified: true},
		},
		Issuer: nfse.FiscalProfile{
			OrganizationID: "org_1", Authority: Name, TaxID: "11222333000181", MunicipalityCode: "3304557",
			Simples: nfse.SimplesNone, Series: 1, ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345, State: 0, Municipal: 500},
		},
	}
}

// small makes the issuer an ME or EPP with a regime of Simples.
func small(d *fiscal.Document, regime int) {
	d.Issuer.Simples, d.Issuer.SimplesRegime = nfse.SimplesME, &regime
	d.Issuer.ApproximateTaxes = nfse.ApproximateTaxes{Simples: 600}
}

// micro makes the issuer an MEI.
func micro(d *fiscal.Document) {
	d.Issuer.Simples, d.Issuer.SimplesRegime, d.Issuer.ApproximateTaxes = nfse.SimplesMEI, nil, nfse.ApproximateTaxes{}
}

// withheld has the ISS withheld, at a rate of the service; 0 is none.
func withheld(d *fiscal.Document, rate nfse.Rate) {
	d.Note.ISSWithheld = true
	if rate != 0 {
		d.Note.Service.ISSRate = &rate
	}
}

// inactive has the ISS due to a city without an active agreement.
func inactive(d *fiscal.Document) { d.Issuer.InactiveMunicipalities = []string{"3304557"} }

// breaches break one rule each, and name the field that is to be named.
var breaches = []struct {
	name, code, field string
	change            func(d *fiscal.Document)
}{
	{"profile with a wrong CNPJ", "E0080", "", func(d *fiscal.Document) { d.Issuer.TaxID = "11222333000182" }},
	{"profile with a wrong CPF", "E0096", "", func(d *fiscal.Document) { d.Issuer.TaxID = "11144477736" }},
	{"profile without a document", "E0096", "", func(d *fiscal.Document) { d.Issuer.TaxID = "" }},
	{"profile with half a municipality", "E0037", "", func(d *fiscal.Document) { d.Issuer.MunicipalityCode = "330455" }},
	{"profile with half an inactive municipality", "fiscal_profile_invalid", "", func(d *fiscal.Document) { d.Issuer.InactiveMunicipalities = []string{"3304"} }},
	{"registration to be sent is missing", "E0116", "", func(d *fiscal.Document) { d.Issuer.SendMunicipalRegistration = true }},
	{"registration too long", "fiscal_profile_invalid", "", func(d *fiscal.Document) { d.Issuer.MunicipalRegistration = pointer(strings.Repeat("1", 16)) }},
	{"registration empty", "fiscal_profile_invalid", "", func(d *fiscal.Document) { d.Issuer.MunicipalRegistration = pointer("") }},
	{"unknown option of Simples", "fiscal_profile_invalid", "", func(d *fiscal.Document) { d.Issuer.Simples = 4 }},
	{"unknown special regime", "fiscal_profile_invalid", "", func(d *fiscal.Document) { d.Issuer.SpecialRegime = 7 }},
	{"unknown regime of Simples", "fiscal_profile_invalid", "", func(d *fiscal.Document) { small(d, 4) }},
	{"regime outside Simples", "E0162", "", func(d *fiscal.Document) { d.Issuer.SimplesRegime = pointer(1) }},
	{"regime of an MEI", "E0162", "", func(d *fiscal.Document) { micro(d); d.Issuer.SimplesRegime = pointer(1) }},
	{"no regime in Simples", "E0166", "", func(d *fiscal.Document) { small(d, 1); d.Issuer.SimplesRegime = nil }},
	{"special regime of an MEI", "E0174", "", func(d *fiscal.Document) { micro(d); d.Issuer.SpecialRegime = 1 }},
	{"special regime within Simples", "E0175", "", func(d *fiscal.Document) { small(d, 1); d.Issuer.SpecialRegime = 5 }},
	{"series 0", "E0010", "", func(d *fiscal.Document) { d.Issuer.Series = 0 }},
	{"series of the portal", "E0010", "", func(d *fiscal.Document) { d.Issuer.Series = 70000 }},
	{"federal taxes above 100", "E0706", "", func(d *fiscal.Document) { d.Issuer.ApproximateTaxes.Federal = 10001 }},
	{"state taxes above 100", "E0707", "", func(d *fiscal.Document) { d.Issuer.ApproximateTaxes.State = 10001 }},
	{"municipal taxes below 0", "E0708", "", func(d *fiscal.Document) { d.Issuer.ApproximateTaxes.Municipal = -1 }},
	{"taxes of Simples at 100", "fiscal_profile_invalid", "", func(d *fiscal.Document) { small(d, 1); d.Issuer.ApproximateTaxes.Simples = 10000 }},
	{"taxes of an MEI", "E0710", "", func(d *fiscal.Document) { micro(d); d.Issuer.ApproximateTaxes.Simples = 600 }},
	{"federal taxes in Simples", "fiscal_profile_invalid", "", func(d *fiscal.Document) { small(d, 1); d.Issuer.ApproximateTaxes.Federal = 1 }},
	{"taxes of Simples outside it", "E0713", "", func(d *fiscal.Document) { d.Issuer.ApproximateTaxes.Simples = 1 }},

	{"no national code", "national_tax_code_missing", fieldNationalCode, func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = nil }},
	{"unknown national code", "E0310", fieldNationalCode, func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = pointer("010102") }},
	{"national code with dots", "E0310", fieldNationalCode, func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = pointer("01.01.01") }},
	{"untaxed service", "E0532", fieldNationalCode, func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = pointer("990101") }},
	{"construction", "E0370", fieldNationalCode, func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = pointer("070202") }},
	{"a concert", "E0390", fieldNationalCode, func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = pointer("120701") }},
	{"half a place", "E0302", fieldPlace, func(d *fiscal.Document) { d.Note.Service.MunicipalityCode = "33045" }},
	{"special regime elsewhere", "E0176", "", func(d *fiscal.Document) {
		d.Issuer.SpecialRegime, d.Note.Service.NationalTaxCode, d.Note.Service.MunicipalityCode = 6, pointer("110201"), "3550308"
	}},
	{"description of symbols", "text_not_printable", fieldDescription, func(d *fiscal.Document) { d.Note.Service.Description = "\u2603\u2603\u2603" }},
	{"description too long", "text_too_long", fieldDescription, func(d *fiscal.Document) { d.Note.Service.Description = strings.Repeat("x", 2001) }},

	{"customer's CPF", "E0206", fieldDocument, func(d *fiscal.Document) { d.Note.Customer.TaxID = "52998224724" }},
	{"customer's CNPJ", "E0188", fieldDocument, func(d *fiscal.Document) { d.Note.Customer.TaxID = "12ABC34501DE36" }},
	{"customer is the issuer", "E0202", fieldDocument, func(d *fiscal.Document) { d.Note.Customer.TaxID = "11222333000181" }},
	{"customer is a branch of the issuer", "E0202", fieldDocument, func(d *fiscal.Document) { d.Note.Customer.TaxID = "11222333000262" }},
	{"customer is the issuing person", "E0202", fieldDocument, func(d *fiscal.Document) { d.Issuer.TaxID = "52998224725" }},
	{"name of symbols", "text_not_printable", fieldName, func(d *fiscal.Document) { d.Note.Customer.Name = "\u2603" }},
	{"name too long", "text_too_long", fieldName, func(d *fiscal.Document) { d.Note.Customer.Name = strings.Repeat("x", 301) }},

	{"no address to withhold", "E0237", fieldStreet, func(d *fiscal.Document) { withheld(d, 0); d.Note.Customer.Address = nfse.Address{} }},
	{"no number to withhold", "E0237", fieldNumber, func(d *fiscal.Document) { withheld(d, 0); d.Note.Customer.Address.Number = nil }},
	{"no zip code where the ISS is due to the customer's city", "E0234", fieldZipCode, func(d *fiscal.Document) {
		d.Note.Service.NationalTaxCode, d.Note.Customer.Address.ZipCode = pointer("170501"), nil
	}},
	{"half a municipality", "E0238", fieldMunicipality, func(d *fiscal.Document) { d.Note.Municipality.Code = "355030" }},
	{"half a zip code", "E0240", fieldZipCode, func(d *fiscal.Document) { d.Note.Customer.Address.ZipCode = pointer("0131010") }},
	{"street of symbols", "text_not_printable", fieldStreet, func(d *fiscal.Document) {
		d.Note.Customer.Address.StreetType, d.Note.Customer.Address.Street = nil, pointer("\u2603")
	}},
	{"street too long", "text_too_long", fieldStreet, func(d *fiscal.Document) { d.Note.Customer.Address.Street = pointer(strings.Repeat("x", 248)) }},
	{"number too long", "text_too_long", fieldNumber, func(d *fiscal.Document) { d.Note.Customer.Address.Number = pointer(strings.Repeat("1", 61)) }},
	{"district too long", "text_too_long", fieldDistrict, func(d *fiscal.Document) { d.Note.Customer.Address.District = pointer(strings.Repeat("x", 61)) }},
	{"complement too long", "text_too_long", fieldComplement, func(d *fiscal.Document) { d.Note.Customer.Address.Complement = pointer(strings.Repeat("x", 157)) }},

	{"withheld from an MEI", "E0583", fieldWithheld, func(d *fiscal.Document) { micro(d); withheld(d, 200) }},
	{"withheld under a special regime", "E0588", fieldWithheld, func(d *fiscal.Document) { d.Issuer.SpecialRegime = 5; withheld(d, 200) }},
	{"withheld road toll", "E0596", fieldWithheld, func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = pointer("220101"); withheld(d, 200) }},
	{"no rate where the city is inactive", "E0619", fieldRate, inactive},
	{"rate above 5", "E0595", fieldRate, func(d *fiscal.Document) { inactive(d); d.Note.Service.ISSRate = pointer(nfse.Rate(501)) }},
	{"no rate withheld within Simples", "E0621", fieldRate, func(d *fiscal.Document) { small(d, 1); withheld(d, 0) }},
	{"rate 0 where the city is inactive", "E0619", fieldRate, func(d *fiscal.Document) { inactive(d); d.Note.Service.ISSRate = pointer(nfse.Rate(0)) }},
	{"low rate withheld within Simples", "E0621", fieldRate, func(d *fiscal.Document) { small(d, 1); withheld(d, 179) }},
	{"no rate withheld within Simples, inactive", "E0628", fieldRate, func(d *fiscal.Document) { small(d, 1); inactive(d); withheld(d, 0) }},
	{"low rate withheld within Simples, inactive", "E0628", fieldRate, func(d *fiscal.Document) { small(d, 1); inactive(d); withheld(d, 100) }},
	{"no rate outside Simples, inactive", "E0640", fieldRate, func(d *fiscal.Document) { small(d, 2); inactive(d) }},
	{"amount 0", "amount_out_of_range", fieldAmount, func(d *fiscal.Document) { d.Note.AmountCents = 0 }},
	{"amount of 16 digits", "amount_out_of_range", fieldAmount, func(d *fiscal.Document) { d.Note.AmountCents = nfse.MaxAmountCents + 1 }},
}

func TestCheckRefusesEachBreach(t *testing.T) {
	if rejection := check(plainDocument(), checkedAt); rejection != nil {
		t.Fatalf("the plain document is refused: %+v", rejection)
	}
	for _, breach := range breaches {
		t.Run(breach.name, func(t *testing.T) {
			document := plainDocument()
			breach.change(&document)
			rejection := check(document, checkedAt)
			if rejection == nil {
				t.Fatal("accepted")
			}
			explanation, action, _ := explain(breach.code)
			switch {
			case rejection.Code != breach.code:
				t.Errorf("code %s, want %s", rejection.Code, breach.code)
			case rejection.Source != nfse.RejectedByService:
				t.Errorf("source %s", rejection.Source)
			case breach.field == "" && rejection.Field != nil:
				t.Errorf("names field %s, which is not the caller's", *rejection.Field)
			case breach.field != "" && (rejection.Field == nil || *rejection.Field != breach.field):
				t.Errorf("field %v, want %s", rejection.Field, breach.field)
			case !strings.HasPrefix(rejection.Explanation, explanation) || !strings.Contains(rejection.Explanation, "nothing was sent") || rejection.Action != action:
				t.Errorf("explanation %q, action %q", rejection.Explanation, rejection.Action)
			case rejection.Message == "":
				t.Error("no message")
			}
			if document := string(document.Note.Customer.TaxID); document != "" && strings.Contains(rejection.Message, document) {
				t.Errorf("the message holds a document: %s", rejection.Message)
			}
		})
	}
}

// TestEveryCheckedRuleIsBreached ties the table of rules to the checks.
func TestEveryCheckedRuleIsBreached(t *testing.T) {
	breached := map[string]bool{}
	for _, breach := range breaches {
		breached[breach.code] = true
		if r := ruleByCode[breach.code]; r.how.kind != checked {
			t.Errorf("%s is checked, but the catalogue says: %s", breach.code, r.how.kind)
		}
	}
	for _, r := range catalogue {
		if r.how.kind == checked && !breached[r.code] {
			t.Errorf("%s is said to be checked, but nothing breaks it", r.code)
		}
	}
}

// TestCheckAccepts holds what comes close to a rule without breaking it.
func TestCheckAccepts(t *testing.T) {
	for name, change := range map[string]func(d *fiscal.Document){
		"newer national code":             func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = pointer("990301") },
		"works without the group":         func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = pointer("070301") },
		"MEI":                             micro,
		"withheld outside Simples":        func(d *fiscal.Document) { withheld(d, 0) },
		"withheld within Simples":         func(d *fiscal.Document) { small(d, 1); withheld(d, 180) },
		"not withheld within Simples":     func(d *fiscal.Document) { small(d, 1); inactive(d) },
		"rate where the city is inactive": func(d *fiscal.Document) { inactive(d); d.Note.Service.ISSRate = pointer(nfse.Rate(500)) },
		"low rate outside Simples":        func(d *fiscal.Document) { small(d, 2); inactive(d); d.Note.Service.ISSRate = pointer(nfse.Rate(1)) },
		"professional elsewhere": func(d *fiscal.Document) {
			d.Issuer.SpecialRegime, d.Note.Service.NationalTaxCode, d.Note.Service.MunicipalityCode = 5, pointer("110201"), "3550308"
		},
		"special regime at home": func(d *fiscal.Document) { d.Issuer.SpecialRegime = 6 },
		"another company":        func(d *fiscal.Document) { d.Note.Customer.TaxID = "12ABC34501DE35" },
		"longest texts": func(d *fiscal.Document) {
			d.Note.Customer.Name, d.Note.Service.Description = strings.Repeat("\u00e3", 300), strings.Repeat("\u00e7", 2000)
			address := &d.Note.Customer.Address
			address.Street, address.Number = pointer(strings.Repeat("x", 247)), pointer(strings.Repeat("1", 60)) // with "Avenida" and a space: 255
			address.District, address.Complement = pointer(strings.Repeat("x", 60)), pointer(strings.Repeat("x", 156))
		},
		"complement of symbols": func(d *fiscal.Document) { d.Note.Customer.Address.Complement = pointer("\u2603") },
		"no address":            func(d *fiscal.Document) { d.Note.Customer.Address = nfse.Address{} },
		"largest amount":        func(d *fiscal.Document) { d.Note.AmountCents = nfse.MaxAmountCents },
		"last series":           func(d *fiscal.Document) { d.Issuer.Series = 49999 },
	} {
		document := plainDocument()
		change(&document)
		if rejection := check(document, checkedAt); rejection != nil {
			t.Errorf("%s is refused: %s %s", name, rejection.Code, rejection.Message)
		}
	}
}

func TestValidateProfile_NamesTheField(t *testing.T) {
	if err := ValidateProfile(plainDocument().Issuer); err != nil {
		t.Fatal(err)
	}
	fields := map[string]bool{}
	for _, breach := range breaches {
		document := plainDocument()
		breach.change(&document)
		fault := faultOf(document.Issuer)
		err := ValidateProfile(document.Issuer)
		if fault == nil {
			if err != nil {
				t.Errorf("%s: %v", breach.name, err)
			}
			continue
		}
		invalid, ok := err.(*nfse.Error)
		if !ok || invalid.Code != nfse.CodeInvalidRequest || invalid.Field != fault.field || invalid.Message != fault.words {
			t.Errorf("%s: %v", breach.name, err)
			continue
		}
		fields[invalid.Field] = true
	}
	for _, field := range []string{
		"tax_id", "municipality_code", "municipal_registration", "simples", "simples_regime", "special_regime", "series",
		"approximate_taxes", "inactive_municipalities",
	} {
		if !fields[field] {
			t.Errorf("no fault names %s", field)
		}
	}
}
