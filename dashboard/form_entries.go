package dashboard

import "emissor/internal/municipality"

// entry is a text field with what helps to type into it: the keyboard of a phone, and what the
// browser may fill in.
type entry struct {
	field
	Mode     string // inputmode
	Complete string // autocomplete
	Mask     string // cep, cpf-cnpj or money: the script writes what is typed with it
}

func newEntry(form *form, name, label, mode, complete, mask string) entry {
	return entry{newField(form, name, label, "text"), mode, complete, mask}
}

// cell is a field of a row of a form.
type cell struct {
	Row                      int
	Name, Label, Type, Value string
}

// cityField is the field of a city, which is found by its name. It shows the name in place of the
// code, and keeps the place in the page.
type cityField struct {
	field
	Action string // where its form is sent
	Found  []found
}

func newCityField(form *form, name, label, action string, all []found) cityField {
	shown := cityField{field: newField(form, name, label, "text"), Action: action}
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

// others are what was found for fields that do not show it themselves.
func others(all []found, but ...string) (rest []found) {
	for _, one := range all {
		own := false
		for _, name := range but {
			own = own || one.Field == name
		}
		if !own {
			rest = append(rest, one)
		}
	}
	return rest
}
