package sefin

import "slices"

// neverTaxed is the service of which no ISS is due.
const neverTaxed = "990101"

// taxation is how ISS is due, or why it is not.
func (r *dpsReview) taxation() {
	said, service := r.get(tribMun+"/tribISSQN"), r.serviceCode()
	untaxedThere := slices.Contains(r.registry.agreement(r.dueIn()).NotIncident, service)
	if service == neverTaxed {
		r.rejectIf(said != notIncident, "E0532")
	} else {
		r.rejectIf(said == notIncident && !untaxedThere, "E0539")
		r.rejectIf(said != notIncident && untaxedThere, "E0540")
	}
	r.rejectIf((said == immune) != r.has(tribMun+"/tpImunidade"), "E0592")
	r.rejectIf(r.get(tribMun+"/tpImunidade") == "0", "E0593")
	if said == taxed {
		return
	}
	r.rejectIf(r.get("prest/regTrib/regEspTrib") != "0", "E0172")
	r.rejectIf(r.has(tribMun+"/exigSusp"), "E0585")
	r.rejectIf(r.has(benefit), "E0533")
	r.rejectIf(r.get(tribMun+"/tpRetISSQN") != "1", "E0580")
	r.rejectIf(r.has(tribMun+"/pAliq"), "E0602")
	r.rejectIf(r.has(deduction), "E0435")
}
