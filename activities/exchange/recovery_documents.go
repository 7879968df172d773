package exchange

import (
	"context"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/numbers"
)

// documentsCheck checks a sequence by its documents, each of which names its note.
type documentsCheck struct {
	*Recovery
	finder fiscal.DocumentFinder
}

// check asks about the numbers of a sequence: those of notes that have not ended, and those after the last, until
// enough in a row are free.
func (c documentsCheck) check(ctx context.Context, sequence numbers.SequenceToCheck) error {
	profile, access, err := c.asking(ctx, c.finder, sequence)
	if err != nil {
		return err
	}
	for _, open := range sequence.Open {
		if _, err := c.ask(ctx, access, profile, open.Number); err != nil {
			return err
		}
	}
	limit := c.finder.Capabilities().NumberLimit()
	for number, free := sequence.LastNumber+1, 0; free < freeInARow && number <= limit; number++ {
		exists, err := c.ask(ctx, access, profile, number)
		if err != nil {
			return err
		}
		if free++; exists {
			free = 0
		}
	}
	return nil
}

// ask asks about one number, and stores the document under it.
func (c documentsCheck) ask(ctx context.Context, access fiscal.Access, profile nfse.FiscalProfile, number int64) (
	exists bool, err error) {
	a, series := c.Exchanges, profile.SeriesKey()
	series.Registration = "" // numbers are counted regardless of it
	if err := a.Store.Numbers.KeepSequenceCheck(ctx, series, checkLease); err != nil {
		return false, err
	}
	found, err := inBudget(ctx, a, profile.Authority, func(ctx context.Context) fiscal.FoundDocument {
		return c.finder.FindDocument(ctx, access, profile, number)
	}, func(found fiscal.FoundDocument) fiscal.Outcome { return found.Outcome })
	switch {
	case err != nil:
		return false, err
	case found.Outcome == fiscal.OutcomeNotFound:
		return false, nil
	case found.Outcome != fiscal.OutcomeAccepted || !found.Read:
		return false, errCheckFailed{fact.First(found.NeedsPerson, found.Summary(),
			fact.CallCameTo.With("outcome", found.Outcome))}
	}
	state, err := a.Store.Operate.SaveRecovered(ctx, series, number, found, access.Credentials.ID)
	if err == nil && state != "" {
		a.Logger.WarnContext(ctx, "the authority has a document that is not on record: see emissor recovery list",
			"authority", profile.Authority, "series", series.Series, "number", number, "state", state)
	}
	return true, err
}
