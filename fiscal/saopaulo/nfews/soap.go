package nfews

import (
	"bytes"
	"encoding/xml"
	"net/http"
	"strings"
	"unicode/utf8"

	"emissor/fiscal/saopaulo/rps"
	"emissor/internal/text"
	"emissor/internal/xmlread"
	"emissor/nfse/fact"
)

// SOAP is a version of the envelope. Those who use the service disagree about
// which it takes.
type SOAP string

// The versions.
const (
	SOAP12 SOAP = "1.2" // with the header SOAPAction, as 1.1 has it
	SOAP11 SOAP = "1.1"
)

// operation is one of the service's.
type operation struct {
	name   string // of the wrapper, without Request and Response
	action string // SOAPAction, behind its base
	answer string // root of the answer's document
	call   string // as test/recorded names calls
}

var (
	sendRPS   = operation{"EnvioRPS", "envioRPS", "RetornoEnvioRPS", "issue"}
	testLot   = operation{"TesteEnvioLoteRPS", "testeenvio", "RetornoEnvioLoteRPS", "test"}
	cancelNFe = operation{"CancelamentoNFe", "cancelamentoNFe", "RetornoCancelamentoNFe", "cancel"}
	findNFe   = operation{"ConsultaNFe", "consultaNFe", "RetornoConsulta", "find"}
	findCNPJ  = operation{"ConsultaCNPJ", "consultaCNPJ", "RetornoConsultaCNPJ", "find_company"}
)

const actionBase = rps.Namespace + "/ws/"

// header returns the header of an HTTP request.
func (s SOAP) header(what operation) http.Header {
	media := "application/soap+xml;charset=UTF-8"
	if s == SOAP11 {
		media = "text/xml;charset=UTF-8"
	}
	// The name of SOAPAction is written as the service's own documents do.
	return http.Header{"Content-Type": {media}, "SOAPAction": {`"` + actionBase + what.action + `"`}}
}

// envelope wraps a message, which travels byte for byte: it holds no "]]>", because
// its texts are escaped.
func (s SOAP) envelope(what operation, message []byte) []byte {
	namespace := "http://www.w3.org/2003/05/soap-envelope"
	if s == SOAP11 {
		namespace = "http://schemas.xmlsoap.org/soap/envelope/"
	}
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="` + namespace + `"><soap:Body><` +
		what.name + `Request xmlns="` + rps.Namespace + `"><VersaoSchema>` + rps.Layout +
		`</VersaoSchema><MensagemXML><![CDATA[`)
	b.Write(message)
	b.WriteString(`]]></MensagemXML></` + what.name + `Request></soap:Body></soap:Envelope>`)
	return b.Bytes()
}

// opened is what an envelope holds: a document, or a fault.
type opened struct {
	document []byte // RetornoXML, as it was wrapped
	fault    string // words of the fault; empty when there is none
}

// envelopeXML is read by local names, of either version.
type envelopeXML struct {
	XMLName xml.Name
	Body    []struct {
		Contents []contentXML `xml:",any"`
	} `xml:"Body"`
}

type contentXML struct {
	XMLName xml.Name
	Returns []struct {
		Text  string `xml:",chardata"`
		Inner []byte `xml:",innerxml"`
	} `xml:"RetornoXML"`
	FaultString []string `xml:"faultstring"` // 1.1
	Reason      []string `xml:"Reason>Text"` // 1.2
}

var errNoEnvelope = fact.Failure(fact.CityNoEnvelope.Fact())

// open reads an envelope. The document in it is escaped, or escaped twice, or in
// CDATA, or there as it is.
func open(body []byte, what operation) (opened, error) {
	if !utf8.Valid(body) {
		return opened{}, errNoEnvelope
	}
	var envelope envelopeXML
	if err := xmlread.TextInto(body, &envelope); err != nil {
		return opened{}, err
	}
	if envelope.XMLName.Local != "Envelope" || len(envelope.Body) != 1 || len(envelope.Body[0].Contents) != 1 {
		return opened{}, errNoEnvelope
	}
	content := envelope.Body[0].Contents[0]
	switch {
	case content.XMLName.Local == "Fault":
		words := strings.Join(append(content.FaultString, content.Reason...), " ")
		return opened{fault: text.Shortened(text.Shown(words), 500) + " "}, nil
	case content.XMLName.Local != what.name+"Response" || len(content.Returns) != 1:
		return opened{}, errNoEnvelope
	}
	text := strings.TrimSpace(content.Returns[0].Text)
	switch {
	case strings.HasPrefix(text, "&lt;"):
		var again struct {
			Text string `xml:",chardata"`
		}
		if err := xmlread.TextInto([]byte("<a>"+text+"</a>"), &again); err != nil {
			return opened{}, err
		}
		text = strings.TrimSpace(again.Text)
	case text == "":
		text = string(bytes.TrimSpace(content.Returns[0].Inner))
	}
	if text == "" {
		return opened{}, errNoEnvelope
	}
	return opened{document: []byte(text)}, nil
}
