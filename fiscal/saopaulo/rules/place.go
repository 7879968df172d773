package rules

import (
	"slices"

	"emissor/fiscal"
)

// Place says which city a message names as where the service was rendered
// (cLocPrestacao).
type Place string

// The places.
const (
	// PlaceByIndicator is the address of supplier or taker where the indicator of the
	// operation (cIndOp) makes that the place: the city refuses another one (263). Else it is
	// the service's.
	PlaceByIndicator Place = "indicator"
	PlaceOfService   Place = "service" // always the service's
)

// Where operations for NFS-e take place by Annex VII v1.02.00. Those in neither list take
// place where something is or is done, which the service says.
var (
	atSupplier = []string{"010101", "030101", "050101"}
	// The recipient is the taker in what is sent.
	atTaker = []string{"010106", "100101", "100102", "100201", "100301", "100302", "100401"}
)

// Of returns the city that a declaration names, whose service is classified; of a service that is
// said to be rendered abroad that country (cPaisPrestacao), and of a taker abroad whose home is the
// place, its country.
func (p Place) Of(declaration fiscal.Declaration) (municipalityCode, country string) {
	note, abroad := declaration.Note, declaration.Abroad()
	switch cIndOp := declaration.Classification.CIndOp; {
	case abroad.Country != "":
		return "", abroad.Country
	case p == PlaceOfService:
	case slices.Contains(atSupplier, cIndOp):
		return declaration.Issuer.MunicipalityCode, ""
	case slices.Contains(atTaker, cIndOp) && declaration.Details.ForeignTaker != nil:
		return "", declaration.Details.ForeignTaker.Country
	case slices.Contains(atTaker, cIndOp):
		return note.Municipality.Code, ""
	}
	return note.Service.MunicipalityCode, ""
}
