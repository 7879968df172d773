package frame

import (
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/fiscal/national/schema"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

// GroupField is a field of what a service or a note has beyond the API: a choice, a tick or a text.
type GroupField struct {
	Choice
	Tick bool
}

// GroupFields makes the fields of a form. choices has the options of those that one is chosen in.
func GroupFields(form *Form, names []string, choices map[string][]Option) (fields []GroupField) {
	for _, name := range names {
		kind := "text"
		if strings.HasSuffix(name, "_issued") {
			kind = "date"
		}
		fields = append(fields, GroupField{
			Choice: Choice{NewField(form, name, "group."+unnumbered(name), kind), choices[name]}, Tick: IsTick(name),
		})
	}
	return fields
}

// IsTick reports whether a field is a checkbox.
func IsTick(name string) bool {
	return name == "abroad_to_ministry" || name == "abroad_no_foreign_currency" || name == "intermediary_withholds"
}

// Numbered are the options of codes from one number to another, each with a message, after none.
func Numbered(area string, codes ...string) []Option {
	options := []Option{{"", "group.choose", ""}}
	for _, code := range codes {
		options = append(options, Option{code, area + "." + code, ""})
	}
	return options
}

// GroupChoices are the choices that services and notes have, but for what none of iss and abroad
// means.
func GroupChoices() map[string][]Option {
	return map[string][]Option{
		"iss_immunity":        Numbered("group.iss_immunity", "1", "2", "3", "4", "5"),
		"iss_suspension":      Numbered("group.iss_suspension", "1", "2"),
		"abroad_mode":         Numbered("group.abroad_mode", "1", "2"),
		"abroad_goods":        Numbered("group.abroad_goods", "1", "2", "3"),
		"abroad_relationship": Numbered("group.abroad_relationship", "0", "1", "2", "3", "4", "5", "6", "9"),
	}
}

// IssKinds are the kinds of treatments to choose from.
var IssKinds = []Option{
	{string(nfse.ISSImmune), "group.iss.immune", ""}, {string(nfse.ISSNotTaxed), "group.iss.not_taxed", ""},
	{string(nfse.ISSSuspended), "group.iss.suspended", ""}, {string(nfse.ISSBenefit), "group.iss.benefit", ""},
}

// AbroadKinds are what a service can have to do with another country.
var AbroadKinds = []Option{
	{catalogue.Exported, "group.abroad.export", ""}, {catalogue.Taxed, "group.abroad.taxed", ""},
}

// Plain are the texts of a form's fields as their rules read them: percentages with a point, and
// cents. What cannot be read stays, for the rule to refuse.
func (f *Form) Plain() map[string]string {
	texts := map[string]string{}
	for name, value := range f.Values {
		value = strings.TrimSpace(value)
		switch {
		case value == "":
		case catalogue.IsPercentField(name):
			value = format.ParsePercent(value)
		case catalogue.IsAmountField(name):
			if cents, err := format.ParseMoney(value); err == nil {
				value = strconv.FormatInt(cents, 10)
			}
		}
		texts[name] = value
	}
	return texts
}

// ShownTexts are the texts of a record as people write them.
func ShownTexts(language words.Language, texts map[string]string) map[string]string {
	for name, value := range texts {
		switch {
		case value == "":
		case catalogue.IsPercentField(name):
			texts[name] = format.Percent(language, value)
		case catalogue.IsAmountField(name):
			if cents, err := strconv.ParseInt(value, 10, 64); err == nil {
				texts[name] = format.Amount(language, cents)
			}
		}
	}
	return texts
}

// WrongGroups says in a form what is wrong with its groups, and with countries that do not exist.
func (f *Form) WrongGroups(problems []*nfse.Error) {
	for _, problem := range problems {
		f.AddProblem(problem.Field, "group.wrong."+unnumbered(problem.Field))
	}
	for _, name := range []string{"abroad_country", "abroad_result_country", "foreign_country"} {
		country := strings.ToUpper(f.Trimmed(name))
		if country != "" && !schema.ForeignCountry(country) && f.Problem(name) == nil {
			f.AddProblem(name, "group.wrong."+name)
		}
	}
}

// unnumbered is the name of a field without the number of its row.
func unnumbered(name string) string {
	if rest, is := strings.CutPrefix(name, "document_"); is {
		_, field, _ := strings.Cut(rest, "_")
		return "document_" + field
	}
	return name
}
