package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/cities"
	dsf "emissor/fiscal/national/dsf/rules"
	issnet "emissor/fiscal/national/issnet/rules"
	national "emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse/fact"
)

// Family is what is known of a family of servers without calling one.
type Family struct {
	// Catalogue and RepairOf are what its codes mean.
	Catalogue *rulecatalogue.Catalogue
	RepairOf  func(code string) fiscal.Repair
	// TakesTurns says that numbers are asked about before they are sent for the first time, one
	// after the other: see fiscal.Capabilities.
	TakesTurns bool
	// Cancels says that cities take cancellations, but for those whose row says otherwise.
	Cancels bool
	// GrantsNumbers says that companies use only numbers that the city has granted them.
	GrantsNumbers bool
	// Tells says that the server tells of cancellations by others.
	Tells bool
	// Holds says what of a declaration the servers do not take, and a person must change; nil: they
	// take what the national system does.
	Holds func(cities.Row, fiscal.Declaration) fact.Fact
}

// Families are those that the program speaks.
var Families = map[cities.Family]Family{
	// Nobody has tried whether a declaration that comes twice makes a second note: it is asked first.
	cities.DSF: {Catalogue: dsf.Catalogue, RepairOf: dsf.RepairOf, TakesTurns: true, Cancels: true},
	// Nobody has reported that a cancellation was taken.
	cities.ISSNet: {Catalogue: issnet.Catalogue, RepairOf: issnet.RepairOf, GrantsNumbers: true, Tells: true,
		Holds: issnet.Holds},
	// Nobody has tried a declaration that comes twice, and nobody has reported that a cancellation was taken.
	cities.SEFIN: {Catalogue: national.Catalogue, RepairOf: national.RepairOf, TakesTurns: true},
}
