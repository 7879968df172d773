package sefin_test

import (
	"crypto"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/server"
)

// cityClient calls the server of a city as a company does.
type cityClient struct {
	*client
	city sefin.City
}

// startCity plays one city, which the client of a company calls.
func startCity(t *testing.T, name string, changed ...func(*sefin.City)) cityClient {
	t.Helper()
	city, err := sefin.CityNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changed {
		change(&city)
	}
	simulator := start(t, sefin.Options{Cities: []sefin.City{city}})
	return cityClient{newClient(t, simulator, sefin.Subject{TaxID: issuer}), city}
}

// cityProfile is how cities have documents signed.
var cityProfile = profile{usual.canonical, crypto.SHA1}

// named adds to a signature what names its certificate.
func (c *client) named(signature string) string {
	leaf, err := x509.ParseCertificate(c.certificate.Certificate[0])
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.Replace(signature, "<X509Certificate>", fmt.Sprintf("<X509SubjectName>%s</X509SubjectName>"+
		"<X509IssuerSerial><X509IssuerName>%s</X509IssuerName><X509SerialNumber>%s</X509SerialNumber>"+
		"</X509IssuerSerial><X509Certificate>", leaf.Subject, leaf.Issuer, leaf.SerialNumber), 1)
}

// unsigned is a DPS as its city takes it, but for its signature.
func (c cityClient) unsigned(number int, changes ...change) string {
	c.t.Helper()
	text := infDPS(c.t, number, change{"<serie>1<", "<serie>10001<"}, change{"00001000000000", "10001000000000"},
		change{"</CNPJ><regTrib>", "</CNPJ><IM>998877</IM><regTrib>"},
		change{"</cTribNac>", "</cTribNac><cTribMun>001</cTribMun>"})
	text = strings.ReplaceAll(text, "3304557", c.city.Municipality)
	text = strings.Replace(text, "<cMun>"+c.city.Municipality, "<cMun>3304557", 1) // the taker's
	return apply(c.t, text, changes)
}

func (c cityClient) dps(number int, changes ...change) string {
	c.t.Helper()
	signed := c.unsigned(number, changes...)
	return wrap("DPS", signed, c.named(c.signature(signed, cityProfile)))
}

func (c cityClient) url() string { return c.simulator.CityURL(c.city.Name) }

func (c cityClient) send(document string) reply {
	c.t.Helper()
	path := "/nfse"
	if c.city.OldPaths {
		path = "/dps"
	}
	return c.must("POST", c.url()+path, map[string]any{"dpsXmlGZipB64": pack(document)})
}

// issued issues a document that must pass, and returns its access key without a prefix.
func (c cityClient) issued(document string) string {
	c.t.Helper()
	answer := c.send(document)
	key, _ := answer.body["chaveAcesso"].(string)
	if answer.status != http.StatusCreated {
		c.t.Fatalf("the document was not issued: %d %s", answer.status, answer.text)
	}
	return strings.TrimPrefix(key, "NFS")
}

func (c cityClient) cancelled(key string) reply {
	c.t.Helper()
	request := strings.SplitN(c.eventRequest(key, "101101"), "<infPedReg", 2)[1]
	signed := "<infPedReg" + strings.SplitN(request, "<Signature", 2)[0]
	document := wrap("pedRegEvento", signed, c.named(c.signature(signed, cityProfile)))
	return c.must("POST", c.url()+"/nfse/"+key+"/eventos",
		map[string]any{"pedidoRegistroEventoXmlGZipB64": pack(document)})
}

// refusal is the code of the first refusal, or its words where it has none.
func (r reply) refusal(list string) string {
	var body map[string][]struct{ Codigo, Mensagem string }
	var raw map[string]json.RawMessage
	_ = json.Unmarshal(r.text, &raw)
	_ = json.Unmarshal([]byte(`{"list":`+string(raw[list])+`}`), &body)
	if len(body["list"]) == 0 {
		return ""
	}
	if code := body["list"][0].Codigo; code != "" {
		return code
	}
	return body["list"][0].Mensagem
}

