package issnet

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/simulatortest"
)

func started(t *testing.T) (*Simulator, *http.Client) {
	t.Helper()
	simulator, err := Start(Options{})
	simulator = simulatortest.Started(t, simulator, err)
	certificate, err := simulator.NewCertificate(sefin.Subject{TaxID: "11222333000181"})
	if err != nil {
		t.Fatal(err)
	}
	return simulator, simulatortest.Connect(t, simulator.Roots(), &certificate)
}

const xmlns = ` xmlns="` + namespace + `"`

// requested is a message in its envelope, as a right client writes it.
func requested(operation, request, content string) string {
	return `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><` + operation + xmlns +
		`><nfseCabecMsg><cabecalho versao="1.01"` + xmlns +
		`><versaoDados>1.01</versaoDados></cabecalho></nfseCabecMsg>` +
		`<nfseDadosMsg><` + request + xmlns + `>` + content + `</` + request + `></nfseDadosMsg></` + operation +
		`></e:Body></e:Envelope>`
}

func post(t *testing.T, client *http.Client, address, operation, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "text/xml; charset=utf-8")
	request.Header["SOAPAction"] = []string{namespace + "/" + operation}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(content)
}

const (
	provider   = `<Prestador><CNPJ>11222333000181</CNPJ><IM>1</IM></Prestador>`
	asksDPS    = `<IdentificacaoDps><NumDPS>1</NumDPS><SerieDPS>00001</SerieDPS></IdentificacaoDps>`
	asksNumber = `<NumeroNfse>1</NumeroNfse><Pagina>1</Pagina>`
	smallDPS   = `<DPS` + xmlns + ` versao="1.01"><infDPS Id="DPS1"><tpAmb>1</tpAmb></infDPS></DPS>`
)

// What a wrong client sends is refused as the city's server refuses it.
func TestMessages(t *testing.T) {
	t.Parallel()
	simulator, client := started(t)
	find := requested("ConsultarNfseDps", "ConsultarNfseDpsEnvio", asksDPS+provider)
	issue := requested("GerarNfse", "GerarNfseEnvio", smallDPS)
	escapedIssue := strings.NewReplacer("<GerarNfseEnvio", "&lt;GerarNfseEnvio", "</GerarNfseEnvio>",
		"&lt;/GerarNfseEnvio>").Replace(requested("GerarNfse", "GerarNfseEnvio", "x"))
	for name, c := range map[string]struct{ operation, body, code string }{
		"a right question": {"ConsultarNfseDps", find, "E212"},
		"by number": {
			"ConsultarNfseServicoPrestado", requested("ConsultarNfseServicoPrestado",
				"ConsultarNfseServicoPrestadoEnvio", provider+asksNumber), "E212",
		},
		"provider first": {
			"ConsultarNfseDps", requested("ConsultarNfseDps", "ConsultarNfseDpsEnvio", provider+asksDPS), "E160",
		},
		"without IM":              {"ConsultarNfseDps", strings.Replace(find, "<IM>1</IM>", "", 1), "E160"},
		"zeros before the number": {"ConsultarNfseDps", strings.Replace(find, "<NumDPS>1<", "<NumDPS>01<", 1), "E160"},
		"version 1.00":            {"ConsultarNfseDps", strings.ReplaceAll(find, "1.01", "1.00"), "E183"},
		"escaped":                 {"GerarNfse", escapedIssue, "E160"},
		"DPS without a namespace": {"GerarNfse", strings.Replace(issue, "<DPS"+xmlns, "<DPS", 1), "E160"},
		"a namespace on a parent": {
			"GerarNfse", strings.Replace(issue, "<GerarNfseEnvio", `<GerarNfseEnvio xmlns:ns2="x"`, 1), "E0714",
		},
		"white space":          {"GerarNfse", strings.Replace(issue, "<tpAmb>", "\n<tpAmb>", 1), "E0714"},
		"a DPS that lacks all": {"GerarNfse", issue, "E160"},
		"an unknown operation": {"ConsultarTudo", find, "soap:Fault"},
	} {
		if _, answer := post(t, client, simulator.URL(), c.operation, c.body); !strings.Contains(answer, c.code) {
			t.Errorf("%s: not %s:\n%s", name, c.code, answer)
		}
	}
	if len(simulator.Ledger()) != 0 {
		t.Error("something was issued")
	}
}

// Who shows no certificate gets a page, and so does who asks elsewhere; a fault says nothing.
func TestTransport(t *testing.T) {
	t.Parallel()
	simulator, client := started(t)
	find := requested("ConsultarNfseDps", "ConsultarNfseDpsEnvio", asksDPS+provider)
	stranger := simulatortest.Connect(t, simulator.Roots(), nil)
	if status, answer := post(t, stranger, simulator.URL(), "ConsultarNfseDps", find); status != http.StatusForbidden ||
		!strings.Contains(answer, "<html>") {
		t.Errorf("without a certificate: %d %s", status, answer)
	}
	elsewhere := simulator.Base() + "/nfse.asmx"
	if status, _ := post(t, client, elsewhere, "ConsultarNfseDps", find); status != http.StatusNotFound {
		t.Errorf("elsewhere: %d", status)
	}
	failing := fault.Profile{Faults: []fault.Fault{{Kind: fault.Status, Status: 500}}}
	if err := simulator.SetFaultProfile(failing); err != nil {
		t.Fatal(err)
	}
	if status, answer := post(t, client, simulator.URL(), "ConsultarNfseDps", find); status != 500 ||
		!strings.Contains(answer, "<faultstring>Error</faultstring>") {
		t.Errorf("a fault: %d %s", status, answer)
	}
}

// How it behaves is set at run time, and so is what is controlled of every simulator.
func TestControl(t *testing.T) {
	t.Parallel()
	simulator, client := started(t)
	control := httptest.NewServer(simulator.Control())
	t.Cleanup(control.Close)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, control.URL+"/behaviour",
		strings.NewReader(`{"escaped":true,"off":["ConsultarNfseDps"],`+
			`"granted":{"11222333000181":[{"series":1,"first":1,"last":9}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(err, response)
	}
	response.Body.Close()
	_, answer := post(t, client, simulator.URL(), "ConsultarNfseDps",
		requested("ConsultarNfseDps", "ConsultarNfseDpsEnvio", asksDPS+provider))
	if !strings.Contains(answer, "&lt;Codigo&gt;E999") {
		t.Errorf("it does not behave as was set: %s", answer)
	}
	for _, what := range []string{"/ledger", "/faults", "/roots.pem", "/registry", "/behaviour"} {
		response, err := http.Get(control.URL + what)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %v", what, err)
			continue
		}
		response.Body.Close()
	}
}
