package sefin

import "slices"

// deduction is who may take something from the base, and how (group vDedRed).
func (r *dpsReview) deduction() {
	if !r.has(deduction) {
		return
	}
	r.rejectIf(r.simples() == mei, "E0436")
	r.rejectIf(r.get("prest/regTrib/regEspTrib") != "0", "E0438")
	city := r.dueIn()
	switch {
	case r.simples() == outsideSimples && r.registry.active(city):
		r.admittedDeduction(city)
	case r.simples() == microOrSmall && r.get("prest/regTrib/regApTribSN") == "1" && !deductsInSimples(r.serviceCode()):
		if r.registry.active(city) {
			r.reject("E0441")
		} else {
			r.reject("E0442")
		}
	}
	percent := r.cents(deduction + "/pDR")
	r.rejectIf(r.has(deduction+"/pDR") && (percent == 0 || percent > 100_00), "E0453")
}

// admittedDeduction is about the ways that a city admits of a service.
func (r *dpsReview) admittedDeduction(city string) {
	ways, said := r.registry.agreement(city).Deductions[r.serviceCode()]
	if !said {
		return
	}
	if len(ways) == 0 {
		r.reject("E0440")
		return
	}
	for _, way := range []struct{ element, name, code string }{
		{"/vDR", ByValue, "E0446"}, {"/documentos", ByDocuments, "E0449"}, {"/pDR", ByPercent, "E0454"},
	} {
		r.rejectIf(r.has(deduction+way.element) && !slices.Contains(ways, way.name), way.code)
	}
}
