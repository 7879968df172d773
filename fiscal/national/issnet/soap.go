package issnet

import (
	"bytes"
	"strings"

	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/soap"
	"emissor/internal/xmlread"
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

// version is the version of messages with the group IBSCBS; the header bears it in every call.
const version = "1.01"

// with is the call of an operation with what its message says.
func (o operation) with(content []byte) soap.Call {
	return soap.Call{Name: o.name, Kind: o.call, Action: schema.Namespace + "/" + o.name, Envelope: o.envelope(content),
		Read: o.read}
}

// envelope wraps what a message says. It stands there in place: neither escaped nor in CDATA, which
// the servers refuse (E160, E183, E232). The only namespaces within the message are its own and that
// of a signature: any other would be part of what is signed, by inclusive canonical XML.
func (o operation) envelope(content []byte) []byte {
	const xmlns = ` xmlns="` + schema.Namespace + `"`
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><soapenv:Envelope xmlns:soapenv="` + soap.EnvelopeNamespace +
		`"><soapenv:Header/><soapenv:Body><` + o.name + xmlns + `><nfseCabecMsg><cabecalho versao="` + version + `"` +
		xmlns + `><versaoDados>` + version + `</versaoDados></cabecalho></nfseCabecMsg><nfseDadosMsg><` +
		o.request + xmlns + `>`)
	b.Write(content)
	b.WriteString(`</` + o.request + `></nfseDadosMsg></` + o.name + `></soapenv:Body></soapenv:Envelope>`)
	return b.Bytes()
}

// read finds the answer of an operation in an envelope: as XML, or escaped once, within its two
// wrappers or fewer. A list of refusals may stand there without the answer around it (recorded of
// GerarNfse, 2026-10). isFault says that there is a SOAP fault in its place.
func (o operation) read(body []byte) (answer *soap.Answer, isFault bool, err error) {
	at, isFault, err := soap.Open(body)
	if err != nil || isFault {
		return nil, isFault, err
	}
	escaped, source := false, body
	for range 4 { // the operation's response, its result, the text in it, the answer
		text := strings.TrimSpace(at.Text)
		switch {
		case at.Is(o.answer()):
			at.KeepRaw(source)
			return readAnswer(at), false, nil
		case o == issue && (at.Is(refusalsOfOne) || at.Is(refusalsOfLot)):
			return readAnswer(soap.Node{Nodes: []soap.Node{at}}), false, nil
		case len(at.Nodes) == 1:
			at = at.Nodes[0]
		case len(at.Nodes) == 0 && !escaped && strings.HasPrefix(text, "<"):
			escaped, at, source = true, soap.Node{}, []byte(text)
			if err := xmlread.TextInto(source, &at); err != nil {
				return nil, false, err
			}
		default:
			return nil, false, soap.ErrNoAnswer
		}
	}
	return nil, false, soap.ErrNoAnswer
}
