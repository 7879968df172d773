package sefin

import (
	"slices"
	"strings"
)

func (r *dpsReview) service() {
	r.performed()
	service := r.serviceCode()
	r.rejectIf(!serviceExists(service), "E0310")
	r.rejectIf(r.get("serv/cServ/cTribMun") == "000", "E0315")
	r.administered(service)
	nbs := r.get("serv/cServ/cNBS")
	r.rejectIf(nbs != "" && !nbsExists(nbs), "E0316")
	r.rejectIf(nbs == "" && r.concernsAbroad(), "E0318")
	r.rejectIf(nbs == "" && r.has("IBSCBS"), "E0322")
	isWork, isEvent := slices.Contains(works, service), strings.HasPrefix(service, "12")
	r.rejectIf(isWork && !r.has("serv/obra"), "E0370")
	r.rejectIf(!isWork && service != neverTaxed && r.has("serv/obra"), "E0372")
	r.rejectIf(isEvent && !r.has("serv/atvEvento"), "E0390")
	r.rejectIf(!isEvent && service != neverTaxed && r.has("serv/atvEvento"), "E0392")
}

// performed is where: in a municipality, at sea, or in another country.
func (r *dpsReview) performed() {
	place, country := r.get("serv/locPrest/cLocPrestacao"), r.get("serv/locPrest/cPaisPrestacao")
	r.rejectIf(place != "" && place != waters && !r.registry.knowsMunicipality(place), "E0302")
	r.rejectIf(country != "" && !foreignCountry(country), "E0304")
}

// administered is about what the city to which the ISS is due has in its list. An MEI is not
// asked.
func (r *dpsReview) administered(service string) {
	if r.city != nil {
		r.municipalCode()
		return
	}
	if r.simples() == mei {
		return
	}
	city := r.registry.agreement(r.dueIn())
	r.rejectIf(slices.Contains(city.NotAdministered, service), "E0312")
	municipal, codes := r.get("serv/cServ/cTribMun"), city.MunicipalCodes[service]
	r.rejectIf(municipal != "" && codes != nil && !slices.Contains(codes, municipal), "E0314")
}
