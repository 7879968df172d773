package sefin

import "emissor/test/simulators/shared/accesskey"

// replacement is what can be told of a replacement (group subst) from the document alone; what
// the replaced note says is looked at when the new one is written.
func (r *dpsReview) replacement() {
	if !r.has("subst") {
		return
	}
	key := r.get("subst/chSubstda")
	// City, kind of inscription and inscription, as the Id has them.
	if !accesskey.Valid(key) || key[:7]+key[8:23] != r.id()[3:25] {
		r.reject("E0042")
		return
	}
	r.rejectIf(key[7] != '0'+accesskey.OfNation, "E0065")
	r.rejectIf(r.get("subst/cMotivo") == "99" && !r.has("subst/xMotivo"), "E0078")
}
