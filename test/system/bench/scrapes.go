package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// measureScrapes scrapes the metrics of a process while its database has few notes, and while it has many, of which
// one in two hundred is on its way, and with each that follows.
func (b *bench) measureScrapes(ctx context.Context) (err error) {
	var small time.Duration
	for _, notes := range []int{smallTable, b.options.table} {
		took, err := b.scrapes(ctx, notes)
		if err != nil {
			return err
		}
		detail := fmt.Sprintf("p99 %s", milliseconds(took.at(99)))
		if notes == smallTable {
			small = took.at(50)
		} else {
			detail += fmt.Sprintf("; %.2f × that of %s notes", took.at(50).Seconds()/small.Seconds(), thousands(smallTable))
		}
		b.report.add(result{name: "scrape the metrics, " + thousands(notes) + " notes", time: took.at(50), detail: detail})
	}
	return nil
}

// scrapes are how long scrapes took beside so many notes.
func (b *bench) scrapes(ctx context.Context, notes int) (took *durations, err error) {
	took = &durations{}
	i, err := b.install(ctx, needs{live: true, organizations: 2})
	if err != nil {
		return took, err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	if err := i.fillDashboard(ctx, i.organizations[0].ID, notes); err != nil {
		return took, err
	}
	if _, err := i.api.Metrics(ctx); err != nil { // the first one waits for what it shows
		return took, err
	}
	for end := time.Now().Add(b.options.window(10 * time.Second)); time.Now().Before(end); {
		time.Sleep(100 * time.Millisecond)
		began := time.Now()
		if _, err := i.api.Metrics(ctx); err != nil {
			return took, err
		}
		took.add(time.Since(began))
	}
	return took, nil
}
