package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/cities"
	dsf "emissor/fiscal/national/dsf/rules"
	fiorilli "emissor/fiscal/national/fiorilli/rules"
	issnet "emissor/fiscal/national/issnet/rules"
	national "emissor/fiscal/national/rules"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Family is what is known of a family of servers without calling one.
type Family struct {
	// Quirks are what rows may say of its cities, beside what rows of every family may.
	Quirks map[cities.Quirk]cities.Meaning
	// Catalogue and RepairOf are what its codes mean.
	Catalogue *rulecatalogue.Catalogue
	RepairOf  func(code string) fiscal.Repair
	// NotFounds is how many questions must find nothing before a declaration is sent again: see
	// fiscal.Capabilities.
	NotFounds int
	// TakesTurns says that numbers are asked about before they are sent for the first time, one
	// after the other: see fiscal.Capabilities.
	TakesTurns bool
	// TakesLogin says that companies may have a user and a password with their city's server.
	TakesLogin bool
	// Cancels says that cities take cancellations, but for those whose row says otherwise.
	Cancels bool
	// GrantsNumbers says that companies use only numbers that the city has granted them.
	GrantsNumbers bool
	// Tells says that the server tells of cancellations by others.
	Tells bool
	// ExclusiveEvents says that requests about notes are signed in exclusive canonical form, regardless of what the row
	// says of declarations.
	ExclusiveEvents bool
	// Holds says what of a declaration the servers do not take, and a person must change; nil: they
	// take what the national system does.
	Holds func(cities.Row, fiscal.Declaration) fact.Fact
	// Issuer is an issuer as the city of a row knows it; nil: as the fiscal profile has it.
	Issuer func(cities.Row, nfse.FiscalProfile) nfse.FiscalProfile
	// IBSCBSRequiredFrom is the first day of competence of which every DPS must have the group IBSCBS, regardless of the
	// installation's setting; empty: the setting alone decides.
	IBSCBSRequiredFrom nfse.Day
}

// Families are those that the program speaks. Package cityserver has how each is called.
var Families = map[cities.Family]Family{
	// Nobody has tried whether a declaration that comes twice makes a second note: it is asked first.
	dsf.Name: {Quirks: dsf.Quirks, Catalogue: dsf.Catalogue, RepairOf: dsf.RepairOf, NotFounds: 2, TakesTurns: true,
		Cancels: true},
	// A declaration that was made a note of is refused (manual 6.1.2). Nobody has reported that a cancellation was
	// taken.
	issnet.Name: {Quirks: issnet.Quirks, Catalogue: issnet.Catalogue, RepairOf: issnet.RepairOf, NotFounds: 1,
		GrantsNumbers: true, Tells: true, Holds: issnet.Holds, Issuer: issnet.Issuer,
		IBSCBSRequiredFrom: issnet.IBSCBSRequiredFrom},
	// Nobody has tried a declaration that comes twice. A cancellation was taken once, in exclusive canonical form.
	fiorilli.Name: {Quirks: fiorilli.Quirks, Catalogue: fiorilli.Catalogue, RepairOf: fiorilli.RepairOf, NotFounds: 2,
		TakesTurns: true, TakesLogin: true, ExclusiveEvents: true},
	// Nobody has tried a declaration that comes twice, and nobody has reported that a cancellation was taken.
	SEFIN: {Quirks: quirksOfSEFIN, Catalogue: national.Catalogue, RepairOf: national.RepairOf, NotFounds: 2,
		TakesTurns: true},
}

// Quirks are what rows may say of the cities of each family: a table of cities is read by them.
func Quirks() cities.Families {
	all := cities.Families{}
	for name, family := range Families {
		all[name] = family.Quirks
	}
	return all
}
