package dps

import (
	"emissor/fiscal/national/schema"
	"emissor/nfse"
)

func writeReplacement101(w *writer, replaced nfse.Replaced) {
	w.element("chSubstda", replaced.AccessKey)
	w.element("cMotivo", replaced.ReasonCode)
	if reason := schema.Line(replaced.ReasonText); reason != "" {
		w.element("xMotivo", reason)
	}
}
