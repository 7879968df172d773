package saopaulo_test

import (
	"bytes"
	"crypto/tls"
	"encoding/xml"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// city is the smallest that does what matters: it makes notes of RPSs, cancels the
// first when one comes again, shows what it made a while later, and loses answers.
type city struct {
	mutex sync.Mutex
	url   string
	roots *http.Transport // whose roots are the city's

	now    time.Duration
	notes  []*cityNote
	behind time.Duration // after which a note is shown
	fault  string        // of the next call: "lost", "unanswered", "shut"
	wrong  int           // cancellations that it still finds signed wrongly
}

type cityNote struct {
	number    int
	key       rpsXML
	shows     time.Duration
	cancelled bool
}

type rpsXML struct {
	Registration string `xml:"ChaveRPS>InscricaoPrestador"`
	Series       string `xml:"ChaveRPS>SerieRPS"`
	Number       string `xml:"ChaveRPS>NumeroRPS"`
	Date         string `xml:"DataEmissao"`
	Code         string `xml:"CodigoServico"`
	CNPJ         string `xml:"CPFCNPJTomador>CNPJ"`
	CPF          string `xml:"CPFCNPJTomador>CPF"`
	Text         string `xml:"Discriminacao"`
	Amount       string `xml:"ValorFinalCobrado"`
}

func (k rpsXML) same(other rpsXML) bool {
	return k.Registration == other.Registration && k.Series == other.Series && k.Number == other.Number
}

func newCity(t testing.TB) *city {
	t.Helper()
	c := new(city)
	server := httptest.NewUnstartedServer(c)
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	c.url, c.roots = server.URL, server.Client().Transport.(*http.Transport)
	return c
}

func (c *city) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	body, _ := io.ReadAll(r.Body)
	fault := c.fault
	c.fault = ""
	if fault == "shut" {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	var answer string
	if fault != "lost" {
		answer = c.answer(r.Header.Get("SOAPAction"), body)
	}
	if fault != "" {
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_ = conn.Close()
		}
		return
	}
	_, _ = io.WriteString(w, answer)
}

func (c *city) answer(action string, body []byte) string {
	var envelope struct {
		Inside struct {
			Messages []struct {
				Text string `xml:"MensagemXML"`
			} `xml:",any"`
		} `xml:"Body"`
	}
	if xml.Unmarshal(body, &envelope) != nil || len(envelope.Inside.Messages) != 1 {
		return "?"
	}
	message := []byte(envelope.Inside.Messages[0].Text)
	switch action[strings.LastIndex(action, "/")+1:] {
	case `envioRPS"`:
		return c.issue(message)
	case `consultaNFe"`:
		return c.find(message)
	case `cancelamentoNFe"`:
		return c.cancel(message)
	}
	return "?"
}

func (c *city) issue(message []byte) string {
	var request struct{ RPS rpsXML }
	_ = xml.Unmarshal(message, &request)
	var alert string
	for _, note := range c.notes {
		if note.key.same(request.RPS) && !note.cancelled {
			note.cancelled = true
			alert = fmt.Sprintf(`<Alerta xmlns=""><Codigo>217</Codigo><Descricao>RPS reenviado. A NF-e (%d) `+
				`referente ao RPS foi cancelada e uma nova NF-e foi emitida.</Descricao></Alerta>`, note.number)
		}
	}
	made := &cityNote{number: len(c.notes) + 1, key: request.RPS, shows: c.now + c.behind}
	c.notes = append(c.notes, made)
	return wrap("EnvioRPS", "RetornoEnvioRPS", true, alert+`<ChaveNFeRPS xmlns="">`+made.chave()+made.chaveRPS()+
		`</ChaveNFeRPS>`)
}

func (n *cityNote) chave() string {
	return fmt.Sprintf(`<ChaveNFe><InscricaoPrestador>%s</InscricaoPrestador><NumeroNFe>%d</NumeroNFe>`+
		`<CodigoVerificacao>ABCD%04d</CodigoVerificacao></ChaveNFe>`, n.key.Registration, n.number, n.number)
}

func (n *cityNote) chaveRPS() string {
	return `<ChaveRPS><InscricaoPrestador>` + n.key.Registration + `</InscricaoPrestador><SerieRPS>` + n.key.Series +
		`</SerieRPS><NumeroRPS>` + n.key.Number + `</NumeroRPS></ChaveRPS>`
}

func (c *city) find(message []byte) string {
	var request struct {
		Details []struct {
			rpsXML
			Note int `xml:"ChaveNFe>NumeroNFe"`
		} `xml:"Detalhe"`
	}
	_ = xml.Unmarshal(message, &request)
	var found string
	for _, detail := range request.Details {
		for _, note := range c.notes {
			if (note.key.same(detail.rpsXML) || detail.Note == note.number) && note.shows <= c.now {
				found += note.document()
			}
		}
	}
	if found == "" {
		return wrap("ConsultaNFe", "RetornoConsulta", false,
			`<Erro xmlns=""><Codigo>1106</Codigo><Descricao>NF-e não encontrada.</Descricao></Erro>`)
	}
	return wrap("ConsultaNFe", "RetornoConsulta", true, found)
}

func (n *cityNote) document() string {
	var text bytes.Buffer
	_ = xml.EscapeText(&text, []byte(n.key.Text))
	status := "N"
	if n.cancelled {
		status = "C"
	}
	return `<NFe xmlns="">` + n.chave() + `<DataEmissaoNFe>2026-11-22T10:00:00</DataEmissaoNFe>` + n.chaveRPS() +
		`<DataEmissaoRPS>` + n.key.Date + `</DataEmissaoRPS><StatusNFe>` + status + `</StatusNFe><ValorServicos>` +
		n.key.Amount + `</ValorServicos><CodigoServico>` + n.key.Code + `</CodigoServico><CPFCNPJTomador>` +
		element("CPF", n.key.CPF) + element("CNPJ", n.key.CNPJ) + `</CPFCNPJTomador><Discriminacao>` + text.String() +
		`</Discriminacao></NFe>`
}

func element(name, text string) string {
	if text == "" {
		return ""
	}
	return "<" + name + ">" + text + "</" + name + ">"
}

func (c *city) cancel(message []byte) string {
	var request struct {
		Number int `xml:"Detalhe>ChaveNFe>NumeroNFe"`
	}
	_ = xml.Unmarshal(message, &request)
	if c.wrong > 0 {
		c.wrong--
		return wrap("CancelamentoNFe", "RetornoCancelamentoNFe", false,
			`<Erro xmlns=""><Codigo>1305</Codigo><Descricao>Assinatura incorreta.</Descricao></Erro>`)
	}
	note := c.notes[request.Number-1]
	var alert string
	if note.cancelled {
		alert = `<Alerta xmlns=""><Codigo>1301</Codigo><Descricao>NF-e já cancelada.</Descricao></Alerta>`
	}
	note.cancelled = true
	return wrap("CancelamentoNFe", "RetornoCancelamentoNFe", true, alert)
}

func wrap(operation, root string, success bool, inside string) string {
	document := `<` + root + ` xmlns="http://www.prefeitura.sp.gov.br/nfe"><Cabecalho xmlns="" Versao="2"><Sucesso>` +
		fmt.Sprint(success) + `</Sucesso></Cabecalho>` + inside + `</` + root + `>`
	var escaped bytes.Buffer
	_ = xml.EscapeText(&escaped, []byte(document))
	return `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><` + operation +
		`Response xmlns="http://www.prefeitura.sp.gov.br/nfe"><RetornoXML>` + escaped.String() + `</RetornoXML></` +
		operation + `Response></s:Body></s:Envelope>`
}