// A note of a city's own: with the city's key, found by DPS and key, the same no matter what becomes of it, cancelled
// once, and shared with the national system, which does not cancel it.
func TestCity_Issues(t *testing.T) {
	for _, name := range []string{"teresina", "campinas", "campo-grande"} {
		t.Run(name, func(t *testing.T) {
			c := startCity(t, name)
			answer := c.send(c.dps(1))
			named, _ := answer.body["chaveAcesso"].(string)
			key, prefixed := strings.CutPrefix(named, "NFS")
			if answer.status != http.StatusCreated || len(key) != 50 || prefixed == c.city.BareKey || key[7] != '1' {
				t.Fatalf("it answers %d %s", answer.status, answer.text)
			}
			id := "DPS" + c.city.Municipality + "211222333000181" + "10001" + "000000000000001"
			found := c.must("GET", c.url()+"/nfse/dps/"+id, nil)
			if _, repeated := found.body["idDps"]; found.status != http.StatusOK || found.body["chaveAcesso"] != named ||
				repeated != c.city.RepeatsID {
				t.Errorf("by DPS: %d %s", found.status, found.text)
			}
			before := c.must("GET", c.url()+"/nfse/NFS"+key, nil)
			if document := unpack(t, before.body["nfseXmlGZipB64"]); !strings.Contains(document, "<ambGer>1</ambGer>") {
				t.Errorf("the document: %s", document)
			}
			if first := c.cancelled(key); first.status != http.StatusCreated || first.body["eventoXmlGZipB64"] == nil {
				t.Errorf("cancelled: %d %s", first.status, first.text)
			}
			again := c.cancelled(key)
			list := map[bool]string{true: "alertas", false: "erros"}[c.city.Refuses == "alertas"]
			if again.status != http.StatusBadRequest ||
				again.refusal(list) != "Nota fiscal não está ativa. Situação atual Cancelada" {
				t.Errorf("cancelled again: %d %s", again.status, again.text)
			}
			after := c.must("GET", c.url()+"/nfse/"+key, nil)
			if after.body["nfseXmlGZipB64"] != before.body["nfseXmlGZipB64"] || strings.Contains(string(after.text), "evento") {
				t.Errorf("the cancellation is to be seen: %s", after.text)
			}
			if shared := c.get("/nfse/" + key); shared.status != http.StatusOK {
				t.Errorf("at the national system: %d", shared.status)
			}
			if other := c.get("/dps/" + id); other.status != http.StatusNotFound {
				t.Errorf("its DPS at the national system: %d", other.status)
			}
			if refused := c.cancel(key, c.eventRequest(key, "101101")); refused.codes() != "E0831" {
				t.Errorf("cancelled at the national system: %s", refused.text)
			}
			if entry := c.simulator.Ledger()[0]; entry.City != name || !entry.Cancelled || entry.SecondOf != "" {
				t.Errorf("the ledger: %+v", entry)
			}
			if national := c.issue(c.client.wrap("DPS", c.unsigned(2))); national.codes() != "E0039" {
				t.Errorf("issued nationally: %s", national.text)
			}
		})
	}
}

func TestCity_Refuses(t *testing.T) {
	c := startCity(t, "teresina", func(city *sefin.City) { city.Codes = map[string][]string{"010701": {"001"}} })
	for name, one := range map[string]struct {
		document string
		want     string
	}{
		"another city": {c.dps(1, change{"<cLocEmi>2211001", "<cLocEmi>3304557"},
			change{"DPS2211001", "DPS3304557"}), "L0005"},
		"no registration": {c.dps(1, change{"<IM>998877</IM>", ""}), "L0005"},
		"another's series": {c.dps(1, change{"<serie>10001", "<serie>10000"},
			change{"10001000000000", "10000000000000"}), "L0022"},
		"no code of its own": {c.dps(1, change{"<cTribMun>001</cTribMun>", ""}), "L0017"},
		"a code not tied":    {c.dps(1, change{"<cTribMun>001", "<cTribMun>002"}), "L0001"},
		"a dotted code":      {c.dps(1, change{"<cTribMun>001", "<cTribMun>0.1"}), "E1235"},
		"in Simples": {c.dps(1, change{"<opSimpNac>1<", "<opSimpNac>3<"},
			change{"</opSimpNac>", "</opSimpNac><regApTribSN>1</regApTribSN>"}),
			"Contribuinte do Simples Nacional: emita pelo emissor nacional."},
		"SHA-256": {c.client.wrap("DPS", c.unsigned(1)), "E0714"},
		"exclusive": {wrap("DPS", c.unsigned(1),
			c.named(c.signature(c.unsigned(1), profile{exclusive, crypto.SHA1}))), "E0714"},
		"the leaf alone": {wrap("DPS", c.unsigned(1), c.signature(c.unsigned(1), cityProfile)), "E0714"},
		"a prefix": {strings.NewReplacer("<DPS ", "<n:DPS xmlns:n=\""+namespace+"\" ", "</DPS>",
			"</n:DPS>").Replace(c.dps(1)), "E1228"},
		"a national reason": {c.dps(1, change{"<cTribNac>010701", "<cTribNac>990701"}), "E0310"},
	} {
		answer := c.send(one.document)
		if got := answer.refusal("erros"); answer.status != http.StatusBadRequest || got != one.want {
			t.Errorf("%s: %d %s", name, answer.status, answer.text)
		}
	}
	if issued := c.simulator.Ledger(); len(issued) > 0 {
		t.Errorf("issued all the same: %+v", issued)
	}
	registration := "112233"
	c.simulator.SetRegistry(sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{
		issuer: {MunicipalRegistration: &registration},
	}})
	if answer := c.send(c.dps(1)); answer.refusal("erros") != "L0005" {
		t.Errorf("another registration: %s", answer.text)
	}
}

