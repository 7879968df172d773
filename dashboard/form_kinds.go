package dashboard

import (
	"errors"
	"strings"

	"emissor/dashboard/words"
	"emissor/nfse"
)

// option is one of the values that a field of a form can have. Key is the key of its
// message, or Text is shown as it is.
type option struct{ Value, Key, Text string }

// choice is a field with the options that one is chosen from.
type choice struct {
	field
	Options []option
}

func newChoice(form *form, name, label string, options []option) choice {
	return choice{newField(form, name, label, ""), options}
}

// found is what was found for a field: each option is a button that fills it in.
type found struct {
	Field, Label string
	Options      []option
	None         string // key of the message when nothing was found
}

// lookedFor searches by words for values of a form's fields, or fills in what was chosen of
// those found before. It reports whether the request asks only for that: then nothing is saved.
func (r *request) lookedFor(form *form, search map[string]func(text string) found) (all []found, only bool) {
	if field, value, chosen := strings.Cut(r.PostForm.Get("set"), "="); chosen && search[field] != nil {
		form.values[field] = value
		return nil, true
	}
	field := r.PostForm.Get("find")
	if search[field] == nil {
		return nil, false
	}
	return []found{search[field](form.Value(field))}, true
}

// rule is a field of a form and how it is checked.
type rule struct {
	field    string
	check    func(string) (string, error)
	required bool
}

// checkAll checks every field. The key of the message about a wrong one is
// area.field.wrong.
func (f *form) checkAll(area string, rules []rule) {
	for _, one := range rules {
		value := f.Value(one.field)
		if value == "" && !one.required {
			continue
		}
		if _, err := one.check(value); err != nil {
			f.wrong(one.field, area+one.field+".wrong")
		}
	}
}

// wrongAs shows an error of another package at the field that it names. It reports whether
// the error names one.
func (f *form) wrongAs(area string, err error) bool {
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
	f.wrong(field, key)
	return true
}

// trimmed is what was typed into a field, without the space around it.
func (f *form) trimmed(field string) string { return strings.TrimSpace(f.Value(field)) }

// orNothing is what was typed into a field that may be empty; nil when it is.
func (f *form) orNothing(field string) *string {
	if value := f.trimmed(field); value != "" {
		return &value
	}
	return nil
}

// difference is a field that somebody else changed while this form was open.
type difference struct{ Label, Now string }

// differences are the fields in which what is on record now is not what was typed, both
// as their rules would store them.
func (f *form) differences(area string, now *form, fields []string, rules []rule) (all []difference) {
	kept := func(f *form, field string) string {
		for _, one := range rules {
			if one.field == field {
				if kept, err := one.check(f.Value(field)); err == nil {
					return kept
				}
			}
		}
		return f.trimmed(field)
	}
	for _, field := range fields {
		if kept(f, field) != kept(now, field) {
			all = append(all, difference{area + field, now.Value(field)})
		}
	}
	return all
}

// formOf makes a form of a record's values.
func formOf(values map[string]string) *form { return &form{values: values} }

func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
