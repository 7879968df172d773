package dashboard

import (
	"emissor/dashboard/frame"
	"emissor/internal/municipality"
)

// entry is a text field with what helps to type into it: the keyboard of a phone, and what the
// browser may fill in.
type entry struct {
	frame.Field
	Mode     string // inputmode
	Complete string // autocomplete
	Mask     string // cep, cpf-cnpj or money: the script writes what is typed with it
}

func newEntry(form *frame.Form, name, label, mode, complete, mask string) entry {
	return entry{frame.NewField(form, name, label, "text"), mode, complete, mask}
}

// cell is a field of a row of a form.
type cell struct {
	Row                      int
	Name, Label, Type, Value string
}

// cityField is the field of a city, which is found by its name. It shows the name in place of the
// code, and keeps the place in the page.
type cityField struct {
	frame.Field
	Action string // where its form is sent
	Found  []frame.Found
}

func newCityField(form *frame.Form, name, label, action string, all []frame.Found) cityField {
	shown := cityField{Field: frame.NewField(form, name, label, "text"), Action: action}
	if city, known := municipality.Find(shown.Value); known {
		shown.Value = city.String()
	}
	for _, one := range all {
		if one.Field == name {
			shown.Found = append(shown.Found, one)
		}
	}
	return shown
}
