package frame

import (
	"errors"
	"strings"

	"emissor/dashboard/words"
	"emissor/nfse"
)

// Option is one of the values that a field of a form can have. Key is the key of its
// message, or Text is shown as it is.
type Option struct{ Value, Key, Text string }

// Choice is a field with the options that one is chosen from.
type Choice struct {
	Field
	Options []Option
}

func NewChoice(form *Form, name, label string, options []Option) Choice {
	return Choice{NewField(form, name, label, ""), options}
}

// Found is what was found for a field: each option is a button that fills it in.
type Found struct {
	Field, Label string
	Options      []Option
	None         string // key of the message when nothing was found
}

// LookedFor searches by words for values of a form's fields, or fills in what was chosen of
// those found before. It reports whether the request asks only for that: then nothing is saved.
func (r *Request) LookedFor(form *Form, search map[string]func(text string) Found) (all []Found, only bool) {
	if field, value, chosen := strings.Cut(r.PostForm.Get("set"), "="); chosen && search[field] != nil {
		form.Values[field] = value
		return nil, true
	}
	field := r.PostForm.Get("find")
	if search[field] == nil {
		return nil, false
	}
	return []Found{search[field](form.Value(field))}, true
}

// Rule is a field of a form and how it is checked.
type Rule struct {
	Field    string
	Check    func(string) (string, error)
	Required bool
}

// CheckAll checks every field. The key of the message about a wrong one is
// area.field.wrong.
func (f *Form) CheckAll(area string, rules []Rule) {
	for _, one := range rules {
		value := f.Value(one.Field)
		if value == "" && !one.Required {
			continue
		}
		if _, err := one.Check(value); err != nil {
			f.AddProblem(one.Field, area+one.Field+".wrong")
		}
	}
}

// WrongAs shows an error of another package at the field that it names. It reports whether
// the error names one.
func (f *Form) WrongAs(area string, err error) bool {
	var invalid *nfse.Error
	if !errors.As(err, &invalid) || invalid.Field == "" {
		return false
	}
	field := strings.TrimPrefix(invalid.Field, "address.")
	key := area + field + ".wrong"
	if invalid.Code == nfse.CodeMunicipalityConflict {
		key = area + field + ".conflict"
	}
	if !words.Has(key) {
		return false
	}
	f.AddProblem(field, key)
	return true
}

// Trimmed is what was typed into a field, without the space around it.
func (f *Form) Trimmed(field string) string { return strings.TrimSpace(f.Value(field)) }

// OrNothing is what was typed into a field that may be empty; nil when it is.
func (f *Form) OrNothing(field string) *string {
	if value := f.Trimmed(field); value != "" {
		return &value
	}
	return nil
}

// Difference is a field that somebody else changed while this form was open.
type Difference struct{ Label, Now string }

// Differences are the fields in which what is on record now is not what was typed, both
// as their rules would store them.
func (f *Form) Differences(area string, now *Form, fields []string, rules []Rule) (all []Difference) {
	kept := func(f *Form, field string) string {
		for _, one := range rules {
			if one.Field == field {
				if kept, err := one.Check(f.Value(field)); err == nil {
					return kept
				}
			}
		}
		return f.Trimmed(field)
	}
	for _, field := range fields {
		if kept(f, field) != kept(now, field) {
			all = append(all, Difference{area + field, now.Value(field)})
		}
	}
	return all
}

// FormOf makes a form of a record's values.
func FormOf(values map[string]string) *Form { return &Form{Values: values} }
