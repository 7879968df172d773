package issnet

import (
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/issnet/rules"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/sefin"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// interpretSent reads the answer to a DPS. That a note is there counts only where nothing is refused.
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

// readNotes reads the one note that was made of the DPS of a request.
func readNotes(r reply, request fiscal.Request, answer fiscal.Answer) fiscal.Answer {
	notes := r.read.notes
	switch {
	case len(r.read.refusals) > 0:
		return answer.Ambiguous(fact.CityRefusesAndNames.With("codes", codesOf(r.read.refusals)))
	case len(notes) != 1 || len(notes[0].documents) != 1:
		return answer.Ambiguous(fact.CityAnswerWrong.With("why", fact.CityNamesNotOneNote.Fact()))
	}
	document := notes[0].documents[0]
	key, ok := keyOf(document)
	if !ok || !keyFits(key, request.Message().ID) {
		return answer.Ambiguous(fact.SefinKeyOfAnotherIssuer.Fact())
	}
	answer.Outcome = fiscal.OutcomeAccepted
	answer.Document = &fiscal.IssuedDocument{AccessKey: key, Authorization: nfse.Authorization{AccessKey: &key}}
	answer = sefin.ReadIssued(document.document("NFSe"), request, answer)
	if answer.Outcome == fiscal.OutcomeAccepted {
		if cancelled, _, err := cancellationIn(notes[0].events, key); err == nil && cancelled != nil {
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

// keyFits reports whether an access key can be that of the document made from a DPS: both name the
// issuer. Which city the key of the one test server names is not known.
func keyFits(accessKey, dpsID string) bool {
	return len(dpsID) == 45 && accessKey[8:23] == dpsID[10:25]
}
