package dashboard

import (
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/fiscal/national/schema"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

// groupField is a field of what a service or a note has beyond the API: a choice, a tick or a text.
type groupField struct {
	choice
	Tick bool
}

// groupFields makes the fields of a form. choices has the options of those that one is chosen in.
func groupFields(form *form, names []string, choices map[string][]option) (fields []groupField) {
	for _, name := range names {
		kind := "text"
		if strings.HasSuffix(name, "_issued") {
			kind = "date"
		}
		fields = append(fields, groupField{
			choice: choice{newField(form, name, "group."+unnumbered(name), kind), choices[name]}, Tick: isTick(name),
		})
	}
	return fields
}

// isTick reports whether a field is a checkbox.
func isTick(name string) bool {
	return name == "abroad_to_ministry" || name == "abroad_no_foreign_currency" || name == "intermediary_withholds"
}

// numbered are the options of codes from one number to another, each with a message, after none.
func numbered(area string, codes ...string) []option {
	options := []option{{"", "group.choose", ""}}
	for _, code := range codes {
		options = append(options, option{code, area + "." + code, ""})
	}
	return options
}

// groupChoices are the choices that services and notes have, but for what none of iss and abroad
// means.
func groupChoices() map[string][]option {
	return map[string][]option{
		"iss_immunity":        numbered("group.iss_immunity", "1", "2", "3", "4", "5"),
		"iss_suspension":      numbered("group.iss_suspension", "1", "2"),
		"abroad_mode":         numbered("group.abroad_mode", "1", "2"),
		"abroad_goods":        numbered("group.abroad_goods", "1", "2", "3"),
		"abroad_relationship": numbered("group.abroad_relationship", "0", "1", "2", "3", "4", "5", "6", "9"),
	}
}

// issKinds are the kinds of treatments to choose from.
var issKinds = []option{
	{string(nfse.ISSImmune), "group.iss.immune", ""}, {string(nfse.ISSNotTaxed), "group.iss.not_taxed", ""},
	{string(nfse.ISSSuspended), "group.iss.suspended", ""}, {string(nfse.ISSBenefit), "group.iss.benefit", ""},
}

// abroadKinds are what a service can have to do with another country.
var abroadKinds = []option{
	{catalogue.Exported, "group.abroad.export", ""}, {catalogue.Taxed, "group.abroad.taxed", ""},
}

// plain are the texts of a form's fields as their rules read them: percentages with a point, and
// cents. What cannot be read stays, for the rule to refuse.
func (f *form) plain() map[string]string {
	texts := map[string]string{}
	for name, value := range f.values {
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

// shownTexts are the texts of a record as people write them.
func shownTexts(language words.Language, texts map[string]string) map[string]string {
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

// wrongGroups says in a form what is wrong with its groups, and with countries that do not exist.
func (f *form) wrongGroups(problems []*nfse.Error) {
	for _, problem := range problems {
		f.wrong(problem.Field, "group.wrong."+unnumbered(problem.Field))
	}
	for _, name := range []string{"abroad_country", "abroad_result_country", "foreign_country"} {
		country := strings.ToUpper(f.trimmed(name))
		if country != "" && !schema.ForeignCountry(country) && f.Problem(name) == nil {
			f.wrong(name, "group.wrong."+name)
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
