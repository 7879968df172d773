package sefin

import (
	"slices"

	"emissor/test/simulators/shared/cents"
)

// benefit is what a city grants (group BM): who may have one, and of which kind it is.
func (r *dpsReview) benefit() {
	if !r.has(benefit) {
		return
	}
	service, city := r.serviceCode(), r.dueIn()
	r.rejectIf(r.simples() == mei, "E0534")
	r.rejectIf(r.get("prest/regTrib/regEspTrib") != "0", "E0535")
	active := r.registry.active(city)
	r.rejectIf(!active, "E0537")
	bySimples := r.simples() == microOrSmall && r.get("prest/regTrib/regApTribSN") == "1"
	r.rejectIf(bySimples && active && !slices.Contains([]string{"0702", "0705"}, service[:4]), "E0536")
	number := r.get(benefit + "/nBM")
	if !r.registry.hasBenefit(number, city) {
		r.reject("E0541")
		return
	}
	granted := r.registry.benefit(r.dps)
	r.rejectIf(!granted.inForce(r.get("dCompet")), "E0544")
	r.rejectIf(granted.OnlyEstablished && r.get("cLocEmi") != city, "E0548")
	r.rejectIf(!granted.covers(service, r.issuer()), "E0550")
	r.reduction(granted)
	r.rejectIf(granted.Kind == exemption && r.get(tribMun+"/tpRetISSQN") != "1", "E0594")
	r.rejectIf(granted.Kind == exemption && r.has(deduction), "E0439")
}

// reduction is what a document says of a benefit's amount.
func (r *dpsReview) reduction(granted Benefit) {
	byValue, byPercent := r.has(benefit+"/vRedBCBM"), r.has(benefit+"/pRedBCBM")
	r.rejectIf(byValue && granted.Kind != lessByValue, "E0565")
	r.rejectIf(!byValue && granted.Kind == lessByValue, "E0567")
	r.rejectIf(r.cents(benefit+"/vRedBCBM") > r.amount(), "E0574")
	r.rejectIf(byPercent && granted.Kind != lessByPercent, "E0577")
	r.rejectIf(!byPercent && granted.Kind == lessByPercent, "E0579")
	percent, most := cents.Read(r.get(benefit+"/pRedBCBM")), granted.Most
	if most == 0 {
		most = 100_00
	}
	r.rejectIf(byPercent && (percent == 0 || percent > most), "E0586")
}
