package nfews

import (
	"cmp"
	"context"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rps"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Send sends the last message of a request, byte for byte, as fiscal.Authority
// wants it.
func (c *Client) Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	message := request.Message().XML
	if request.Kind == fiscal.Cancel {
		return interpretCancelled(c.call(ctx, access, cancelNFe, message), len(request.Messages))
	}
	sent, err := rps.Read(message)
	switch {
	case err != nil:
		return notDelivered(fact.OfError(err))
	case !access.Production:
		return notDelivered(fact.CityProductionOnly.Fact())
	}
	return interpretSent(c.call(ctx, access, sendRPS, message), sent.Key)
}

func notDelivered(reason fact.Fact) fiscal.Answer {
	return fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Reason: reason, NeedsPerson: reason}
}

// Find asks what became of a request, as fiscal.Authority wants it.
func (c *Client) Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	if request.Kind == fiscal.Cancel {
		return c.findCancelled(ctx, access, request)
	}
	sent, err := rps.Read(request.Message().XML)
	if err != nil {
		return fiscal.Unknown(fact.OfError(err))
	}
	question, err := c.signer.SignQuestion(sent.Sender, []rps.Key{sent.Key}, access.Credentials)
	if err != nil {
		return fiscal.Unknown(fact.QuestionNotSigned.Fact())
	}
	return interpretFound(c.call(ctx, access, findNFe, question), request)
}

// interpretSent reads the answer to an RPS. A success names the note; the document
// is then to be fetched.
func interpretSent(r reply, key rps.Key) fiscal.Answer {
	if r.document == nil {
		return r.unanswered()
	}
	answer := interpretAnswer(r, key)
	resent := func(e event) bool { return e.Code == "217" }
	said := slices.Concat(r.retorno.Alerts, r.retorno.Errors)
	if i := slices.IndexFunc(said, resent); i >= 0 && answer.HoldSeries.None() {
		// No matter what else the answer says: a note was cancelled by this sending.
		answer.HoldSeries = fact.CityNoteGone.With("gone", cancelledNote(said[i].Text), "number", key.Number,
			"series", key.Series)
		answer.Alarm = answer.HoldSeries
	}
	return answer
}

func interpretAnswer(r reply, key rps.Key) fiscal.Answer {
	answer, read := r.answer(), r.retorno
	switch {
	case len(read.Pairs) > 0 && (len(read.Errors) > 0 || read.success() < 0):
		return answer.Ambiguous(fact.CityRefusesAndNames.With("codes", codes(read.Errors)))
	case len(read.Pairs) > 0:
		return readPair(read, key, answer)
	case len(read.Errors) > 0 && read.success() <= 0 && !tryAgain(read.Errors):
		return rejected(answer, fiscal.Issue, r, read.Errors)
	case len(read.Errors) == 0 && read.alert("216") != nil:
		return rejected(answer, fiscal.Issue, r, []event{*read.alert("216")})
	}
	answer.Reason = fact.CityUnclear.Fact()
	if len(read.Errors) > 0 {
		answer.Reason = fact.CityUnclearCodes.With("codes", codes(read.Errors))
	}
	return answer
}

// tryAgain reports whether the city asks to send again (1110). To send an RPS again
// could destroy a note, so it is asked about first.
func tryAgain(errors []event) bool {
	return slices.ContainsFunc(errors, func(e event) bool { return e.Code == "1110" })
}

// readPair reads which note was made of the RPS.
func readPair(read retorno, key rps.Key, answer fiscal.Answer) fiscal.Answer {
	if len(read.Pairs) != 1 || len(read.Pairs[0].RPS) != 1 {
		return answer.Ambiguous(fact.CityAnswerWrong.With("why", fact.CityNamesNotOneNote.Fact()))
	}
	pair := read.Pairs[0]
	if named, ok := pair.RPS[0].key(); !ok || named != key {
		return answer.Ambiguous(fact.CityAboutAnotherRPS.Fact())
	}
	name, err := nameOf(pair.Note, key.Registration)
	if err != nil {
		return answer.Ambiguous(fact.CityAnswerWrong.With("why", fact.OfError(err)))
	}
	answer.Outcome, answer.Reason = fiscal.OutcomeAccepted, fact.CityNoteToFetch.Fact()
	answer.Document = &fiscal.IssuedDocument{AccessKey: name.accessKey, Authorization: name.authorization()}
	if len(read.Alerts) > 0 {
		answer.Reason = fact.CityNoteToFetchAlerts.With("codes", codes(read.Alerts))
	}
	if resent := read.alert("217"); resent != nil {
		return replaced(answer, cancelledNote(resent.Text), name, key)
	}
	answer.Body = nil
	return answer
}

// replaced adds to an answer that its note took the place of another, which the
// city cancelled (217): the number of that one, or CityNoteUnnamed.
func replaced(answer fiscal.Answer, gone any, second noteName, key rps.Key) fiscal.Answer {
	answer.HoldSeries = fact.CityNoteReplaced.With("gone", gone, "number", key.Number, "series", key.Series,
		"note", second.number)
	answer.Alarm = answer.HoldSeries.And(answer.Alarm)
	return answer
}

