package sefin_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/simulatortest"
)

const (
	issuer = "11222333000181"
	taker  = "11444777000161"
	person = "52998224725"
)

// morning is when the tests happen, for the simulator.
var morning = simulatortest.Morning

// clock stands still at morning, until it is advanced.
type clock = simulatortest.Clock

// start runs a simulator whose clock stands still.
func start(t *testing.T, options sefin.Options) *sefin.Simulator {
	t.Helper()
	if options.Clock == nil {
		options.Clock = new(clock).Now
	}
	simulator, err := sefin.Start(options)
	return simulatortest.Started(t, simulator, err)
}

// startWithIssuer runs a simulator, with the client of a company that issues.
func startWithIssuer(t *testing.T) (*sefin.Simulator, *client) {
	t.Helper()
	simulator := start(t, sefin.Options{})
	return simulator, newClient(t, simulator, sefin.Subject{TaxID: issuer})
}

// client is a company's: its certificate, and connections that present it.
type client struct {
	t           testing.TB
	simulator   *sefin.Simulator
	certificate *tls.Certificate
	http        *http.Client
}

func newClient(t testing.TB, simulator *sefin.Simulator, subject sefin.Subject) *client {
	t.Helper()
	certificate, err := simulator.NewCertificate(subject)
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, simulator, &certificate)
}

func connect(t testing.TB, simulator *sefin.Simulator, certificate *tls.Certificate) *client {
	presenting := simulatortest.Connect(t, simulator.Roots(), certificate)
	return &client{t, simulator, certificate, presenting}
}

// reply is a response, read.
type reply struct {
	status int
	header http.Header
	text   []byte
	body   map[string]any
}

func (c *client) do(ctx context.Context, method, url string, body any) (reply, error) {
	c.t.Helper()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, url, content)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("User-Agent", "simulator-test")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}, err
	}
	read := reply{status: response.StatusCode, header: response.Header, text: text}
	_ = json.Unmarshal(text, &read.body) // what is no object stays in text
	return read, nil
}

func (c *client) must(method, url string, body any) reply {
	c.t.Helper()
	answer, err := c.do(c.t.Context(), method, url, body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

func (c *client) get(path string) reply {
	c.t.Helper()
	return c.must("GET", c.simulator.URL()+path, nil)
}

// post sends a DPS, and may meet a cut connection.
func (c *client) post(document string) (reply, error) {
	c.t.Helper()
	return c.postWithin(c.t.Context(), document)
}

func (c *client) postWithin(ctx context.Context, document string) (reply, error) {
	c.t.Helper()
	return c.do(ctx, "POST", c.simulator.URL()+"/nfse", map[string]any{"dpsXmlGZipB64": pack(document)})
}

func (c *client) issue(document string) reply {
	c.t.Helper()
	answer, err := c.post(document)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer
}

func (c *client) cancel(key, request string) reply {
	c.t.Helper()
	body := map[string]any{"pedidoRegistroEventoXmlGZipB64": pack(request)}
	return c.must("POST", c.simulator.URL()+"/nfse/"+key+"/eventos", body)
}

// issued issues a document that must pass, and returns its access key.
func (c *client) issued(document string) string {
	c.t.Helper()
	answer := c.issue(document)
	if answer.status != http.StatusCreated {
		c.t.Fatalf("the document was not issued: %d %s", answer.status, answer.text)
	}
	return answer.body["chaveAcesso"].(string)
}

// refused are the entries of erros or erro, with their names in small letters.
func (r reply) refused() (entries []map[string]string) {
	list, _ := r.body["erros"].([]any)
	switch erro := r.body["erro"].(type) {
	case []any:
		list = erro
	case map[string]any:
		list = []any{erro}
	}
	for _, one := range list {
		entry := map[string]string{}
		for name, value := range one.(map[string]any) {
			entry[strings.ToLower(name)], _ = value.(string)
		}
		entries = append(entries, entry)
	}
	return entries
}

// codes returns the codes of erros or erro.
func (r reply) codes() string {
	var codes []string
	for _, entry := range r.refused() {
		codes = append(codes, entry["codigo"])
	}
	return strings.Join(codes, " ")
}

func (r reply) complement() string {
	if refused := r.refused(); len(refused) > 0 {
		return refused[0]["complemento"]
	}
	return ""
}
