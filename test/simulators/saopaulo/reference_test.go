package saopaulo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/test/reference"
	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/simulatortest"
)

// valid runs xmllint with an official schema over documents, and tells of each whether
// it is valid.
func valid(t *testing.T, schema string, documents ...string) []bool {
	t.Helper()
	xsd := reference.SaoPaulo(t, "v2", schema+"_v02.xsd")
	dir := t.TempDir()
	arguments := []string{"--noout", "--schema", xsd}
	for i, document := range documents {
		file := filepath.Join(dir, string(rune('a'+i/26))+string(rune('a'+i%26))+".xml")
		if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, file)
	}
	// It fails when any document is not valid.
	output, _ := exec.CommandContext(t.Context(), simulatortest.Tool(t, "xmllint"), arguments...).CombinedOutput()
	verdicts := make([]bool, len(documents))
	for i := range documents {
		verdicts[i] = strings.Contains(string(output), arguments[3+i]+" validates\n")
	}
	if slices.Contains(verdicts, false) && len(documents) == 1 {
		t.Logf("%s", output)
	}
	return verdicts
}

// Every answer follows the official schemas.
func TestAnswers_FollowTheOfficialSchemas(t *testing.T) {
	simulator, c := startWithIssuer(t)
	check := func(schema string, answer reply) {
		t.Helper()
		if !valid(t, schema, answer.retorno)[0] {
			t.Errorf("%s", answer.retorno)
		}
	}
	check("RetornoEnvioRPS", c.send("EnvioRPS", c.message(1)))
	check("RetornoEnvioRPS", c.send("EnvioRPS", c.message(1)))
	check("RetornoEnvioRPS", c.send("EnvioRPS", strings.Replace(c.message(1), "Cliente", strings.Repeat("x", 400), 1)))
	check("RetornoEnvioRPS", c.send("EnvioRPS", c.signed("PedidoEnvioRPS", header("")+c.rps(2, "x"))))
	check("RetornoEnvioLoteRPS", c.send("TesteEnvioLoteRPS", c.lot("", c.rps(2, text(2)))))
	check("RetornoEnvioLoteRPS", c.send("EnvioLoteRPS", c.lot("", c.rps(2, text(2)), c.rps(3, text(3)))))
	check("RetornoConsulta", c.send("ConsultaNFe", c.query(rpsKey(1), rpsKey(2), rpsKey(99))))
	check("RetornoCancelamentoNFe", c.send("CancelamentoNFe", c.cancellation(2, 20)))
	check("RetornoCancelamentoNFe", c.send("CancelamentoNFe", c.cancellation(2, 20)))
	check("RetornoConsulta", c.send("ConsultaNFe", c.query(noteKey(1), noteKey(2))))
	check("RetornoConsultaCNPJ", c.send("ConsultaCNPJ", c.signed("PedidoConsultaCNPJ",
		header("")+`<CNPJContribuinte xmlns=""><CNPJ>`+issuer+`</CNPJ></CNPJContribuinte>`)))
	if _, err := simulator.IssueOnSite(siteNote("50")); err != nil {
		t.Fatal(err)
	}
	check("RetornoConsulta", c.send("ConsultaNFe", c.query(rpsKey(50))))
}

