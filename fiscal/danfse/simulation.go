package danfse

import (
	"cmp"
	"strings"
)

// simulatedRoot is the root of the XML of a note of the sandbox, which package
// simulation makes.
const simulatedRoot = "SimulatedNFSe"

// fromSimulation returns the fields of a note of the sandbox under the names that
// they have in an NFS-e. What it does not know is left out.
func fromSimulation(simulated fields) fields {
	national := fields{}
	set := func(path, text string) {
		if text != "" {
			national[path] = []string{text}
		}
	}
	issued := brasilia(simulated.get("issuedAt"))
	set(inf+"@Id", "NFS"+simulated.get("accessKey"))
	set(inf+"nNFSe", simulated.get("number"))
	set(inf+"dhProc", issued)
	set(dps+"dhEmi", issued)
	set(dps+"dCompet", cmp.Or(simulated.get("competence"), firstRunes(issued, len("2006-01-02"))))
	set(dps+"tpEmit", "1")

	national["infNFSe/DPS/infDPS/toma"] = []string{""}
	set(dps+"toma/"+inscription(simulated.get("taker/document")), simulated.get("taker/document"))
	set(dps+"toma/xNome", simulated.get("taker/name"))
	set(dps+"toma/end/endNac/cMun", simulated.get("takerMunicipality"))

	set(dps+"serv/cServ/xDescServ", simulated.get("service/description"))
	set(dps+"serv/cServ/cTribNac", simulated.get("service/nationalTaxCode"))
	set(dps+"serv/locPrest/cLocPrestacao", simulated.get("service/municipality"))
	set(dps+"serv/infoCompl/xPed", simulated.get("reference"))
	set(dps+"serv/infoCompl/xInfComp", simulated.get("notice"))

	set(values+"vServPrest/vServ", decimalOfCents(simulated.get("amountCents")))
	set(city+"tpRetISSQN", map[string]string{"true": "2", "false": "1"}[simulated.get("issWithheld")])
	return national
}

// inscription names the element that a tax id stands in.
func inscription(id string) string {
	if len(id) == 11 && digits(id) {
		return "CPF"
	}
	return "CNPJ"
}

// decimalOfCents writes 12345 as 123.45.
func decimalOfCents(cents string) string {
	if cents == "" || !digits(cents) {
		return ""
	}
	cents = strings.Repeat("0", max(0, 3-len(cents))) + cents
	return cents[:len(cents)-2] + "." + cents[len(cents)-2:]
}
