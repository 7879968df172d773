package nfews

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rps"
	"emissor/nfse"
)

// Send sends the last message of a request, byte for byte, as fiscal.Authority
// wants it.
func (c *Client) Send(ctx context.Context, session fiscal.Session, request fiscal.Request) fiscal.Answer {
	message := request.Message().XML
	if request.Kind == fiscal.Cancel {
		return interpretCancelled(c.call(ctx, session, cancelNFe, message), len(request.Messages))
	}
	sent, err := rps.Read(message)
	switch {
	case err != nil:
		return notDelivered(err.Error())
	case !session.Production:
		return notDelivered("a note is issued in production only: the city has no test system")
	}
	return interpretSent(c.call(ctx, session, sendRPS, message), sent.Key)
}

func notDelivered(reason string) fiscal.Answer {
	return fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Reason: reason, NeedsPerson: reason}
}

// Find asks what became of a request, as fiscal.Authority wants it.
func (c *Client) Find(ctx context.Context, session fiscal.Session, request fiscal.Request) fiscal.Answer {
	if request.Kind == fiscal.Cancel {
		return c.findCancelled(ctx, session, request)
	}
	sent, err := rps.Read(request.Message().XML)
	if err != nil {
		return unknown(err.Error())
	}
	question, err := c.signer.SignQuestion(sent.Sender, []rps.Key{sent.Key}, session.Credentials)
	if err != nil {
		return unknown("the question could not be signed")
	}
	return interpretFound(c.call(ctx, session, findNFe, question), request)
}

func unknown(reason string) fiscal.Answer {
	return fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: reason}
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
	if i := slices.IndexFunc(said, resent); i >= 0 && answer.HoldSeries == "" {
		// Whatever else the answer says: a note was cancelled by this sending.
		answer.HoldSeries = fmt.Sprintf("the city says (217) that it cancelled the note %s, which was made of the RPS "+
			"%d of series %s before, and its answer names no other that can be read", firstNote(said[i].Text),
			key.Number, key.Series)
		answer.Alarm = answer.HoldSeries
	}
	return answer
}

func interpretAnswer(r reply, key rps.Key) fiscal.Answer {
	answer, read := r.answer(), r.retorno
	switch {
	case len(read.Pairs) > 0 && (len(read.Errors) > 0 || read.success() < 0):
		return ambiguous(answer, "the answer both refuses ("+codes(read.Errors)+") and names a note")
	case len(read.Pairs) > 0:
		return readPair(read, key, answer)
	case len(read.Errors) > 0 && read.success() <= 0 && !tryAgain(read.Errors):
		return rejected(answer, fiscal.Issue, r, read.Errors)
	case len(read.Errors) == 0 && read.alert("216") != nil:
		return rejected(answer, fiscal.Issue, r, []event{*read.alert("216")})
	}
	answer.Reason = "the city answered in words that say neither yes nor no"
	if len(read.Errors) > 0 {
		answer.Reason += " (" + codes(read.Errors) + ")"
	}
	return answer
}

// tryAgain reports whether the city asks to send again (1110). Of an RPS that could
// destroy a note, so it is asked about first.
func tryAgain(errors []event) bool {
	return slices.ContainsFunc(errors, func(e event) bool { return e.Code == "1110" })
}

// readPair reads which note was made of the RPS.
func readPair(read retorno, key rps.Key, answer fiscal.Answer) fiscal.Answer {
	if len(read.Pairs) != 1 || len(read.Pairs[0].RPS) != 1 {
		return ambiguous(answer, "the answer names not one note")
	}
	pair := read.Pairs[0]
	if named, ok := pair.RPS[0].key(); !ok || named != key {
		return ambiguous(answer, "the answer is about another RPS")
	}
	name, err := nameOf(pair.Note, key.Registration)
	if err != nil {
		return ambiguous(answer, "the answer "+err.Error())
	}
	answer.Outcome, answer.Reason = fiscal.OutcomeAccepted, "the note is to be fetched"
	answer.Document = &fiscal.IssuedDocument{AccessKey: name.accessKey, Authorization: name.authorization()}
	if len(read.Alerts) > 0 {
		answer.Reason += " (alerts " + codes(read.Alerts) + ")"
	}
	if resent := read.alert("217"); resent != nil {
		return replaced(answer, firstNote(resent.Text), name, key)
	}
	answer.Body = nil
	return answer
}

