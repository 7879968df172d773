package sefin

import (
	"slices"
	"strings"

	"emissor/test/simulators/shared/checkdigit"
)

func (r *dpsReview) service() {
	place := r.get("serv/locPrest/cLocPrestacao")
	r.rejectIf(place != "0000000" && !checkdigit.Municipality(place), "E0302")
	service := r.get("serv/cServ/cTribNac")
	r.rejectIf(!serviceExists(service), "E0310")
	r.rejectIf(r.get("serv/cServ/cTribMun") == "000", "E0315")
	nbs := r.get("serv/cServ/cNBS")
	r.rejectIf(nbs != "" && !nbsExists(nbs), "E0316")
	r.rejectIf(nbs == "" && r.has("IBSCBS"), "E0322")
	isWork, isEvent := slices.Contains(works, service), strings.HasPrefix(service, "12")
	r.rejectIf(isWork && !r.has("serv/obra"), "E0370")
	r.rejectIf(!isWork && service != "990101" && r.has("serv/obra"), "E0372")
	r.rejectIf(isEvent && !r.has("serv/atvEvento"), "E0390")
	r.rejectIf(!isEvent && service != "990101" && r.has("serv/atvEvento"), "E0392")
}
