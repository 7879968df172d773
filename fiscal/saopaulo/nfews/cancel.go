package nfews

import (
	"context"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rps"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// interpretCancelled reads the answer to a request to cancel, of which so many
// messages were signed. That the note was cancelled before (1301) is done as well.
func interpretCancelled(r reply, signings int) fiscal.Answer {
	if r.document == nil {
		return r.unanswered()
	}
	answer, read := r.answer(), r.retorno
	answerErrors := slices.DeleteFunc(slices.Clone(read.Errors), func(e event) bool { return e.Code == "1301" })
	alreadyDone := len(answerErrors) < len(read.Errors) || read.alert("1301") != nil
	switch {
	case len(answerErrors) > 0 && read.success() <= 0:
		answer = rejected(answer, fiscal.Cancel, r, answerErrors)
		if answer.Handling == fiscal.SignAgain && signings > 1 {
			answer.Handling = fiscal.Final // both widths were tried
		}
		return answer
	case len(answerErrors) > 0:
		return answer.Ambiguous(fact.CitySuccessAndErrors.With("codes", codes(answerErrors)))
	case alreadyDone, read.success() > 0:
		answer.Outcome, answer.Match = fiscal.OutcomeAccepted, fiscal.MatchOurs
		answer.Reason, answer.Body = fact.Fact{}, nil
		return answer
	}
	answer.Reason = fact.CityUnclear.Fact()
	return answer
}

// findCancelled asks how the note stands that is to be cancelled.
func (c *Client) findCancelled(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	sender, key, err := rps.ReadCancellation(request.Message().XML)
	if err != nil {
		return fiscal.Unknown(fact.OfError(err))
	}
	return c.askStanding(ctx, access, sender, key)
}

func (c *Client) askStanding(ctx context.Context, access fiscal.Access, sender nfse.TaxID,
	key rps.NoteKey) fiscal.Answer {
	question, err := c.signer.SignNoteQuestion(sender, []rps.NoteKey{key}, access.Credentials)
	if err != nil {
		return fiscal.Unknown(fact.QuestionNotSigned.Fact())
	}
	return interpretStanding(c.call(ctx, access, findNFe, question), key)
}

// interpretStanding reads whether a note was cancelled. One that stands has no
// cancellation; one that is not there says nothing.
func interpretStanding(r reply, key rps.NoteKey) fiscal.Answer {
	if r.document == nil {
		answer := r.unanswered()
		answer.Outcome = fiscal.OutcomeUnknown
		return answer
	}
	answer, read := r.answer(), r.retorno
	if len(read.Notes) == 0 {
		return unclear(answer, read)
	}
	found, err := readNote(read.Notes[0], key.Registration)
	status, _ := once(read.Notes[0].Status)
	switch {
	case len(read.Notes) > 1:
		return answer.Ambiguous(fact.CityAboutSeveralNotes.Fact())
	case err != nil:
		answer.Reason, answer.Unreadable = fact.CityNoteWrong.With("why", fact.OfError(err)), true
		return answer
	case found.number != key.Number:
		return answer.Ambiguous(fact.CityAboutAnotherNote.Fact())
	case found.cancelled:
		answer.Outcome, answer.Match = fiscal.OutcomeAccepted, fiscal.MatchOurs
		answer.Reason, answer.Body = fact.Fact{}, nil
	case status == "N":
		answer.Outcome, answer.Reason, answer.Body = fiscal.OutcomeNotFound, fact.Fact{}, nil
	default:
		answer.Reason = fact.CityNoteStatusUnknown.Fact()
	}
	return answer
}
