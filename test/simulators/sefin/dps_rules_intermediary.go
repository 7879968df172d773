package sefin

import (
	"emissor/test/simulators/shared/icp"
	"emissor/test/simulators/shared/xmltree"
)

var intermediaryCodes = partyCodes{
	cnpj: "E0248", unknownCNPJ: "E0250", cpf: "E0266", unknownCPF: "E0268",
	noNIF: "E0281", noReason: "E0286", noAddressAbroad: "E0298", country: "E0299",
	municipality: "E0294", cep: "E0296", email: "E0300",
}

// intermediary is who brought provider and taker together, and may withhold in the taker's
// place.
func (r *dpsReview) intermediary() {
	withholds := r.get(tribMun+"/tpRetISSQN") == "3"
	r.rejectIf(withholds && r.taxID("interm") == "", "E0264")
	r.rejectIf(withholds && !r.has("interm/end/endNac"), "E0293")
	if !r.has("interm") {
		return
	}
	codes := intermediaryCodes
	if r.get("prest/CNPJ") == "" {
		codes.noAddressAbroad = ""
	}
	r.party(xmltree.At(r.info, "interm"), codes)
	cnpj := r.get("interm/CNPJ")
	r.rejectIf(cnpj != "" && icp.CompanyOf(cnpj) == icp.CompanyOf(r.issuer()), "E0262")
	r.rejectIf(withholds && r.has("interm/CPF") && r.registry.RefuseCPFWithholding, "E0670")
}
