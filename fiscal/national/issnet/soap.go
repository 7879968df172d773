package issnet

import (
	"bytes"
	"net/http"
	"strings"

	"emissor/fiscal/national/schema"
	"emissor/internal/xmlread"
	"emissor/nfse/fact"
)

// operation is one of the service's.
type operation struct {
	name    string
	request string // root of the message; the answer's has Resposta in the place of Envio
	call    string // as test/recorded names calls
}

// answer is the root of the answer.
func (o operation) answer() string { return strings.TrimSuffix(o.request, "Envio") + "Resposta" }

var (
	issue        = operation{"GerarNfse", "GerarNfseEnvio", "issue"}
	findByDPS    = operation{"ConsultarNfseDps", "ConsultarNfseDpsEnvio", "find"}    // as the WSDL has it
	findByDPSToo = operation{"ConsultarNfsePorDps", "ConsultarNfseDpsEnvio", "find"} // as the manual has it
	findIssued   = operation{"ConsultarNfseServicoPrestado", "ConsultarNfseServicoPrestadoEnvio", "find_issued"}
	findProvider = operation{"ConsultarDadosCadastrais", "ConsultarDadosCadastraisEnvio", "find_company"}
	cancel       = operation{"CancelarNfse", "CancelarNfseEnvio", "cancel"}
)

// version is that of messages with the group IBSCBS; the header bears it in every call.
const version = "1.01"

func (o operation) header() http.Header {
	return http.Header{"Content-Type": {"text/xml; charset=utf-8"},
		"SOAPAction": {`"` + schema.Namespace + "/" + o.name + `"`}}
}

const envelopeNamespace = "http://schemas.xmlsoap.org/soap/envelope/"

// envelope wraps what a message says. It stands there in place: neither escaped nor in CDATA, which
// the servers refuse (E160, E183, E232). The only namespaces within the message are its own and that
// of a signature: any other would be part of what is signed, by inclusive canonical XML.
func (o operation) envelope(content []byte) []byte {
	const xmlns = ` xmlns="` + schema.Namespace + `"`
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><soapenv:Envelope xmlns:soapenv="` + envelopeNamespace +
		`"><soapenv:Header/><soapenv:Body><` + o.name + xmlns + `><nfseCabecMsg><cabecalho versao="` + version + `"` +
		xmlns + `><versaoDados>` + version + `</versaoDados></cabecalho></nfseCabecMsg><nfseDadosMsg><` +
		o.request + xmlns + `>`)
	b.Write(content)
	b.WriteString(`</` + o.request + `></nfseDadosMsg></` + o.name + `></soapenv:Body></soapenv:Envelope>`)
	return b.Bytes()
}

// element is a document without what stands before its root.
func element(document []byte) []byte {
	if bytes.HasPrefix(document, []byte("<?")) {
		_, document, _ = bytes.Cut(document, []byte("?>"))
	}
	return bytes.TrimSpace(document)
}

var errNoEnvelope = fact.Failure(fact.CityNoEnvelope.Fact())

// open finds the answer of an operation in an envelope: as XML, or escaped once, within its two
// wrappers or fewer. A list of refusals may stand there without the answer around it (recorded of
// GerarNfse, 2026-10). isFault says that there is a SOAP fault in its place.
func open(body []byte, what operation) (answer node, isFault bool, err error) {
	var at node
	if err := xmlread.TextInto(body, &at); err != nil {
		return node{}, false, err
	}
	if at.is("Envelope") {
		bodies := at.all("Body")
		if len(bodies) != 1 || len(bodies[0].Nodes) != 1 {
			return node{}, false, errNoEnvelope
		}
		at = bodies[0].Nodes[0]
	}
	if at.is("Fault") {
		return node{}, true, nil
	}
	escaped, source := false, body
	for range 4 { // the operation's response, its result, the text in it, the answer
		text := strings.TrimSpace(at.Text)
		switch {
		case at.is(what.answer()):
			at.keepRaw(source)
			return at, false, nil
		case what == issue && (at.is(refusalsOfOne) || at.is(refusalsOfLot)):
			return node{Nodes: []node{at}}, false, nil
		case len(at.Nodes) == 1:
			at = at.Nodes[0]
		case len(at.Nodes) == 0 && !escaped && strings.HasPrefix(text, "<"):
			escaped, at, source = true, node{}, []byte(text)
			if err := xmlread.TextInto(source, &at); err != nil {
				return node{}, false, err
			}
		default:
			return node{}, false, errNoEnvelope
		}
	}
	return node{}, false, errNoEnvelope
}
