package soap

import (
	"net/http"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/internal/text"
	"emissor/nfse/fact"
)

// Reply is what became of a call: an answer of the service that was read, or a reason why there is
// none.
type Reply struct {
	mtls.Reply
	Read    *Answer   // nil: none
	IsFault bool      // a SOAP fault, which says nothing
	Problem fact.Fact // why an answer that came whole was not read; none when it was
	Beyond  bool      // the answer exceeds the bounds of what is read
}

// Answer is what is read of any answer of a service.
type Answer struct {
	Root     Node // the answer's
	Notes    []Note
	Events   []Node    // that stand alone
	Refusals []Message // but those that are alerts
}

// Note is a note with its events.
type Note struct {
	Documents []Node // one
	Events    []Node
}

// Message is one by which a service says no, or warns.
type Message struct {
	Code, Text string
	DPS        string // the Id of the DPS that it is about, where it names one
}

// ReadMessage reads a message by the members that services have for it. codeOf is its code, by what came as code and
// words.
func ReadMessage(one Node, codeOf func(code, words string) string) Message {
	words := text.Shown(one.Value("Mensagem"))
	if correction := text.Shown(one.Value("Correcao")); correction != "" && correction != words {
		words = strings.TrimSpace(words + " " + correction)
	}
	return Message{Code: codeOf(text.Shortened(text.Shown(one.Value("Codigo")), 40), words),
		Text: text.Shortened(words, 1000), DPS: one.Value("IdDPS")}
}

// CodesOf are the codes of messages.
func CodesOf(messages []Message) string {
	var codes []string
	for _, one := range messages {
		if !slices.Contains(codes, one.Code) {
			codes = append(codes, one.Code)
		}
	}
	return strings.Join(codes, ", ")
}

const maxWords = 4000 // characters of a rejection's message

// wordsOf joins what the city said, with the codes when they are several.
func wordsOf(refusals []Message) string {
	if len(refusals) == 1 {
		return refusals[0].Text
	}
	var said []string
	for _, one := range refusals {
		said = append(said, one.Code+": "+one.Text)
	}
	return text.Shortened(strings.Join(said, "; "), maxWords)
}

// Why says why there is no answer that was read.
func (r Reply) Why() fact.Fact { return fact.First(r.Reason, r.Problem) }

// Unanswered is the answer to a message where nothing was read: anything may have happened, unless it
// was turned away before it was read.
func (r Reply) Unanswered() fiscal.Answer {
	answer := r.OfMessage()
	answer.Reason = r.Why()
	if !r.Reason.None() {
		return answer
	}
	turnedAway := fact.CityRefusedUnread.With("status", http.StatusText(r.Status))
	switch {
	case r.ShutOut(): // a page: no certificate that the server lets in
		answer.Outcome = fiscal.OutcomeNotDelivered
		return mtls.RefusesCertificate(answer, r.ShutOutReason())
	case r.Status == http.StatusNotFound:
		answer.Outcome, answer.Reason = fiscal.OutcomeNotDelivered, fact.CityServiceNotThere.Fact()
		answer.NeedsPerson = answer.Reason
	case r.RefusedUnread(http.StatusUnsupportedMediaType):
		answer.Outcome, answer.Reason = fiscal.OutcomeNotDelivered, turnedAway
	case r.Status >= 300 && r.Status < 400: // it is not followed: a POST would become another call there
		answer.Reason = fact.CityServerMoved.With("status", r.Status)
		answer.NeedsPerson, answer.Alarm = answer.Reason, answer.Reason
	case r.Beyond:
		answer.NeedsPerson = answer.Reason
	}
	return answer
}

// UnansweredQuestion is the same of a question, which changes nothing, delivered or not.
func (r Reply) UnansweredQuestion() fiscal.Answer {
	answer := r.Unanswered()
	answer.Outcome = fiscal.OutcomeUnknown
	return answer
}
