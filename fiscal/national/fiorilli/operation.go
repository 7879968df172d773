package fiorilli

import (
	"bytes"
	"strings"

	"emissor/fiscal/national/fiorilli/rules"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/soap"
)

// operation is one of the service's.
type operation struct {
	action  string // the header SOAPAction, which differs from the operation's name in its capitals
	request string // root of the message; the answer's has Resposta in the place of Envio
	call    string // as test/recorded names calls
}

var (
	issue     = operation{"recepcionarDPS", "RecepcionarDpsEnvio", "issue"}
	findDPS   = operation{"consultarNfse", "ConsultarNfseEnvio", "find"}
	findEvent = operation{"consultarNfse", "ConsultarNfseEnvio", "find_cancellation"}
	cancel    = operation{"cancelarNFSe", "CancelarNFSeEnvio", "cancel"}
)

// namespace is the namespace of what stands around documents, which keep their own.
const namespace = "http://www.fiorilli.com.br/nfse-nacional"

// with is the call of an operation with what its message says.
func (o operation) with(content []byte) soap.Call {
	return soap.Call{Name: o.action, Kind: o.call, Action: o.action, Envelope: o.envelope(content), Read: o.read}
}

// envelope wraps what a message says. Its own namespace has no prefix: one that is declared around what is signed
// would be part of it, by inclusive canonical XML.
func (o operation) envelope(content []byte) []byte {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?><Envelope xmlns="` + soap.EnvelopeNamespace +
		`"><Header/><Body><` + o.request + ` xmlns="` + namespace + `">`)
	b.Write(content)
	b.WriteString(`</` + o.request + `></Body></Envelope>`)
	return b.Bytes()
}

// read reads an answer by local names. One to something else is none.
func (o operation) read(body []byte) (answer *soap.Answer, isFault bool, err error) {
	root, isFault, err := soap.Open(body)
	switch {
	case err != nil || isFault:
		return nil, isFault, err
	case !root.Is(strings.TrimSuffix(o.request, "Envio") + "Resposta"):
		return nil, false, soap.ErrNoAnswer
	}
	root.KeepRaw(body)
	answer = &soap.Answer{Root: root, Events: root.Within("evento")}
	for _, document := range root.Within("NFSe") {
		answer.Notes = append(answer.Notes, soap.Note{Documents: []soap.Node{document}, Events: answer.Events})
	}
	for _, one := range root.Within("mensagem") {
		if said := soap.ReadMessage(one, rules.CodeOf); !rules.IsAlert(said.Code) {
			answer.Refusals = append(answer.Refusals, said)
		}
	}
	return answer, false, nil
}

// eventRequest is the content of CancelarNFSeEnvio. The element that is signed must say its namespace itself, which its
// root has said already: what is signed stays the same.
func eventRequest(registration string, message []byte) []byte {
	const signed = "<infPedReg "
	message = bytes.Replace(soap.InPlace(message), []byte(signed), []byte(signed+`xmlns="`+schema.Namespace+`" `), 1)
	return append([]byte(soap.Element("IM", registration)), message...)
}

// dpsQuestion is the content of ConsultarNfseEnvio about a DPS.
func dpsQuestion(sent soap.SentDPS) []byte {
	return []byte(sent.By.Write() + soap.Element("NumeroDPS", sent.Number) + soap.Element("SerieDPS", sent.Series))
}

// noteQuestion is the same about a note by its key, beside which the server takes no CNPJ (N10).
func noteQuestion(registration, accessKey string) []byte {
	return []byte(soap.Element("IM", registration) + soap.Element("ChaveNFSe", accessKey))
}
