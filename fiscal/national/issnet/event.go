package issnet

import (
	"context"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/issnet/rules"
	"emissor/fiscal/national/sefin"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// cancellingEvents are the events by which a note is cancelled: by its issuer, for another one, by an
// analysis, and by the city of its own.
var cancellingEvents = []string{dps.CancellationEvent, "105102", "105104", "305101"}

// typeOf is the event that a request asks for.
func typeOf(request fiscal.Request) string {
	if request.Kind == fiscal.Analysis {
		return dps.AnalysisEvent
	}
	return dps.CancellationEvent
}

// registered is an event of a note.
type registered struct {
	sefin.Event
	xml []byte
}

// eventsIn reads the events about a note.
func eventsIn(events []node, accessKey string) (found []registered, err error) {
	for _, one := range events {
		xml := one.document("evento")
		event, err := sefin.ReadEvent(xml)
		switch {
		case err != nil:
			return nil, err
		case event.AccessKey != accessKey:
			return nil, fact.Failure(fact.CityAboutAnotherNote.Fact())
		}
		found = append(found, registered{event, xml})
	}
	return found, nil
}

// cancellationIn is the event by which a note was cancelled; nil where none was.
func cancellationIn(events []node, accessKey string) (cancelled []byte, at time.Time, err error) {
	found, err := eventsIn(events, accessKey)
	for _, one := range found {
		if slices.Contains(cancellingEvents, one.Type) {
			return one.xml, one.At, nil
		}
	}
	return nil, time.Time{}, err
}

// interpretEvent reads the answer to a request about a note. That the note was cancelled before is
// done as well.
func interpretEvent(r reply, request fiscal.Request) fiscal.Answer {
	if r.read == nil {
		return r.unanswered()
	}
	answer, refusals := r.OfMessage(), r.read.refusals
	cancelledBefore := slices.ContainsFunc(refusals, func(m message) bool { return m.Code == rules.NoteCancelled })
	switch {
	case len(r.read.events) > 0 && len(refusals) > 0:
		return answer.Ambiguous(fact.CitySuccessAndErrors.With("codes", codesOf(refusals)))
	case len(r.read.events) > 0:
		return readEvent(r, request, answer)
	case request.Kind == fiscal.Cancel && cancelledBefore:
		return eventThere(answer, nil)
	case len(refusals) > 0 && failed(refusals):
		answer.Reason = fact.CityUnclearCodes.With("codes", codesOf(refusals))
		return answer
	case len(refusals) > 0:
		return rejected(answer, request.Kind, r)
	}
	answer.Reason = fact.CityUnclear.Fact()
	return answer
}

// readEvent reads the event that was asked for.
func readEvent(r reply, request fiscal.Request, answer fiscal.Answer) fiscal.Answer {
	found, err := eventsIn(r.read.events, request.AccessKey)
	if err != nil {
		return answer.Ambiguous(fact.SefinEventUnread.With("why", fact.OfError(err)))
	}
	i := slices.IndexFunc(found, func(one registered) bool { return one.Type == typeOf(request) })
	if i < 0 {
		return answer.Ambiguous(fact.SefinEventAnother.Fact())
	}
	return eventThere(answer, found[i].xml)
}

func eventThere(answer fiscal.Answer, xml []byte) fiscal.Answer {
	answer.Outcome, answer.Match, answer.EventXML = fiscal.OutcomeAccepted, fiscal.MatchOurs, xml
	answer.Reason, answer.Body = fact.Fact{}, nil
	return answer
}

// findEvent asks what became of a request about a note by asking for the note, which shows its events:
// the request is never sent again for that.
func (c *Client) findEvent(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	author, err := readAuthor(request.Message().XML)
	switch {
	case err != nil:
		return unknown(fact.OfError(err))
	case request.MunicipalRegistration == "":
		return unknown(fact.CityFieldMissing.With("field", "IM"))
	}
	question := noteQuestion(provider{author, request.MunicipalRegistration}, numberIn(request.AccessKey))
	return interpretFoundEvent(c.call(ctx, access, findIssued, question), request)
}

// readAuthor reads on whose behalf a request about a note is.
func readAuthor(message []byte) (nfse.TaxID, error) {
	_, fields, err := xmlread.Fields(message)
	if err != nil {
		return "", err
	}
	for _, path := range []string{"infPedReg/CNPJAutor", "infPedReg/CPFAutor"} {
		if values := fields[path]; len(values) == 1 {
			return nfse.TaxID(values[0]), nil
		}
	}
	return "", fact.Failure(fact.CityFieldMissing.With("field", "CNPJAutor"))
}

// interpretFoundEvent reads whether the note that is shown has the event that was asked for. One that
// is not shown says nothing.
func interpretFoundEvent(r reply, request fiscal.Request) fiscal.Answer {
	if r.read == nil {
		return r.unansweredQuestion()
	}
	answer := r.OfQuestion()
	if len(r.read.refusals) > 0 || len(r.read.notes) == 0 {
		return unclear(answer, r.read.refusals)
	}
	shown := slices.IndexFunc(r.read.notes, func(one issued) bool {
		return len(one.documents) == 1 && isOf(one.documents[0], request.AccessKey)
	})
	if shown < 0 {
		return answer.Ambiguous(fact.CityAboutAnotherNote.Fact())
	}
	events, err := eventsIn(r.read.notes[shown].events, request.AccessKey)
	if err != nil {
		answer.Reason, answer.Unreadable = fact.SefinEventUnread.With("why", fact.OfError(err)), true
		return answer
	}
	for _, one := range events {
		ends := request.Kind == fiscal.Cancel && slices.Contains(cancellingEvents, one.Type)
		if one.Type == typeOf(request) || ends {
			return eventThere(answer, one.xml)
		}
	}
	answer.Outcome, answer.Reason, answer.Body = fiscal.OutcomeNotFound, fact.Fact{}, nil
	return answer
}

func isOf(document node, accessKey string) bool {
	key, ok := keyOf(document)
	return ok && key == accessKey
}
