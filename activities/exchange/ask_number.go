package exchange

import (
	"context"
	"time"

	"emissor/fiscal"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
)

// askNumber asks which numbers of the series around this one are free, as many as one
// question may be about, and stores it for the others: numbers are not sent in the
// order in which they were taken. A number that the answer leaves open is asked about alone.
func (t *exchangeAttempt) askNumber(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access) (done bool, err error) {
	e, finder := live.Exchange, authority.(fiscal.NumberFinder)
	unchecked := t.turns.taken.Unchecked // which may take many questions
	switch {
	case !t.gate.mayCall(ctx, authority.Name()), unchecked && t.gate.first():
		return true, errQueued
	case unchecked:
		return t.checkSeries(ctx, live, authority, access)
	}
	asked := numbersAround(e.Number, int64(finder.MaxNumbers()), authority.Capabilities().NumberLimit())
	found, ok, err := t.findNumbers(ctx, e, finder, access, asked)
	if err != nil || !ok {
		return true, err
	}
	decision := e.AfterAskingNumber(found.numbers)
	if decision.Action == fiscal.Wait && found.numbers.KnowsSomething() {
		decision.Action = fiscal.AskNumber // as it is stored: another call follows at once
		_, err := t.saver.save(ctx, e, found.callID, found.answer, decision, lifecycle.DecisionExtras{})
		if err != nil {
			return true, err
		}
		if found, ok, err = t.findNumbers(ctx, e, finder, access, []int64{e.Number}); err != nil || !ok {
			return true, err
		}
		decision = e.AfterAskingNumber(found.numbers)
	}
	err = t.saver.refuseCertificate(ctx, decision, found.answer, access.Credentials.ID, access)
	if err != nil {
		return true, err
	}
	from, through := found.numbers.KnownAround(e.Number)
	err = t.Store.Numbers.SaveNumbers(ctx, e.Profile.SeriesKey(), t.exchangeLease.lease, from, through,
		found.numbers.Used,
		numberAnswerValidFor)
	if err != nil {
		return true, err
	}
	return t.saveNumbers(ctx, e, found, decision)
}

// saveNumbers stores what an answer about numbers decides for the exchange, and follows it.
// Nothing was sent, so the note still waits for what it waited for.
func (t *exchangeAttempt) saveNumbers(ctx context.Context, e *exchanges.Exchange, found foundNumbers,
	decision fiscal.Decision) (done bool, err error) {
	saved, err := t.saver.save(ctx, e, found.callID, found.answer, decision, lifecycle.DecisionExtras{})
	if err != nil || saved.Cancelled {
		return true, err
	}
	return t.follow(decision)
}

// numbersAround returns at most so many numbers around one of a series, none above the
// greatest that a question can name.
func numbersAround(number, most, greatest int64) (numbers []int64) {
	for next := max(1, number-most/2); int64(len(numbers)) < most && next <= greatest; next++ {
		numbers = append(numbers, next)
	}
	return numbers
}

// checkSeries asks about every number of the series under which nothing was sent, as far as
// this database knows, and about those that are taken next: if the database was restored
// from a backup, something may have been sent under them since. A number that is used holds
// the series. No number is above the greatest that a question can name.
func (t *exchangeAttempt) checkSeries(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access) (done bool, err error) {
	e, finder := live.Exchange, authority.(fiscal.NumberFinder)
	series := e.Profile.SeriesKey()
	after, more := int64(0), true
	limit := authority.Capabilities().NumberLimit()
	for more {
		var asked []int64
		asked, more, err = t.Store.Numbers.NumbersToCheck(ctx, series, after, finder.MaxNumbers(), limit)
		if err != nil {
			return true, err
		}
		if len(asked) == 0 { // the question before was full, and no number is left to be taken
			return false, t.Store.Numbers.SeriesChecked(ctx, series, t.exchangeLease.lease)
		}
		found, ok, err := t.findNumbers(ctx, e, finder, access, asked)
		if err != nil || !ok {
			return true, err
		}
		decision := e.AfterCheckingSeries(asked, found.numbers)
		err = t.saver.refuseCertificate(ctx, decision, found.answer, access.Credentials.ID, access)
		if err != nil {
			return true, err
		}
		goesOn := decision.Action == fiscal.AskNumber && !decision.RefuseCertificate
		if goesOn && !more {
			if err := t.Store.Numbers.SeriesChecked(ctx, series, t.exchangeLease.lease); err != nil {
				return true, err
			}
		}
		if done, err := t.saveNumbers(ctx, e, found, decision); err != nil || done || !goesOn {
			return done, err
		}
		after = asked[len(asked)-1]
	}
	return false, nil
}

// foundNumbers is what a question about numbers found.
type foundNumbers struct {
	numbers fiscal.Numbers
	callID  int64
	answer  fiscal.Answer // the same in the form of any call's answer
}

// findNumbers asks about numbers of the exchange's series, within its turn. ok is false
// when the turn is lost.
func (t *exchangeAttempt) findNumbers(ctx context.Context, e *exchanges.Exchange, finder fiscal.NumberFinder,
	access fiscal.Access, asked []int64) (found foundNumbers, ok bool, err error) {
	authority := e.Profile.Authority
	turn := exchanges.Lease{Token: t.exchangeLease.lease.Token, For: turnTimeout(t.CallTimeouts[authority])}
	if found.callID, ok, err = t.Store.Lifecycle.StartAskingNumbers(ctx, e, turn); err != nil || !ok {
		return found, false, err
	}
	answers := make(chan fiscal.Numbers, 1)
	found.answer = t.caller.call(ctx, authority, e.Kind.CallName(fiscal.AskNumber), time.Now(),
		func(ctx context.Context) fiscal.Answer {
			numbers := finder.FindNumbers(ctx, access, e.Profile, asked)
			answers <- numbers
			return numbers.Answer()
		})
	select {
	case found.numbers = <-answers:
	default: // the call did not come to its end
		found.numbers.Reason = found.answer.Reason
	}
	return found, true, nil
}
