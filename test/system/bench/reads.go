package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"
)

// smallTable is how many notes the larger table is compared with.
const smallTable = 10_000

// measureReads measures reads and accepts with few notes in the database, and
// with many.
func (b *bench) measureReads(ctx context.Context) (err error) {
	i, err := b.install(ctx, needs{organizations: 2})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	if err := i.fillOrganizations(ctx); err != nil {
		return err
	}
	small := map[string]time.Duration{}
	var next atomic.Int64 // the reference of the next note
	filled := 0
	for _, notes := range []int{smallTable, b.options.table} {
		if err := i.fillNotes(ctx, filled, notes); err != nil {
			return err
		}
		filled = notes
		for _, call := range i.readCalls(notes, &next) {
			var took durations
			for end := time.Now().Add(b.options.window(4 * time.Second)); time.Now().Before(end); {
				began := time.Now()
				if err := call.do(ctx); err != nil {
					return err
				}
				took.add(time.Since(began))
			}
			detail := fmt.Sprintf("p99 %s", milliseconds(took.at(99)))
			if notes == smallTable {
				small[call.name] = took.at(50)
			} else {
				detail += fmt.Sprintf("; %.2f × that of %s notes", took.at(50).Seconds()/small[call.name].Seconds(),
					thousands(smallTable))
			}
			b.report.add(result{
				name: fmt.Sprintf("%s, %s notes", call.name, thousands(notes)), time: took.at(50), detail: detail,
			})
		}
	}
	return nil
}

// readCall is one request that is measured.
type readCall struct {
	name string
	do   func(context.Context) error
}

// readCalls are made one after the other by one client, with so many notes there.
func (i *installation) readCalls(notes int, next *atomic.Int64) []readCall {
	// Who reads has every tenth note; what is accepted is another's, so that the first page stays the same.
	writer, reader := i.caller(i.organizations[0], false), i.caller(i.organizations[1], false)
	get := func(ctx context.Context, path string) error {
		return reader.api.Must(ctx, http.MethodGet, path, nil, nil)
	}
	any := func() string { return filledID("nfse_", 10*rand.IntN(notes/10)+10) }
	return []readCall{
		{"get a note", func(ctx context.Context) error { return get(ctx, "/v1/nfse/"+any()) }},
		{"list 100 notes, the first page", func(ctx context.Context) error { return get(ctx, "/v1/nfse?limit=100") }},
		{"list 100 notes, from anywhere", func(ctx context.Context) error {
			return get(ctx, "/v1/nfse?limit=100&starting_after="+any())
		}},
		{"accept a note", func(ctx context.Context) error {
			_, err := writer.issue(ctx, int(next.Add(1)))
			return err
		}},
	}
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	if n >= 1_000_000 && n%1_000_000 == 0 {
		return fmt.Sprintf("%d million", n/1_000_000)
	}
	return fmt.Sprintf("%d thousand", n/1000)
}
