package soap

import (
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/dps"
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
func eventsIn(events []Node, accessKey string) (found []registered, err error) {
	for _, one := range events {
		xml := one.Document("evento")
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

// CancellationIn is the event by which a note was cancelled; nil where none was.
func CancellationIn(events []Node, accessKey string) (cancelled []byte, at time.Time, err error) {
	found, err := eventsIn(events, accessKey)
	for _, one := range found {
		if slices.Contains(cancellingEvents, one.Type) {
			return one.xml, one.At, nil
		}
	}
	return nil, time.Time{}, err
}

// EventSent reads the answer to a request about a note. That the note was cancelled before is
// done as well.
func (m Meaning) EventSent(r Reply, request fiscal.Request) fiscal.Answer {
	if r.Read == nil {
		return r.Unanswered()
	}
	answer, refusals := r.OfMessage(), r.Read.Refusals
	cancelledBefore := slices.ContainsFunc(refusals, func(one Message) bool { return one.Code == m.Cancelled })
	switch {
	case len(r.Read.Events) > 0 && len(refusals) > 0:
		return answer.Ambiguous(fact.CitySuccessAndErrors.With("codes", CodesOf(refusals)))
	case len(r.Read.Events) > 0:
		return readEvent(r, request, answer)
	case request.Kind == fiscal.Cancel && cancelledBefore:
		return EventThere(answer, nil)
	}
	return m.refused(answer, request.Kind, r)
}

// readEvent reads the event that was asked for.
func readEvent(r Reply, request fiscal.Request, answer fiscal.Answer) fiscal.Answer {
	found, err := eventsIn(r.Read.Events, request.AccessKey)
	if err != nil {
		return answer.Ambiguous(fact.SefinEventUnread.With("why", fact.OfError(err)))
	}
	i := slices.IndexFunc(found, func(one registered) bool { return one.Type == typeOf(request) })
	if i < 0 {
		return answer.Ambiguous(fact.SefinEventAnother.Fact())
	}
	return EventThere(answer, found[i].xml)
}

// EventThere is an answer by which what was asked for about a note is done; xml is the event, nil where none came.
func EventThere(answer fiscal.Answer, xml []byte) fiscal.Answer {
	answer.Outcome, answer.Match, answer.EventXML = fiscal.OutcomeAccepted, fiscal.MatchOurs, xml
	answer.Reason, answer.Body = fact.Fact{}, nil
	return answer
}

// EventFound reads whether the note that is shown has the event that was asked for. One that
// is not shown says nothing.
func (m Meaning) EventFound(r Reply, request fiscal.Request) fiscal.Answer {
	if r.Read == nil {
		return r.UnansweredQuestion()
	}
	answer := r.OfQuestion()
	if len(r.Read.Refusals) > 0 || len(r.Read.Notes) == 0 {
		return m.Unclear(answer, r.Read.Refusals)
	}
	shown := slices.IndexFunc(r.Read.Notes, func(one Note) bool {
		return len(one.Documents) == 1 && isOf(one.Documents[0], request.AccessKey)
	})
	if shown < 0 {
		return answer.Ambiguous(fact.CityAboutAnotherNote.Fact())
	}
	events, err := eventsIn(r.Read.Notes[shown].Events, request.AccessKey)
	if err != nil {
		answer.Reason, answer.Unreadable = fact.SefinEventUnread.With("why", fact.OfError(err)), true
		return answer
	}
	for _, one := range events {
		ends := request.Kind == fiscal.Cancel && slices.Contains(cancellingEvents, one.Type)
		if one.Type == typeOf(request) || ends {
			return EventThere(answer, one.xml)
		}
	}
	answer.Outcome, answer.Reason, answer.Body = fiscal.OutcomeNotFound, fact.Fact{}, nil
	return answer
}

func isOf(document Node, accessKey string) bool {
	key, ok := KeyOf(document)
	return ok && key == accessKey
}

// Author reads on whose behalf a request about a note is.
func Author(message []byte) (nfse.TaxID, error) {
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
