package sefin

import "emissor/test/simulators/shared/fault"

// values writes what the authority computes of the amounts of a note, or what a fault makes of it.
func (x *xmlWriter) values(d *dps, s *sums, faults fault.Picked) {
	x.raw("<valores>")
	if !s.onlyLiquid {
		x.taxValues(d, s)
	}
	x.text("vLiq", statedLiquid(s, faults))
	x.raw("</valores>")
}

func statedLiquid(s *sums, faults fault.Picked) string {
	if _, wrong := faults.Find(WrongTotals); wrong {
		return money(s.liquid() + 1)
	}
	if _, odd := faults.Find(OddTotals); odd {
		return "R$ " + money(s.liquid())
	}
	return money(s.liquid())
}

// taxValues writes what stands before vLiq.
func (x *xmlWriter) taxValues(d *dps, s *sums) {
	if d.has(deduction+"/pDR") || d.has(deduction+"/documentos") {
		x.text("vCalcDR", money(s.deducted))
	}
	if s.kind != "" {
		x.text("tpBM", s.kind)
	}
	if d.has(benefit + "/pRedBCBM") {
		x.text("vCalcBM", money(s.relieved))
	}
	if s.declared {
		x.text("vBC", money(s.base))
		x.text("pAliqAplic", money(s.rate))
		x.text("vISSQN", money(s.tax))
	}
	if s.retained() > 0 {
		x.text("vTotalRet", money(s.retained()))
	}
}
