package sefin

import (
	"emissor/test/simulators/shared/cents"
)

func (r *dpsReview) withholding() {
	if r.get(tribMun+"/tpRetISSQN") == "1" {
		return
	}
	r.rejectIf(r.simples() == mei, "E0583")
	r.rejectIf(r.get("prest/regTrib/regEspTrib") != "0", "E0588")
	r.rejectIf(r.serviceCode() == "220101", "E0596")
}

// lowestSimplesRate is 1.80 %, in hundredths of a percent.
const lowestSimplesRate = 180

// rate checks pAliq, which is always either required or forbidden.
func (r *dpsReview) rate() {
	sent, rate := r.has(tribMun+"/pAliq"), cents.Read(r.get(tribMun+"/pAliq"))
	r.rejectIf(rate > 500, "E0595")
	simples := r.simples()
	withheld := r.get(tribMun+"/tpRetISSQN") != "1"
	active := r.registry.active(r.dueIn())
	granted := r.registry.benefit(r.dps).Kind
	required := func(code string) { r.rejectIf(!sent, code) }
	forbidden := func(code string) { r.rejectIf(sent, code) }
	byState := func(whenActive, whenNot string) string {
		if active {
			return whenActive
		}
		return whenNot
	}
	switch {
	case r.get(tribMun+"/tribISSQN") != taxed: // none: E0602
	case r.get("prest/regTrib/regEspTrib") != "0":
		forbidden("E0604")
	case simples == mei:
		forbidden("E0600")
	case granted == exemption, granted == differentRate:
		forbidden("E0612")
	case simples == microOrSmall && r.get("prest/regTrib/regApTribSN") == "1":
		if withheld {
			required(byState("E0621", "E0628"))
			r.rejectIf(sent && rate < lowestSimplesRate, byState("E0621", "E0628"))
		} else {
			forbidden(byState("E0625", "E0631"))
		}
	case simples == microOrSmall && active:
		forbidden("E0635")
	case simples == microOrSmall:
		required("E0640")
	case active:
		forbidden("E0617")
	default:
		required("E0619")
	}
}

func (r *dpsReview) totals() {
	indicator, simplified := r.has("valores/trib/totTrib/indTotTrib"), r.has("valores/trib/totTrib/pTotTribSN")
	switch r.simples() {
	case outsideSimples:
		r.rejectIf(indicator || simplified, "E0713")
	case mei:
		r.rejectIf(simplified, "E0710")
	case microOrSmall:
		r.rejectIf(indicator, "E0712")
	}
}
