package store_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
)

// The figures are the same as counted ones, no matter in which order notes move.
func TestRollUp(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	other.accept(t, "theirs")
	since := time.Now().AddDate(0, 0, -1)
	read := func() map[nfse.Status]int64 {
		t.Helper()
		must(t, tenant.Store.Operate.RollUp(t.Context()))
		figures, err := tenant.Store.Operate.NoteFigures(t.Context(), tenant.scope, since)
		must(t, err)
		counted := map[nfse.Status]int64{}
		for _, day := range figures.Days {
			for status, figure := range day.Notes {
				counted[status] += figure.Notes
			}
		}
		return counted
	}
	issued, rejected := tenant.accept(t, "a"), tenant.accept(t, "b")
	tenant.accept(t, "c")
	if counted := read(); len(counted) != 1 || counted[nfse.StatusQueued] != 3 {
		t.Errorf("three were accepted, counted are %v", counted)
	}
	must(t, second(tenant.Store.Lifecycle.BeginNote(t.Context(), issued)))
	must(t, second(tenant.settleIssued(t, tenant.Store, issued)))
	must(t, second(tenant.Store.Lifecycle.BeginNote(t.Context(), rejected)))
	read() // in the middle
	must(t, second(tenant.settleRejected(t, rejected)))
	for range 2 { // nothing is counted twice
		if counted := read(); len(counted) != 3 || counted[nfse.StatusQueued] != 1 ||
			counted[nfse.StatusIssued] != 1 || counted[nfse.StatusRejected] != 1 {
			t.Errorf("counted are %v", counted)
		}
	}
	figures, err := tenant.Store.Operate.NoteFigures(t.Context(), tenant.scope, since)
	must(t, err)
	if first := tenant.Text(t, `SELECT (created_at AT TIME ZONE 'America/Sao_Paulo')::date::text FROM notes
		WHERE id = $1`, issued); figures.First != first {
		t.Errorf("the first note is of %q, expected %s", figures.First, first)
	}
	if len(figures.Rejections) != 1 || figures.Rejections[0].Notes != 1 || figures.Rejections[0].Name == "" {
		t.Errorf("the rejections are %+v", figures.Rejections)
	}
	if took, ok := figures.TimeToIssue(0.95); !ok || took <= 0 {
		t.Errorf("issuing took %s, %t", took, ok)
	}
	theirs, err := tenant.Store.Operate.NoteFigures(t.Context(), other.scope, since)
	must(t, err)
	if _, ok := theirs.TimeToIssue(0.5); ok {
		t.Error("another's notes are counted")
	}
	if rest := tenant.Count(t, `SELECT count(*) FROM note_moves`); rest != 0 {
		t.Errorf("%d moves are left", rest)
	}
}

// The statements by which the operator's guide counts the figures again give the same ones.
func TestRollUp_CountedAnew(t *testing.T) {
	tenant := newTenant(t)
	issued, rejected := tenant.begin(t, "a"), tenant.begin(t, "b")
	tenant.accept(t, "c")
	must(t, second(tenant.settleIssued(t, tenant.Store, issued)))
	must(t, second(tenant.settleRejected(t, rejected)))
	must(t, tenant.Store.Operate.RollUp(t.Context()))
	figures := func() string {
		t.Helper()
		return tenant.Text(t, `SELECT string_agg(to_jsonb(f)::text, ' ' ORDER BY kind, name) FROM note_figures f
			WHERE notes <> 0`)
	}
	counted := figures()
	guide, err := os.ReadFile("../docs/operations/dashboard.md")
	must(t, err)
	_, anew, _ := strings.Cut(string(guide), "BEGIN;\nTRUNCATE note_moves")
	anew, _, found := strings.Cut(anew, "COMMIT;")
	if !found {
		t.Fatal("the guide does not say it")
	}
	tenant.Exec(t, "TRUNCATE note_moves"+anew)
	if again := figures(); again != counted || counted == "" {
		t.Errorf("counted anew they are\n%s, and were\n%s", again, counted)
	}
}
