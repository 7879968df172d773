package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/nfse/fact"
	"emissor/store/outbox"
	"emissor/store/received"
	"emissor/test/testkit"
)

// What runs every few seconds must not get slower with the years: it walks the
// indexes that hold only what is unfinished. A statement that does not fit the
// condition of its index could only read the whole table, which is forbidden
// here.
func TestPlans_RepeatedReadsAreSmall(t *testing.T) {
	database := testkit.FreshDatabase(t)
	watched := newPlanned(t, &testkit.Database{URL: database.URL + "&enable_seqscan=off&enable_bitmapscan=off"})
	for _, repeated := range []struct {
		what  string
		do    func() error
		whole []string // tables that are read as a whole
	}{
		{"gauges", func() error { return second(watched.Operate.Gauges(t.Context())) }, []string{"outbox"}},
		{"requeue notes", func() error { return third(watched.Outbox.RequeueNotes(t.Context(), 100)) }, nil},
		{"requeue deliveries", func() error { return third(watched.Outbox.RequeueDeliveries(t.Context(), 100)) }, nil},
		{"requeue e-mails", func() error { return third(watched.Outbox.RequeueEmails(t.Context(), 100)) }, nil},
		{"retire services", func() error { return third(watched.Catalogues.RetireExpiredServices(t.Context(), 100)) }, nil},
		{"claim starts", func() error {
			return second(watched.Outbox.ClaimStarts(t.Context(), []string{outbox.StartNote}, nil, 100, time.Minute))
		}, nil},
		{"start distributions", func() error {
			return second(watched.Received.StartDistributions(t.Context(),
				[]received.ServedEnvironment{{Authority: "national"}}))
		}, nil},
		{"longest wait", func() error { return second(watched.Outbox.LongestWait(t.Context())) }, nil},
		{"block starts", func() error {
			return watched.Outbox.PauseBacklogs(t.Context(), fact.NoAuthority.Fact(), outbox.Backlog{Kind: outbox.StartNote})
		}, nil},
	} {
		watched.plans = nil
		must(t, repeated.do())
		if len(watched.plans) == 0 {
			t.Errorf("%s: the server sent no plan", repeated.what)
		}
		indexes := []string{"notes_unfinished", "notes_under_way", "deliveries_unfinished", "services_to_retire",
			"outbox_backlogs", "notes_held", "notes_analysed", "emails_unfinished", "emails_by_status",
			"fiscal_exchanges_ambiguous", "notes_open_of_month",
			"recovered_documents_undecided"}
		for _, plan := range watched.plans {
			for _, node := range plan.all() {
				found := strings.HasPrefix(node.Type, "Index") && node.Cond != "" // rows by their keys
				small := []string{"webhook_endpoints", "certificates", "distributions", "fiscal_profiles",
					"tax_id_claims", "archive_state", // which has one row
					"paused_backlogs"}
				whole := slices.Contains(small, node.Relation) || slices.Contains(repeated.whole, node.Relation)
				if strings.Contains(node.Type, "Scan") && node.Relation != "" &&
					!slices.Contains(indexes, node.Index) && !found && !whole {
					t.Errorf("%s: %s of %s by %q where %q", repeated.what, node.Type, node.Relation,
						node.Index, node.Cond)
				}
			}
		}
	}
}

// What failed long ago costs a scrape nothing.
func gaugesAreBounded(t *testing.T, database crowded) {
	database.Exec(t, `UPDATE emails SET status = 'failed', reason = '{"code": "x"}', last_problem = '{"code": "x"}'`)
	database.Exec(t, `VACUUM ANALYZE emails`)
	p := newPlanned(t, database.Database)
	p.expectTouches(t, "gauges", 10, func() error { return second(p.Operate.Gauges(t.Context())) })
	if failed := database.Count(t, `SELECT count(*) FROM emails WHERE status = 'failed'`); failed < 1000 {
		t.Fatalf("only %d e-mails failed", failed)
	}
}
