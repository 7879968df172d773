package catalogue

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emissor/nfse"
)

// The fields of what a service or a note has beyond the API, by their names in forms and, with
// hyphens, in commands. Percentages are texts as 13.45, and amounts are cents.
var (
	ISSFields = []string{
		"iss", "iss_immunity", "iss_suspension", "iss_process", "iss_benefit", "iss_benefit_percent",
		"iss_benefit_amount",
	}
	AbroadFields = []string{
		"abroad", "abroad_country", "abroad_result_country", "abroad_mode", "abroad_relationship", "abroad_currency",
		"abroad_amount", "abroad_provider_mechanism", "abroad_taker_mechanism", "abroad_goods",
		"abroad_import_declaration", "abroad_export_record", "abroad_to_ministry",
		"abroad_no_foreign_currency",
	}
	// ServiceFields are all that are set of a service.
	ServiceFields = slices.Concat([]string{"municipal_code"}, ISSFields, []string{"deduction_percent"}, AbroadFields,
		[]string{"work", "event"})
)

// IsPercentField and IsAmountField tell how the text of a field is written.
func IsPercentField(field string) bool { return strings.HasSuffix(field, "_percent") }

// IsAmountField reports whether a field has cents.
func IsAmountField(field string) bool {
	return strings.HasSuffix(field, "_amount") || strings.HasPrefix(field, "discount_") ||
		strings.HasSuffix(field, "_deductible") || strings.HasSuffix(field, "_used")
}

// The words of iss, abroad and deduction beside the kinds of treatments.
const (
	Taxed    = "taxed"  // of iss: due in full, regardless of what is set; of abroad: taxed here
	Exported = "export" // of abroad: not taxed here
	Nothing  = "none"   // of abroad and deduction: there is none, regardless of what is set
	asSet    = ""       // as it is set for service and customer
)

// ReadServiceTaxation puts what the texts of ServiceFields say into what is set of a service. What
// else is set stays. Every error is an *nfse.Error of a field.
func ReadServiceTaxation(taxation *nfse.ServiceTaxation, texts map[string]string) []*nfse.Error {
	r := reader{texts: texts}
	taxation.MunicipalCode = r.text("municipal_code", MunicipalCode)
	taxation.ISS = r.iss()
	if taxation.ISS != nil && taxation.ISS.Kind == "" {
		taxation.ISS = nil
	}
	taxation.Deduction = r.percent("deduction_percent")
	taxation.Abroad = r.abroad()
	if taxation.Abroad != nil && *taxation.Abroad == (nfse.Abroad{}) {
		taxation.Abroad = nil
	}
	taxation.WorkID, taxation.EventID = r.given("work"), r.given("event")
	return r.problems
}

// TextsOfService are the texts that ReadServiceTaxation reads.
func TextsOfService(taxation nfse.ServiceTaxation) map[string]string {
	texts := map[string]string{
		"municipal_code": taxation.MunicipalCode, "work": taxation.WorkID, "event": taxation.EventID,
	}
	putPercent(texts, "deduction_percent", taxation.Deduction)
	putISS(texts, taxation.ISS)
	putAbroad(texts, taxation.Abroad)
	return texts
}

func putISS(texts map[string]string, iss *nfse.ISSTreatment) {
	if iss != nil {
		texts["iss"] = cmp.Or(string(iss.Kind), Taxed)
		putNumber(texts, "iss_immunity", int64(iss.Immunity))
		putNumber(texts, "iss_suspension", int64(iss.Suspension))
		texts["iss_process"], texts["iss_benefit"] = iss.Process, iss.Benefit
		putPercent(texts, "iss_benefit_percent", iss.BenefitPercent)
		putNumber(texts, "iss_benefit_amount", iss.BenefitCents)
	}
}

func putAbroad(texts map[string]string, abroad *nfse.Abroad) {
	switch {
	case abroad == nil:
	case *abroad == nfse.Abroad{}:
		texts["abroad"] = Nothing
	default:
		texts["abroad"] = Taxed
		if abroad.Export {
			texts["abroad"] = Exported
		}
		texts["abroad_country"], texts["abroad_result_country"] = abroad.Country, abroad.ResultCountry
		putNumber(texts, "abroad_mode", int64(abroad.Mode))
		texts["abroad_relationship"] = strconv.Itoa(abroad.Relationship)
		texts["abroad_currency"] = abroad.Currency
		putNumber(texts, "abroad_amount", abroad.AmountCents)
		texts["abroad_provider_mechanism"] = abroad.ProviderMechanism
		texts["abroad_taker_mechanism"] = abroad.TakerMechanism
		putNumber(texts, "abroad_goods", int64(abroad.Goods))
		texts["abroad_import_declaration"] = abroad.ImportDeclaration
		texts["abroad_export_record"] = abroad.ExportRecord
		if abroad.ToMinistry {
			texts["abroad_to_ministry"] = "yes"
		}
		if abroad.NoForeignCurrency {
			texts["abroad_no_foreign_currency"] = "yes"
		}
	}
}

func putPercent(texts map[string]string, field string, percent nfse.Percent) {
	if percent != 0 {
		texts[field] = percent.String()
	}
}

func putNumber(texts map[string]string, field string, number int64) {
	if number != 0 {
		texts[field] = strconv.FormatInt(number, 10)
	}
}

var (
	cityCodeForm = whole(`[0-9]{1,10}`)
	processForm  = whole(`[0-9]{30}|[0-9]{20}`)
	benefitForm  = whole(`[0-9]{14}`)
	countryForm  = whole(`[A-Z]{2}`)
	currencyForm = whole(`[0-9]{3}`)
)