// everything is an RPS with all that may stand in one, of each choice the first.
func everything() []change {
	return []change{
		{"<RazaoSocialTomador>", "<InscricaoMunicipalTomador>1</InscricaoMunicipalTomador>" +
			"<InscricaoEstadualTomador>1</InscricaoEstadualTomador><RazaoSocialTomador>"},
		{"<Logradouro>", "<TipoLogradouro>Rua</TipoLogradouro><Logradouro>"},
		{"<Bairro>", "<ComplementoEndereco>1</ComplementoEndereco><Bairro>"},
		{"</EnderecoTomador>", "<EnderecoExterior><cPais>US</cPais><cEndPost>1</cEndPost><xCidade>X</xCidade>" +
			"<xEstProvReg>X</xEstProvReg></EnderecoExterior></EnderecoTomador><EmailTomador>a@b.c</EmailTomador>" +
			"<CPFCNPJIntermediario><CPF>52998224725</CPF></CPFCNPJIntermediario>" +
			"<InscricaoMunicipalIntermediario>1</InscricaoMunicipalIntermediario>" +
			"<ISSRetidoIntermediario>false</ISSRetidoIntermediario><EmailIntermediario>a@b.c</EmailIntermediario>"},
		{"<ValorFinalCobrado>", "<ValorCargaTributaria>1</ValorCargaTributaria>" +
			"<PercentualCargaTributaria>0.1</PercentualCargaTributaria>" +
			"<FonteCargaTributaria>X</FonteCargaTributaria><CodigoCEI>1</CodigoCEI><MatriculaObra>1</MatriculaObra>" +
			"<MunicipioPrestacao>3304557</MunicipioPrestacao><NumeroEncapsulamento>1</NumeroEncapsulamento>" +
			"<ValorTotalRecebido>1</ValorTotalRecebido><ValorFinalCobrado>"},
		{"<ValorIPI>", "<ValorMulta>0</ValorMulta><ValorJuros>0</ValorJuros><ValorIPI>"},
		{"<NBS>", "<NCM>12345678</NCM><NBS>"},
		{"<cLocPrestacao>", "<atvEvento><xNomeEvt>X</xNomeEvt><dtIniEvt>2026-11-20</dtIniEvt>" +
			"<dtFimEvt>2026-11-20</dtFimEvt><end><CEP>1001000</CEP><xLgr>X</xLgr><nro>1</nro><xCpl>1</xCpl>" +
			"<xBairro>X</xBairro></end></atvEvento><cLocPrestacao>"},
		{"<indDest>0</indDest>", "<tpOper>1</tpOper><gRefNFSe><refNFSe>" + strings.Repeat("1", 50) + "</refNFSe>" +
			"</gRefNFSe><tpEnteGov>1</tpEnteGov><indDest>1</indDest><dest><CNPJ>" + taker + "</CNPJ><xNome>X</xNome>" +
			"<end><endNac><cMun>3304557</cMun><CEP>20000000</CEP></endNac><xLgr>X</xLgr><nro>1</nro>" +
			"<xBairro>X</xBairro></end><email>a@b.c</email></dest>"},
		{"<trib>", "<gReeRepRes><documentos><docOutro><nDoc>1</nDoc><xDoc>1</xDoc></docOutro><fornec><CPF>52998224725" +
			"</CPF><xNome>X</xNome></fornec><dtEmiDoc>2026-11-20</dtEmiDoc><dtCompDoc>2026-11-20</dtCompDoc>" +
			"<tpReeRepRes>99</tpReeRepRes><xTpReeRepRes>X</xTpReeRepRes><vlrReeRepRes>1</vlrReeRepRes></documentos>" +
			"</gReeRepRes><trib>"},
		{"</cClassTrib>", "</cClassTrib><gTribRegular><cClassTribReg>000001</cClassTribReg></gTribRegular>"},
		{"</valores>", "</valores><imovelobra><inscImobFisc>1</inscImobFisc><cCIB>12345678</cCIB></imovelobra>"},
	}
}

var leaf = regexp.MustCompile(`<(\w+)>([^<]*)</\w+>`)

