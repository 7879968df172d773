package saopaulo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/cents"
	"emissor/test/simulators/shared/xmltree"
)

// rps is the element RPS of a message that the schema accepted.
type rps struct{ root *etree.Element }

// get is the text of an element by the names on the way to it; empty when there is none.
func (r *rps) get(path string) string { return xmltree.TextAt(r.root, path) }

func (r *rps) has(path string) bool { return xmltree.At(r.root, path) != nil }

func (r *rps) isTrue(path string) bool { return r.get(path) == "true" || r.get(path) == "1" }

func (r *rps) cents(path string) int64 { return cents.Read(r.get(path)) }

// amount is what was charged, in cents.
func (r *rps) amount() int64 { return r.cents("ValorInicialCobrado") + r.cents("ValorFinalCobrado") }

// serviceCode is CodigoServico as a number: without zeros before it.
func (r *rps) serviceCode() string { return bareNumber(r.get("CodigoServico")) }

func (r *rps) key() rpsKey {
	return rpsKey{
		bareNumber(r.get("ChaveRPS/InscricaoPrestador")), strings.TrimSpace(r.get("ChaveRPS/SerieRPS")),
		bareNumber(r.get("ChaveRPS/NumeroRPS")),
	}
}

// taker is the CNPJ, CPF or NIF of the taker.
func (r *rps) taker() string {
	return r.get("CPFCNPJTomador/CNPJ") + r.get("CPFCNPJTomador/CPF") + r.get("CPFCNPJTomador/NIF")
}

func (r *rps) intermediary() string {
	return r.get("CPFCNPJIntermediario/CNPJ") + r.get("CPFCNPJIntermediario/CPF")
}

// text is what Assinatura signs: see section A.4 of the reference, with the length of
// layout 2.
func (r *rps) text() string {
	withheld := map[bool]string{true: "S", false: "N"}
	key := r.key()
	kind, document := "3", ""
	switch {
	case r.has("CPFCNPJTomador/CPF"):
		kind, document = "1", r.get("CPFCNPJTomador/CPF")
	case r.has("CPFCNPJTomador/CNPJ"):
		kind, document = "2", r.get("CPFCNPJTomador/CNPJ")
	case r.has("CPFCNPJTomador"):
		kind = "4"
	}
	text := fmt.Sprintf("%s%-5s%s%s%s%s%s%015d%015d%s%s%s",
		zeros(key.registration, 12), key.series, zeros(key.number, 12),
		strings.ReplaceAll(r.get("DataEmissao"), "-", ""),
		r.get("TributacaoRPS"), r.get("StatusRPS"), withheld[r.isTrue("ISSRetido")], r.amount(),
		r.cents("ValorDeducoes"), zeros(r.serviceCode(), 5), kind, zeros(document, 14))
	switch {
	case r.has("CPFCNPJIntermediario/CPF"):
		text += "1" + zeros(r.intermediary(), 14) + withheld[r.isTrue("ISSRetidoIntermediario")]
	case r.has("CPFCNPJIntermediario"):
		text += "2" + zeros(r.intermediary(), 14) + withheld[r.isTrue("ISSRetidoIntermediario")]
	}
	return text + r.get("CPFCNPJTomador/NIF") + r.get("CPFCNPJTomador/NaoNIF")
}

// zeros puts zeros before a text until it is so wide.
func zeros(text string, width int) string { return strings.Repeat("0", max(0, width-len(text))) + text }

// money prints cents as a tpValor.
func money(value int64) string {
	if value == 0 {
		return "0"
	}
	return fmt.Sprintf("%d.%02d", value/100, value%100)
}

// ratePoints reads a tpAliquota in hundredths of a percent: 0.029 is 290.
func ratePoints(rate string) int64 {
	whole, fraction, _ := strings.Cut(rate, ".")
	value, _ := strconv.ParseInt(whole+(fraction + "0000")[:4], 10, 64)
	return value
}

// fraction prints hundredths of a percent as a tpAliquota.
func fraction(points int64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%04d", points/10000, points%10000), "0"), ".")
}
