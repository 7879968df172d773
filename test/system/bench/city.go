package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// What the row "city" is measured with.
const (
	cityLatency = 500 * time.Millisecond
	oneSeries   = 60 // notes of the one series
)

// measureCity measures live notes of the city of São Paulo, where what is sent under a
// series goes one at a time: one series beside what its turns allow, and many of them
// beside the national authority.
func (b *bench) measureCity(ctx context.Context) error {
	if err := b.cityRow(ctx, 1, min(oneSeries, b.options.live)); err != nil {
		return err
	}
	if err := b.cityRow(ctx, b.options.series, b.options.live); err != nil {
		return err
	}
	return b.addDrain(ctx, fmt.Sprintf("beside it: %d live notes of 1 organization at the national authority, %d ms, "+
		"1 worker", b.options.live, cityLatency.Milliseconds()), 1,
		backlog{count: b.options.live, callers: live, needs: needs{live: true, latency: cityLatency}})
}

// cityRow drains so many notes of so many companies with one worker.
func (b *bench) cityRow(ctx context.Context, companies, notes int) (err error) {
	i, counter, err := b.installCounted(ctx, needs{city: true, organizations: companies, latency: cityLatency})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	defer counter.close()
	if err := accept(ctx, 0, notes, live(i)...); err != nil {
		return err
	}
	if err := i.startWorkers(ctx, 1, i.through); err != nil {
		return err
	}
	watch, err := b.watchCosts(ctx, i)
	if err != nil {
		return err
	}
	statements := counter.statements.Load()
	if err := i.awaitNone(ctx, openNotes); err != nil {
		return errors.Join(err, watch.abandon())
	}
	cost, err := watch.end(ctx, notes)
	if err != nil {
		return err
	}
	cost.name = fmt.Sprintf("live note in São Paulo, %d series", companies)
	cost.statements = float64(counter.statements.Load()-statements) / float64(notes)
	ids, sampled, err := i.sample(ctx)
	if err == nil {
		err = cost.readHistories(ctx, sampled, ids...)
	}
	if err != nil {
		return err
	}
	b.report.addCost(cost)
	turns, err := i.seriesTurns(ctx)
	if err != nil {
		return err
	}
	b.report.add(result{
		name: fmt.Sprintf("%d live notes in São Paulo, %d series, one at a time in each, %d ms, 1 worker", notes,
			companies, cityLatency.Milliseconds()),
		rate: turns.rate,
		detail: fmt.Sprintf("%.1f %% of what %d turns at a time allow; %.2f questions about numbers a note; "+
			"%.1f attempts a note", 100*turns.share, companies, turns.questions, cost.attempts),
	})
	return nil
}

// turns are how fast the series sent.
type turns struct {
	rate      float64 // notes sent a second, by all series
	share     float64 // of what the latency of sendings and of questions about numbers allows
	questions float64 // about numbers, for each note
}

// seriesTurns compares the time between a series' first sending and its last with the
// latency of the sendings and questions that were in between.
func (i *installation) seriesTurns(ctx context.Context) (t turns, err error) {
	var row struct {
		Sent, Asked     float64
		Needed, Seconds float64
		Begin, End      time.Time
	}
	err = i.database.SQL.GetContext(ctx, &row, `
		WITH calls AS (
			SELECT n.organization_id, c.what, c.started_at,
				row_number() OVER (PARTITION BY n.organization_id, c.what ORDER BY c.id) AS nth
			FROM fiscal_calls c JOIN notes n ON n.id = c.note_id WHERE c.what IN ('issue', 'find_numbers')
		), series AS (
			SELECT organization_id, min(started_at) FILTER (WHERE what = 'issue') AS begin,
				max(started_at) FILTER (WHERE what = 'issue') AS ended,
				count(*) FILTER (WHERE what = 'issue') AS sent,
				count(*) FILTER (WHERE what = 'find_numbers') AS asked,
				count(*) FILTER (WHERE what = 'find_numbers' AND nth > 1) AS asked_between
			FROM calls GROUP BY organization_id
		)
		SELECT sum(sent) AS sent, sum(asked) AS asked, sum((sent - 1 + asked_between) * $1::float8) AS needed,
			sum(extract(epoch FROM ended - begin))::float8 AS seconds, min(begin) AS begin, max(ended) AS "end"
		FROM series`, cityLatency.Seconds())
	if err != nil || row.Sent == 0 || row.Seconds == 0 {
		return t, errors.Join(err, errors.New("nothing was sent"))
	}
	t.rate = (row.Sent - 1) / row.End.Sub(row.Begin).Seconds()
	t.share, t.questions = row.Needed/row.Seconds, row.Asked/row.Sent
	return t, nil
}
