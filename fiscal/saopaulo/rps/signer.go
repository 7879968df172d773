package rps

import (
	"fmt"
	"strconv"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const (
	// Namespace is the namespace of the roots of messages; their children have none.
	Namespace = "http://www.prefeitura.sp.gov.br/nfe"
	// Layout is the version of the layout that messages say.
	Layout = "2"
	// MaxKeys is how many keys a question may name.
	MaxKeys = 50
)

// signature is the profile of every signature: the city takes RSA-SHA1.
var signature = xmldsig.Profile{SHA1: true}

// Signer builds and signs messages.
type Signer struct {
	// Place says where services were rendered; empty is by the indicator of the operation.
	Place rules.Place
}

// SignDeclaration builds and signs the request to make a note of an RPS
// (PedidoEnvioRPS). It refuses data that cannot be right, which rules.Check refuses
// before, and an issuer that is set up to test.
func (s Signer) SignDeclaration(declaration fiscal.Declaration, credentials *fiscal.Credentials,
	_ time.Time) (fiscal.Message, error) {
	c, assinatura, err := s.signedContent(declaration, credentials)
	if err != nil {
		return fiscal.Message{}, fmt.Errorf("RPS: %w", err)
	}
	var w writer
	w.root("PedidoEnvioRPS", func() {
		w.header(func() { writeTaxID(&w, c.sender) })
		w.child("RPS", func() { c.write(&w, assinatura) })
	})
	return sign(w.text, c.key.MessageID(), credentials)
}

// signedContent is what an RPS says of a declaration, and the signature within it (Assinatura).
func (s Signer) signedContent(declaration fiscal.Declaration, credentials *fiscal.Credentials) (
	c content, assinatura string, err error) {
	if c, err = s.contentOf(declaration); err == nil {
		assinatura, err = xmldsig.SignText(signature, c.text(), credentials.Certificate)
	}
	return c, assinatura, err
}

// Draft writes the RPS of a declaration without signing it.
func (s Signer) Draft(declaration fiscal.Declaration) (fiscal.Draft, error) {
	c, err := s.contentOf(declaration)
	if err != nil {
		return fiscal.Draft{}, fmt.Errorf("RPS: %w", err)
	}
	var w writer
	w.child("RPS", func() { c.write(&w, "") })
	return fiscal.Draft{Layout: Layout, XML: w.text}, nil
}

// SignTest builds and signs the request to validate an RPS without making a note of
// it (TesteEnvioLoteRPS, which takes a lot).
func (s Signer) SignTest(declaration fiscal.Declaration, credentials *fiscal.Credentials,
	_ time.Time) (fiscal.Message, error) {
	declaration.Issuer.Production = true // what is tested is what would be sent
	c, assinatura, err := s.signedContent(declaration, credentials)
	if err != nil {
		return fiscal.Message{}, fmt.Errorf("RPS: %w", err)
	}
	var w writer
	w.root("PedidoEnvioLoteRPS", func() {
		w.header(func() { writeTaxID(&w, c.sender) }, func() {
			w.element("transacao", "true")
			w.element("dtInicio", c.date)
			w.element("dtFim", c.date)
			w.element("QtdRPS", "1")
		})
		w.child("RPS", func() { c.write(&w, assinatura) })
	})
	return sign(w.text, c.key.MessageID(), credentials)
}

// SignCancellation builds and signs the request to cancel a note
// (PedidoCancelamentoNFe). The city takes no reason. Users disagree how wide the
// registration is in the signed string, 8 digits or 12: a second message, signed
// because the city found the first wrong (1305), has the other width, if the
// registration fits into it.
func (s Signer) SignCancellation(request fiscal.CancellationRequest, credentials *fiscal.Credentials,
	_ time.Time) (fiscal.Message, error) {
	note, err := NoteKeyOf(request.Issuer, request.Number)
	if err != nil {
		return fiscal.Message{}, fmt.Errorf("PedidoCancelamentoNFe: %w", err)
	}
	wide := request.Signings%2 == 1 || len(note.Registration) > 8
	text := cancellationText(note.Registration, note.Number, wide)
	assinatura, err := xmldsig.SignText(signature, text, credentials.Certificate)
	if err != nil {
		return fiscal.Message{}, fmt.Errorf("PedidoCancelamentoNFe: %w", err)
	}
	var w writer
	w.root("PedidoCancelamentoNFe", func() {
		w.header(func() { writeTaxID(&w, request.Issuer.TaxID) }, func() { w.element("transacao", "true") })
		w.child("Detalhe", func() {
			w.group("ChaveNFe", func() { note.write(&w) })
			w.element("AssinaturaCancelamento", assinatura)
		})
	})
	return sign(w.text, note.MessageID(), credentials)
}

// NoteKey names a note (ChaveNFe).
type NoteKey struct {
	Registration string
	Number       int64
}

// NoteKeyOf returns the key of a note of an issuer, by its number.
func NoteKeyOf(issuer nfse.FiscalProfile, number string) (NoteKey, error) {
	registration, err := Registration(issuer)
	if err != nil {
		return NoteKey{}, err
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > MaxNumber {
		return NoteKey{}, fact.Failure(fact.CityFieldDigits.With("field", "NumeroNFe", "most", 12))
	}
	return NoteKey{registration, n}, nil
}

// MessageID is the key in one word.
func (k NoteKey) MessageID() string {
	return fmt.Sprintf("CAN%s%012d", zeros(k.Registration, 12), k.Number)
}

func (k NoteKey) write(w *writer) {
	w.element("InscricaoPrestador", k.Registration)
	w.element("NumeroNFe", strconv.FormatInt(k.Number, 10))
}

// SignQuestion builds and signs the question what became of RPSs of one issuer
// (PedidoConsultaNFe), at most MaxKeys.
func (s Signer) SignQuestion(sender nfse.TaxID, keys []Key, credentials *fiscal.Credentials) ([]byte, error) {
	if len(keys) < 1 || len(keys) > MaxKeys {
		return nil, fmt.Errorf("PedidoConsultaNFe: not 1 to %d keys", MaxKeys)
	}
	return question(sender, credentials, func(w *writer) {
		for _, key := range keys {
			w.child("Detalhe", func() { w.group("ChaveRPS", func() { key.write(w) }) })
		}
	})
}

// SignNoteQuestion builds and signs the question how notes stand: at most MaxKeys.
func (s Signer) SignNoteQuestion(sender nfse.TaxID, notes []NoteKey, credentials *fiscal.Credentials) ([]byte, error) {
	return question(sender, credentials, func(w *writer) {
		for _, note := range notes {
			w.child("Detalhe", func() { w.group("ChaveNFe", func() { note.write(w) }) })
		}
	})
}

func question(sender nfse.TaxID, credentials *fiscal.Credentials, details func(*writer)) ([]byte, error) {
	var w writer
	w.root("PedidoConsultaNFe", func() {
		w.header(func() { writeTaxID(&w, sender) })
		details(&w)
	})
	message, err := sign(w.text, "", credentials)
	return message.XML, err
}

// SignRegistrationQuestion builds and signs the question under which registrations
// the city knows a tax id (PedidoConsultaCNPJ).
func (s Signer) SignRegistrationQuestion(sender, about nfse.TaxID, credentials *fiscal.Credentials) ([]byte, error) {
	var w writer
	w.root("PedidoConsultaCNPJ", func() {
		w.header(func() { writeTaxID(&w, sender) })
		w.child("CNPJContribuinte", func() { writeTaxID(&w, about) })
	})
	message, err := sign(w.text, "", credentials)
	return message.XML, err
}

func sign(document []byte, id string, credentials *fiscal.Credentials) (fiscal.Message, error) {
	xml, digest, err := xmldsig.SignDocument(signature, document, credentials.Certificate)
	if err != nil {
		return fiscal.Message{}, err
	}
	return fiscal.Message{ID: id, Layout: Layout, Digest: digest, XML: xml, CertificateID: credentials.ID}, nil
}
