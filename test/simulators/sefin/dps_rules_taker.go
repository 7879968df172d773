package sefin

import "emissor/test/simulators/shared/xmltree"

var takerCodes = partyCodes{
	cnpj: "E0188", unknownCNPJ: "E0190", cpf: "E0206", unknownCPF: "E0207",
	noNIF: "E0223", noReason: "E0226", noAddressAbroad: "E0242", country: "E0246",
	municipality: "E0238", cep: "E0240", email: "E0247",
}

func (r *dpsReview) taker() {
	withheld := r.get(tribMun+"/tpRetISSQN") == "2"
	taxID := r.taxID("toma")
	r.rejectIf(withheld && taxID == "", "E0204")
	r.rejectIf(withheld && !r.has("toma/end/endNac"), "E0237")
	atTaker := supplyPlaces[r.get("IBSCBS/cIndOp")] == atRecipient
	r.rejectIf(atTaker && !r.has("toma"), "E0187")
	isDueThere := dueAt(r.serviceCode()) == atRecipient
	r.rejectIf((isDueThere || atTaker && r.has("toma")) && !r.has("toma/end"), "E0234")
	if !r.has("toma") {
		return
	}
	codes := takerCodes
	if r.get("prest/CNPJ") == "" {
		codes.noAddressAbroad = "" // a person who issues need not say it
	}
	r.party(xmltree.At(r.info, "toma"), codes)
	r.rejectIf(withheld && r.has("toma/CPF") && r.registry.RefuseCPFWithholding, "E0667")
	r.rejectIf(taxID != "" && taxID == r.issuer(), "E0202")
}
