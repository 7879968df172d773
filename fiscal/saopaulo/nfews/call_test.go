package nfews

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/saopaulo/rps"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse/fact"
)

// What is sent arrives byte for byte, in either envelope.
func TestSend_ByteForByte(t *testing.T) {
	request := issuing(t)
	for version, media := range map[SOAP]string{
		"": "application/soap+xml;charset=UTF-8", SOAP12: "application/soap+xml;charset=UTF-8",
		SOAP11: "text/xml;charset=UTF-8",
	} {
		client := serve(t, Options{SOAP: version}, func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			var envelope struct {
				XMLName xml.Name
				Version string `xml:"Body>EnvioRPSRequest>VersaoSchema"`
				Message string `xml:"Body>EnvioRPSRequest>MensagemXML"`
			}
			if err != nil || xml.Unmarshal(body, &envelope) != nil {
				t.Errorf("%v %s", err, body)
			}
			namespace := "http://www.w3.org/2003/05/soap-envelope"
			if version == SOAP11 {
				namespace = "http://schemas.xmlsoap.org/soap/envelope/"
			}
			if envelope.Message != string(request.Message().XML) || envelope.Version != "2" ||
				envelope.XMLName.Space != namespace || r.Header.Get("Content-Type") != media ||
				r.Header.Get("SOAPAction") != `"http://www.prefeitura.sp.gov.br/nfe/ws/envioRPS"` ||
				r.URL.Path != "/lotenfe.asmx" || r.Method != http.MethodPost {
				t.Errorf("%s %+v\n%s", version, r.Header, body)
			}
			io.WriteString(w, enveloped(sendRPS, retornoOf(sendRPS, okHeader, pair(9))))
		})
		expect(t, string(version), client.Send(t.Context(), access(t), request), accepted, fact.Fact{})
	}
}

// An answer is read however its document is wrapped.
func TestOpen(t *testing.T) {
	document := retornoOf(sendRPS, okHeader, pair(9))
	var escaped, twice bytes.Buffer
	_ = xml.EscapeText(&escaped, []byte(document))
	_ = xml.EscapeText(&twice, escaped.Bytes())
	for name, inside := range map[string]string{
		"escaped": escaped.String(), "escaped twice": twice.String(), "CDATA": "<![CDATA[" + document + "]]>",
		"as it is": document, "with space": "\n " + escaped.String() + "\n",
	} {
		opened, err := open([]byte(wrapped(sendRPS, inside)), sendRPS)
		if err != nil || string(opened.document) != document {
			t.Errorf("%s: %v %s", name, err, opened.document)
		}
	}
	declared := `<?xml version="1.0" encoding="utf-16"?>` + document
	if answer := sentAs(declared); answer.Outcome != accepted {
		t.Errorf("with a declaration: %+v", answer)
	}
	good := wrapped(sendRPS, escaped.String())
	for name, body := range map[string]string{
		"nothing": "", "a page": "<html><body>x</body></html>", "another operation": wrapped(findNFe, escaped.String()),
		"two bodies": strings.Replace(good, "</soap:Body>", "</soap:Body><soap:Body/>", 1),
		"no content": wrapped(sendRPS, ""),
		"no UTF-8":   strings.Replace(good, "ABCD", "\xff", 1), "cut": good[:len(good)-5],
		"a bomb": strings.Repeat("<a>", 100), "large": wrapped(sendRPS, strings.Repeat(" ", 1<<20)),
	} {
		if opened, err := open([]byte(body), sendRPS); err == nil {
			t.Errorf("%s: %+v", name, opened)
		}
	}
}

