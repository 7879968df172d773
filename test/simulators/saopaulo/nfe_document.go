package saopaulo

import (
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/cents"
	"emissor/test/simulators/shared/xmltree"
)

// document is the element NFe of a note. The same note is always the same text, until
// it is cancelled.
func (n *note) document(registry *Registry) string {
	item := n.source()
	taxpayer := registry.Taxpayers[n.Registration]
	service, _ := registry.service(n.ServiceCode)
	rate := ratePoints(item.get("AliquotaServicos"))
	if strings.Contains(taxedInSaoPaulo, item.get("TributacaoRPS")) {
		rate = rateOf(service, rate)
	}
	var x xmlWriter
	x.raw(`<NFe xmlns="">`)
	x.copied(item, "Assinatura")
	x.raw(n.keyElement())
	x.text("DataEmissaoNFe", moment(n.IssuedAt))
	x.raw(n.key().element())
	x.copied(item, "TipoRPS")
	x.optional("DataEmissaoRPS", item.get("DataEmissao"))
	x.text("DataFatoGeradorNFe", item.get("DataEmissao")+"T00:00:00")
	x.raw("<CPFCNPJPrestador>" + taxIDElement(n.Issuer) + "</CPFCNPJPrestador>")
	x.text("RazaoSocialPrestador", name(taxpayer))
	x.raw("<EnderecoPrestador><TipoLogradouro>R</TipoLogradouro><Logradouro>DO SIMULADOR</Logradouro>" +
		"<NumeroEndereco>1</NumeroEndereco><Bairro>SE</Bairro><Cidade>3550308</Cidade><UF>SP</UF>" +
		"<CEP>1001000</CEP></EnderecoPrestador>")
	x.status(n)
	x.text("TributacaoNFe", item.get("TributacaoRPS"))
	x.text("OpcaoSimples", "0")
	x.text("ValorServicos", money(n.AmountCents))
	for _, name := range []string{"ValorDeducoes", "ValorPIS", "ValorCOFINS", "ValorINSS", "ValorIR", "ValorCSLL"} {
		x.copied(item, name)
	}
	x.text("CodigoServico", n.ServiceCode)
	x.text("AliquotaServicos", fraction(rate))
	iss := issOf(item, rate)
	x.text("ValorISS", money(iss))
	x.text("ValorCredito", "0")
	x.rest(item)
	x.consumption(item, iss)
	x.raw("</NFe>")
	return x.String()
}

func name(taxpayer Taxpayer) string {
	if taxpayer.Name == "" {
		return "EMPRESA DE TESTE - SEM VALOR FISCAL"
	}
	return cut(taxpayer.Name, 75)
}

func (x *xmlWriter) status(n *note) {
	if !n.Cancelled {
		x.text("StatusNFe", "N")
		return
	}
	x.text("StatusNFe", "C")
	x.text("DataCancelamento", moment(n.CancelledAt))
}

// issOf is the ISS that is due in São Paulo, rounded half up.
func issOf(item *rps, rate int64) int64 {
	if !strings.Contains(taxedInSaoPaulo, item.get("TributacaoRPS")) {
		return 0
	}
	return cents.Share(item.amount()-item.cents("ValorDeducoes"), rate)
}

// copied writes an element of the RPS as it came, if it is there.
func (x *xmlWriter) copied(item *rps, name string) {
	if element := xmltree.At(item.root, name); element != nil {
		x.copy(element)
	}
}

// notInNotes is what the schemas of v02-4 do not list in a note.
const notInNotes = "RetencaoPisCofins"

// rest copies what an RPS says from ISSRetido on: there a note has the same elements.
func (x *xmlWriter) rest(item *rps) {
	begun := false
	for _, element := range item.root.ChildElements() {
		begun = begun || element.Tag == "ISSRetido"
		if begun && element.Tag != notInNotes {
			x.copy(element)
		}
		if element.Tag == "ExigibilidadeSuspensa" && !item.has("PagamentoParceladoAntecipado") {
			x.text("PagamentoParceladoAntecipado", "0")
		}
	}
}

func (x *xmlWriter) copy(element *etree.Element) {
	x.raw("<" + element.Tag + ">")
	children := element.ChildElements()
	for _, child := range children {
		x.copy(child)
	}
	if len(children) == 0 {
		x.raw(escape(element.Text()))
	}
	x.raw("</" + element.Tag + ">")
}

// The rates of 2026, in hundredths of a percent.
const (
	ibsRate = 10
	cbsRate = 90
)

// consumption is the group that the city computes: what is taxed in full only.
func (x *xmlWriter) consumption(item *rps, iss int64) {
	base := item.amount() - iss
	percent := func(points int64) string { return strconv.FormatFloat(float64(points)/100, 'f', 2, 64) }
	x.raw("<RetornoComplementarIBSCBS>")
	x.text("ValorBCIBSCBS", money(base))
	if strings.HasPrefix(item.get("IBSCBS/valores/trib/gIBSCBS/cClassTrib"), "000") {
		ibs, cbs := cents.Share(base, ibsRate), cents.Share(base, cbsRate)
		x.text("ValorAliqEstadualIBS", percent(ibsRate))
		x.text("ValorAliqEfetivaEstadualIBS", percent(ibsRate))
		x.text("ValorEstadualIBS", money(ibs))
		x.text("ValorAliqMunicipalIBS", "0")
		x.text("ValorMunicipalIBS", "0")
		x.text("ValorIBS", money(ibs))
		x.text("ValorAliqCBS", percent(cbsRate))
		x.text("ValorAliqEfetivaCBS", percent(cbsRate))
		x.text("ValorCBS", money(cbs))
	}
	x.raw("</RetornoComplementarIBSCBS>")
}

// taxIDElement is a CNPJ or a CPF.
func taxIDElement(taxID string) string {
	var x xmlWriter
	if len(taxID) == 11 {
		x.text("CPF", taxID)
	} else {
		x.text("CNPJ", taxID)
	}
	return x.String()
}
