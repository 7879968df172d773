package saopaulo

import "strings"

// checkConsumption checks what is said for IBS and CBS.
func (r *review) checkConsumption() {
	r.rejectIf(!strings.HasPrefix(r.get("NBS"), "1"), 268)
	r.checkTaxClass()
	r.rejectIf(r.get("IBSCBS/indDest") == "0" && r.has("IBSCBS/dest"), 299)
	r.rejectIf(r.get("IBSCBS/indDest") == "1" && !r.has("IBSCBS/dest"), 243, "destinatário")
	government := r.has("IBSCBS/tpEnteGov")
	r.rejectIf(government && !r.has("CPFCNPJTomador/CNPJ"), 283)
	r.rejectIf(government && !r.has("IBSCBS/tpOper"), 295)
}

// checkTaxClass checks the tax classification, and the regular one beside it, by the
// table of the day.
func (r *review) checkTaxClass() {
	const group = "IBSCBS/valores/trib/gIBSCBS"
	code, regularCode := r.get(group+"/cClassTrib"), r.get(group+"/gTribRegular/cClassTribReg")
	situation, listed := taxClasses()[code[:3]]
	class, inForce := situation[code]
	inForce = inForce && class.holds(r.get("DataEmissao"))
	switch {
	case !listed:
		r.reject(273)
	case !inForce:
		r.reject(628)
	default:
		r.rejectIf(!class.ofServices, 277)
		r.rejectIf(class.suspends && regularCode == "", 281)
		r.rejectIf(!class.suspends && regularCode != "", 282)
	}
	if regularCode == "" {
		return
	}
	regular, exists := taxClasses()[regularCode[:3]][regularCode]
	valid := exists && regular.holds(r.get("DataEmissao")) && !regular.suspends
	r.rejectIf(!valid, 274)
	r.rejectIf(valid && !regular.ofServices, 280)
}
