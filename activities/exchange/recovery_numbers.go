package exchange

import (
	"context"
	"slices"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/numbers"
)

// numbersCheck checks a sequence where an authority says which numbers are used, and not by which note.
type numbersCheck struct {
	*Recovery
	authority fiscal.Authority
	finder    fiscal.NumberFinder
}

// check asks about the numbers of notes of which nothing was sent, as far as the database knows, and about those after
// the last, until enough in a row are free.
func (c numbersCheck) check(ctx context.Context, sequence numbers.SequenceToCheck) error {
	profile, access, err := c.asking(ctx, c.authority, sequence)
	if err != nil {
		return err
	}
	most, limit := c.finder.MaxNumbers(), c.authority.Capabilities().NumberLimit()
	var unsent []int64
	for _, open := range sequence.Open {
		if !open.Sent {
			unsent = append(unsent, open.Number)
		}
	}
	for numbers := range slices.Chunk(unsent, most) {
		if _, err := c.ask(ctx, access, profile, numbers); err != nil {
			return err
		}
	}
	for last, free := sequence.LastNumber, 0; free < freeInARow && last < limit; {
		numbers := numbersAfter(last, most, limit)
		used, err := c.ask(ctx, access, profile, numbers)
		if err != nil {
			return err
		}
		last = slices.Max(numbers)
		if free += len(numbers); len(used) > 0 {
			free = int(last - slices.Max(used))
		}
	}
	return nil
}

// ask asks about numbers, and stores those that are used.
func (c numbersCheck) ask(ctx context.Context, access fiscal.Access, profile nfse.FiscalProfile, numbers []int64) (
	used []int64, err error) {
	a, series := c.Exchanges, profile.SeriesKey()
	if err := a.Store.Numbers.KeepSequenceCheck(ctx, series, checkLease); err != nil {
		return nil, err
	}
	said, err := inBudget(ctx, a, profile.Authority, func(ctx context.Context) fiscal.Numbers {
		return c.finder.FindNumbers(ctx, access, profile, numbers)
	}, func(said fiscal.Numbers) fiscal.Outcome { return said.Answer().Outcome })
	if err != nil {
		return nil, err
	}
	if len(said.Free)+len(said.Used) < len(numbers) {
		return nil, errCheckFailed{fact.First(said.Reason, fact.CallCameTo.With("outcome", said.Answer().Outcome))}
	}
	for _, number := range said.Used {
		if err := a.Store.Operate.SaveUsed(ctx, series, number, said.Documents[number]); err != nil {
			return nil, err
		}
		a.Logger.WarnContext(ctx, "the authority has a document that is not on record: see emissor recovery list",
			"authority", profile.Authority, "series", series.Series, "number", number)
	}
	return said.Used, nil
}

// numbersAfter are at most so many numbers after one.
func numbersAfter(last int64, most int, limit int64) (numbers []int64) {
	for number := last + 1; len(numbers) < most && number <= limit; number++ {
		numbers = append(numbers, number)
	}
	return numbers
}
