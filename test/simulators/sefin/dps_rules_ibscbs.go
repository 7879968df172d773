package sefin

import (
	"slices"
	"strings"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/checkdigit"
	"emissor/test/simulators/shared/xmltree"
)

// lacksIBSCBS says in the words of a schema that the group IBSCBS must be there; empty
// when it is, or when nobody asks for it. Which code the authority will give is not
// known.
func (d *dps) lacksIBSCBS(registry *Registry) string {
	from := registry.IBSCBSRequiredFrom
	if from == "" || d.get("dCompet") < from || d.has("IBSCBS") {
		return ""
	}
	return "The element 'infDPS' in namespace '" + fiscalNamespace + "' has incomplete content. " +
		"List of possible elements expected: 'IBSCBS' in namespace '" + fiscalNamespace + "'."
}

// ibscbs looks at the group IBSCBS. That there is an NBS is the rule of the service,
// and that its place has a taker with an address the rule of the taker.
func (r *dpsReview) ibscbs() {
	if !r.has("IBSCBS") {
		return
	}
	r.rejectIf(r.get("dCompet") < "2026-01-01", "E0850")
	r.rejectIf(r.root.SelectAttrValue("versao", "") == "1.00", "E0854")
	r.operation()
	r.recipient()
	r.property()
	r.classification()
}

// operation is what is supplied, to whom and when it is paid.
func (r *dpsReview) operation() {
	r.rejectIf(supplyPlaces[r.get("IBSCBS/cIndOp")] == 0, "E0901")
	operation, subitem := r.get("IBSCBS/tpOper"), r.get("serv/cServ/cTribNac")[:4]
	needed := r.has("IBSCBS/tpEnteGov") || slices.Contains([]string{"2505", "1509", "1712", "1005"}, subitem)
	r.rejectIf(needed && operation == "", "E0903")
	r.rejectIf(!needed && operation != "", "E0904")
	refers := operation == "2" || operation == "3"
	r.rejectIf(refers && !r.has("IBSCBS/gRefNFSe"), "E0905")
	r.rejectIf(!refers && r.has("IBSCBS/gRefNFSe"), "E0906")
	if group := xmltree.At(r.info, "IBSCBS/gRefNFSe"); group != nil {
		wrong := func(reference *etree.Element) bool { return !accesskey.Valid(xmltree.Content(reference)) }
		r.rejectIf(slices.ContainsFunc(group.ChildElements(), wrong), "E0907")
	}
}

// recipient is who gets what is supplied, when that is not the taker.
func (r *dpsReview) recipient() {
	r.rejectIf(r.has("IBSCBS/dest") && r.get("IBSCBS/indDest") != "1", "E0910")
	if cnpj := r.get("IBSCBS/dest/CNPJ"); cnpj != "" {
		r.rejectIf(!checkdigit.CNPJ(cnpj), "E0911")
		r.rejectIf(!r.registry.knowsTaker(cnpj), "E0912")
	}
	if cpf := r.get("IBSCBS/dest/CPF"); cpf != "" {
		r.rejectIf(!checkdigit.CPF(cpf), "E0913")
		r.rejectIf(!r.registry.knowsTaker(cpf), "E0914")
	}
	if municipality := r.get("IBSCBS/dest/end/endNac/cMun"); municipality != "" {
		r.rejectIf(!checkdigit.Municipality(municipality), "E0920")
	}
	if email := r.get("IBSCBS/dest/email"); email != "" {
		r.rejectIf(!validEmail(email), "E0930")
	}
}

// property is about the group imovel.
func (r *dpsReview) property() {
	has, isWork := r.has("IBSCBS/imovel"), slices.Contains(constructions, r.get("serv/cServ/cTribNac"))
	needed := slices.Contains(aboutProperty, r.get("IBSCBS/cIndOp"))
	r.rejectIf(isWork && has, "E0931")
	r.rejectIf(!isWork && needed && !has, "E0932")
	r.rejectIf(!isWork && !needed && has, "E0928")
	r.rejectIf(r.has("IBSCBS/imovel/end") && r.isAbroad() && !r.has("IBSCBS/imovel/end/endExt"), "E0934")
	r.rejectIf(!r.isAbroad() && r.has("IBSCBS/imovel/end/endExt"), "E0935")
}

// gIBSCBS is where a DPS classifies its service.
const gIBSCBS = "IBSCBS/valores/trib/gIBSCBS"

func (r *dpsReview) classification() {
	code := r.get(gIBSCBS + "/cClassTrib")
	r.rejectIf(!strings.HasPrefix(code, r.get(gIBSCBS+"/CST")), "E0959")
	class, listed := r.registry.classTrib(code)
	if !listed {
		r.reject("E0958")
		return
	}
	regular, deferral := r.has(gIBSCBS+"/gTribRegular"), r.has(gIBSCBS+"/gDif")
	r.rejectIf(regular && !class.regular, "E0964")
	r.rejectIf(!regular && class.regular, "E0965")
	r.rejectIf(deferral && !class.deferred, "E0971")
	r.rejectIf(!deferral && class.deferred, "E0972")
	if regular {
		code := r.get(gIBSCBS + "/gTribRegular/cClassTribReg")
		_, listed := r.registry.classTrib(code)
		r.rejectIf(!listed, "E0969")
		r.rejectIf(!strings.HasPrefix(code, r.get(gIBSCBS+"/gTribRegular/CSTReg")), "E0970")
	}
}
