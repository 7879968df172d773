package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"emissor/nfse"
	"emissor/test/generate"
	"emissor/test/harness"
)

// metricsMost is how long /metrics may take, regardless of the size.
const metricsMost = 20 * time.Millisecond

// growthCall is something that is done often.
type growthCall struct {
	name  string
	often int
	most  time.Duration // that it may take; 0: no longer than with few notes
	do    func(context.Context) error
}

// visitor calls the API and looks at the dashboard for the organization with most of the notes.
type visitor struct {
	i         *installation
	dashboard *harness.Part
	browser   *http.Client
	issued    int // notes, so far
}

// fill fills the installation's tables with so many notes, after one that was really issued.
func (v *visitor) fill(ctx context.Context, notes int) error {
	began := time.Now()
	if err := v.i.makeScopes(ctx, v.i.organizations[0].ID); err != nil {
		return err
	}
	if err := v.accept(ctx); err != nil {
		return err
	}
	if _, err := v.i.drainGrowth(ctx); err != nil {
		return err
	}
	if err := v.i.fillGrowth(ctx, 0, notes); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "bench: %s notes, with all that belongs to them, were there after %.0f s\n",
		thousands(notes), time.Since(began).Seconds())
	return nil
}

// begin starts the dashboard and signs in.
func (v *visitor) begin(ctx context.Context) (err error) {
	if v.dashboard, err = v.i.NewDashboard("dashboard"); err != nil {
		return err
	}
	v.i.workers = append(v.i.workers, v.dashboard) // it is stopped with them
	if err := v.dashboard.StartReady(ctx); err != nil {
		return err
	}
	v.browser, err = v.i.signIn(ctx, "owner@example.com", "--organization", v.i.organizations[0].ID)
	return err
}

// knownNote is a note of the organization with what people know it by.
type knownNote struct {
	ID, Reference  string
	Number, Access *string
	Taker          string
	TaxID          string `db:"tax_id"`
	Month          string
}

// known are notes of any time, in any order.
func (v *visitor) known(ctx context.Context, count int) (notes []knownNote, err error) {
	now := time.Now()
	for range count {
		var note []knownNote
		moment := now.Add(-time.Duration(rand.Float64() * float64(growthYears*365*24) * 0.99 * float64(time.Hour)))
		if err := v.i.database.SQL.SelectContext(ctx, &note, `
			SELECT n.id, n.reference, n.authority_number AS number, n.access_key AS access, c.name AS taker, c.tax_id,
				to_char(n.competence, 'YYYY-MM') AS month
			FROM (SELECT * FROM notes WHERE organization_id = $1 AND livemode AND id >= $2 AND status = 'issued'
				ORDER BY organization_id, livemode, id LIMIT 1) n
			JOIN customers c ON c.id = n.customer_id`, v.i.organizations[0].ID,
			nfse.FirstID(nfse.PrefixNote, moment)); err != nil {
			return nil, err
		}
		notes = append(notes, note...)
	}
	return notes, nil
}

// calls are what is asked, each time about another note.
func (v *visitor) calls(ctx context.Context) (calls []growthCall, err error) {
	notes, err := v.known(ctx, 200)
	if err != nil {
		return nil, err
	}
	if len(notes) == 0 {
		return nil, fmt.Errorf("no note was filled")
	}
	one := func() knownNote { return notes[rand.IntN(len(notes))] }
	caller := v.i.caller(v.i.organizations[0], true)
	api := func(path func() string) func(context.Context) error {
		return func(ctx context.Context) error { return caller.api.Must(ctx, http.MethodGet, path(), nil, nil) }
	}
	page := func(path string) func(context.Context) error {
		return func(ctx context.Context) error {
			note := one()
			filled := strings.NewReplacer("{id}", note.ID, "{reference}", url.QueryEscape(note.Reference),
				"{number}", *note.Number, "{access}", *note.Access, "{taker}", url.QueryEscape(note.Taker),
				"{tax_id}", note.TaxID, "{month}", note.Month).Replace(path)
			visit := pageVisit{name: path, path: filled}
			_, err := get(ctx, v.browser, visit.address(v.dashboard.URL, v.i.organizations[0].ID,
				[]map[string]any{nil}), visit)
			return err
		}
	}
	calls = []growthCall{
		{"get a note", 300, 0, api(func() string { return "/v1/nfse/" + one().ID })},
		{"list 100 notes, the first page", 100, 0, api(func() string { return "/v1/nfse?limit=100" })},
		{"list 100 notes, deep: from anywhere", 100, 0,
			api(func() string { return "/v1/nfse?limit=100&starting_after=" + one().ID })},
		{"overview", 40, 0, page("/")},
		{"list of notes, deep: older from anywhere", 40, 0, page("/notes?older={id}")},
		{"search by reference", 40, 0, page("/notes?q={reference}")},
		{"search by number", 40, 0, page("/notes?q={number}")},
		{"search by access key", 40, 0, page("/notes?q={access}")},
		{"search by tax id", 40, 0, page("/notes?q={tax_id}")},
		{"search by name", 40, 0, page("/notes?q={taker}")},
		{"search that finds nothing", 40, 0, page("/notes?q=no+such+thing")},
		{"notes of a month", 40, 0, page("/notes?month={month}")},
		{"a note's page", 40, 0, page("/notes/{id}")},
		{"closing of a month", 40, 0, page("/closing?month={month}")},
		{"/metrics", 40, metricsMost, v.i.readMetrics},
	}
	return calls, nil
}

// accept has a live note accepted.
func (v *visitor) accept(ctx context.Context) error {
	v.issued++
	caller := v.i.caller(v.i.organizations[0], true)
	body := harness.Issuance(caller.service, fmt.Sprint("today ", generate.UsualReference(v.issued)))
	customer := body["customer"].(map[string]any)
	customer["document"], customer["name"] = cpf(v.issued), generate.UsualName(v.issued)
	return caller.api.Must(ctx, http.MethodPost, "/v1/nfse", body, nil)
}

// readMetrics reads the metrics of the API; those of each process read the same of the database.
func (i *installation) readMetrics(ctx context.Context) error {
	answer, err := (&harness.Client{Base: i.api.AdminURL}).Call(ctx, http.MethodGet, "/metrics", nil)
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("/metrics answered %d", answer.Status)
	}
	return err
}
