package issnet

import (
	"context"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// MaxNumbers implements fiscal.StandingFinder: a question is about one note.
func (c *Client) MaxNumbers() int { return 1 }

// PollInterval implements fiscal.StandingFinder.
func (c *Client) PollInterval() (every, duration time.Duration) { return pollEvery, pollFor }

// FindStandings implements fiscal.StandingFinder: a note that is asked for by its number shows its
// events (ConsultarNfseServicoPrestado).
func (c *Client) FindStandings(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	numbers []string) fiscal.Standings {
	by, missing := providerOf(issuer)
	if !missing.None() {
		return fiscal.Standings{Reason: missing}
	}
	found := fiscal.Standings{Cancelled: map[string]fiscal.FoundCancellation{}}
	for _, number := range numbers {
		r := c.call(ctx, access, findIssued, noteQuestion(by, strings.TrimLeft(number, "0")))
		if reason := readStanding(r, issuer.TaxID, number, &found); !reason.None() {
			found.Reason = reason
		}
	}
	return found
}

// readStanding adds how the note of a number stands; the reason says why that is not known. An
// analysis that was asked for leaves it standing.
func readStanding(r reply, issuer nfse.TaxID, number string, found *fiscal.Standings) fact.Fact {
	switch {
	case r.read == nil:
		return r.unanswered().Reason
	case len(r.read.refusals) > 0 || len(r.read.notes) != 1 || len(r.read.notes[0].documents) != 1:
		return unclear(fiscal.Answer{}, r.read.refusals).Reason
	}
	note := r.read.notes[0]
	key, ok := keyOf(note.documents[0])
	if !ok || numberIn(key) != strings.TrimLeft(number, "0") || strings.TrimLeft(key[9:23], "0") !=
		strings.TrimLeft(string(issuer), "0") {
		return fact.CityAboutOtherNotes.Fact()
	}
	cancelled, at, err := cancellationIn(note.events, key)
	switch {
	case err != nil:
		return fact.SefinEventUnread.With("why", fact.OfError(err))
	case cancelled != nil:
		found.Cancelled[number] = fiscal.FoundCancellation{At: at, Document: cancelled}
	default:
		found.Standing = append(found.Standing, number)
	}
	return fact.Fact{}
}
