package sefin

import "strconv"

func (r *review) values() {
	total := r.amount()
	r.refuseIf(r.has("valores/vServPrest/vReceb"), "E0424")
	unconditional := r.optional("valores/vDescCondIncond/vDescIncond", total, "E0431")
	r.optional("valores/vDescCondIncond/vDescCond", total, "E0432")
	r.refuseIf(total < unconditional+r.deduction(), "E0427")
}

// optional is an amount in cents that, when it is there, must be above zero and
// below a limit.
func (r *review) optional(path string, limit int64, code string) int64 {
	if !r.has(path) {
		return 0
	}
	amount := cents(r.get(path))
	r.refuseIf(amount <= 0 || amount >= limit, code)
	return amount
}

// deduction is what lowers the base of ISS, in cents.
func (d *dps) deduction() int64 {
	if d.has("valores/vDedRed/pDR") {
		return share(d.amount()-cents(d.get("valores/vDescCondIncond/vDescIncond")), cents(d.get("valores/vDedRed/pDR")))
	}
	if d.has("valores/vDedRed/vDR") {
		return cents(d.get("valores/vDedRed/vDR"))
	}
	sum := int64(0)
	if documents := at(d.info, "valores/vDedRed/documentos"); documents != nil {
		for _, document := range documents.ChildElements() {
			sum += cents(textAt(document, "vDeducaoReducao"))
		}
	}
	return sum
}

func (r *review) withholding() {
	if r.get("valores/trib/tribMun/tpRetISSQN") == "1" {
		return
	}
	r.refuseIf(r.get("valores/trib/tribMun/tribISSQN") != "1", "E0580")
	r.refuseIf(r.get("prest/regTrib/opSimpNac") == mei, "E0583")
	special, _ := strconv.Atoi(r.get("prest/regTrib/regEspTrib"))
	r.refuseIf(special >= 1 && special <= 6, "E0588")
}

// lowestSimplesRate is 1.80 %, in hundredths of a percent.
const lowestSimplesRate = 180

// rate checks pAliq, which is always either required or forbidden.
func (r *review) rate() {
	sent, rate := r.has("valores/trib/tribMun/pAliq"), cents(r.get("valores/trib/tribMun/pAliq"))
	r.refuseIf(rate > 500, "E0595")
	simples := r.get("prest/regTrib/opSimpNac")
	withheld := r.get("valores/trib/tribMun/tpRetISSQN") != "1"
	active := r.registry.active(r.place())
	required := func(code string) { r.refuseIf(!sent, code) }
	forbidden := func(code string) { r.refuseIf(sent, code) }
	byState := func(whenActive, whenNot string) string {
		if active {
			return whenActive
		}
		return whenNot
	}
	switch {
	case r.get("valores/trib/tribMun/tribISSQN") != "1":
		forbidden("E0602")
	case r.get("prest/regTrib/regEspTrib") != "0":
		forbidden("E0604")
	case simples == mei:
		forbidden("E0600")
	case simples == microOrSmall && r.get("prest/regTrib/regApTribSN") == "1":
		if withheld {
			required(byState("E0621", "E0628"))
			r.refuseIf(sent && rate < lowestSimplesRate, byState("E0621", "E0628"))
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

func (r *review) totals() {
	indicator, simplified := r.has("valores/trib/totTrib/indTotTrib"), r.has("valores/trib/totTrib/pTotTribSN")
	switch r.get("prest/regTrib/opSimpNac") {
	case notOptant:
		r.refuseIf(indicator || simplified, "E0713")
	case mei:
		r.refuseIf(simplified, "E0710")
	case microOrSmall:
		r.refuseIf(indicator, "E0712")
	}
}

func (r *review) federalTaxes() {
	const group = "valores/trib/tribFed"
	if !r.has(group) {
		return
	}
	r.refuseIf(r.get("prest/regTrib/opSimpNac") == mei, "E0676")
	r.optional(group+"/vRetCP", r.amount(), "E0699")
	r.optional(group+"/vRetIRRF", r.amount(), "E0700")
	r.optional(group+"/vRetCSLL", r.amount(), "E0701")
	withheld := r.get(group + "/piscofins/tpRetPisCofins")
	r.refuseIf(withheld == "0" && r.has(group+"/vRetCSLL"), "E0720")
	r.refuseIf(withheld != "" && withheld != "0" && withheld != "2" && !r.has(group+"/vRetCSLL"), "E0724")
	r.product(group+"/piscofins/vPis", group+"/piscofins/pAliqPis", "E0694")
	r.product(group+"/piscofins/vCofins", group+"/piscofins/pAliqCofins", "E0696")
}

// product checks that an amount is its base times its rate, give or take a cent.
func (r *review) product(amount, rate, code string) {
	if !r.has(rate) {
		return
	}
	base := cents(r.get("valores/trib/tribFed/piscofins/vBCPisCofins"))
	difference := cents(r.get(amount)) - share(base, cents(r.get(rate)))
	r.refuseIf(difference < -1 || difference > 1, code)
}

// consumptionTaxes looks at the group IBSCBS.
func (r *review) consumptionTaxes() {
	if !r.has("IBSCBS") {
		return
	}
	r.refuseIf(r.get("dCompet") < "2026-01-01", "E0850")
	r.refuseIf(r.root.SelectAttrValue("versao", "") == "1.00", "E0854")
	r.refuseIf(r.get("IBSCBS/cIndOp") == "000000", "E0901")
	r.refuseIf(r.has("IBSCBS/dest") && r.get("IBSCBS/indDest") != "1", "E0910")
}
