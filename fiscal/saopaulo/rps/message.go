package rps

import (
	"strconv"

	"emissor/fiscal/saopaulo/rules"
	"emissor/nfse"
)

// write writes an RPS (tpRPS, v02-4). The order of elements is the schema's.
func (c content) write(w *writer, signature string) {
	w.element("Assinatura", signature)
	w.group("ChaveRPS", func() { c.key.write(w) })
	w.element("TipoRPS", "RPS")
	w.element("DataEmissao", c.date)
	w.element("StatusRPS", c.status)
	w.element("TributacaoRPS", c.taxation)
	w.element("ValorDeducoes", moneyText(c.deductionsCents))
	for _, withheld := range []struct {
		element string
		cents   int64
	}{
		{"ValorPIS", c.federal.PIS}, {"ValorCOFINS", c.federal.COFINS}, {"ValorINSS", c.federal.INSS},
		{"ValorIR", c.federal.IRRF}, {"ValorCSLL", c.federal.CSLL},
	} {
		w.element(withheld.element, moneyText(withheld.cents))
	}
	w.element("CodigoServico", c.serviceCode)
	w.element("AliquotaServicos", c.aliquot)
	w.element("ISSRetido", strconv.FormatBool(c.withheld))
	c.taker.write(w)
	if c.intermediary != nil {
		c.intermediary.write(w)
	}
	w.element("Discriminacao", c.description)
	w.optional("CodigoCEI", c.work)
	w.optional("MunicipioPrestacao", c.place)
	w.element("ValorFinalCobrado", moneyText(c.amountCents))
	w.element("ValorIPI", "0")
	w.element("ExigibilidadeSuspensa", digitOf(rules.Suspended(c.taxation)))
	w.element("PagamentoParceladoAntecipado", "0")
	w.element("NBS", c.classification.NBS)
	if c.event != nil {
		writeEvent(w, *c.event)
	}
	w.optional("cLocPrestacao", c.rendered)
	w.optional("cPaisPrestacao", c.renderedAbroad)
	w.group("IBSCBS", func() { writeIBSCBS(w, c.classification) })
}

// write leaves out what is not known of an address.
func (t taker) write(w *writer) {
	w.group("CPFCNPJTomador", func() { t.writeID(w) })
	w.element("RazaoSocialTomador", t.name)
	w.group("EnderecoTomador", func() {
		w.optional("Logradouro", t.address.street)
		w.optional("NumeroEndereco", t.address.number)
		w.optional("ComplementoEndereco", t.address.complement)
		w.optional("Bairro", t.address.district)
		t.writePlace(w)
	})
}

// writeIBSCBS writes the group of the reform. This layout has no CST: the city
// knows it by the cClassTrib. What a note has no data of is left out: referenced
// notes, a recipient other than the taker, reimbursements.
func writeIBSCBS(w *writer, c nfse.Classification) {
	w.element("finNFSe", "0") // a regular note
	w.element("indFinal", digitOf(*c.IndFinal))
	w.element("cIndOp", c.CIndOp)
	if c.TpOper != nil {
		w.element("tpOper", strconv.Itoa(*c.TpOper))
	}
	if c.TpEnteGov != nil {
		w.element("tpEnteGov", strconv.Itoa(*c.TpEnteGov))
	}
	w.element("indDest", "0") // the recipient is the taker
	w.group("valores", func() {
		w.group("trib", func() {
			w.group("gIBSCBS", func() {
				w.element("cClassTrib", c.CClassTrib)
				if regular := c.RegularTaxation; regular != nil {
					w.group("gTribRegular", func() { w.element("cClassTribReg", regular.CClassTrib) })
				}
			})
		})
	})
	if c.Property != nil {
		w.group("imovelobra", func() { writeProperty(w, *c.Property) })
	}
}

func writeProperty(w *writer, property nfse.Property) {
	w.optional("inscImobFisc", fit(nfse.OrEmpty(property.Registration), maxProperty))
	if property.Address == nil {
		w.element("cCIB", nfse.OrEmpty(property.CIB))
		return
	}
	writePropertyAddress(w, *property.Address)
}

func writePropertyAddress(w *writer, address nfse.PropertyAddress) {
	w.group("end", func() {
		w.element("CEP", zipCode(address.ZipCode))
		w.element("xLgr", fit(address.Street, maxStreet))
		w.element("nro", fit(address.Number, maxAddressNumber))
		w.optional("xCpl", fit(nfse.OrEmpty(address.Complement), maxComplement))
		w.element("xBairro", fit(address.District, maxDistrict))
	})
}

// writeTaxID writes a CPF or CNPJ.
func writeTaxID(w *writer, id nfse.TaxID) {
	if id.IsCNPJ() {
		w.element("CNPJ", string(id))
		return
	}
	w.element("CPF", string(id))
}

func digitOf(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}

// moneyText prints cents as tpValor has them: 1234.50, and 0 for nothing.
func moneyText(cents int64) string {
	if cents == 0 {
		return "0"
	}
	text := strconv.FormatInt(cents/100, 10) + "."
	if cents%100 < 10 {
		text += "0"
	}
	return text + strconv.FormatInt(cents%100, 10)
}