const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"

// What is asked in another way than the city has it.
func TestCity_Transport(t *testing.T) {
	c := startCity(t, "teresina")
	own := &http.Client{Transport: c.http.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	call := func(method, address, media, agent string) *http.Response {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", media)
		request.Header.Set("User-Agent", agent)
		response, err := own.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response
	}
	older := strings.Replace(c.url(), "/notafiscal-ws", "/notafiscal-adn-ws/api/adn", 1)
	for name, one := range map[string]struct {
		method, address, media, agent string
		status                        int
		says                          string
	}{
		"GET of /nfse":    {"GET", c.url() + "/nfse", "", "own", 405, ""},
		"HEAD of a DPS":   {"HEAD", c.url() + "/nfse/dps/DPS1", "", "own", 405, ""},
		"XML":             {"POST", c.url() + "/nfse", "application/xml", "own", 415, ""},
		"the older paths": {"POST", older + "/dps", "application/json", "own", 302, ""},
		"another folder":  {"POST", strings.Replace(c.url(), "-ws", "", 1) + "/nfse", "application/json", "own", 404, ""},
		"no own name":     {"POST", c.url() + "/nfse", "application/json", "Go-http-client/1.1", 200, "text/html"},
		"another city":    {"POST", strings.Replace(c.url(), "teresina", "picos", 1) + "/nfse", "", "own", 404, ""},
	} {
		answer := call(one.method, one.address, one.media, one.agent)
		if answer.StatusCode != one.status || !strings.HasPrefix(answer.Header.Get("Content-Type"), one.says) {
			t.Errorf("%s: %d %s", name, answer.StatusCode, answer.Header)
		}
		if one.status == 302 && answer.Header.Get("Location") != "/cities/teresina/notafiscal-ws/nfse" {
			t.Errorf("it names %s", answer.Header.Get("Location"))
		}
	}
	stranger := cityClient{connect(t, c.simulator, nil), c.city}
	id := "DPS2211001211222333000181" + "10001" + "000000000000001"
	stranger.city.Challenges, c.city.Challenges = false, false
	if err := c.simulator.SetCities([]sefin.City{c.city}); err != nil {
		t.Fatal(err)
	}
	if answer := stranger.must("GET", stranger.url()+"/nfse/dps/"+id, nil); answer.status != 404 ||
		answer.body["tipoAmbiente"] != "2" || answer.refusal("erros") != "" {
		t.Errorf("a question without a certificate: %d %s", answer.status, answer.text)
	}
	key := c.issued(c.dps(1))
	if answer := stranger.must("GET", stranger.url()+"/nfse/"+key, nil); answer.status != 200 {
		t.Errorf("a note without a certificate: %d %s", answer.status, answer.text)
	}
	for key, want := range map[string]string{
		accesskey.Neighbour(key): "E0044", key[1:]: "A chave de acesso deve ter 50 dígitos.",
	} {
		if answer := stranger.must("GET", stranger.url()+"/nfse/"+key, nil); answer.status != 400 ||
			answer.refusal("erros") != want {
			t.Errorf("%s: %d %s", key, answer.status, answer.text)
		}
	}
	if answer := stranger.send(c.dps(2)); answer.status != 400 || answer.refusal("erros") != "E1200" {
		t.Errorf("a sending without a certificate: %d %s", answer.status, answer.text)
	}
}

// What a city does by switch.
func TestCity_Switches(t *testing.T) {
	wrong := change{"<cTribMun>001</cTribMun>", ""}
	t.Run("alerts under success", func(t *testing.T) {
		c := startCity(t, "campinas")
		answer := c.send(c.dps(1, wrong))
		if answer.status != 200 || answer.refusal("alertas") != "L0017" || answer.body["versaoAplicativo"] != "1.0" {
			t.Errorf("%d %s", answer.status, answer.text)
		}
	})
	t.Run("words alone", func(t *testing.T) {
		c := startCity(t, "campinas", func(city *sefin.City) { city.Wordless = true })
		if answer := c.send(c.dps(1, wrong)); !strings.Contains(answer.refusal("alertas"), "municipal não informado") {
			t.Errorf("%d %s", answer.status, answer.text)
		}
	})
	t.Run("a second sending is refused", func(t *testing.T) {
		c := startCity(t, "campinas")
		c.issued(c.dps(1))
		if answer := c.send(c.dps(1)); answer.refusal("alertas") != "E0014" {
			t.Errorf("%d %s", answer.status, answer.text)
		}
	})
	t.Run("a second sending makes a second note", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "simulator")
		city, _ := sefin.CityNamed("campinas")
		city.SecondNote = true
		options := sefin.Options{Options: server.Options{Dir: dir}, Cities: []sefin.City{city}}
		first := start(t, options)
		c := cityClient{newClient(t, first, sefin.Subject{TaxID: issuer}), city}
		key, other := c.issued(c.dps(1)), c.issued(c.dps(1))
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		second := start(t, options)
		c.client = connect(t, second, c.certificate)
		ledger := second.Ledger()
		if len(ledger) != 2 || key == other || ledger[0].SecondOf != "" || ledger[1].SecondOf != key {
			t.Errorf("the ledger: %+v", ledger)
		}
		found := c.must("GET", c.url()+"/nfse/dps/"+ledger[0].DPSID, nil)
		if found.body["chaveAcesso"] != key {
			t.Errorf("found: %s", found.text)
		}
	})
	t.Run("the older edition", func(t *testing.T) {
		c := startCity(t, "belem", func(city *sefin.City) { city.SaysE0044 = true })
		key := c.issued(c.dps(1))
		id := c.simulator.Ledger()[0].DPSID
		found := c.must("GET", c.url()+"/dps/"+id, nil)
		if found.status != 200 || found.body["chaveAcesso"] != key || found.body["tipoAmbiente"] != float64(2) {
			t.Errorf("found: %s", found.text)
		}
		missing := c.must("GET", c.url()+"/dps/"+id[:44]+"2", nil)
		if missing.status != 404 || missing.refusal("erros") != "E0044" {
			t.Errorf("not found: %d %s", missing.status, missing.text)
		}
	})
	t.Run("the first call", func(t *testing.T) {
		c := startCity(t, "campinas", func(city *sefin.City) { city.FirstCall = sefin.Duration(300 * time.Millisecond) })
		began := time.Now()
		c.must("GET", c.url()+"/nfse/1", nil)
		if took := time.Since(began); took < 300*time.Millisecond {
			t.Errorf("it took %s", took)
		}
	})
}

