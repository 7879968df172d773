package sefin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"emissor/test/reference"
)

var (
	// foreigner turns the taker into one in America, and atForeigner its address alone.
	foreigner   = []change{{"<CNPJ>" + taker + "</CNPJ>", "<NIF>98-7654321</NIF>"}, atForeigner}
	atForeigner = change{"<endNac><cMun>3304557</cMun><CEP>20040020</CEP></endNac>", american}
	// inAmerica is where a service is performed.
	inAmerica = change{"<cLocPrestacao>3304557</cLocPrestacao>", "<cPaisPrestacao>US</cPaisPrestacao>"}
	resultIn  = beforeWithholding("<cPaisResult>US</cPaisResult>")
)

// trade adds the group comExt.
func trade(more ...change) change {
	group := "<comExt><mdPrestacao>1</mdPrestacao><vincPrest>0</vincPrest><tpMoeda>220</tpMoeda>" +
		"<vServMoeda>300.00</vServMoeda><mecAFComexP>01</mecAFComexP><mecAFComexT>01</mecAFComexT>" +
		"<movTempBens>1</movTempBens><mdic>0</mdic></comExt>"
	for _, c := range more {
		if !strings.Contains(group, c.from) {
			panic("comExt does not hold " + c.from)
		}
		group = strings.Replace(group, c.from, c.to, 1)
	}
	return inside("cServ", group)
}

// trading is a service for a foreigner with a comExt that has other values.
func trading(more ...change) []change { return changes(foreigner, trade(more...)) }

var takerRules = map[string]ruleCase{
	"a taker abroad with a CNPJ": {
		codes: "E0223", breaks: []change{atForeigner, trade()}, keeps: trading(),
	},
	"a taker without a number for no reason": {
		codes: "E0226", breaks: []change{{"<CNPJ>" + taker + "</CNPJ>", "<cNaoNIF>0</cNaoNIF>"}},
		keeps: []change{{"<CNPJ>" + taker + "</CNPJ>", "<cNaoNIF>1</cNaoNIF>"}},
	},
	"a taker with a NIF and without an address abroad": {
		codes: "E0242", breaks: []change{{"<CNPJ>" + taker + "</CNPJ>", "<NIF>98-7654321</NIF>"}}, keeps: trading(),
	},
	"a taker abroad in Brazil": {
		codes: "E0246", breaks: changes(trading(), change{"<cPais>US", "<cPais>BR"}), keeps: trading(),
	},
	"a taker in no country": {
		codes: "E0246", breaks: changes(trading(), change{"<cPais>US", "<cPais>XX"}),
		keeps: changes(trading(), change{"<cPais>US", "<cPais>ZW"}),
	},
}

var tradeRules = map[string]ruleCase{
	"performed in Brazil, as another country": {
		codes:  "E0304",
		breaks: []change{inAmerica, taxation("3"), trade(), {"<cPaisPrestacao>US", "<cPaisPrestacao>BR"}},
		keeps:  []change{inAmerica, taxation("3"), trade()},
	},
	"a taker abroad without NBS": {
		codes: "E0318", breaks: changes(trading(), change{"<cNBS>115013000</cNBS>", ""}), keeps: trading(),
	},
	"an export without NBS": {
		codes: "E0318", breaks: []change{inAmerica, taxation("3"), trade(), {"<cNBS>115013000</cNBS>", ""}},
		keeps: []change{inAmerica, taxation("3"), trade()},
	},
	"a taker abroad without comExt": {codes: "E0330", breaks: foreigner, keeps: trading()},
	"a place abroad without comExt": {codes: "E0330", breaks: []change{inAmerica}, keeps: []change{inAmerica, trade()}},
	"an export without comExt": {
		codes: "E0330", breaks: []change{taxation("3"), resultIn}, keeps: []change{taxation("3"), resultIn, trade()},
	},
	"an intermediary abroad without comExt": {
		codes: "E0330", breaks: []change{brokerAbroad}, keeps: []change{brokerAbroad, trade()},
	},
	"no mode": {codes: "E0333", breaks: trading(change{"<mdPrestacao>1", "<mdPrestacao>0"}), keeps: trading()},
	"no mechanism of the provider": {
		codes: "E0341", breaks: trading(change{"<mecAFComexP>01", "<mecAFComexP>00"}), keeps: trading(),
	},
	"no mechanism of the taker": {
		codes: "E0343", breaks: trading(change{"<mecAFComexT>01", "<mecAFComexT>00"}), keeps: trading(),
	},
	"no movement of goods": {codes: "E0345", breaks: trading(goods("0", "")), keeps: trading()},
	"goods that come in without their declaration": {
		codes: "E0352", breaks: trading(goods("2", "")), keeps: trading(goods("2", "<nDI>1</nDI>")),
	},
	"a declaration without goods": {
		codes: "E0354", breaks: trading(goods("1", "<nDI>1</nDI>")), keeps: trading(goods("1", "")),
	},
	"a record without goods": {
		codes: "E0354", breaks: trading(goods("1", "<nRE>1</nRE>")), keeps: trading(goods("1", "")),
	},
	"goods that leave without their record": {
		codes: "E0356", breaks: trading(goods("3", "<nDI>1</nDI>")), keeps: trading(goods("3", "<nRE>1</nRE>")),
	},
}

