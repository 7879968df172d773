package sefin

import "emissor/test/simulators/shared/cents"

// federal is what is said of federal taxes (group tribFed). No rule looks at the service or at
// the percentage that is withheld.
func (r *dpsReview) federal() {
	if !r.has(tribFed) {
		return
	}
	r.rejectIf(r.get("prest/CPF") != "", "E0675")
	r.rejectIf(r.simples() == mei, "E0676")
	base := r.cents(pisCofins + "/vBCPisCofins")
	r.rejectIf(base > r.amount(), "E0677")
	r.contribution(base, "/pAliqPis", "/vPis", "E0694")
	r.contribution(base, "/pAliqCofins", "/vCofins", "E0696")
	withheld, said := r.get(pisCofins+"/tpRetPisCofins"), r.has(tribFed+"/vRetCSLL")
	switch withheld {
	case "", "2":
	case "0":
		r.rejectIf(said, "E0720")
	default:
		r.rejectIf(!said, "E0724")
	}
}

// contribution compares the issuer's own PIS or COFINS with its rate, to a cent.
func (r *dpsReview) contribution(base int64, rate, value, code string) {
	if !r.has(pisCofins + rate) {
		return
	}
	apart := r.cents(pisCofins+value) - cents.ShareEven(base, r.cents(pisCofins+rate))
	r.rejectIf(apart < -1 || apart > 1, code)
}
