package classification

import (
	"strconv"

	"emissor/nfse"
)

// PartsOf is the inverse of Parse: the parts that would give a classification.
func PartsOf(c nfse.Classification) map[string]string {
	parts := map[string]string{"nbs": c.NBS, "cindop": c.CIndOp, "cst": c.CST, "cclasstrib": c.CClassTrib}
	set := func(name string, value *string) {
		if value != nil {
			parts[name] = *value
		}
	}
	digit := func(name string, value *int) {
		if value != nil {
			parts[name] = strconv.Itoa(*value)
		}
	}
	if c.IndFinal != nil {
		parts["indfinal"] = strconv.FormatBool(*c.IndFinal)
	}
	set("ccredpres", c.CCredPres)
	digit("tp-ente-gov", c.TpEnteGov)
	digit("tp-oper", c.TpOper)
	if r := c.RegularTaxation; r != nil {
		parts["cst-reg"], parts["cclasstrib-reg"] = r.CST, r.CClassTrib
	}
	if d := c.Deferral; d != nil {
		parts["pdif-uf"], parts["pdif-mun"] = d.State.String(), d.Municipal.String()
		parts["pdif-cbs"] = d.Federal.String()
	}
	if p := c.Property; p != nil {
		set("property-registration", p.Registration)
		set("property-cib", p.CIB)
		if a := p.Address; a != nil {
			parts["property-zip-code"], parts["property-street"] = a.ZipCode, a.Street
			parts["property-number"], parts["property-district"] = a.Number, a.District
			set("property-complement", a.Complement)
		}
	}
	return parts
}
