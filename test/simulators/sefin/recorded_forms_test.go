package sefin_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"emissor/test/recorded"
	"emissor/test/simulators/sefin"
)

// What is answered has the form of what was recorded of the real hosts: the same members, of the same kinds, and the
// same numbers. Texts are of the simulator's own.
func TestForms_AreTheRecordedOnes(t *testing.T) {
	all, err := recorded.ReadAll("../../recorded/answers")
	if err != nil {
		t.Fatal(err)
	}
	event := func(c *client) reply {
		c.cancelTwice()
		return c.get("/nfse/" + c.simulator.Ledger()[0].AccessKey + "/eventos/101101/1")
	}
	for name, ask := range map[string]func(*client) reply{
		"sefin-issue-201-restricted":   func(c *client) reply { return c.issue(c.ofEnvironment(1)) },
		"sefin-issue-201-2026-01":      func(c *client) reply { return c.issue(c.ofEnvironment(1)) },
		"sefin-issue-400-E0120":        func(c *client) reply { return c.issue(c.ofEnvironment(1, byTaker)) },
		"sefin-issue-400-E1226":        func(c *client) reply { return c.issue("DPS") },
		"sefin-cancel-400-E0822":       func(c *client) reply { return c.cancelTwice() },
		"sefin-find-404":               func(c *client) reply { return c.get("/dps/" + unknownDPS) },
		"sefin-fetch-404":              func(c *client) reply { return c.get("/nfse/" + strings.Repeat("0", 50)) },
		"adn-distribute-404-caught-up": func(c *client) reply { return c.getADN("/contribuintes/DFe/0") },
		"adn-distribute-400-E2243": func(c *client) reply {
			return c.getADN("/contribuintes/DFe/0?cnpjConsulta=" + taker)
		},
		"adn-city-200": func(c *client) reply { return c.getADN("/parametrizacao/2211001/convenio") },
		"adn-city-404": func(c *client) reply { return c.getADN("/parametrizacao/3509502/convenio") },

		"sefin-find-cancellation-200": event, "sefin-find-cancellation-200-restricted": event,
	} {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(all, func(one recorded.Recording) bool { return filepath.Base(one.Path) == name+".txt" })
			if i < 0 {
				t.Fatal("it is not recorded")
			}
			simulator := start(t, sefin.Options{
				Production: all[i].Header["environment"] == "production",
				Registry: sefin.Registry{Municipalities: map[string]sefin.Agreement{
					"2211001": {OwnIssuer: true}, "3509502": {Inactive: true},
				}},
			})
			last := all[i].Answers[len(all[i].Answers)-1]
			if name == "sefin-fetch-404" { // of which the question by the DPS comes behind
				last = all[i].Answers[len(all[i].Answers)-2]
			}
			answer := ask(newClient(t, simulator, sefin.Subject{TaxID: issuer}))
			if got, want := formOf(t, answer.text), formOf(t, []byte(last.Body)); got != want || answer.status != last.Status {
				t.Errorf("%d %s\nrecorded is\n%d %s", answer.status, got, last.Status, want)
			}
			if media := answer.header.Get("Content-Type"); media != last.Media {
				t.Errorf("it is %s", media)
			}
		})
	}
}

const unknownDPS = "DPS33045572" + issuer + "00001000000000000009"

// byTaker makes a DPS one that is refused.
var byTaker = change{"<tpEmit>1", "<tpEmit>2"}

// ofEnvironment is a DPS for the environment of the simulator.
func (c *client) ofEnvironment(number int, changes ...change) string {
	return c.dps(number, append(changes, change{"<tpAmb>2", "<tpAmb>" + c.environment()})...)
}

// environment is tpAmb, as the simulator says it of a note that does not exist.
func (c *client) environment() string {
	return fmt.Sprint(c.get("/nfse/" + strings.Repeat("0", 50)).body["tipoAmbiente"])
}

// cancelTwice issues a note, and is the answer to its second cancellation.
func (c *client) cancelTwice() reply {
	key := c.issued(c.ofEnvironment(1))
	request := c.eventRequest(key, "101101", change{"<tpAmb>2", "<tpAmb>" + c.environment()})
	if first := c.cancel(key, request); first.status != http.StatusCreated {
		c.t.Fatalf("it is not cancelled: %d %s", first.status, first.text)
	}
	return c.cancel(key, request)
}

func (c *client) getADN(path string) reply { return c.must("GET", c.simulator.ADNURL()+path, nil) }

// formOf is JSON with its members in order, and the kinds of texts in the place of texts.
func formOf(t *testing.T, text []byte) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	form, err := json.Marshal(withoutTexts(value))
	if err != nil {
		t.Fatal(err)
	}
	return string(form)
}

func withoutTexts(value any) any {
	switch of := value.(type) {
	case string:
		return "a text"
	case map[string]any:
		for name := range of {
			of[name] = withoutTexts(of[name])
		}
	case []any:
		for i := range of {
			of[i] = withoutTexts(of[i])
		}
	}
	return value
}

