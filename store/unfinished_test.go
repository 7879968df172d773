package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/internal/testkit"
	"emissor/nfse/fact"
	"emissor/store"
)

// What runs every few seconds must not get slower with the years: it walks the
// indexes that hold only what is unfinished. A statement that does not fit the
// condition of its index could only read the whole table, which is forbidden
// here.
func TestPlans_RepeatedReadsAreSmall(t *testing.T) {
	database := testkit.NewDatabase(t)
	watched := newPlanned(t, &testkit.Database{URL: database.URL + "&enable_seqscan=off&enable_bitmapscan=off"})
	for what, do := range map[string]func() error{
		"Gauges":                func() error { return second(watched.Gauges(t.Context())) },
		"RequeueNotes":          func() error { return third(watched.RequeueNotes(t.Context(), 100)) },
		"RequeueDeliveries":     func() error { return third(watched.RequeueDeliveries(t.Context(), 100)) },
		"RequeueEmails":         func() error { return third(watched.RequeueEmails(t.Context(), 100)) },
		"RetireExpiredServices": func() error { return third(watched.RetireExpiredServices(t.Context(), 100)) },
		"ClaimStarts": func() error {
			return second(watched.ClaimStarts(t.Context(), []string{store.StartNote}, nil, 100, time.Minute))
		},
		"StartDistributions": func() error {
			return second(watched.StartDistributions(t.Context(), []store.ServedEnvironment{{Authority: "national"}}))
		},
		"LongestWait": func() error { return second(watched.LongestWait(t.Context())) },
		"BlockStarts": func() error {
			return watched.BlockStarts(t.Context(), fact.NoAuthority.Fact(), store.Backlog{Kind: store.StartNote})
		},
	} {
		watched.plans = nil
		must(t, do())
		if len(watched.plans) == 0 {
			t.Errorf("%s: the server sent no plan", what)
		}
		indexes := []string{"notes_unfinished", "notes_under_way", "deliveries_unfinished", "services_to_retire",
			"outbox_backlogs", "notes_held", "emails_unfinished", "emails_by_status", "fiscal_exchanges_ambiguous"}
		for _, plan := range watched.plans {
			for _, node := range plan.all() {
				found := strings.HasPrefix(node.Type, "Index") && node.Cond != "" // rows by their keys
				small := []string{"webhook_endpoints", "certificates", "distributions", "fiscal_profiles",
					"tax_id_claims",
					"blocked_starts"}
				whole := slices.Contains(small, node.Relation) || node.Relation == "outbox" && what == "Gauges"
				if strings.Contains(node.Type, "Scan") && node.Relation != "" &&
					!slices.Contains(indexes, node.Index) && !found && !whole {
					t.Errorf("%s: %s of %s by %q where %q", what, node.Type, node.Relation, node.Index, node.Cond)
				}
			}
		}
	}
}
