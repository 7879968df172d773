package sefin

import (
	"cmp"
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
	path := pathOf(e.client.options.Dialect.paths().Event, e.accessKey)
	return call{name: string(e.kindOf), method: http.MethodPost, path: path}, "pedidoRegistroEventoXmlGZipB64"
}

// question is GET /nfse/{key}/eventos/101101/1.
func (e event) question() call {
	path := []string{"nfse", e.accessKey, "eventos", e.eventType, "1"}
	return call{name: e.kindOf.CallName(fiscal.Ask), method: http.MethodGet, path: path}
}

func (e event) named(reply reply, body body, asked bool) bool {
	events, _ := body.objects("eventos")
	return reply.Successful() && (len(body.texts(eventMember)) > 0 || asked && len(events) > 0)
}

// eventMember has the event as documented, as base64 of gzip; in a list, which is what really comes, it is
// listedMember, as base64 of that.
const eventMember, listedMember = "eventoXmlGZipB64", "arquivoXml"

func (e event) absent(reply reply, body body) bool {
	_, listed := body.objects("eventos")
	return reply.Successful() && listed || reply.saysNothingExists(body)
}

func (e event) mismatch(body body) fact.Fact {
	if member := e.another(body.members); member != "" {
		return fact.SefinAboutAnotherDocument.With("field", member)
	}
	return fact.Fact{}
}

// another is the member by which an answer, or an entry of a list in it, is about another document; empty
// where none is.
func (e event) another(about members) string {
	for _, key := range about.texts("chaveAcesso") {
		if strings.TrimPrefix(key, keyPrefix) != e.accessKey {
			return "chaveAcesso"
		}
	}
	return ""
}

// read looks for the event in an answer: as documented, or in a list of events. What it says of itself
// proves it. One in a list, of our document and type, whose XML cannot be read, exists all the same.
func (e event) read(reply reply, body body, answer fiscal.Answer) fiscal.Answer {
	unproved := answer.Ambiguous(fact.SefinAboutAnotherEvent.Fact())
	for _, packed := range body.texts(eventMember) {
		if unproved = e.readXML(packed, answer); unproved.Outcome == fiscal.OutcomeAccepted {
			return reply.contradicted(body, unproved, e.another(body.members))
		}
	}
	events, _ := body.objects("eventos")
	for _, listed := range events {
		read, another := e.readListed(reply, listed, answer), e.another(listed)
		if read.Outcome == fiscal.OutcomeAccepted {
			return reply.contradicted(body, read, cmp.Or(another, e.another(body.members)))
		}
		if !e.isOther(listed) {
			unproved = read
		}
	}
	return unproved
}

// isOther reports whether an entry of a list says that it is of another type.
func (e event) isOther(listed members) bool {
	kinds := listed.texts("tipoEvento")
	return len(kinds) == 1 && e.plainType(kinds[0]) != e.eventType
}

// plainType is the type of an event, which some write as the name of its element.
func (e event) plainType(kind string) string { return strings.TrimPrefix(strings.ToLower(kind), "e") }

// readListed reads an entry of a list.
func (e event) readListed(reply reply, listed members, answer fiscal.Answer) (read fiscal.Answer) {
	packed := listed.texts(listedMember)
	if len(packed) != 1 {
		packed = []string{""}
	}
	read = e.readXML(packed[0], answer)
	keys, kinds := listed.texts("chaveAcesso"), listed.texts("tipoEvento")
	isOurs := len(keys) == 1 && e.another(listed) == "" && len(kinds) == 1 && !e.isOther(listed)
	if read.Outcome == fiscal.OutcomeUnknown && read.Alarm.None() && isOurs && reply.Successful() {
		read.Outcome, read.Match, read.NeedsPerson = fiscal.OutcomeAccepted, fiscal.MatchOurs, fact.Fact{}
		if e.client.options.RequireSignature {
			read.NeedsPerson = fact.SignatureOfEventUnread.With("why", read.Reason)
		}
	}
	return read
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
	answer.Reason = fact.Fact{}
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
	return c.interpretAsked(reply, subject)
}