// With a complement, which nothing above has, a refusal of a DPS has it with a capital, and that of an event not.
func TestForms_Complements(t *testing.T) {
	_, c := startWithIssuer(t)
	key := c.issued(c.dps(1))
	wrong := c.issue(c.dps(2, change{"<nDPS>2</nDPS>", ""}))
	if text := string(wrong.text); !strings.Contains(text, `"erros":[{"Codigo":"E1235","Descricao":"`) ||
		!strings.Contains(text, `","Complemento":"The element 'infDPS'`) {
		t.Errorf("%s", text)
	}
	refused := c.cancel(key, c.eventRequest(key, "101101", change{"<cMotivo>1</cMotivo>", ""}))
	if text := string(refused.text); !strings.Contains(text, `"erro":[{"codigo":"E1235","descricao":"`) ||
		!strings.Contains(text, `","complemento":"The element 'e101101'`) {
		t.Errorf("%s", text)
	}
}

// As described answers are as in the description of SEFIN, and as a client from before the recordings knows them.
func TestForms_AsDescribed(t *testing.T) {
	simulator := start(t, sefin.Options{AsDescribed: true})
	c := newClient(t, simulator, sefin.Subject{TaxID: issuer})
	missing := c.get("/dps/" + unknownDPS)
	refused := c.issue(c.dps(1, byTaker))
	issued := c.issue(c.dps(1))
	key, _ := issued.body["chaveAcesso"].(string)
	request := c.eventRequest(key, "101101")
	c.cancel(key, request)
	again := c.cancel(key, request)
	found := c.get("/nfse/" + key + "/eventos/101101/1")
	none := c.getADN("/contribuintes/DFe/9")
	rejected := c.getADN("/contribuintes/DFe/0?cnpjConsulta=" + taker)
	for name, test := range map[string]struct {
		answer reply
		status int
		form   string
	}{
		"no DPS": {missing, 404, `{"dataHoraProcessamento":"a text","erros":[{"codigo":"a text","descricao":"a text"}],` +
			`"tipoAmbiente":2,"versaoAplicativo":"a text"}`},
		"refused": {refused, 400, `{"dataHoraProcessamento":"a text","erros":[{"codigo":"a text","descricao":"a text"}],` +
			`"idDPS":"a text","tipoAmbiente":2,"versaoAplicativo":"a text"}`},
		"issued": {issued, 201, `{"chaveAcesso":"a text","dataHoraProcessamento":"a text","idDps":"a text",` +
			`"nfseXmlGZipB64":"a text","tipoAmbiente":2,"versaoAplicativo":"a text"}`},
		"cancelled again": {again, 400, `{"dataHoraProcessamento":"a text","erro":{"codigo":"a text","descricao":"a text"},` +
			`"tipoAmbiente":2,"versaoAplicativo":"a text"}`},
		"an event": {found, 200, `{"eventos":[{"arquivoXml":"a text","chaveAcesso":"a text","dataHoraRecebimento":"a text",` +
			`"numeroPedidoRegistroEvento":1,"tipoEvento":"a text"}]}`},
		"nothing new": {none, 404, `{"Alertas":[],"DataHoraProcessamento":"a text","Erros":[],"LoteDFe":[],` +
			`"StatusProcessamento":"a text","TipoAmbiente":"a text","VersaoAplicativo":"a text"}`},
		"another company's": {rejected, 400, `{"Alertas":[],"DataHoraProcessamento":"a text","Erros":[{"Codigo":"a text",` +
			`"Complemento":null,"Descricao":"a text","Mensagem":null,"Parametros":null}],"LoteDFe":[],` +
			`"StatusProcessamento":"a text","TipoAmbiente":"a text","VersaoAplicativo":"a text"}`},
	} {
		if form := formOf(t, test.answer.text); form != test.form || test.answer.status != test.status {
			t.Errorf("%s: %d %s", name, test.answer.status, form)
		}
	}
	if again.codes() != "E0802" || issued.body["idDps"] != simulator.Ledger()[0].DPSID {
		t.Errorf("%s\n%s", again.text, issued.text)
	}
}

// A city answers in one of the forms that were recorded of it, but for the prefix of a key and what its answers have
// beside.
func TestForms_OfCities(t *testing.T) {
	wrong := change{"<cTribMun>001</cTribMun>", ""}
	c := startCity(t, "campinas")
	refused := c.send(c.dps(1, wrong))
	key := c.issued(c.dps(1))
	id := c.simulator.Ledger()[0].DPSID
	other := startCity(t, "teresina")
	for name, test := range map[string]struct {
		answer reply
		status int
		form   string
	}{
		"28": {refused, 200, `{"alertas":[{"codigo":"a text","mensagem":"a text"}],"dataHoraProcessamento":"a text",` +
			`"idDps":"a text","tipoAmbiente":2,"versaoAplicativo":"a text"}`},
		"29": {c.must("GET", c.url()+"/nfse/NFS"+key, nil), 200, `{"alertas":[],"dataHoraProcessamento":"a text",` +
			`"nfseXmlGZipB64":"a text","tipoAmbiente":"a text","versaoAplicativo":"a text"}`},
		"30": {c.must("GET", c.url()+"/nfse/dps/"+id, nil), 200, `{"alertas":[],"chaveAcesso":"a text",` +
			`"dataHoraProcessamento":"a text","tipoAmbiente":2,"versaoAplicativo":"a text"}`},
		"25": {other.send(other.dps(1, wrong)), 400, `{"dataHoraProcessamento":"a text","erros":[{"codigo":"a text",` +
			`"mensagem":"a text"}],"idDps":"a text","tipoAmbiente":"a text","versaoAplicativo":"a text"}`},
	} {
		if form := formOf(t, test.answer.text); form != test.form || test.answer.status != test.status {
			t.Errorf("%s: %d %s", name, test.answer.status, form)
		}
	}
}
