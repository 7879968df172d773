package sefin

import (
	"fmt"
	"time"

	"emissor/test/simulators/shared/checkdigit"
	"emissor/test/simulators/shared/fault"
)

// application is the version that the simulator gives itself (verAplic).
const application = "Simulador_1.0"

// noFiscalValue is written into every NFS-e.
const noFiscalValue = "DOCUMENTO DE TESTE EMITIDO POR UM SIMULADOR. SEM VALOR FISCAL."

// brasilia is the offset in which the authority writes time.
var brasilia = time.FixedZone("", -3*60*60)

func printTime(at time.Time) string { return at.In(brasilia).Format("2006-01-02T15:04:05-07:00") }

// buildNFSe makes the NFS-e of a DPS, signed.
func (g *signer) buildNFSe(
	d *dps, registry *Registry, key string, number, document int64, now time.Time, faults fault.Picked,
) ([]byte, error) {
	var x xmlWriter
	x.raw(`<infNFSe Id="NFS` + key + `">`)
	x.text("xLocEmi", municipalityName(d.get("cLocEmi")))
	x.text("xLocPrestacao", d.performedIn())
	x.text("nNFSe", fmt.Sprint(number))
	if place := d.place(); place != "" {
		x.text("cLocIncid", place)
		x.text("xLocIncid", municipalityName(place))
	}
	x.service(d)
	x.text("verAplic", application)
	x.text("ambGer", key[7:8]) // the city's own system, or the national one
	x.text("tpEmis", "1")
	x.text("procEmi", "1")
	status := "100"
	if d.simples() == mei {
		status = "107"
	}
	x.text("cStat", status)
	x.text("dhProc", printTime(now))
	x.text("nDFSe", fmt.Sprint(document))
	x.issuer(d, registry)
	computed := d.compute(registry)
	x.values(d, computed, faults)
	x.text("xOutInf", noFiscalValue)
	if d.has("IBSCBS") {
		x.ibscbs(d, computed)
	}
	x.raw(string(d.raw))
	x.raw(`</infNFSe>`)
	return g.sign(`<NFSe xmlns="`+fiscalNamespace+`" versao="1.01">`, x.String(), `</NFSe>`)
}

func (x *xmlWriter) service(d *dps) {
	service := d.get("serv/cServ/cTribNac")
	subitem := service[:2] + "." + service[2:4] + "." + service[4:]
	x.text("xTribNac", "Subitem "+subitem+" da lista de serviços nacional")
	if municipal := d.get("serv/cServ/cTribMun"); municipal != "" {
		x.text("xTribMun", "Código municipal "+municipal)
	}
	if nbs := d.get("serv/cServ/cNBS"); nbs != "" {
		x.text("xNBS", "Código NBS "+nbs)
	}
}

func (x *xmlWriter) issuer(d *dps, registry *Registry) {
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
	state := checkdigit.States[municipality[:2]]
	x.raw("<enderNac>")
	x.text("xLgr", "Rua do Cadastro de Teste")
	x.text("nro", "1")
	x.text("xBairro", "Centro")
	x.text("cMun", municipality)
	x.text("UF", state)
	x.text("CEP", checkdigit.FirstCEP(state))
	x.raw("</enderNac></emit>")
}

// performedIn names where a service is performed: a municipality, or another country.
func (d *dps) performedIn() string {
	if country := d.get("serv/locPrest/cPaisPrestacao"); country != "" {
		return "País " + country
	}
	return municipalityName(d.get("serv/locPrest/cLocPrestacao"))
}

// municipalityName is what the simulator, which does not know names, calls one.
func municipalityName(code string) string { return "Município " + code }
