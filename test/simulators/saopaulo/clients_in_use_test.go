package saopaulo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"emissor/test/simulators/shared/simulatortest"
)

// What clients in use write otherwise than the manual, and the city takes, is taken; its neighbours are refused.
func TestClientsInUse(t *testing.T) {
	simulator, c := startWithIssuer(t)
	lot := func(prefix string, changes ...change) string {
		head := "<transacao>true</transacao><dtInicio>2026-11-20</dtInicio><dtFim>2026-11-20</dtFim><QtdRPS>1</QtdRPS>"
		return c.prefixed(prefix, "PedidoEnvioLoteRPS", header(head)+c.rps(1, text(1), changes...))
	}
	padded := change{"<InscricaoPrestador>" + registration, "<InscricaoPrestador>0000" + registration}
	code := func(of string) change { return change{"<CodigoServico>2919", "<CodigoServico>" + of} }
	for name, test := range map[string]struct{ message, codes string }{
		"a root with a prefix": {lot("nfe"), ""},
		"another prefix":       {lot("p1"), ""},
		"of another namespace": {strings.Replace(lot("nfe"), namespace, namespace+"/x", 1), "1001"},
		"not declared":         {strings.Replace(lot("nfe"), "xmlns:nfe", "xmlns:p1", 1), "1001"},
		"children with a prefix": {
			strings.NewReplacer("<RPS>", "<nfe:RPS>", "</RPS>", "</nfe:RPS>").Replace(lot("nfe")), "1001",
		},
		"another declaration": {
			strings.Replace(lot("nfe"), " xmlns:nfe", ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:nfe`, 1),
			"1056", // the schema takes it, but it was not signed
		},
		"a padded registration": {lot("nfe", padded), ""},
		"one of 13 digits":      {lot("nfe", change{padded.from, "<InscricaoPrestador>00000" + registration}), "1001"},
		"a padded code":         {lot("nfe", code("02919")), ""},
		"one of 6 digits":       {lot("nfe", code("002919")), "1001"},
	} {
		t.Run(name, func(t *testing.T) {
			if answer := c.send("TesteEnvioLoteRPS", test.message); answer.root == nil || answer.codes() != test.codes {
				t.Errorf("%s, want %s", answer.body, test.codes)
			}
		})
	}
	t.Run("IsTheSameNote", func(t *testing.T) { // whether it is asked for with zeros or without
		message := c.prefixed("nfe", "PedidoEnvioRPS", header("")+c.rps(1, text(1), padded, code("02919")))
		if answer := c.send("EnvioRPS", message); answer.at("ChaveNFeRPS/ChaveNFe/InscricaoPrestador") != registration {
			t.Fatalf("%s", answer.body)
		}
		withZeros := strings.Replace(rpsKey(1), registration, "0000"+registration, 1)
		for _, key := range []string{rpsKey(1), withZeros} {
			if answer := c.send("ConsultaNFe", c.query(key)); answer.at("NFe/CodigoServico") != "2919" {
				t.Errorf("%s", answer.body)
			}
		}
		if note := simulator.Ledger()[0]; note.Registration != registration || note.ServiceCode != "2919" {
			t.Errorf("%+v", note)
		}
	})
}

// The official schema takes what clients in use write, and another implementation verifies its signature.
func TestClientsInUse_AreValid(t *testing.T) {
	_, c := startWithIssuer(t)
	message := c.prefixed("nfe", "PedidoEnvioRPS", header("")+c.rps(1, text(1),
		change{registration, "0000" + registration}, change{">2919<", ">02919<"}))
	if !valid(t, "PedidoEnvioRPS", message)[0] {
		t.Errorf("%s", message)
	}
	file := filepath.Join(t.TempDir(), "message.xml")
	if err := os.WriteFile(file, []byte(message), 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := exec.CommandContext(t.Context(), simulatortest.Tool(t, "xmlsec1"), "--verify", "--insecure",
		file).CombinedOutput()
	if err != nil {
		t.Errorf("%s", output)
	}
}

// SOAP 1.2 without the header SOAPAction: the operation is named by the media type, or by the envelope alone.
func TestClientsInUse_SOAP12(t *testing.T) {
	_, c := startWithIssuer(t)
	const media = "application/soap+xml; charset=utf-8"
	envelope := c.envelope("ConsultaNFe", c.query(rpsKey(1)))
	unknown := strings.ReplaceAll(envelope, "ConsultaNFeRequest", "ConsultaTudoRequest")
	for name, test := range map[string]struct{ media, envelope, codes, says string }{
		"an action":          {media + `; action="` + action("ConsultaNFe") + `"`, envelope, "1106", ""},
		"no action":          {media, envelope, "1106", ""},
		"an unknown action":  {media + `; action="` + namespace + `/ws/tudo"`, envelope, "", "did not recognize"},
		"an unknown element": {media, unknown, "", "without a valid action parameter"},
		"no envelope":        {media, "<x/>", "", "without a valid action parameter"},
		"no XML":             {media, "x", "", "without a valid action parameter"},
		"SOAP 1.1":           {"text/xml", envelope, "", "did not recognize"},
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := c.post(test.envelope, map[string]string{"Content-Type": test.media})
			if err != nil || answer.codes() != test.codes || !strings.Contains(answer.body, test.says) {
				t.Fatalf("%d %s %v", answer.status, answer.body, err)
			}
			is12, wants12 := strings.Contains(answer.body, "http://www.w3.org/2003/05/soap-envelope"), test.media != "text/xml"
			if is12 != wants12 || strings.HasPrefix(answer.kind, "application/soap+xml") != wants12 {
				t.Errorf("%s: %s", answer.kind, answer.body)
			}
		})
	}
}
