package dps

import "emissor/fiscal"

// layout is a form that messages are written in. A new one is another value.
type layout struct {
	name         string // in configuration and records
	version      string // attribute versao
	dps          func(*writer, dps)
	cancellation func(*writer, cancellation)
}

// layouts are the layouts that are built, the first being the default.
var layouts = []*layout{&layout101}

// layoutNamed finds a layout that is built.
func layoutNamed(name string) (*layout, error) {
	var built []string
	for _, one := range layouts {
		if one.name == name {
			return one, nil
		}
		built = append(built, one.name)
	}
	return nil, &fiscal.LayoutError{Layout: name, Built: built}
}