func TestSend_NotDelivered(t *testing.T) {
	request := issuing(t)
	fault := func(words string) string {
		return `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Reason><s:Text>` +
			words +
			`</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`
	}
	old := `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultstring>Server did ` +
		`not recognize the value of HTTP Header SOAPAction: x</faultstring></s:Fault></s:Body></s:Envelope>`
	for name, c := range map[string]struct {
		status  int
		body    string
		outcome fiscal.Outcome
		person  bool
	}{
		"no certificate": {403, "<html>", undelivered, true},
		"too old a TLS":  {426, "", undelivered, false},
		"too many":       {429, "", unknownWord, false},
		"another SOAP":   {415, "", undelivered, true},
		"no action": {500, fault("Unable to handle request without a valid action parameter."), undelivered,
			true},
		"another action":   {500, old, undelivered, true},
		"another fault":    {500, fault("Server was unable to process request."), unknownWord, false},
		"a fault, as 403":  {403, fault("Server was unable to process request."), unknownWord, false},
		"a proxy":          {502, "<html>", unknownWord, false},
		"a page":           {200, "<html><body>manutenção</body></html>", unknownWord, false},
		"nothing":          {200, "", unknownWord, false},
		"beyond the bound": {200, strings.Repeat("<a>", 100), unknownWord, true},
		"too large":        {200, strings.Repeat(" ", 2<<20), unknownWord, true},
	} {
		client := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
		})
		answer := client.Send(t.Context(), access(t), request)
		expect(t, name, answer, c.outcome, fact.Fact{})
		if answer.NeedsPerson.None() == c.person || answer.Reason.None() {
			t.Errorf("%s: %q %q", name, answer.Reason, answer.NeedsPerson)
		}
		if found := client.Find(t.Context(), access(t), request); found.Outcome != unknownWord {
			t.Errorf("%s, asked: %+v", name, found)
		}
		numbers := client.FindNumbers(t.Context(), access(t), saopaulotest.Issuer(), []int64{1})
		if (numbers.RetryAfter > 0) != (c.status == http.StatusForbidden && c.body == "<html>") || numbers.Reason.None() {
			t.Errorf("%s, of a number: %+v", name, numbers)
		}
	}
}

// An answer that is lost after the message may have arrived is unknown, and what
// never left is not delivered.
func TestSend_Lost(t *testing.T) {
	request := issuing(t)
	client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			conn.Close()
		}
	})
	expect(t, "lost", client.Send(t.Context(), access(t), request), unknownWord, fact.CallConnectionBroke.Fact())
	expect(t, "lost", client.Send(t.Context(), access(t), cancelling(t)), unknownWord, fact.CallConnectionBroke.Fact())

	unreachable, err := New(Options{URL: "https://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "refused", unreachable.Send(t.Context(), access(t), request), undelivered,
		fact.ConnectionRefused.Fact())
	restricted := access(t)
	restricted.Production = false
	expect(t, "restricted", client.Send(t.Context(), restricted, request), undelivered, fact.CityProductionOnly.Fact())
	request.Messages = []fiscal.Message{{XML: []byte("<x/>")}}
	expect(t, "no RPS", client.Send(t.Context(), access(t), request), undelivered, fact.CityMessageNoRPS.Fact())
	nowhere, err := New(Options{})
	if err != nil || nowhere.Serves() {
		t.Fatal(err)
	}
	expect(t, "nowhere", nowhere.Send(t.Context(), access(t), issuing(t)), undelivered, fact.CityNotServed.Fact())
}

func TestNew_Refused(t *testing.T) {
	for problem, options := range map[string]Options{
		"URL: must be an https URL": {URL: "http://nfews.example"}, "SOAP: must be": {SOAP: "2"},
	} {
		if _, err := New(options); err == nil || !strings.HasPrefix(err.Error(), problem) {
			t.Errorf("%s: %v", problem, err)
		}
	}
}