// replaced adds to an answer that its note took the place of another, which the
// city cancelled (217).
func replaced(answer fiscal.Answer, first string, second noteName, key rps.Key) fiscal.Answer {
	answer.HoldSeries = fmt.Sprintf("the city cancelled the note %s, which was made of the RPS %d of series %s "+
		"before, and issued the note %d in its place", first, key.Number, key.Series, second.number)
	answer.Alarm = answer.HoldSeries
	return answer
}

var numberInWords = regexp.MustCompile(`(?i)NFS?-?e\b\D{0,20}?([0-9]{1,12})`)

// firstNote reads in the words of alert 217 which note was cancelled.
func firstNote(words string) string {
	// As "A NF-e (8) referente ao RPS": the first number behind the word for a note.
	words = strings.ReplaceAll(words, "NF-e", "NFe")
	if found := numberInWords.FindStringSubmatch(words); found != nil {
		return found[1]
	}
	return "(of unknown number)"
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
			answer.Reason, answer.Unreadable = "a note in the answer "+err.Error(), true
			answer.Outcome = fiscal.OutcomeUnknown
			return answer
		}
		notes = append(notes, found)
	}
	switch {
	case len(read.Notes) > 0 && len(notes) == 0:
		return ambiguous(answer, "the answer is about another RPS")
	case len(notes) > 0:
		return foundNote(r.document, notes, sent, request, answer)
	case notFound(read, sent.Key):
		answer.Outcome, answer.Reason, answer.Body = fiscal.OutcomeNotFound, "", nil
		return answer
	}
	return unclear(answer, read)
}

// asked is what can be said before the notes of an answer are looked at.
func asked(r reply, request fiscal.Request) (answer fiscal.Answer, sent rps.Sent, problem bool) {
	if r.document == nil {
		answer = r.unanswered()
		answer.Outcome = fiscal.OutcomeUnknown // a question changes nothing, delivered or not
		return answer, sent, true
	}
	sent, err := rps.Read(request.Message().XML)
	if err != nil {
		return unknown(err.Error()), sent, true
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
		return ambiguous(answer, fmt.Sprintf("two notes stand under one RPS: %d and %d", standing[0].number,
			standing[1].number))
	case len(standing) == 1:
		found = standing[0]
	}
	authorization := found.authorization()
	authorization.IssuedAt = nfse.Timestamp{Time: found.issuedAt}
	answer.Outcome, answer.Match = fiscal.OutcomeAccepted, matchAny(found, request)
	answer.Document = &fiscal.IssuedDocument{
		AccessKey: found.accessKey, Authorization: authorization, XML: document,
		Digest: request.Message().Digest, // of the message that it was compared with
	}
	if answer.Match != fiscal.MatchOurs {
		answer.Document.Digest = ""
	}
	if answer.Match == fiscal.MatchUnclear {
		answer.NeedsPerson = fmt.Sprintf("the note %d was made of the RPS %d of series %s, and whether it is this one "+
			"cannot be told by what the city shows of it", found.number, sent.Key.Number, sent.Key.Series)
	}
	if len(notes) > 1 && (answer.Match == fiscal.MatchOurs || anyOurs(notes, request)) {
		return replaced(answer, firstOther(notes, found), found.noteName, sent.Key)
	}
	if found.cancelled && answer.Match == fiscal.MatchOurs {
		answer.Alarm = fmt.Sprintf("the note %d was cancelled at the city", found.number)
		return answer
	}
	answer.Body = nil
	return answer
}

// anyOurs reports whether one of the notes was made of our messages.
func anyOurs(notes []note, request fiscal.Request) bool {
	return slices.ContainsFunc(notes, func(n note) bool { return matchAny(n, request) == fiscal.MatchOurs })
}

// firstOther is the number of the note that another took the place of.
func firstOther(notes []note, found note) string {
	for _, one := range notes {
		if one.number != found.number {
			return fmt.Sprint(one.number)
		}
	}
	return "(of unknown number)"
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

// ambiguous returns an answer of which nothing counts: a person should look at it.
func ambiguous(answer fiscal.Answer, alarm string) fiscal.Answer {
	return fiscal.Answer{
		Outcome: fiscal.OutcomeUnknown, Reason: alarm, Alarm: alarm,
		RetryAfter: answer.RetryAfter, Status: answer.Status, Body: answer.Body,
	}
}
