package store_test

import (
	"context"
	"log/slog"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store"
	"emissor/store/companies"
	"emissor/store/operate"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

// counted are the notes and amounts of a tenancy by state.
func (n tenancy) counted(t *testing.T) map[nfse.Status]operate.Figure {
	t.Helper()
	figures, err := n.Store.Operate.NoteFigures(t.Context(), n.scope, time.Now().AddDate(0, 0, -1))
	must(t, err)
	counted := map[nfse.Status]operate.Figure{}
	for _, day := range figures.Days {
		for status, figure := range day.Notes {
			counted[status] = figure
		}
	}
	return counted
}

// A move that cannot be counted, because of what is in it, is left out until it can be:
// all others are counted, each once.
func TestRollUp_Poison(t *testing.T) {
	tenant := newTenant(t)
	s := newWatched(t, tenant.Database, testkit.Roles.Dashboard)
	for _, reference := range []string{"a", "b", "c", "d"} {
		tenant.begin(t, reference)
	}
	moves := tenant.selected(t, `SELECT id FROM note_moves WHERE was IS NOT NULL ORDER BY id`)
	tenant.Exec(t, `UPDATE note_moves SET amount_cents = $1 WHERE id = $2`, math.MinInt64, moves[1])
	for range 2 {
		must(t, s.Operate.RollUp(t.Context()))
		expected := map[nfse.Status]operate.Figure{
			nfse.StatusQueued:     {Name: "queued", Notes: 1, AmountCents: 15000},
			nfse.StatusProcessing: {Name: "processing", Notes: 3, AmountCents: 45000},
		}
		if counted := tenant.counted(t); len(counted) != 2 || counted[nfse.StatusQueued] != expected["queued"] ||
			counted[nfse.StatusProcessing] != expected["processing"] {
			t.Errorf("counted are %v", counted)
		}
	}
	s.expectFailures(t, "roll-ups", 1, moves[1])
	tenant.Exec(t, `UPDATE note_moves SET amount_cents = 15000`)
	pauseOver(t, tenant.Database)
	must(t, s.Operate.RollUp(t.Context()))
	if counted := tenant.counted(t); len(counted) != 1 || counted["processing"].Notes != 4 ||
		counted["processing"].AmountCents != 60000 {
		t.Errorf("at the end counted are %v", counted)
	}
	if left := tenant.Count(t, `SELECT count(*) FROM note_moves`); left != 0 {
		t.Errorf("%d moves are left", left)
	}
}

// The next round begins no matter how the one before it ended.
func TestKeepRolledUp_GoesOn(t *testing.T) {
	for name, poison := range poisons {
		t.Run(name, func(t *testing.T) {
			tenant := newTenant(t)
			var reports atomic.Int32
			s, err := store.Open(t.Context(), postgres.Config{
				URL: tenant.As(testkit.Roles.Worker), MaxConnections: 5, StatementTimeout: 5 * time.Second,
				Application: "emissor-test",
				// Of a round only this is code that a test can put something bad into.
				Rows: postgres.Rows{Failed: func(ctx context.Context, _ postgres.RowFailure) {
					if reports.Add(1) <= 2 {
						_ = poison(ctx)
					}
				}},
			})
			must(t, err)
			t.Cleanup(func() { _ = s.Close() })
			for _, reference := range []string{"a", "b", "c"} {
				tenant.accept(t, reference)
			}
			tenant.Exec(t, `UPDATE note_moves SET was = 'queued', amount_cents = $1
				WHERE id <> (SELECT max(id) FROM note_moves)`, math.MinInt64)
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				s.Operate.KeepRolledUpEvery(ctx, slog.New(slog.DiscardHandler), time.Millisecond, 2*time.Second)
			}()
			testkit.Eventually(t, "the move behind them is counted", func() bool {
				return tenant.Count(t, `SELECT count(*) FROM note_moves`) == 2
			})
			stop()
			<-ended
		})
	}
}

// An organization whose next day cannot even be looked for holds up no other.
func TestCloseLedgerDays_Poison(t *testing.T) {
	tenant := newTenant(t)
	s := newWatched(t, tenant.Database, testkit.Roles.Dashboard)
	organizations := openLedgerDays(t, tenant)
	tenant.Exec(t, `UPDATE ledger_entries SET created_at = '294276-12-31 12:00+00'
		WHERE organization_id = $1`, organizations[1])
	closed, err := s.Books.CloseLedgerDays(t.Context())
	if err != nil || closed != 2 {
		t.Errorf("%d days are closed, %v", closed, err)
	}
	s.expectFailures(t, "ledger days", 1, organizations[1])
	tenant.Exec(t, `UPDATE ledger_entries SET created_at = now() - interval '3 days', amount_cents = $2
		WHERE organization_id = $1`, organizations[1], math.MaxInt64)
	pauseOver(t, tenant.Database)
	if closed, err = s.Books.CloseLedgerDays(t.Context()); err != nil || closed != 1 {
		t.Errorf("once it is mended %d days are closed, %v", closed, err)
	}
}

// A certificate that cannot be read costs no other its warning.
func TestCertificatesToWarn_Unreadable(t *testing.T) {
	tenant := newTenant(t)
	s := newWatched(t, tenant.Database, testkit.Roles.Worker)
	ids := endingCertificates(t, tenant)
	tenant.Exec(t, `UPDATE certificates SET not_before = '-infinity' WHERE id = $1`, ids[1])
	warn := func() (warned []string) {
		t.Helper()
		certificates, _, err := s.Companies.CertificatesToWarn(t.Context(), time.Now(), companies.ExpiryWarnings, 10)
		must(t, err)
		for _, one := range certificates {
			warned = append(warned, one.Subject)
		}
		return warned
	}
	if warned := strings.Join(warn(), " "); warned != "a c" {
		t.Errorf("warned of are %q", warned)
	}
	s.expectFailures(t, "certificates", 1, ids[1])
	tenant.Exec(t, `UPDATE certificates SET not_before = now()`)
	pauseOver(t, tenant.Database)
	if warned := strings.Join(warn(), " "); warned != "b" {
		t.Errorf("once it is mended, warned of are %q", warned)
	}
}
