package shapes

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

const (
	key      = "33045572211222333000181000000000000426112345678905"
	document = "H4sIAAAAAAAA"
	issued   = `{"tipoAmbiente":2,"versaoAplicativo":"1.6","idDps":"NFS` + key + `","chaveAcesso":"` + key +
		`","nfseXmlGZipB64":"` + document + `","alertas":null}`
	refused = `{"tipoAmbiente":2,"idDPS":"DPS1","erros":[{"Codigo":"E0712","Descricao":"Não é possível"}]}`
	soap    = `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><GerarNfseResponse>` +
		`<GerarNfseResult><GerarNfseResposta><NFSe/></GerarNfseResposta></GerarNfseResult></GerarNfseResponse>` +
		`</soap:Body></soap:Envelope>`
)

// answers serves a body many times, in any form, and hands each answer to look.
func answers(t *testing.T, rates Rates, media, body string, look func(*http.Response, []byte, error)) (served int) {
	t.Helper()
	shapes := Any(7, rates)
	server := httptest.NewUnstartedServer(shapes.Between(http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) {
			served++
			w.Header().Set("Content-Type", media)
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, body)
		})))
	server.Listener = shapes.Listener(server.Listener)
	server.Start()
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 600 {
		response, err := client.Post(server.URL+"/SefinNacional/nfse", "application/json", strings.NewReader("{}"))
		if err != nil {
			look(nil, nil, err)
			continue
		}
		content, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		look(response, content, err)
	}
	return served
}

// What decides is in every form of an answer, and every form is drawn.
func TestBetween_JSON(t *testing.T) {
	seen := map[string]int{}
	answers(t, Rates{}, "application/json", issued, func(r *http.Response, body []byte, err error) {
		if err != nil || r.StatusCode != http.StatusCreated {
			t.Fatalf("%v %v", r, err)
		}
		var members map[string]any
		if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\uFEFF")), &members); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		if !bytes.Contains(body, []byte(`"`+key+`"`)) || !bytes.Contains(body, []byte(document)) {
			t.Errorf("the document is not in %s", body)
		}
		for name, value := range members {
			switch value.(type) {
			case nil:
				name += " null"
			case []any, map[string]any:
				name += " nested"
			}
			seen[name]++
		}
		if _, has := members["tipoAmbiente"]; !has {
			seen["no tipoAmbiente"]++
		}
		if bytes.HasPrefix(body, []byte("\uFEFF")) {
			seen["BOM"]++
		}
		if r.ContentLength < 0 {
			seen["chunked"]++
		}
		seen[r.Header.Get("Content-Type")]++
	})
	for _, form := range []string{"chaveAcesso", "ChaveAcesso", "tipoAmbiente null", "no tipoAmbiente", "erros null",
		"erro nested", "alertas nested", "traceId", "BOM", "chunked", "", "text/plain", "text/json"} {
		if seen[form] == 0 {
			t.Errorf("no answer has %q", form)
		}
	}
}

// A refusal is the same in every form of it.
func TestBetween_Refusals(t *testing.T) {
	forms := map[string]bool{}
	form := regexp.MustCompile(`(?i)"erros?":\s*[\[{]`)
	answers(t, Rates{}, "application/json", refused, func(_ *http.Response, body []byte, err error) {
		if err != nil || !bytes.Contains(body, []byte(`"E0712"`)) {
			t.Errorf("%v %s", err, body)
		}
		forms[strings.Join(strings.Fields(string(form.Find(body))), "")] = true
	})
	for _, want := range []string{`"erros":[`, `"erros":{`, `"erro":[`, `"erro":{`, `"Erro":{`} {
		if !forms[want] {
			t.Errorf("no refusal has the form %s: %v", want, forms)
		}
	}
}

func TestBetween_XML(t *testing.T) {
	forms := map[string]int{}
	answers(t, Rates{}, "text/xml; charset=utf-8", soap, func(_ *http.Response, body []byte, err error) {
		text := string(body)
		switch {
		case err != nil:
			t.Error(err)
		case strings.Contains(text, "<GerarNfseResult>&lt;GerarNfseResposta"):
			forms["escaped"]++
		case strings.Contains(text, "<GerarNfseResult><GerarNfseResposta"):
			forms["literal"]++
		case strings.Contains(text, "<GerarNfseResponse><GerarNfseResposta"):
			forms["without result"]++
		}
		if strings.Contains(text, "<SOAP-ENV:Body>") {
			forms["prefix"]++
		}
		if strings.Contains(text, "<?xml") {
			forms["declaration"]++
		}
	})
	if len(forms) != 5 {
		t.Errorf("not all forms are drawn: %v", forms)
	}
}

// Some requests are lost, or answered by gateways, before and after they were served.
func TestBetween_Rates(t *testing.T) {
	seen, whole := map[string]int{}, 0
	served := answers(t, Rates{Lost: 0.3, Pages: 0.3, Certificates: 0.1, Handshakes: 0.1}, "application/json", issued,
		func(r *http.Response, _ []byte, err error) {
			switch {
			case errors.Is(err, io.ErrUnexpectedEOF):
				seen["cut"]++
			case err != nil:
				seen["closed"]++
			case r.StatusCode == http.StatusCreated:
				whole++
			default:
				seen[r.Status[:3]]++
			}
		})
	for _, form := range []string{"cut", "closed", "400", "403", "404", "429", "495", "496", "500", "501", "502", "503",
		"504"} {
		if seen[form] == 0 {
			t.Errorf("nothing is %s: %v", form, seen)
		}
	}
	if whole == 0 || served <= whole+seen["cut"] {
		t.Errorf("%d were served, %d came whole, %v", served, whole, seen)
	}
}

// A handler that cuts its connection has it cut.
func TestBetween_CutByTheHandler(t *testing.T) {
	server := httptest.NewServer(Any(1, Rates{}).Between(http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10")
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			connection, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_ = connection.Close()
		})))
	defer server.Close()
	response, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(bufio.NewReader(response.Body))
	if string(got) != "half" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q %v", got, err)
	}
}
