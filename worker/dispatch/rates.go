package dispatch

import (
	"context"
	"time"

	"emissor/internal/limit"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/outbox"
)

// Rates are how many rows of a kind this process starts in a second for each organization
// and environment. A kind that is missing, or has no limiter, has no limit.
//
// Rows above their rate are not claimed: they wait in the outbox, and take nothing from
// others.
type Rates map[string]*limit.Limiter[nfse.Scope]

// rooms are what claims may take of backlogs that are near their rate.
func (r Rates) rooms(now time.Time) (rooms []outbox.Room) {
	for kind, limiter := range r {
		for scope, tokens := range limiter.Below(batch, now) {
			rooms = append(rooms, outbox.Room{Backlog: outbox.Backlog{Kind: kind, Scope: scope}, Rows: tokens})
		}
	}
	return rooms
}

// take takes a token for each row, and returns those for which there was one, and those above
// the rate: of backlogs that this process did not know when it claimed them.
func (r Rates) take(starts []outbox.Start, now time.Time) (within, above []outbox.Start) {
	for _, start := range starts {
		if r[start.Kind].Allow(start.Scope, now) {
			within = append(within, start)
		} else {
			above = append(above, start)
		}
	}
	return within, above
}

// sayAboveRate records that backlogs wait because of their rate, so that they do not raise
// the alarm that nothing moves.
func (l *Loop) sayAboveRate(ctx context.Context) error {
	above := l.aboveRate(time.Now())
	if len(above) == 0 {
		return nil
	}
	return l.Store.Outbox.PauseBacklogs(ctx, fact.AboveRate.Fact(), above...)
}

// aboveRate are the backlogs that are near their rate; none while the engine is away, because
// then they wait for the engine.
func (l *Loop) aboveRate(now time.Time) (backlogs []outbox.Backlog) {
	if l.engine.away() {
		return nil
	}
	for kind, limiter := range l.Rates {
		if limiter == nil {
			continue
		}
		for scope := range limiter.Below(limiter.Burst()/2+1, now) {
			backlogs = append(backlogs, outbox.Backlog{Kind: kind, Scope: scope})
		}
	}
	return backlogs
}