// MunicipalCode is the Rule of the code of a service in the table of a city that takes the national
// declaration on a server of its own (cTribMun). How many of these digits a city wants, its row of
// the table of cities says.
func MunicipalCode(s string) (string, error) {
	return pattern(s, cityCodeForm, "", "must be a city's code of a service, of 1 to 10 digits")
}

// Process is the Rule of the number of a process: 30 digits, or the 20 of a court's, which zeros
// go before.
func Process(s string) (string, error) {
	digits, err := pattern(strings.NewReplacer(".", "", "-", "", "/", "", " ", "").Replace(s), processForm, "",
		"must be a process of 30 digits, or of 20 as courts have them")
	if err != nil {
		return "", err
	}
	return strings.Repeat("0", 30-len(digits)) + digits, nil
}

// iss reads how the ISS is due; nil where nothing is said of it.
func (r *reader) iss() *nfse.ISSTreatment {
	iss := nfse.ISSTreatment{Kind: nfse.ISSKind(r.given("iss"))}
	switch iss.Kind {
	case asSet:
		return nil
	case Taxed:
		iss.Kind = ""
	case nfse.ISSNotTaxed:
	case nfse.ISSImmune:
		iss.Immunity = r.number("iss_immunity", 1, 5)
	case nfse.ISSSuspended:
		iss.Suspension, iss.Process = r.number("iss_suspension", 1, 2), r.needed("iss_process", Process)
	case nfse.ISSBenefit:
		iss.Benefit = r.needed("iss_benefit", func(s string) (string, error) {
			return pattern(s, benefitForm, "", "must be the number of a benefit, of 14 digits")
		})
		iss.BenefitPercent, iss.BenefitCents = r.percent("iss_benefit_percent"), r.cents("iss_benefit_amount")
		if iss.BenefitPercent != 0 && iss.BenefitCents != 0 {
			r.wrong("iss_benefit_amount", errors.New("must not be given beside a percentage"))
		}
	default:
		r.wrong("iss", errors.New("must be one of: taxed, immune, not_taxed, suspended, benefit"))
	}
	return &iss
}

// abroad reads what has to do with another country; nil where nothing is said of it.
func (r *reader) abroad() *nfse.Abroad {
	said := r.given("abroad")
	switch said {
	case asSet:
		return nil
	case Nothing:
		return &nfse.Abroad{}
	case Taxed, Exported:
	default:
		r.wrong("abroad", errors.New("must be one of: none, taxed, export"))
		return nil
	}
	abroad := nfse.Abroad{
		Export: said == Exported, Country: r.text("abroad_country", foreignCountry),
		ResultCountry: r.text("abroad_result_country", foreignCountry), Mode: r.number("abroad_mode", 1, 2),
		Currency: r.text("abroad_currency", func(s string) (string, error) {
			return pattern(s, currencyForm, "", "must be a currency's code of 3 digits")
		}),
		AmountCents:       r.cents("abroad_amount"),
		ProviderMechanism: r.text("abroad_provider_mechanism", mechanism(8)),
		TakerMechanism:    r.text("abroad_taker_mechanism", mechanism(26)),
		ImportDeclaration: r.text("abroad_import_declaration", upTo(12)),
		ExportRecord:      r.text("abroad_export_record", upTo(12)),
		ToMinistry:        r.given("abroad_to_ministry") != "",
		NoForeignCurrency: r.given("abroad_no_foreign_currency") != "",
	}
	if r.given("abroad_relationship") != "" {
		abroad.Relationship = r.number("abroad_relationship", 0, 9)
		if abroad.Relationship == 7 || abroad.Relationship == 8 {
			r.wrong("abroad_relationship", errors.New("must be from 0 to 6, or 9"))
		}
	}
	if r.given("abroad_goods") != "" {
		abroad.Goods = r.number("abroad_goods", 1, 3)
	}
	return &abroad
}

// foreignCountry is the Rule of the form of a country's code: whether it exists, only the authority's
// table tells.
func foreignCountry(s string) (string, error) {
	code, err := pattern(strings.ToUpper(s), countryForm, "", "must be a country's code of 2 letters")
	if code == "BR" {
		err = errors.New("must be another country than Brazil")
	}
	return code, err
}

// mechanism is the Rule of the code of a mechanism of support, from 01.
func mechanism(most int) Rule {
	return func(s string) (string, error) {
		if number, err := strconv.Atoi(s); err != nil || len(s) != 2 || number < 1 || number > most {
			return "", fmt.Errorf("must be a mechanism's code from 01 to %02d", most)
		}
		return s, nil
	}
}

// number reads a whole number that must be given.
func (r *reader) number(field string, least, most int) int {
	number, err := strconv.Atoi(r.given(field))
	if err != nil || number < least || number > most {
		r.wrong(field, fmt.Errorf("must be from %d to %d", least, most))
	}
	return number
}

// percent reads a percentage that may be left out.
func (r *reader) percent(field string) nfse.Percent {
	if r.given(field) == "" {
		return 0
	}
	percent, err := nfse.ParsePercent(r.given(field))
	if err != nil {
		r.wrong(field, err)
	}
	return percent
}

// cents reads an amount that may be left out.
func (r *reader) cents(field string) int64 {
	if r.given(field) == "" {
		return 0
	}
	cents, err := AmountCents(r.given(field))
	if err != nil {
		r.wrong(field, err)
	}
	return cents
}
