package issnet

import (
	"context"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/soap"
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
	by, missing := soap.ProviderOf(issuer)
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
func readStanding(r soap.Reply, issuer nfse.TaxID, number string, found *fiscal.Standings) fact.Fact {
	switch {
	case r.Read == nil:
		return r.Unanswered().Reason
	case len(r.Read.Refusals) > 0 || len(r.Read.Notes) != 1 || len(r.Read.Notes[0].Documents) != 1:
		return meaning.Unclear(fiscal.Answer{}, r.Read.Refusals).Reason
	}
	note := r.Read.Notes[0]
	key, ok := soap.KeyOf(note.Documents[0])
	if !ok || soap.NumberIn(key) != strings.TrimLeft(number, "0") || strings.TrimLeft(key[9:23], "0") !=
		strings.TrimLeft(string(issuer), "0") {
		return fact.CityAboutOtherNotes.Fact()
	}
	cancelled, at, err := soap.CancellationIn(note.Events, key)
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
