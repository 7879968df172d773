package soap

import (
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/sefin"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse/fact"
)

// Meaning is what the codes of a family's servers mean.
type Meaning struct {
	Catalogue *rulecatalogue.Catalogue
	Handling  func(code, words string) fiscal.Handling
	IsFailure func(code string) bool // the server says that it failed, not that it said no
	Cancelled string                 // the code of a note that is cancelled already
}

// Sent reads the answer to a DPS. A note that is there counts before what is refused.
func (m Meaning) Sent(r Reply, request fiscal.Request) fiscal.Answer {
	if r.Read == nil {
		return r.Unanswered()
	}
	answer := r.OfMessage()
	if len(r.Read.Notes) > 0 {
		return readNotes(r, request, answer)
	}
	return m.refused(answer, fiscal.Issue, r)
}

// Found reads the answer to the question what became of a DPS. That there is none counts only by the
// messages that the city is known to have for it, and nothing beside.
func (m Meaning) Found(r Reply, request fiscal.Request, isNotFound func(Message) bool) fiscal.Answer {
	if r.Read == nil {
		return r.UnansweredQuestion()
	}
	answer, refusals := r.OfQuestion(), r.Read.Refusals
	switch {
	case len(r.Read.Notes) > 0:
		return readNotes(r, request, answer)
	case r.Successful() && len(refusals) > 0 &&
		!slices.ContainsFunc(refusals, func(one Message) bool { return !isNotFound(one) }):
		answer.Outcome, answer.Body = fiscal.OutcomeNotFound, nil
		return answer
	}
	return m.Unclear(answer, refusals)
}

// refused is the answer of a reply by what it refuses.
func (m Meaning) refused(answer fiscal.Answer, kind fiscal.Kind, r Reply) fiscal.Answer {
	refusals := r.Read.Refusals
	failed := slices.ContainsFunc(refusals, func(one Message) bool { return m.IsFailure(one.Code) })
	switch {
	case failed:
		answer.Reason = fact.CityUnclearCodes.With("codes", CodesOf(refusals))
	case len(refusals) > 0:
		return m.rejected(answer, kind, r)
	default:
		answer.Reason = fact.CityUnclear.Fact()
	}
	return answer
}

// rejected is what refusals amount to. A no that comes with the status of a server's error may follow
// something that was done: it needs confirmation.
func (m Meaning) rejected(answer fiscal.Answer, kind fiscal.Kind, r Reply) fiscal.Answer {
	decisive, handling := fiscal.Decisive(r.Read.Refusals, func(one Message) fiscal.Handling {
		return m.Handling(one.Code, one.Text)
	})
	if handling.Ends() && !r.Successful() {
		handling = fiscal.NeedsConfirmation
	}
	answer.Outcome, answer.Reason, answer.Handling = fiscal.OutcomeRejected, fact.Fact{}, handling
	answer.Unconfirmed = handling == fiscal.NeedsPerson && !r.Successful()
	answer.Rejection = m.Catalogue.Rejection(kind, decisive.Code, wordsOf(r.Read.Refusals))
	return answer
}

// Unclear is the answer to a question that the city does not answer. What it says is wrong with our
// certificate only a person can correct.
func (m Meaning) Unclear(answer fiscal.Answer, refusals []Message) fiscal.Answer {
	answer.Outcome, answer.Reason = fiscal.OutcomeUnknown, fact.CityUnclear.Fact()
	if len(refusals) == 0 {
		return answer
	}
	answer.Reason = fact.CityAnsweredCodes.With("codes", CodesOf(refusals))
	for _, one := range refusals {
		if m.Handling(one.Code, one.Text) == fiscal.CertificateRefused {
			answer.NeedsPerson = fact.AddCertificateItTakes.With("why",
				fact.CityRefusesCertificate.With("code", one.Code))
		}
	}
	return answer
}

// readNotes reads the note that was made of the DPS of a request. One whose document proves that it is ours counts,
// no matter what else the answer says; otherwise it must be the only one, with nothing refused beside it.
func readNotes(r Reply, request fiscal.Request, answer fiscal.Answer) fiscal.Answer {
	notes := r.Read.Notes
	proved, differ := provedOf(notes, request, answer)
	if proved != nil && len(r.Read.Refusals) > 0 {
		proved.Reason = fact.SefinContradictsItsDocument.With("member", CodesOf(r.Read.Refusals), "status", r.Status)
	}
	switch {
	case proved != nil && !differ:
		return *proved
	case len(r.Read.Refusals) > 0:
		return answer.Ambiguous(fact.CityRefusesAndNames.With("codes", CodesOf(r.Read.Refusals)))
	case len(notes) != 1 || len(notes[0].Documents) != 1:
		return answer.Ambiguous(fact.CityAnswerWrong.With("why", fact.CityNamesNotOneNote.Fact()))
	}
	return readNote(notes[0], notes[0].Documents[0], request, answer)
}

// provedOf is the note whose document proves that it is ours; nil where there is none. differ says that several
// are, of different keys.
func provedOf(notes []Note, request fiscal.Request, answer fiscal.Answer) (proved *fiscal.Answer, differ bool) {
	for _, one := range notes {
		for _, document := range one.Documents {
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
func readNote(note Note, document Node, request fiscal.Request, answer fiscal.Answer) fiscal.Answer {
	key, ok := KeyOf(document)
	if !ok {
		return answer.Ambiguous(fact.SefinKeyOfAnotherIssuer.Fact())
	}
	answer = sefin.ReadIssued(document.Document("NFSe"), key, request, answer)
	if answer.Outcome == fiscal.OutcomeAccepted {
		if cancelled, _, err := CancellationIn(note.Events, key); err == nil && cancelled != nil {
			answer.Alarm = answer.Alarm.And(fact.CityNoteCancelled.With("note", NumberIn(key)))
		}
	}
	return answer
}

// KeyOf is the access key of an NFS-e, which only its Id has.
func KeyOf(document Node) (key string, ok bool) {
	for _, inf := range document.All("infNFSe") {
		key, ok = strings.CutPrefix(inf.Attribute("Id"), "NFS")
	}
	return key, ok && schema.ValidAccessKey(key)
}

// NumberIn is the number of a note, without zeros before it, in its access key.
func NumberIn(accessKey string) string { return strings.TrimLeft(accessKey[23:36], "0") }
