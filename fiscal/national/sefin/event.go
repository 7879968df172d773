package sefin

import (
	"context"
	"net/http"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/dps"
	"emissor/nfse/fact"
)

// event is a registered event of a document, such as the one by which it is cancelled.
// Only the event itself counts as acceptance.
type event struct {
	client    *Client
	accessKey string // of the document
	kindOf    fiscal.Kind
	eventType string // six digits
}

// eventOf is the event that a request asks for.
func (c *Client) eventOf(request fiscal.Request) event {
	if request.Kind == fiscal.Analysis {
		return event{c, request.AccessKey, request.Kind, dps.AnalysisEvent}
	}
	return event{c, request.AccessKey, request.Kind, dps.CancellationEvent}
}

func (e event) kind() fiscal.Kind { return e.kindOf }

// sending is POST /nfse/{key}/eventos.
func (e event) sending() (call, string) {
	path := []string{"nfse", e.accessKey, "eventos"}
	return call{name: string(e.kindOf), method: http.MethodPost, path: path}, "pedidoRegistroEventoXmlGZipB64"
}

// question is GET /nfse/{key}/eventos/101101/1.
func (e event) question() call {
	path := []string{"nfse", e.accessKey, "eventos", e.eventType, "1"}
	return call{name: "find event " + e.eventType, method: http.MethodGet, path: path}
}

func (e event) named(reply reply, body body, asked bool) (bool, fact.Fact) {
	packed, same := body.text("eventoXmlGZipB64")
	if !same {
		return false, fact.SefinContradiction.Fact()
	}
	events, _ := body.objects("eventos")
	return reply.Successful() && (packed != "" || asked && len(events) > 0), fact.Fact{}
}

func (e event) absent(reply reply, body body) bool {
	_, listed := body.objects("eventos")
	return reply.Successful() && listed || reply.saysNothingExists(body)
}

func (e event) mismatch(body body) fact.Fact { return e.mismatchOf(body.members) }

func (e event) mismatchOf(about members) fact.Fact {
	key, same := about.text("chaveAcesso")
	key = e.client.options.Dialect.plainKey(key)
	switch {
	case !same:
		return fact.SefinContradiction.Fact()
	case key != "" && key != e.accessKey:
		return fact.SefinAboutAnotherDocument.With("field", "chaveAcesso")
	}
	return fact.Fact{}
}

// read reads the event as documented, or a list of events, which is what really
// comes.
func (e event) read(_ reply, body body, answer fiscal.Answer) fiscal.Answer {
	if mismatch := e.mismatch(body); !mismatch.None() {
		return answer.Ambiguous(mismatch)
	}
	if packed, _ := body.text("eventoXmlGZipB64"); packed != "" {
		return e.readXML(packed, answer)
	}
	events, _ := body.objects("eventos")
	return e.readList(events, answer)
}

// readList looks for the event in a list of events. An event whose XML
// cannot be read exists all the same.
func (e event) readList(events []members, answer fiscal.Answer) fiscal.Answer {
	for _, listed := range events {
		key, _ := listed.text("chaveAcesso")
		kind, oneKind := listed.text("tipoEvento")
		packed, onePacked := listed.text("arquivoXml")
		mismatch := e.mismatchOf(listed)
		switch {
		case !oneKind || !onePacked:
			return answer.Ambiguous(fact.SefinContradiction.Fact())
		case !mismatch.None():
			return answer.Ambiguous(mismatch)
		case kind != "" && strings.TrimPrefix(strings.ToLower(kind), "e") != e.eventType:
			continue
		}
		read := e.readXML(packed, answer)
		if read.Outcome == fiscal.OutcomeUnknown && read.Alarm.None() && key != "" && kind != "" {
			read.Outcome, read.Match, read.NeedsPerson = fiscal.OutcomeAccepted, fiscal.MatchOurs, fact.Fact{}
			if e.client.options.RequireSignature {
				read.NeedsPerson = fact.SignatureOfEventUnread.With("why", read.Reason)
			}
		}
		return read
	}
	return answer.Ambiguous(fact.SefinAboutAnotherEvent.Fact())
}

func (e event) readXML(packed string, answer fiscal.Answer) fiscal.Answer {
	xml, facts, err := readPacked(packed, readEvent)
	id := "EVT" + e.accessKey + e.eventType
	switch {
	case err != nil:
		return unread(answer, fact.SefinEventUnread.With("why", fact.OfError(err)), packed, err)
	case facts.accessKey != e.accessKey || !strings.HasPrefix(facts.id, id) || facts.kind != e.eventType:
		return answer.Ambiguous(fact.SefinEventAnother.Fact())
	}
	answer.Outcome, answer.Match, answer.EventXML = fiscal.OutcomeAccepted, fiscal.MatchOurs, xml
	// Cities sign events of their own, by certificates of which there is no list: an event that
	// is not verified raises an alarm and, where signatures are required, waits for a person. It
	// is never dropped.
	return e.client.signed(answer, e.client.signatureProblem(xml, facts.id, facts.registeredAt,
		e.client.options.EventSigners))
}

// FindEvent asks for the first registered event of a type about a document:
// fiscal.OutcomeAccepted with its exact bytes, fiscal.OutcomeNotFound or fiscal.OutcomeUnknown.
func (c *Client) FindEvent(ctx context.Context, access fiscal.Access, accessKey, eventType string) fiscal.Answer {
	subject := event{client: c, accessKey: accessKey, eventType: eventType}
	reply := c.call(ctx, access, subject.question())
	return c.interpret(func() fiscal.Answer { return interpretAsked(reply, subject) })
}