// What goes wrong at a city is said as it says things.
func TestCity_Faults(t *testing.T) {
	c := startCity(t, "campinas")
	set := func(faults ...sefin.Fault) {
		t.Helper()
		if err := c.simulator.SetFaultProfile(sefin.FaultProfile{Faults: faults}); err != nil {
			t.Fatal(err)
		}
	}
	set(sefin.Fault{Kind: sefin.Status, Status: 500, Body: "erros", Code: "L9999", Scope: sefin.Issue, After: true})
	if answer := c.send(c.dps(1)); answer.status != 500 || answer.refusal("alertas") != "L9999" {
		t.Errorf("%d %s", answer.status, answer.text)
	}
	set(sefin.Fault{Kind: sefin.Reject, Code: "L9999", Scope: sefin.Issue})
	if answer := c.send(c.dps(2)); answer.status != 200 || answer.refusal("alertas") != "L9999" {
		t.Errorf("%d %s", answer.status, answer.text)
	}
	if issued := c.simulator.Ledger(); len(issued) != 1 {
		t.Errorf("issued: %+v", issued)
	}
	set()
	other := c.issued(c.dps(2))
	set(sefin.Fault{Kind: sefin.OtherDocument, Scope: sefin.Query})
	found := c.must("GET", c.url()+"/nfse/dps/"+c.simulator.Ledger()[0].DPSID, nil)
	if found.status != 200 || found.body["chaveAcesso"] != other {
		t.Errorf("another's key: %s", found.text)
	}
}

func TestSetCities_RefusesWhatIsNone(t *testing.T) {
	c := startCity(t, "campinas")
	control := controller{c.simulator.Control()}
	for _, wrong := range []string{
		`[{"name":"Campinas","municipality":"3509502"}]`, `[{"name":"campinas","municipality":"35"}]`,
		`[{"name":"a1","municipality":"3509502"},{"name":"a1","municipality":"3509502"}]`,
		`[{"name":"campinas","municipality":"3509502","refuses":"avisos"}]`, `[{"name":"campinas","city":"3509502"}]`,
	} {
		if answer := control.call("PUT", "/cities", wrong); answer.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", wrong, answer.Code)
		}
	}
	put := control.call("PUT", "/cities", `[{"name":"belem","municipality":"1501402"}]`)
	if put.Code != http.StatusNoContent {
		t.Errorf("%d %s", put.Code, put.Body)
	}
	if played := c.simulator.Cities(); len(played) != 1 || played[0].Name != "belem" {
		t.Errorf("%+v", played)
	}
	if _, err := sefin.CityNamed("picos"); err == nil {
		t.Error("a city that is not known has a name")
	}
}