// interpretFound reads the answer to the question what became of an RPS.
func interpretFound(r reply, request fiscal.Request) fiscal.Answer {
	answer, sent, problem := asked(r, request)
	if problem {
		return answer
	}
	read := r.retorno
	var notes []note
	for _, one := range read.Notes {
		if len(one.RPS) == 1 {
			if key, ok := one.RPS[0].key(); !ok || key != sent.Key {
				continue
			}
		}
		found, err := readNote(one, sent.Key.Registration)
		if err != nil {
			answer.Reason, answer.Unreadable = fact.CityOneNoteWrong.With("why", fact.OfError(err)), true
			answer.Outcome = fiscal.OutcomeUnknown
			return answer
		}
		notes = append(notes, found)
	}
	switch {
	case len(read.Notes) > 0 && len(notes) == 0:
		return answer.Ambiguous(fact.CityAboutAnotherRPS.Fact())
	case len(notes) > 0:
		return foundNote(r.document, notes, sent, request, answer)
	case notFound(read, sent.Key):
		answer.Outcome, answer.Reason, answer.Body = fiscal.OutcomeNotFound, fact.Fact{}, nil
		return answer
	}
	return unclear(answer, read)
}

// asked is what is known before the notes of an answer are read.
func asked(r reply, request fiscal.Request) (answer fiscal.Answer, sent rps.Sent, problem bool) {
	if r.document == nil {
		answer = r.unanswered()
		answer.Outcome = fiscal.OutcomeUnknown // a question changes nothing, delivered or not
		return answer, sent, true
	}
	sent, err := rps.Read(request.Message().XML)
	if err != nil {
		return fiscal.Unknown(fact.OfError(err)), sent, true
	}
	return r.answer(), sent, false
}

// notFound reports whether the city says that no note was made of an RPS, and
// nothing else.
func notFound(read retorno, of rps.Key) bool {
	return len(read.Errors) > 0 && read.success() < 0 &&
		!slices.ContainsFunc(read.Errors, func(e event) bool { return e.Code != "1106" || e.aboutAnother(of) })
}

// foundNote says what was found under the number. The city keeps a note that was
// cancelled by sending its RPS again, beside the one that took its place.
func foundNote(document []byte, notes []note, sent rps.Sent, request fiscal.Request,
	answer fiscal.Answer) fiscal.Answer {
	slices.SortFunc(notes, func(a, b note) int { return cmp.Compare(b.number, a.number) })
	found := notes[0]
	var standing []note
	for _, one := range notes {
		if !one.cancelled {
			standing = append(standing, one)
		}
	}
	switch {
	case len(standing) > 1:
		return answer.Ambiguous(fact.CityTwoNotesStand.With("first", standing[0].number, "second", standing[1].number))
	case len(standing) == 1:
		found = standing[0]
	}
	authorization := found.authorization()
	authorization.IssuedAt = nfse.Timestamp{Time: found.issuedAt}
	totals, unread := readTotals(found.xml)
	authorization.Totals = totals.OrNil()
	answer.Outcome, answer.Match = fiscal.OutcomeAccepted, matchAny(found, request)
	answer.Document = &fiscal.IssuedDocument{
		AccessKey: found.accessKey, Authorization: authorization, ISSRate: found.xml.rate(), XML: document,
		Digest: request.Message().Digest, // of the message that it was compared with
	}
	if answer.Match != fiscal.MatchOurs {
		answer.Document.Digest = ""
	}
	if answer.Match == fiscal.MatchUnclear {
		answer.NeedsPerson = fact.CityNoteUndecided.With("note", found.number, "number", sent.Key.Number, "series",
			sent.Key.Series)
	}
	answer.Alarm = unread
	if len(notes) > 1 && (answer.Match == fiscal.MatchOurs || anyOurs(notes, request)) {
		return replaced(answer, firstOther(notes, found), found.noteName, sent.Key)
	}
	if found.cancelled && answer.Match == fiscal.MatchOurs {
		answer.Alarm = fact.CityNoteCancelled.With("note", found.number).And(unread)
	}
	if answer.Alarm.None() {
		answer.Body = nil
	}
	return answer
}

// anyOurs reports whether one of the notes was made of our messages.
func anyOurs(notes []note, request fiscal.Request) bool {
	return slices.ContainsFunc(notes, func(n note) bool { return matchAny(n, request) == fiscal.MatchOurs })
}

// firstOther is the number of the note that another took the place of, or CityNoteUnnamed.
func firstOther(notes []note, found note) any {
	for _, one := range notes {
		if one.number != found.number {
			return one.number
		}
	}
	return fact.CityNoteUnnamed.Fact()
}

// matchAny compares a note with every message that was signed for the request.
func matchAny(found note, request fiscal.Request) fiscal.Match {
	match := fiscal.MatchForeign
	for _, message := range request.Messages {
		sent, err := rps.Read(message.XML)
		if err != nil {
			return fiscal.MatchUnclear
		}
		switch found.match(sent) {
		case fiscal.MatchOurs:
			return fiscal.MatchOurs
		case fiscal.MatchUnclear:
			match = fiscal.MatchUnclear
		}
	}
	return match
}
