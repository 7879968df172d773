package taxation

import (
	"emissor/fiscal"
	"emissor/nfse"
)

// Place is where a service is rendered: in a municipality (cLocPrestacao), or in another
// country (cPaisPrestacao).
type Place struct {
	Municipality string // empty: abroad
	Country      string // 2 letters; empty: in Brazil
}

// Abroad reports whether the place is in another country.
func (p Place) Abroad() bool { return p.Country != "" }

// PlaceOf returns where the service of a declaration is rendered: in the country that it
// names, else where its work or event is, else where its service says.
func PlaceOf(declaration fiscal.Declaration) Place {
	if country := declaration.Abroad().Country; country != "" {
		return Place{Country: country}
	}
	if work := WorkOf(declaration); work != nil {
		return Place{Municipality: work.MunicipalityCode}
	}
	if event := EventOf(declaration); event != nil {
		return Place{Municipality: event.MunicipalityCode}
	}
	return Place{Municipality: declaration.Note.Service.MunicipalityCode}
}

// WorkOf returns the construction work of a declaration (group obra): the one that the form
// names, or where the service needs one, the one that is set for customer or service. nil is
// none.
func WorkOf(declaration fiscal.Declaration) *nfse.Work {
	switch {
	case declaration.Details.Work != nil:
		return declaration.Details.Work
	case NeedsWorks(codeOf(declaration)):
		return declaration.Taxation.Work
	}
	return nil
}

// EventOf does so for the event (group atvEvento).
func EventOf(declaration fiscal.Declaration) *nfse.CulturalEvent {
	switch {
	case declaration.Details.Event != nil:
		return declaration.Details.Event
	case NeedsEvent(codeOf(declaration)):
		return declaration.Taxation.Event
	}
	return nil
}

// codeOf is the national tax code of a declaration's service; empty where it has none.
func codeOf(declaration fiscal.Declaration) string {
	if code := declaration.Note.Service.NationalTaxCode; code != nil {
		return *code
	}
	return ""
}
