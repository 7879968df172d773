package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"slices"
	"strings"
	"time"
)

// visits is how often each page is asked for.
const visits = 40

// measureDashboard asks for every page of the dashboard, with each filter that it
// offers, of an organization with most of the notes of a large table.
func (b *bench) measureDashboard(ctx context.Context) (err error) {
	i, err := b.install(ctx, needs{live: true, organizations: 2})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	real, err := i.issueOne(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := i.fillDashboard(ctx, i.organizations[0].ID, b.options.table); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "bench: %s notes, with all that belongs to them, were made in %.0f s\n",
		thousands(b.options.table), time.Since(began).Seconds())
	notes, err := i.notesKnownBy(ctx)
	if err != nil {
		return err
	}
	dashboard, err := i.NewDashboard("dashboard")
	if err != nil {
		return err
	}
	i.workers = append(i.workers, dashboard) // it is stopped with them, and its CPU counted as theirs
	if err := dashboard.StartReady(ctx); err != nil {
		return err
	}
	// In its first minutes it sums up each day of the ledger.
	if err := i.awaitNone(ctx, openLedgerDays); err != nil {
		return err
	}
	if _, err := i.database.SQL.ExecContext(ctx, `VACUUM ANALYZE`); err != nil {
		return err
	}
	owner, err := i.signIn(ctx, "owner@example.com", "--organization", i.organizations[0].ID)
	if err != nil {
		return err
	}
	operator, err := i.signIn(ctx, "operator@example.com", "--operator")
	if err != nil {
		return err
	}
	visits := append(slices.Clone(pageVisits),
		pageVisit{name: "document of a note (XML)", path: "/notes/" + real + "/xml?env=test"},
		pageVisit{name: "document of a note (DANFSe)", path: "/notes/" + real + "/danfse?env=test"})
	for _, visit := range visits { // one that fails does not keep the others from being measured
		browser := owner
		if visit.operator {
			browser = operator
		}
		measured, failed := b.visit(ctx, i, browser, visit, func() string {
			return visit.address(dashboard.URL, i.organizations[0].ID, notes)
		})
		if failed == nil && !strings.ContainsAny(visit.path, "?{") {
			address := visit.address(dashboard.URL, i.organizations[1].ID, notes)
			measured.empty, failed = get(ctx, operator, address, visit)
		}
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		b.report.addPage(measured)
	}
	return err
}

// visit asks for a page many times, each time at another address.
func (b *bench) visit(ctx context.Context, i *installation, browser *http.Client, visit pageVisit,
	address func() string) (measured page, err error) {
	measured = page{name: visit.name, took: &durations{}}
	cpu, err := b.startCPU(ctx, i)
	if err != nil {
		return measured, err
	}
	for range b.options.visits() {
		began := time.Now()
		if measured.bytes, err = get(ctx, browser, address(), visit); err != nil {
			return measured, err
		}
		measured.took.add(time.Since(began))
	}
	used, err := cpu.used(ctx)
	measured.cpu = (used[cpuWorker] + used[cpuEmissorDatabase]) / time.Duration(b.options.visits())
	return measured, err
}

func (o options) visits() int {
	if o.quick {
		return visits / 8
	}
	return visits
}

// openLedgerDays counts nothing once the last day that is over is summed up.
const openLedgerDays = `
	SELECT CASE WHEN max(day) >= (now() AT TIME ZONE 'America/Sao_Paulo' - interval '2 hours')::date - 1
		THEN 0 ELSE 1 END FROM ledger_days`

// issueOne issues a note for real, whose document is one, and leaves no worker behind.
func (i *installation) issueOne(ctx context.Context) (id string, err error) {
	if err := i.startWorkers(ctx, 1); err != nil {
		return "", err
	}
	if id, err = i.caller(i.organizations[0], false).issue(ctx, 1); err != nil {
		return "", err
	}
	if err := i.awaitNone(ctx, openNotes); err != nil {
		return "", err
	}
	worker := i.workers[0]
	i.workers = nil
	return id, worker.Stop(stopPatience)
}

// signIn makes an account and a browser in which it is signed in, with a passkey used
// a moment ago.
func (i *installation) signIn(ctx context.Context, email string, invitation ...string) (*http.Client, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	for _, command := range [][]string{append([]string{"user", "invite", email}, invitation...),
		{"user", "link", email, "--sign-in"}} {
		var link struct{ URL string }
		if err := i.Ask(ctx, &link, command...); err != nil {
			return nil, err
		}
		answer, err := browser.Post(link.URL, "application/x-www-form-urlencoded", nil)
		if err != nil {
			return nil, err
		}
		_ = answer.Body.Close()
	}
	_, err = i.database.SQL.ExecContext(ctx, `
		UPDATE sessions SET data = jsonb_set(data #- '{values,enrol}', '{values,verified_at}',
			to_jsonb(to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
		WHERE user_id = (SELECT id FROM users WHERE email = $1)`, email)
	return browser, err
}

// notesKnownBy are some of the notes that are there.
func (i *installation) notesKnownBy(ctx context.Context) (notes []map[string]any, err error) {
	rows, err := i.database.SQL.QueryxContext(ctx, knownBy)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // what is wrong with it, Err tells
	for rows.Next() {
		note := map[string]any{}
		if err := rows.MapScan(note); err != nil {
			return nil, err
		}
		notes = append(notes, note)
	}
	return notes, rows.Err()
}

// get asks for a page and returns how many bytes it has.
func get(ctx context.Context, browser *http.Client, address string, visit pageVisit) (bytes int, err error) {
	ctx, cancel := context.WithCancel(ctx) // of a download only the beginning is read
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	answer, err := browser.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	expected := http.StatusOK
	if visit.refused {
		expected = http.StatusUnprocessableEntity
	}
	if answer.StatusCode != expected || strings.HasPrefix(answer.Request.URL.Path, "/sign-in") {
		return 0, fmt.Errorf("%s: %s led to %s, which answered %d", visit.name, address, answer.Request.URL,
			answer.StatusCode)
	}
	if visit.firstByte {
		return io.ReadFull(answer.Body, make([]byte, 1))
	}
	text, err := io.ReadAll(answer.Body)
	return len(text), err
}
