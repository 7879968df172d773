// Package authorities lists the authorities by which notes are issued, each as its own
// package describes it. Another authority is another line here.
package authorities

import (
	"slices"

	"emissor/fiscal/description"
	national "emissor/fiscal/national/rules"
	saopaulo "emissor/fiscal/saopaulo/rules"
)

// All are the authorities. The first is that of a profile that names none.
var All = []description.Authority{national.Description, saopaulo.Description}

// Default is the name of the first.
var Default = All[0].Name

// Names are their names.
func Names() (names []string) {
	for _, one := range All {
		names = append(names, one.Name)
	}
	return names
}

// Named returns the authority of a name.
func Named(name string) (found description.Authority, known bool) {
	i := slices.IndexFunc(All, func(one description.Authority) bool { return one.Name == name })
	if i < 0 {
		return found, false
	}
	return All[i], true
}

// OfCity returns the authority that a city runs itself.
func OfCity(municipalityCode string) (found description.Authority, known bool) {
	i := slices.IndexFunc(All, func(one description.Authority) bool {
		return one.Municipality != "" && one.Municipality == municipalityCode
	})
	if i < 0 {
		return found, false
	}
	return All[i], true
}
