package sefin_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/test/simulators/sefin"
)

// group adds a group IBSCBS of a classification, with what is changed in it.
func group(cst, class string, changes ...change) change {
	text := "<IBSCBS><finNFSe>0</finNFSe><indFinal>0</indFinal><cIndOp>100301</cIndOp><indDest>0</indDest>" +
		"<valores><trib><gIBSCBS><CST>" + cst + "</CST><cClassTrib>" + class + "</cClassTrib></gIBSCBS></trib>" +
		"</valores></IBSCBS>"
	for _, c := range changes {
		text = strings.Replace(text, c.from, c.to, 1)
	}
	return change{"</valores></infDPS>", "</valores>" + text + "</infDPS>"}
}

func operation(code string) change { return change{"<cIndOp>100301<", "<cIndOp>" + code + "<"} }

func afterOperation(elements string) change { return change{"<indDest>", elements + "<indDest>"} }

func recipient(elements string) change {
	return change{"<indDest>0</indDest>", "<indDest>1</indDest><dest>" + elements + "</dest>"}
}

func inClassification(elements string) change { return change{"</gIBSCBS>", elements + "</gIBSCBS>"} }

const (
	regularTaxation = "<gTribRegular><CSTReg>000</CSTReg><cClassTribReg>000001</cClassTribReg></gTribRegular>"
	deferral        = "<gDif><pDifUF>100.00</pDifUF><pDifMun>100.00</pDifMun><pDifCBS>50.00</pDifCBS></gDif>"
	property        = "<imovel><cCIB>12345678</cCIB></imovel>"
	referred        = "<gRefNFSe><refNFSe>33045572211222333000181000000000000126111234567890</refNFSe></gRefNFSe>"
)

// With IBS and CBS, the rules of the group (Annex I v1.01).
func TestDPSRules_IBSCBS(t *testing.T) {
	simulator, c := startWithIssuer(t)
	service := func(code string) change { return change{"<cTribNac>010701<", "<cTribNac>" + code + "<"} }
	withWorks := change{"</cServ>", "</cServ><obra><cObra>1</cObra></obra>"}
	withoutTaker := []change{
		withoutAddress, {"<toma><CNPJ>" + taker + "</CNPJ><xNome>Cliente &amp; Filhos LTDA</xNome>" +
			"<email>fiscal@example.com</email></toma>", ""},
	}
	number := 0
	for name, test := range map[string]struct {
		changes  []change
		registry sefin.Registry
		codes    string // empty: it is issued
	}{
		"a full group": {changes: []change{group("000", "000001")}},
		"before 2026": {
			changes: []change{{"<dCompet>2026-11-21", "<dCompet>2025-12-31"}, group("000", "000001")},
			codes:   "E0850",
		},
		"no taker":        {changes: append(withoutTaker, group("000", "000001")), codes: "E0187"},
		"no taker needed": {changes: append(withoutTaker, group("000", "000001", operation("030101")))},
		"no address":      {changes: []change{withoutAddress, group("000", "000001")}, codes: "E0234"},
		"of Annex VII":    {changes: []change{group("000", "000001", operation("090101"))}, codes: "E0901"},
		"to a government": {
			changes: []change{group("000", "000001", afterOperation("<tpEnteGov>4</tpEnteGov>"))},
			codes:   "E0903",
		},
		"10.05, untyped": {changes: []change{service("100501"), group("000", "000001")}, codes: "E0903"},
		"10.05": {
			changes: []change{service("100501"), group("000", "000001", afterOperation("<tpOper>5</tpOper>"))},
		},
		"typed for nobody": {
			changes: []change{group("000", "000001", afterOperation("<tpOper>1</tpOper>"))},
			codes:   "E0904",
		},
		"government": {changes: []change{
			group("000", "000001", afterOperation("<tpOper>1</tpOper><tpEnteGov>4</tpEnteGov>")),
		}},
		"a payment of nothing": {
			changes: []change{group("000", "000001", afterOperation("<tpOper>2</tpOper><tpEnteGov>4</tpEnteGov>"))},
			codes:   "E0905",
		},
		"a reference": {
			changes: []change{
				group("000", "000001",
					afterOperation("<tpOper>1</tpOper>"+referred+"<tpEnteGov>4</tpEnteGov>")),
			},
			codes: "E0906 E0907",
		},
		"a recipient": {changes: []change{group("000", "000001", recipient(cpfTaker+"<xNome>D</xNome>"))}},
		"a recipient with a wrong CNPJ": {
			changes: []change{group("000", "000001", recipient("<CNPJ>11444777000162</CNPJ><xNome>D</xNome>"))},
			codes:   "E0911",
		},
		"a recipient with an unknown CNPJ": {
			changes:  []change{group("000", "000001", recipient("<CNPJ>11444777000242</CNPJ><xNome>D</xNome>"))},
			registry: sefin.Registry{UnknownTakers: []string{"11444777000242"}}, codes: "E0912",
		},
		"a recipient with a wrong CPF": {
			changes: []change{group("000", "000001", recipient("<CPF>52998224726</CPF><xNome>D</xNome>"))},
			codes:   "E0913",
		},
		"an unknown recipient": {
			changes:  []change{group("000", "000001", recipient(cpfTaker+"<xNome>D</xNome>"))},
			registry: sefin.Registry{UnknownTakers: []string{person}}, codes: "E0914",
		},
		"no such city of the recipient, nor e-mail": {
			changes: []change{group("000", "000001", recipient(cpfTaker+"<xNome>D</xNome>"+
				strings.Replace(providerAddress, "3304557", "3304558", 1)+"<email>d</email>"))},
			codes: "E0920 E0930",
		},
		"property without a need": {
			changes: []change{group("000", "000001", change{"<valores>", property + "<valores>"})}, codes: "E0928",
		},
		"property and works": {
			changes: []change{
				service("070201"), withWorks,
				group("000", "000001", operation("020201"), change{"<valores>", property + "<valores>"}),
			},
			codes: "E0931",
		},
		"works":       {changes: []change{service("070201"), withWorks, group("000", "000001", operation("020201"))}},
		"no property": {changes: []change{group("000", "000001", operation("020201"))}, codes: "E0932"},
		"property": {changes: []change{
			group("000", "000001", operation("020201"), change{"<valores>", property + "<valores>"}),
		}},
		"property abroad": {
			changes: []change{group("000", "000001", operation("020201"), change{"<valores>",
				"<imovel><end><endExt><cEndPost>1</cEndPost><xCidade>C</xCidade><xEstProvReg>E</xEstProvReg></endExt>" +
					"<xLgr>R</xLgr><nro>1</nro><xBairro>B</xBairro></end></imovel><valores>"})},
			codes: "E0935",
		},
		"property abroad, by a CEP": {
			changes: []change{inAmerica, taxation("3"), trade(), group("000", "000001", operation("020201"),
				change{"<valores>", "<imovel>" + byCEP + "</imovel><valores>"})},
			codes: "E0934",
		},
		"a code of goods":     {changes: []change{group("000", "000002")}, codes: "E0958"},
		"an unpublished code": {changes: []change{group("000", "000999")}, codes: "E0958"},
		"a code of another":   {changes: []change{group("200", "000001")}, codes: "E0959"},
		"self-employed":       {changes: []change{group("200", "200055")}},
		"regular, not needed": {
			changes: []change{group("000", "000001", inClassification(regularTaxation))},
			codes:   "E0964",
		},
		"no regular taxation":  {changes: []change{group("550", "550016")}, codes: "E0965"},
		"a suspension":         {changes: []change{group("550", "550016", inClassification(regularTaxation))}},
		"deferral, not needed": {changes: []change{group("000", "000001", inClassification(deferral))}, codes: "E0971"},
		"no deferral":          {changes: []change{group("515", "515001")}, codes: "E0972"},
		"a deferral":           {changes: []change{group("515", "515001", inClassification(deferral))}},
		"a regular code of goods": {
			changes: []change{
				group("550", "550016", inClassification(strings.ReplaceAll(regularTaxation, "000001", "000002"))),
			},
			codes: "E0969",
		},
		"a regular code of another": {
			changes: []change{
				group("550", "550016", inClassification(strings.ReplaceAll(regularTaxation, "000001", "200052"))),
			},
			codes: "E0970",
		},
		"a code the calculator lacks": {
			changes:  []change{group("200", "200055")},
			registry: sefin.Registry{UnknownClassTribs: []string{"200055"}}, codes: "E0958",
		},
		"exempt": {changes: []change{group("400", "400001")}},
	} {
		t.Run(name, func(t *testing.T) {
			number++
			simulator.SetRegistry(test.registry)
			answer := c.issue(c.dps(number, test.changes...))
			if answer.codes() != test.codes || (answer.status == http.StatusCreated) != (test.codes == "") {
				t.Errorf("codes %q, want %q: %d %s", answer.codes(), test.codes, answer.status, answer.text)
			}
		})
	}
}