// goods is how goods move, with the numbers of their documents.
func goods(movement, numbers string) change {
	return change{"<movTempBens>1</movTempBens>", "<movTempBens>" + movement + "</movTempBens>" + numbers}
}

var exportRules = map[string]ruleCase{
	"an export of what is due at its place": {
		codes: "E0529", breaks: []change{service("110201"), taxation("3"), trade()},
		keeps: []change{service("110201"), trade()},
	},
	"an export of what is due at a Brazilian taker's": {
		codes: "E0529", breaks: []change{service("170501"), taxation("3"), trade()},
		keeps: changes(trading(), service("170501"), taxation("3"), resultIn),
	},
	"taxed, though it is due abroad": {
		codes: "E0530", breaks: []change{service("110201"), inAmerica, trade()},
		keeps: []change{service("110201"), inAmerica, taxation("3"), trade()},
	},
	"taxed, though the taker's place is abroad": {
		codes: "E0530", breaks: changes(trading(), service("170501"), inAmerica),
		keeps: changes(trading(), service("170501"), inAmerica, taxation("3")),
	},
	"an export from Brazil without the country of its result": {
		codes: "E0590", breaks: []change{taxation("3"), trade()}, keeps: []change{taxation("3"), resultIn, trade()},
	},
	"an export from abroad with the country of its result": {
		codes: "E0591", breaks: []change{inAmerica, taxation("3"), resultIn, trade()},
		keeps: []change{inAmerica, taxation("3"), trade()},
	},
	"the country of the result of what is taxed": {
		codes: "E0591", breaks: []change{resultIn}, keeps: []change{taxation("3"), resultIn, trade()},
	},
}

// Every scenario of the official sheet is answered as it says, but for the ways in which the
// sheet and the rules that it belongs to disagree.
func TestExportScenarios(t *testing.T) {
	simulator, c := startWithIssuer(t)
	services := map[string]string{"EP": "010701", "ET": "170501", "LP": "110201", "99.01.01": "990101"}
	number := 0
	for line := range strings.Lines(string(reference.ReadNational(t, "data/export-scenarios-anexoI-v1.01.tsv"))) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		code, simulated := services[row[4]]
		if !simulated { // what a city does not tax is a case of its own
			continue
		}
		number++
		all := []change{service(code), taxation(row[5])}
		if row[5] == "2" {
			all = append(all, beforeWithholding("<tpImunidade>1</tpImunidade>"))
		}
		if row[1] == "Ext" {
			all = append(all, foreigner...)
		}
		if row[2] == "Ext" {
			all = append(all, brokerAbroad)
		}
		if row[3] == "Ext" {
			all = append(all, inAmerica)
		}
		// The rule E0591 says that no other scenarios have it; the sheet asks in 68 as well.
		if row[11] == "SIM" && row[0] != "68" {
			all = append(all, resultIn)
		}
		isAbroad := slices.Contains(row[1:4], "Ext") || row[5] == "3"
		if isAbroad {
			all = append(all, trade())
		}
		want := ""
		switch message := row[8]; {
		case message == "ERRO 3":
			want = "E0539"
		case strings.HasPrefix(message, "E"):
			want = message
		}
		answer := c.issue(c.dps(number, all...))
		if answer.codes() != want {
			t.Errorf("scenario %s: %q, want %q: %s", row[0], answer.codes(), want, answer.text)
		}
		if answer.status != http.StatusCreated {
			continue
		}
		nfse := string(simulator.NFSe(answer.body["chaveAcesso"].(string)))
		if due := strings.Contains(nfse, "<cLocIncid>"); due != strings.HasPrefix(row[9], "Município") {
			t.Errorf("scenario %s: ISS is due somewhere: %t, but the sheet says %s", row[0], due, row[9])
		}
	}
	if number != 104 {
		t.Errorf("%d scenarios", number)
	}
}

// Abroad there is no incidence, and the NFS-e says only what is paid.
func TestExport_Document(t *testing.T) {
	simulator, c := startWithIssuer(t)
	nfse := string(simulator.NFSe(c.issued(c.dps(1, changes(trading(), inAmerica, taxation("3"))...))))
	for _, part := range []string{
		"<xLocPrestacao>País US</xLocPrestacao>", "<valores><vLiq>1500.00</vLiq></valores>",
	} {
		if !strings.Contains(nfse, part) {
			t.Errorf("the NFS-e has not %s\n%s", part, nfse)
		}
	}
	if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
		t.Error(err)
	}
	key := c.issued(c.dps(2, changes(trading(), service("170501"))...))
	const due = "<cLocIncid>3304557</cLocIncid>"
	if !strings.Contains(string(simulator.NFSe(key)), due) {
		t.Error("what is due at a taker's abroad is not due where it is performed")
	}
}
