// Package authorities lists the authorities by which notes are issued, each as its own
// package describes it. Another authority is another line here; a city of a family of servers
// that the program speaks is a row of the table of cities.
package authorities

import (
	"slices"
	"sync/atomic"

	"emissor/fiscal/cities"
	"emissor/fiscal/description"
	cityserver "emissor/fiscal/national/cityserver/rules"
	national "emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
	saopaulo "emissor/fiscal/saopaulo/rules"
)

// builtIn are the authorities that are no rows of a table of cities. A profile that names none has the first one.
var builtIn = []description.Authority{national.Description, saopaulo.Description}

// Default is the name of the first.
var Default = builtIn[0].Name

// listed are all of them, by a table of cities.
type listed struct {
	by  *cities.Table
	all []description.Authority
}

var list atomic.Pointer[listed]

// All returns the authorities. A profile that names none has the first one.
func All() []description.Authority {
	table := cities.Current()
	if known := list.Load(); known != nil && known.by == table {
		return known.all
	}
	all := append(slices.Clone(builtIn), cityserver.Describe(table)...)
	list.Store(&listed{table, all})
	return all
}

// Names are their names.
func Names() (names []string) {
	for _, one := range All() {
		names = append(names, one.Name)
	}
	return names
}

// Named returns the authority of a name.
func Named(name string) (found description.Authority, known bool) {
	return first(func(one description.Authority) bool { return one.Name == name })
}

// Catalogues returns the catalogues of the authorities, each once: cities of a family share one.
func Catalogues() (all []*rulecatalogue.Catalogue) {
	for _, by := range All() {
		if !slices.Contains(all, by.Catalogue) {
			all = append(all, by.Catalogue)
		}
	}
	return all
}

func first(is func(description.Authority) bool) (found description.Authority, known bool) {
	all := All()
	i := slices.IndexFunc(all, is)
	if i < 0 {
		return found, false
	}
	return all[i], true
}
