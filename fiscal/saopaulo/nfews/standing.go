package nfews

import (
	"context"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rps"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// FindStandings asks whether notes of an issuer were cancelled, by whomever: at most
// rps.MaxKeys at once.
func (c *Client) FindStandings(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	numbers []string) fiscal.Standings {
	keys := map[int64]string{} // the numbers as they were given
	var asked []rps.NoteKey
	for _, number := range numbers {
		key, err := rps.NoteKeyOf(issuer, number)
		if err != nil {
			return fiscal.Standings{Reason: fact.OfError(err)}
		}
		keys[key.Number], asked = number, append(asked, key)
	}
	question, err := c.signer.SignNoteQuestion(issuer.TaxID, asked, access.Credentials)
	if err != nil {
		return fiscal.Standings{Reason: fact.QuestionNotSigned.Fact()}
	}
	return interpretStandings(c.call(ctx, access, findNFe, question), asked, keys)
}

// interpretStandings reads of each note that was asked about whether it was cancelled.
// One that the city does not show, shows twice or with another status is not known.
func interpretStandings(r reply, asked []rps.NoteKey, keys map[int64]string) fiscal.Standings {
	if r.document == nil {
		return fiscal.Standings{Reason: r.unanswered().Reason}
	}
	found := fiscal.Standings{Cancelled: map[string]fiscal.FoundCancellation{}}
	var seen []int64
	for _, one := range r.retorno.Notes {
		read, err := readNote(one, asked[0].Registration)
		if err != nil {
			found.Reason = fact.CityOneNoteWrong.With("why", fact.OfError(err))
			continue
		}
		number, isAsked := keys[read.number]
		if !isAsked || slices.Contains(seen, read.number) {
			return fiscal.Standings{Reason: fact.CityAboutOtherNotes.Fact()}
		}
		seen = append(seen, read.number)
		switch status, _ := once(one.Status); {
		case read.cancelled:
			moment, _ := once(one.CancelledAt)
			at, _ := readMoment(moment)
			found.Cancelled[number] = fiscal.FoundCancellation{At: at, Document: one.document()}
		case status == "N":
			found.Standing = append(found.Standing, number)
		default:
			found.Reason = fact.CityOneNoteStatusUnknown.Fact()
		}
	}
	if len(seen) < len(asked) && found.Reason.None() {
		found.Reason = unclear(fiscal.Answer{}, r.retorno).Reason
	}
	return found
}
