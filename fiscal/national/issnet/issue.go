package issnet

import (
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/issnet/rules"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/sefin"
	"emissor/nfse/fact"
)

// interpretSent reads the answer to a DPS. A note that is there counts before what is refused.
func interpretSent(r reply, request fiscal.Request) fiscal.Answer {
	if r.read == nil {
		return r.unanswered()
	}
	answer, refusals := r.OfMessage(), r.read.refusals
	switch {
	case len(r.read.notes) > 0:
		return readNotes(r, request, answer)
	case len(refusals) > 0 && failed(refusals):
		answer.Reason = fact.CityUnclearCodes.With("codes", codesOf(refusals))
		return answer
	case len(refusals) > 0:
		return rejected(answer, fiscal.Issue, r)
	}
	answer.Reason = fact.CityUnclear.Fact()
	return answer
}

// interpretFound reads the answer to the question what became of a DPS. That there is none counts
// only by the words that the city is known to have for it, and nothing beside.
func (c *Client) interpretFound(r reply, request fiscal.Request) fiscal.Answer {
	if r.read == nil {
		return r.unansweredQuestion()
	}
	answer, refusals := r.OfQuestion(), r.read.refusals
	isNotFound := func(m message) bool {
		return slices.Contains(c.notFound, m.Code) || m.Code == rules.DPSNotFound
	}
	switch {
	case len(r.read.notes) > 0:
		return readNotes(r, request, answer)
	case r.Successful() && len(refusals) > 0 &&
		!slices.ContainsFunc(refusals, func(m message) bool { return !isNotFound(m) }):
		answer.Outcome, answer.Body = fiscal.OutcomeNotFound, nil
		return answer
	}
	return unclear(answer, refusals)
}

// readNotes reads the note that was made of the DPS of a request. One whose document proves that it is ours
// counts, whatever else the answer says; else it must be the only one, with nothing refused beside it.
func readNotes(r reply, request fiscal.Request, answer fiscal.Answer) fiscal.Answer {
	notes := r.read.notes
	proved, differ := provedOf(notes, request, answer)
	if proved != nil && len(r.read.refusals) > 0 {
		proved.Reason = fact.SefinContradictsItsDocument.With("member", codesOf(r.read.refusals), "status", r.Status)
	}
	switch {
	case proved != nil && !differ:
		return *proved
	case len(r.read.refusals) > 0:
		return answer.Ambiguous(fact.CityRefusesAndNames.With("codes", codesOf(r.read.refusals)))
	case len(notes) != 1 || len(notes[0].documents) != 1:
		return answer.Ambiguous(fact.CityAnswerWrong.With("why", fact.CityNamesNotOneNote.Fact()))
	}
	return readNote(notes[0], notes[0].documents[0], request, answer)
}

// provedOf is the note whose document proves that it is ours; nil where there is none. differ says that several
// are, of different keys.
func provedOf(notes []issued, request fiscal.Request, answer fiscal.Answer) (proved *fiscal.Answer, differ bool) {
	for _, one := range notes {
		for _, document := range one.documents {
			read := readNote(one, document, request, answer)
			if read.Match != fiscal.MatchOurs {
				continue
			}
			differ = differ || proved != nil && proved.Document.AccessKey != read.Document.AccessKey
			proved = &read
		}
	}
	return proved, differ
}

// readNote reads a document of a note. That its key fits says where it is, where it cannot be read.
func readNote(note issued, document node, request fiscal.Request, answer fiscal.Answer) fiscal.Answer {
	key, ok := keyOf(document)
	if !ok {
		return answer.Ambiguous(fact.SefinKeyOfAnotherIssuer.Fact())
	}
	answer = sefin.ReadIssued(document.document("NFSe"), key, request, answer)
	if answer.Outcome == fiscal.OutcomeAccepted {
		if cancelled, _, err := cancellationIn(note.events, key); err == nil && cancelled != nil {
			answer.Alarm = answer.Alarm.And(fact.CityNoteCancelled.With("note", numberIn(key)))
		}
	}
	return answer
}

// keyOf is the access key of an NFS-e, which only its Id has.
func keyOf(document node) (key string, ok bool) {
	for _, inf := range document.all("infNFSe") {
		key, ok = strings.CutPrefix(inf.attribute("Id"), "NFS")
	}
	return key, ok && schema.ValidAccessKey(key)
}
