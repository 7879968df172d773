package issnet

import (
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/issnet/rules"
	"emissor/internal/text"
	"emissor/nfse/fact"
)

// answered is what is read of any answer of the service.
type answered struct {
	notes    []issued
	events   []node    // of CancelarNfse
	records  []node    // of ConsultarDadosCadastrais
	refusals []message // but those that are alerts
}

// The lists of refusals.
const (
	refusalsOfOne = "ListaMensagemRetorno"
	refusalsOfLot = "ListaMensagemRetornoLote"
)

// issued is a note with its events (CompNfse).
type issued struct {
	documents []node // one
	events    []node
}

// message is one by which the service says no, or warns.
type message struct{ Code, Text string }

// readAnswer reads an answer by local names, of the schema of 2026-10 or of 2026-02 (Nfse, Evento).
func readAnswer(answer node) (read answered) {
	for _, list := range append(answer.all("ListaNfse"), answer) {
		for _, one := range list.all("CompNfse") {
			read.notes = append(read.notes, issued{one.all("NFSe", "Nfse"), eventsOf(one)})
		}
	}
	read.events, read.records = eventsOf(answer), answer.all("Cadastro")
	for _, list := range append(answer.all(refusalsOfOne, refusalsOfLot), answer) {
		for _, one := range list.all("MensagemRetorno") {
			if said := readMessage(one); !rules.IsAlert(said.Code) {
				read.refusals = append(read.refusals, said)
			}
		}
	}
	return read
}

func eventsOf(parent node) []node {
	events := parent.all("evento", "Evento")
	for _, list := range parent.all("ListaEvento") {
		events = append(events, list.all("evento", "Evento")...)
	}
	return events
}

func readMessage(one node) message {
	words := text.Shown(one.text("Mensagem"))
	if correction := text.Shown(one.text("Correcao")); correction != "" && correction != words {
		words = strings.TrimSpace(words + " " + correction)
	}
	return message{rules.CodeOf(text.Shortened(text.Shown(one.text("Codigo")), 40), words),
		text.Shortened(words, 1000)}
}

// codesOf are the codes of messages.
func codesOf(messages []message) string {
	var codes []string
	for _, one := range messages {
		if !slices.Contains(codes, one.Code) {
			codes = append(codes, one.Code)
		}
	}
	return strings.Join(codes, ", ")
}

// rejected is what refusals amount to. A no that comes with the status of a server's error may follow
// something that was done: it needs confirmation.
func rejected(answer fiscal.Answer, kind fiscal.Kind, r reply) fiscal.Answer {
	decisive, disposition := fiscal.Decisive(r.read.refusals, func(m message) fiscal.Disposition {
		return rules.Disposition(m.Code, m.Text)
	})
	if disposition.Ends() && !r.Successful() {
		disposition = fiscal.NeedsConfirmation
	}
	answer.Outcome, answer.Reason, answer.Disposition = fiscal.OutcomeRejected, fact.Fact{}, disposition
	answer.Unconfirmed = disposition == fiscal.NeedsPerson && !r.Successful()
	answer.Rejection = rules.Catalogue.Rejection(kind, decisive.Code, wordsOf(r.read.refusals))
	return answer
}

// failed reports whether the server says that it failed, not that it said no.
func failed(refusals []message) bool {
	return slices.ContainsFunc(refusals, func(m message) bool { return rules.IsFailure(m.Code) })
}

const maxWords = 4000 // characters of a rejection's message

// wordsOf joins what the city said, with the codes when they are several.
func wordsOf(refusals []message) string {
	if len(refusals) == 1 {
		return refusals[0].Text
	}
	var said []string
	for _, one := range refusals {
		said = append(said, one.Code+": "+one.Text)
	}
	return text.Shortened(strings.Join(said, "; "), maxWords)
}

// unclear is the answer to a question that the city does not answer. What it says is wrong with our
// certificate only a person can correct.
func unclear(answer fiscal.Answer, refusals []message) fiscal.Answer {
	answer.Outcome, answer.Reason = fiscal.OutcomeUnknown, fact.CityUnclear.Fact()
	if len(refusals) == 0 {
		return answer
	}
	answer.Reason = fact.CityAnsweredCodes.With("codes", codesOf(refusals))
	for _, one := range refusals {
		if rules.Disposition(one.Code, one.Text) == fiscal.CertificateRefused {
			answer.NeedsPerson = fact.AddCertificateItTakes.With("why",
				fact.CityRefusesCertificate.With("code", one.Code))
		}
	}
	return answer
}
