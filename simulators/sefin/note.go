package sefin

import (
	"fmt"
	"strings"
	"time"
)

// application is the version that the stand-in gives itself (verAplic).
const application = "StandIn_1.0"

// noFiscalValue is written into every NFS-e.
const noFiscalValue = "DOCUMENTO DE TESTE EMITIDO POR UM SIMULADOR. SEM VALOR FISCAL."

// brasilia is the offset in which the authority writes time.
var brasilia = time.FixedZone("", -3*60*60)

func printTime(at time.Time) string { return at.In(brasilia).Format("2006-01-02T15:04:05-07:00") }

// accessKey makes the key of the NFS-e of a DPS.
func accessKey(d *dps, number int64, random int) string {
	key := fmt.Sprintf("%s2%s%013d%s%09d", d.get("cLocEmi"), inscription(d.issuer()), number, d.issued().Format("0601"), random)
	return key + string(modulo11(key, 9))
}

// renderNote makes the NFS-e of a DPS, signed.
func (p *authorities) renderNote(d *dps, registry *Registry, key string, number, document int64, now time.Time) ([]byte, error) {
	var x writer
	x.raw(`<infNFSe Id="NFS` + key + `">`)
	x.text("xLocEmi", municipalityName(d.get("cLocEmi")))
	if place := d.get("serv/locPrest/cLocPrestacao"); place != "" {
		x.text("xLocPrestacao", municipalityName(place))
	} else {
		x.text("xLocPrestacao", "Exterior")
	}
	x.text("nNFSe", fmt.Sprint(number))
	if place := d.place(); d.get("valores/trib/tribMun/tribISSQN") == "1" && place != "" {
		x.text("cLocIncid", place)
		x.text("xLocIncid", municipalityName(place))
	}
	service := d.get("serv/cServ/cTribNac")
	x.text("xTribNac", fmt.Sprintf("Subitem %s.%s.%s da lista de serviços nacional", service[:2], service[2:4], service[4:]))
	if municipal := d.get("serv/cServ/cTribMun"); municipal != "" {
		x.text("xTribMun", "Código municipal "+municipal)
	}
	if nbs := d.get("serv/cServ/cNBS"); nbs != "" {
		x.text("xNBS", "Código NBS "+nbs)
	}
	x.text("verAplic", application)
	x.text("ambGer", "2")
	x.text("tpEmis", "1")
	x.text("procEmi", "1")
	status := "100"
	if d.get("prest/regTrib/opSimpNac") == mei {
		status = "107"
	}
	x.text("cStat", status)
	x.text("dhProc", printTime(now))
	x.text("nDFSe", fmt.Sprint(document))
	x.issuer(d, registry)
	x.values(d, registry)
	x.text("xOutInf", noFiscalValue)
	x.raw(string(d.raw))
	x.raw(`</infNFSe>`)
	return p.sign(`<NFSe xmlns="`+fiscalNamespace+`" versao="1.01">`, x.String(), `</NFSe>`)
}

func (x *writer) issuer(d *dps, registry *Registry) {
	taxpayer := registry.Taxpayers[d.issuer()]
	x.raw("<emit>")
	if len(d.issuer()) == 11 {
		x.text("CPF", d.issuer())
	} else {
		x.text("CNPJ", d.issuer())
	}
	if im := d.get("prest/IM"); im != "" {
		x.text("IM", im)
	}
	if taxpayer.Name == "" {
		taxpayer.Name = "PRESTADOR DE TESTE"
	}
	x.text("xNome", taxpayer.Name)
	municipality := d.get("cLocEmi")
	state := states[municipality[:2]]
	x.raw("<enderNac>")
	x.text("xLgr", "Rua do Cadastro de Teste")
	x.text("nro", "1")
	x.text("xBairro", "Centro")
	x.text("cMun", municipality)
	x.text("UF", state)
	x.text("CEP", someCEP(state))
	x.raw("</enderNac></emit>")
}

// values computes what the authority computes. Of ME and EPP that pay through
// Simples Nacional without withholding, it says the net amount only.
func (x *writer) values(d *dps, registry *Registry) {
	unconditional := cents(d.get("valores/vDescCondIncond/vDescIncond"))
	conditional := cents(d.get("valores/vDescCondIncond/vDescCond"))
	withheld := cents(d.get("valores/trib/tribFed/vRetCP")) + cents(d.get("valores/trib/tribFed/vRetIRRF")) +
		cents(d.get("valores/trib/tribFed/vRetCSLL"))
	retained := d.get("valores/trib/tribMun/tpRetISSQN") != "1"
	simples := d.get("prest/regTrib/opSimpNac")
	bySimples := simples == mei || simples == microOrSmall && d.get("prest/regTrib/regApTribSN") == "1"
	x.raw("<valores>")
	if d.get("valores/trib/tribMun/tribISSQN") == "1" && (!bySimples || retained) {
		rate := registry.issRate()
		if d.has("valores/trib/tribMun/pAliq") {
			rate = cents(d.get("valores/trib/tribMun/pAliq"))
		}
		base := d.amount() - unconditional - d.deduction()
		tax := share(base, rate)
		if retained {
			withheld += tax
		}
		x.text("vBC", money(base))
		x.text("pAliqAplic", money(rate))
		x.text("vISSQN", money(tax))
	}
	if withheld > 0 {
		x.text("vTotalRet", money(withheld))
	}
	x.text("vLiq", money(d.amount()-unconditional-conditional-withheld))
	x.raw("</valores>")
}

// municipalityName is what the stand-in, which does not know names, calls one.
func municipalityName(code string) string {
	if state := states[code[:2]]; state != "" {
		return "Município " + code + "/" + state
	}
	return "Município " + code
}

func someCEP(state string) string {
	for _, r := range postalRanges {
		if r.state == state {
			return fmt.Sprintf("%05d000", r.from)
		}
	}
	return "00000000"
}

// writer writes compact XML without prefixes.
type writer struct{ strings.Builder }

func (x *writer) raw(xml string) { x.WriteString(xml) }

func (x *writer) text(name, value string) {
	x.WriteString("<" + name + ">")
	_, _ = escaper.WriteString(x, value)
	x.WriteString("</" + name + ">")
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