// What a classification cannot say here is neither issued nor rejected.
func TestNotSimulated_IBSCBS(t *testing.T) {
	_, c := startWithIssuer(t)
	for name, changed := range map[string]change{
		"a presumed credit": group("410", "410014", inClassification("<cCredPres>01</cCredPres>")),
		"a reimbursement": group("000", "000001", change{"<valores>", "<valores><gReeRepRes><documentos><docOutro>" +
			"<nDoc>1</nDoc><xDoc>D</xDoc></docOutro><dtEmiDoc>2026-11-01</dtEmiDoc><dtCompDoc>2026-11-01</dtCompDoc>" +
			"<tpReeRepRes>01</tpReeRepRes><vlrReeRepRes>1.00</vlrReeRepRes></documentos></gReeRepRes>"}),
	} {
		if answer := c.issue(c.dps(1, changed)); answer.status != http.StatusNotImplemented {
			t.Errorf("%s: %d %s", name, answer.status, answer.text)
		}
	}
}

// From a day of competence the group is required of everybody, as soon as the control
// address says so.
func TestIBSCBS_RequiredFrom(t *testing.T) {
	simulator, c := startWithIssuer(t)
	control := controller{simulator.Control()}
	require := func(day string) {
		t.Helper()
		if r := control.call("PUT", "/registry", `{"ibscbs_required_from":"`+day+`"}`); r.Code != http.StatusOK {
			t.Fatalf("%d %s", r.Code, r.Body)
		}
	}
	require("2026-11-22")
	c.issued(c.dps(1))
	require("2026-11-21")
	for number, changes := range map[int][]change{2: nil, 3: {mei}, 4: {microOrSmall, simplified}} {
		answer := c.issue(c.dps(number, changes...))
		if answer.codes() != "E1235" || !strings.Contains(answer.complement(), incomplete("infDPS", "IBSCBS")) {
			t.Errorf("%d: %d %s", number, answer.status, answer.text)
		}
		c.issued(c.dps(number, append(changes, group("000", "000001"))...))
	}
	c.issued(c.dps(5, change{"<dCompet>2026-11-21", "<dCompet>2026-11-20"}))
	require("")
	c.issued(c.dps(6))
}
