package dps

import (
	"strconv"

	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// writeISS101 writes how the ISS is due, and by whom it is withheld (tribMun).
func writeISS101(w *writer, d dps) {
	iss := d.iss
	w.element("tribISSQN", strconv.Itoa(int(d.taxed)))
	if d.resultCountry != "" {
		w.element("cPaisResult", d.resultCountry)
	}
	if d.taxed == taxation.Immune {
		w.element("tpImunidade", strconv.Itoa(iss.Immunity))
	}
	if iss.Kind == nfse.ISSSuspended {
		w.group("exigSusp", func() {
			w.element("tpSusp", strconv.Itoa(iss.Suspension))
			w.element("nProcesso", iss.Process)
		})
	}
	if iss.Kind == nfse.ISSBenefit {
		w.group("BM", func() { writeBenefit101(w, iss) })
	}
	w.element("tpRetISSQN", strconv.Itoa(int(d.withholder)))
	if d.aliquot.Sent {
		w.element("pAliq", nfse.Percent(d.aliquot.Rate).String())
	}
}

func writeBenefit101(w *writer, iss nfse.ISSTreatment) {
	w.element("nBM", iss.Benefit)
	writeMoney101(w, "vRedBCBM", iss.BenefitCents)
	if iss.BenefitPercent != 0 {
		w.element("pRedBCBM", iss.BenefitPercent.String())
	}
}
