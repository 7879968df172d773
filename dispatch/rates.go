package dispatch

import (
	"context"
	"time"

	"emissor/internal/limit"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
)

// Rates are how many rows of a kind are started in a second for each organization and
// environment, by this process. A kind that is not there, or has no limiter, has no limit.
//
// What is above its rate is not claimed: it stays in the outbox, where it waits for its
// turn, and takes nothing from others.
type Rates map[string]*limit.Limiter[nfse.Scope]

// rooms are what claims may take of backlogs that are near their rate.
func (r Rates) rooms(now time.Time) (rooms []store.Room) {
	for kind, limiter := range r {
		for scope, tokens := range limiter.Below(batch, now) {
			rooms = append(rooms, store.Room{Backlog: store.Backlog{Kind: kind, Scope: scope}, Rows: tokens})
		}
	}
	return rooms
}

// take takes a token for each row, and returns the rows for which there was none: those
// of a backlog that nobody knew of when they were claimed.
func (r Rates) take(starts []store.Start, now time.Time) (within, above []store.Start) {
	for _, start := range starts {
		if r[start.Kind].Allow(start.Scope, now) {
			within = append(within, start)
		} else {
			above = append(above, start)
		}
	}
	return within, above
}

// sayAboveRate says of backlogs that they wait because of their rate: they are no sign that
// nothing moves.
func (l *Loop) sayAboveRate(ctx context.Context) error {
	above := l.aboveRate(time.Now())
	if len(above) == 0 {
		return nil
	}
	return l.Store.PauseBacklogs(ctx, fact.AboveRate.Fact(), above...)
}

// aboveRate are the backlogs that are near their rate; none while the engine is away: then
// they wait for that.
func (l *Loop) aboveRate(now time.Time) (backlogs []store.Backlog) {
	if l.engine.away() {
		return nil
	}
	for kind, limiter := range l.Rates {
		if limiter == nil {
			continue
		}
		for scope := range limiter.Below(limiter.Burst()/2+1, now) {
			backlogs = append(backlogs, store.Backlog{Kind: kind, Scope: scope})
		}
	}
	return backlogs
}
