package sefin

import (
	"slices"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/cents"
	"emissor/test/simulators/shared/checkdigit"
	"emissor/test/simulators/shared/xmltree"
)

var supplierCodes = partyCodes{
	cnpj: "E0478", unknownCNPJ: "E0482", cpf: "E0484", unknownCPF: "E0488",
	noNIF: "E1538", noReason: "E0490", noAddressAbroad: "E0498", country: "E0499",
	municipality: "E0494", cep: "E0496",
}

// deductionDocuments are those by which something is taken from the base (docDedRed).
func (r *dpsReview) deductionDocuments() {
	for _, document := range r.documents() {
		if r.deductionDocument(document); len(r.found) > 0 {
			return
		}
	}
}

func (r *dpsReview) deductionDocument(document *etree.Element) {
	get := func(path string) string { return xmltree.TextAt(document, path) }
	r.deductionKeys(get("chNFSe"), get("chNFe"))
	if municipality := get("NFSeMun/cMunNFSeMun"); municipality != "" {
		r.rejectIf(!r.registry.knowsMunicipality(municipality), "E0466")
	}
	isOther, described := get("tpDedRed") == "99", xmltree.At(document, "xDescOutDed") != nil
	r.rejectIf(isOther && !described, "E0468")
	r.rejectIf(!isOther && described, "E0470")
	r.rejectIf(get("dtEmiDoc") > r.get("dCompet"), "E0472")
	used := cents.Read(get("vDeducaoReducao"))
	r.rejectIf(used > cents.Read(get("vDedutivelRedutivel")), "E0474")
	r.rejectIf(used > r.amount(), "E0476")
	supplier := xmltree.At(document, "fornec")
	if supplier == nil {
		r.rejectIf(get("chNFSe") == "" && get("chNFe") == "", "E0477")
		return
	}
	inBrazil := get("fornec/CNPJ") != "" || get("fornec/CPF") != ""
	r.rejectIf(inBrazil && xmltree.At(supplier, "end/endNac") == nil, "E0492")
	r.party(supplier, supplierCodes)
}

// deductionKeys are access keys of documents: an NFS-e's may be of this simulator, of the
// others the Registry knows.
func (r *dpsReview) deductionKeys(nfse, nfe string) {
	gone := slices.Contains[[]string]
	if nfse != "" {
		r.rejectIf(!accesskey.Valid(nfse), "E0455")
		r.rejectIf(gone(r.registry.MissingDocuments, nfse), "E0456")
		r.rejectIf(gone(r.registry.CancelledDocuments, nfse) || r.cancelled(nfse), "E0458")
	}
	if nfe != "" {
		r.rejectIf(nfe[43] != checkdigit.Modulo11(nfe[:43], 9), "E0460")
		r.rejectIf(gone(r.registry.MissingDocuments, nfe), "E0462")
		r.rejectIf(gone(r.registry.CancelledDocuments, nfe), "E0464")
	}
}
