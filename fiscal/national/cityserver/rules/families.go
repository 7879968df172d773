package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/cities"
	dsf "emissor/fiscal/national/dsf/rules"
	"emissor/fiscal/rulecatalogue"
)

// Family is what the codes of a family of servers mean.
type Family struct {
	Catalogue *rulecatalogue.Catalogue
	RepairOf  func(code string) fiscal.Repair
}

// Families are those that the program speaks.
var Families = map[cities.Family]Family{
	cities.DSF: {dsf.Catalogue, dsf.RepairOf},
}