func TestFindNumbers(t *testing.T) {
	var document string
	client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("SOAPAction") != `"http://www.prefeitura.sp.gov.br/nfe/ws/consultaNFe"` {
			t.Error(r.Header)
		}
		io.WriteString(w, enveloped(findNFe, document))
	})
	numbered := func(text string, number string) string {
		return strings.ReplaceAll(text, "<NumeroRPS>42", "<NumeroRPS>"+number)
	}
	none := `<Erro xmlns=""><Codigo>1106</Codigo>` + rpsKey + `</Erro>`
	for name, c := range map[string]struct {
		document   string
		free, used int
		known      bool
	}{
		"none":        {retornoOf(findNFe, noHeader, failure("1106", "x")), 3, 0, true},
		"each":        {retornoOf(findNFe, noHeader, numbered(none, "41"), none, numbered(none, "43")), 3, 0, true},
		"one of each": {retornoOf(findNFe, noHeader, numbered(none, "41"), none), 2, 0, false},
		"one used": {retornoOf(findNFe, okHeader, noteOf(9, "C"), numbered(none, "41"), numbered(none, "43")),
			2, 1, true},
		"the rest alone": {retornoOf(findNFe, okHeader, noteOf(9, "N"), failure("1106", "x")), 0, 1, false},
		"another":        {retornoOf(findNFe, okHeader, numbered(noteOf(9, "N"), "44")), 0, 0, false},
		"a fault":        {retornoOf(findNFe, noHeader, failure("1110", "x")), 0, 0, false},
		"not a word":     {retornoOf(findNFe, okHeader), 0, 0, false},
		"a page":         {"<html/>", 0, 0, false},
	} {
		document = c.document
		numbers := client.FindNumbers(t.Context(), access(t), saopaulotest.Issuer(), []int64{41, 42, 43})
		if len(numbers.Free) != c.free || len(numbers.Used) != c.used || numbers.Reason.None() != c.known {
			t.Errorf("%s: %+v", name, numbers)
		}
	}
	if numbers := client.FindNumbers(t.Context(), access(t), saopaulotest.Issuer(), make([]int64,
		1)); numbers.Reason.None() {
		t.Errorf("%+v", numbers)
	}
	for _, code := range []string{"1054", "1100", "1107"} {
		document = retornoOf(findNFe, noHeader, failure("1106", "x"), failure(code, "Certificado revogado."))
		numbers := client.FindNumbers(t.Context(), access(t), saopaulotest.Issuer(), []int64{42})
		refused := numbers.CertificateRefused
		if numbers.KnowsSomething() || refused == nil || refused.Code != code ||
			refused.Message != "Certificado revogado." || refused.Action == "" || numbers.Reason.None() {
			t.Errorf("%s: %+v %+v", code, numbers, refused)
		}
	}
}

func TestTest(t *testing.T) {
	var document string
	client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("SOAPAction") != `"http://www.prefeitura.sp.gov.br/nfe/ws/testeenvio"` {
			t.Error(r.Header)
		}
		io.WriteString(w, enveloped(testLot, document))
	})
	message, err := rps.Signer{}.SignTest(saopaulotest.Declaration(), nationaltest.Credentials(t), saopaulotest.At)
	if err != nil {
		t.Fatal(err)
	}
	document = retornoOf(testLot, okHeader, alert("307", "nao cadastrado"))
	expect(t, "good", client.Test(t.Context(), access(t), message), accepted, fact.InWords("nao cadastrado"))
	document = retornoOf(testLot, noHeader, failure("641", "Simples"))
	expect(t, "bad", client.Test(t.Context(), access(t), message), rejectedWord, fact.Fact{})
	document = retornoOf(testLot)
	expect(t, "nothing", client.Test(t.Context(), access(t), message), unknownWord, fact.CityUnclear.Fact())
}

func TestRegistrations(t *testing.T) {
	var document string
	client := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, enveloped(findCNPJ, document))
	})
	document = retornoOf(findCNPJ, okHeader, `<Detalhe xmlns=""><InscricaoMunicipal>000031000000</InscricaoMunicipal>`+
		`<EmiteNFe>true</EmiteNFe></Detalhe><Detalhe xmlns=""><InscricaoMunicipal>2</InscricaoMunicipal>`+
		`<EmiteNFe>false</EmiteNFe></Detalhe>`)
	list, reason := client.Registrations(t.Context(), access(t), "11222333000181")
	first := fiscal.Registration{Number: "31000000", Issues: true}
	if !reason.None() || len(list) != 2 || list[0] != first || list[1].Issues {
		t.Errorf("%+v %s", list, reason)
	}
	document = retornoOf(findCNPJ, okHeader, alert("1405", "x"))
	if list, reason := client.Registrations(t.Context(), access(t), "11222333000181"); list != nil || !reason.None() {
		t.Errorf("%+v %s", list, reason)
	}
	document = retornoOf(findCNPJ, noHeader, failure("1109", "x"))
	if _, reason := client.Registrations(t.Context(), access(t), "11222333000181"); !reason.Equal(
		fact.CityAnsweredCodes.With("codes", "1109")) {
		t.Error(reason)
	}
}