// The schema of the simulator and the official one agree about every element: that it
// may be absent, may repeat, may be another, and how long its text may be.
func TestSchema_AgreesWithTheOfficialOne(t *testing.T) {
	simulator, c := startWithIssuer(t)
	simulator.SetRegistry(saopaulo.Registry{Edition04: true})
	full := c.signed("PedidoEnvioRPS", header("")+c.rps(1, "x", everything()...))
	messages := []string{full}
	for _, at := range leaf.FindAllStringSubmatchIndex(full, -1) {
		element, name, text := full[at[0]:at[1]], full[at[2]:at[3]], full[at[4]:at[5]]
		notBase64 := "~"
		if name == "Assinatura" || name == "DigestValue" || name == "SignatureValue" || name == "X509Certificate" {
			notBase64 = "123" // of what else is none, xmllint takes some
		}
		for _, instead := range []string{
			"", element + element, "<X>1</X>",
			"<" + name + ">" + text + strings.Repeat("1", 2001) + "</" + name + ">",
			"<" + name + ">" + notBase64 + "</" + name + ">",
			"<" + name + ">1</" + name + ">",
			"<" + name + ">123456789012</" + name + ">",
			"<" + name + ">ABCDEFGHIJK</" + name + ">",
		} {
			messages = append(messages, full[:at[0]]+instead+full[at[1]:])
		}
	}
	verdicts := valid(t, "PedidoEnvioRPS", messages...)
	if !verdicts[0] {
		t.Fatal("the full message is not valid")
	}
	for i, message := range messages {
		answer := c.send("EnvioRPS", message)
		if verdicts[i] == strings.HasPrefix(answer.codes(), "1001") {
			t.Errorf("valid: %t, but %s", verdicts[i], answer.at("Erro/Descricao"))
		}
	}
	t.Logf("%d messages", len(messages))
}

// What the client of these tests sends is what the schemas ask for.
func TestRequests_FollowTheOfficialSchemas(t *testing.T) {
	_, c := startWithIssuer(t)
	for schema, message := range map[string]string{
		"PedidoEnvioRPS": c.message(1), "PedidoEnvioLoteRPS": c.lot("", c.rps(1, text(1))),
		"PedidoConsultaNFe": c.query(rpsKey(1), noteKey(1)), "PedidoCancelamentoNFe": c.cancellation(1, 20),
	} {
		if !valid(t, schema, message)[0] {
			t.Errorf("%s", message)
		}
	}
}

// The samples of the reference are signed by nobody that the city knows, and their taker
// does not exist. Signed by a company of the test ICP, and for one who does, each is
// accepted.
func TestSamples(t *testing.T) {
	clock := new(clock)
	simulator := start(t, saopaulo.Options{Options: server.Options{Clock: clock.Now}})
	c := newClient(t, simulator, saopaulo.Subject{TaxID: issuer})
	clock.Advance(2 * 24 * time.Hour) // to when their certificate is valid
	sample := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(reference.SaoPaulo(t, "samples", name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	answer, err := c.post(sample("soap12-EnvioRPS.xml"), c.headers("EnvioRPS"))
	if err != nil || answer.codes() != "1055" {
		t.Errorf("as it is: %s %v", answer.body, err)
	}
	if answer := c.send("EnvioRPS", sample("v1-PedidoEnvioRPS.xml")); answer.codes() != "1002" {
		t.Errorf("layout 1: %s", answer.body)
	}
	assinatura := regexp.MustCompile(`(<Assinatura(?:Cancelamento)?>)[^<]*`)
	for _, test := range []struct{ operation, file, root, codes string }{
		{"TesteEnvioLoteRPS", "v2-PedidoEnvioLoteRPS.xml", "PedidoEnvioLoteRPS", ""},
		{"EnvioRPS", "v2-PedidoEnvioRPS.xml", "PedidoEnvioRPS", ""},
		{"ConsultaNFe", "v2-PedidoConsultaNFe-by-rps.xml", "PedidoConsultaNFe", ""},
		{"CancelamentoNFe", "v2-PedidoCancelamentoNFe.xml", "PedidoCancelamentoNFe", "1304"},
		{"ConsultaCNPJ", "v2-PedidoConsultaCNPJ.xml", "PedidoConsultaCNPJ", "1405"},
	} {
		message := strings.ReplaceAll(unsigned(sample(test.file)), "99888777000161", taker)
		content := message[strings.Index(message, ">")+1 : strings.LastIndex(message, "<")]
		texts := []string{text(1), text(2)}
		if test.operation == "CancelamentoNFe" {
			texts = []string{"31000000000000000009"}
		}
		content = assinatura.ReplaceAllStringFunc(content, func(found string) string {
			signed := c.sign(texts[0])
			texts = texts[1:]
			return found[:strings.Index(found, ">")+1] + signed
		})
		if answer := c.send(test.operation, c.signed(test.root, content)); answer.codes() != test.codes {
			t.Errorf("%s: %s", test.file, answer.body)
		}
	}
}
