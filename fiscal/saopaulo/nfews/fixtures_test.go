package nfews

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
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/saopaulo/rps"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse/fact"
)

const (
	nationalKey = "35503081211222333000181000000000000926111234567890"
	okHeader    = `<Cabecalho xmlns="" Versao="2"><Sucesso>true</Sucesso></Cabecalho>`
	noHeader    = `<Cabecalho xmlns="" Versao="2"><Sucesso>false</Sucesso></Cabecalho>`
	rpsKey      = `<ChaveRPS><InscricaoPrestador>31000000</InscricaoPrestador><SerieRPS>1</SerieRPS>` +
		`<NumeroRPS>42</NumeroRPS></ChaveRPS>`
)

var key = rps.Key{Registration: "31000000", Series: "1", Number: 42}

// issuing is a request for a note, and cancelling one to cancel the note 9.
func issuing(t testing.TB) fiscal.Request {
	t.Helper()
	message, err := rps.Signer{}.SignDeclaration(saopaulotest.Declaration(), nationaltest.Credentials(t),
		saopaulotest.At)
	if err != nil {
		t.Fatal(err)
	}
	return fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{message}, CorrelationID: "1"}
}

func cancelling(t testing.TB) fiscal.Request {
	t.Helper()
	message, err := rps.Signer{}.SignCancellation(
		fiscal.CancellationRequest{AccessKey: nationalKey, Number: "9", Issuer: saopaulotest.Issuer()},
		nationaltest.Credentials(t), saopaulotest.At)
	if err != nil {
		t.Fatal(err)
	}
	return fiscal.Request{Kind: fiscal.Cancel, Messages: []fiscal.Message{message}, AccessKey: nationalKey}
}

func access(t testing.TB) fiscal.Access {
	return fiscal.Access{Production: true, Credentials: nationaltest.Credentials(t)}
}

// retornoOf is the document of an answer.
func retornoOf(what operation, parts ...string) string {
	return `<` + what.answer + ` xmlns="` + rps.Namespace + `">` + strings.Join(parts, "") + `</` + what.answer + `>`
}

func noteKey(number int) string {
	return fmt.Sprintf(`<ChaveNFe><InscricaoPrestador>31000000</InscricaoPrestador><NumeroNFe>%d</NumeroNFe>`+
		`<CodigoVerificacao>ABCD1234</CodigoVerificacao><ChaveNotaNacional>%s</ChaveNotaNacional></ChaveNFe>`, number,
		nationalKey)
}

func pair(number int) string {
	return `<ChaveNFeRPS xmlns="">` + noteKey(number) + rpsKey + `</ChaveNFeRPS>`
}

func alert(code, text string) string { return eventOf("Alerta", code, text) }
func failure(code, text string) string {
	return eventOf("Erro", code, text)
}

func eventOf(name, code, text string) string {
	return `<` + name + ` xmlns=""><Codigo>` + code + `</Codigo><Descricao>` + text + `</Descricao></` + name + `>`
}

// noteOf is a note as it is found; the replacements change it.
func noteOf(number int, status string, replacements ...string) string {
	note := `<NFe xmlns="">` + noteKey(number) + `<DataEmissaoNFe>2026-11-22T10:00:00</DataEmissaoNFe>` + rpsKey +
		`<TipoRPS>RPS</TipoRPS><DataEmissaoRPS>2026-11-22</DataEmissaoRPS><StatusNFe>` + status + `</StatusNFe>` +
		`<ValorServicos>1500.00</ValorServicos><CodigoServico>2919</CodigoServico>` +
		`<CPFCNPJTomador><CNPJ>99888777000100</CNPJ></CPFCNPJTomador>` +
		`<Discriminacao>Serviço de suporte|Parcela 1</Discriminacao></NFe>`
	return strings.NewReplacer(replacements...).Replace(note)
}

// answered is a document of the service as it arrives.
func answered(what operation, document string) reply {
	return readReply(what, mtls.Reply{Sent: true, Status: http.StatusOK, Body: []byte(enveloped(what, document))})
}

func enveloped(what operation, document string) string {
	var escaped bytes.Buffer
	_ = xml.EscapeText(&escaped, []byte(document))
	return wrapped(what, escaped.String())
}

func wrapped(what operation, inside string) string {
	return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope ` +
		`xmlns:soap="http://www.w3.org/2003/05/soap-envelope">` +
		`<soap:Body><` + what.name + `Response xmlns="` + rps.Namespace + `"><RetornoXML>` + inside +
		`</RetornoXML></` +
		what.name + `Response></soap:Body></soap:Envelope>`
}

// serve starts a city that answers with a handler.
func serve(t testing.TB, options Options, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	options.URL = server.URL + "/lotenfe.asmx"
	options.Transport.ServerRoots = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	options.Transport.Timeout = 5 * time.Second
	client, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// expect wants an outcome, and a reason unless that is none.
func expect(t testing.TB, name string, answer fiscal.Answer, outcome fiscal.Outcome,
	reason fact.Fact) {
	t.Helper()
	if answer.Outcome != outcome || !reason.None() && !answer.Reason.Equal(reason) {
		t.Errorf("%s: %s because %q, alarm %q; want %s because %q",
			name, answer.Outcome, answer.Reason, answer.Alarm, outcome, reason)
	}
	if (answer.Outcome == fiscal.OutcomeRejected) != (answer.Rejection != nil) ||
		answer.Outcome != fiscal.OutcomeAccepted && (answer.Document != nil || answer.Match != "") {
		t.Errorf("%s: %+v", name, answer)
	}
}
