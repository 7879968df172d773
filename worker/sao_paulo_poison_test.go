package worker_test

import (
	"fmt"
	"testing"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/nfse"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/testkit"
)

// Sendings of a series go one at a time. A note whose sending always fails, panics or hangs
// gives its turn back, so that those before and after it are sent. AutoFixed, it is too.
func TestSaoPaulo_PoisonTurn(t *testing.T) {
	t.Parallel()
	for _, harmful := range testkit.Harms {
		t.Run(string(harmful), func(t *testing.T) {
			t.Parallel()
			n := newSaoPaulo(t, simulator.Registry{})
			h := harm(t, n.System, longestCall(t, harmful))
			var ids []string
			for i := range 5 {
				ids = append(ids, n.issue(t, fmt.Sprint("order-", i)))
			}
			poison := fiscal.CorrelationID(ids[1])
			h.add(poison, harmful)
			n.StartWorker(t)
			for i, id := range ids {
				if i != 1 {
					n.Await(t, n.LiveKey, id, nfse.StatusIssued)
				}
			}
			testkit.Eventually(t, "the poison note is sent", func() bool { return h.times(poison) > 0 })
			testkit.Eventually(t, "its turn is given back", func() bool {
				return n.Count(t, `SELECT count(*) FROM fiscal_series WHERE turn_token IS NOT NULL`) == 0
			})
			if harmful != testkit.Fails && rowsFailed(t, n.System, activities.LoopNotes) == 0 {
				t.Error("it is not counted")
			}
			h.autoFix()
			if err := n.Changes().Lifecycle.RedriveNote(t.Context(), ids[1]); err != nil {
				t.Fatal(err)
			}
			n.Await(t, n.LiveKey, ids[1], nfse.StatusIssued)
			for _, entry := range n.city.Ledger() {
				if entry.Cancelled {
					t.Errorf("the note %d was cancelled by %s", entry.Number, entry.CancelledBy)
				}
			}
		})
	}
}

// A document about which every question fails, panics or hangs, or that the database does
// not take, or whose profile cannot be read, is passed: those of the same question are
// looked after all the same, and a cancellation on the city's site is found.
func TestSaoPaulo_PoisonStanding(t *testing.T) {
	t.Parallel()
	for _, harmful := range append([]testkit.Harm{"is refused", "cannot be read"}, testkit.Harms...) {
		t.Run(string(harmful), func(t *testing.T) {
			t.Parallel()
			n := newSaoPaulo(t, simulator.Registry{})
			var ids, numbers []string
			for i := range 3 {
				ids = append(ids, n.issue(t, fmt.Sprint("order-", i)))
				numbers = append(numbers, n.Await(t, n.LiveKey, ids[i], nfse.StatusIssued).Text("authority", "number"))
			}
			h := harm(t, n.System, longestCall(t, harmful))
			autoFix := `SELECT 1`
			switch harmful {
			case "is refused":
				n.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
					BEGIN RAISE 'a poison row'; END $$`)
				n.Exec(t, `CREATE TRIGGER refuse BEFORE UPDATE ON fiscal_exchanges FOR EACH ROW
					WHEN (NEW.note_id = '`+ids[1]+`') EXECUTE FUNCTION refuse()`)
				autoFix = `DROP TRIGGER refuse ON fiscal_exchanges`
			case "cannot be read":
				n.Exec(t, `UPDATE fiscal_exchanges SET profile = '"no profile"' WHERE note_id = $1`, ids[1])
				autoFix = `UPDATE fiscal_exchanges SET profile = (SELECT profile FROM fiscal_profiles)`
			default:
				h.add(numbers[1], harmful)
			}
			var last int64
			if _, err := fmt.Sscan(numbers[2], &last); err != nil {
				t.Fatal(err)
			}
			if err := n.city.CancelOnSite(registration, last); err != nil {
				t.Fatal(err)
			}
			n.StartWorker(t)
			due := func() {
				// What cannot be changed is due all the time; what was passed a quarter of a day later.
				n.Exec(t, `UPDATE fiscal_exchanges SET poll_standing_at = now() WHERE note_id <> $1`, ids[1])
				if harmful != "is refused" {
					n.Exec(t, `UPDATE fiscal_exchanges SET poll_standing_at = now() WHERE note_id = $1`, ids[1])
				}
				runMaintenance(t, n.System)
			}
			if harmful == "is refused" {
				n.Exec(t, `ALTER TABLE fiscal_exchanges DISABLE TRIGGER refuse`)
				n.Exec(t, `UPDATE fiscal_exchanges SET poll_standing_at = now()`)
				n.Exec(t, `ALTER TABLE fiscal_exchanges ENABLE TRIGGER refuse`)
			}
			due()
			if harmful == testkit.Fails || harmful == testkit.Hangs { // the whole question: it is asked again, alone
				testkit.Eventually(t, "all are put behind others", func() bool {
					return n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE poll_standing_at > now()`) == 3
				})
			} else {
				n.Await(t, n.LiveKey, ids[2], nfse.StatusCancelled)
				testkit.Eventually(t, "the first is asked about tomorrow", func() bool {
					return n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE note_id = $1
						AND poll_standing_at > now() + interval '23 hours'`, ids[0]) == 1
				})
			}
			if harmful == testkit.Fails {
				if failed := rowsFailed(t, n.System, activities.LoopStandings); failed > 0 {
					t.Errorf("%v rows failed", failed)
				}
			} else {
				testkit.Eventually(t, "the failure is counted", func() bool {
					return rowsFailed(t, n.System, activities.LoopStandings) > 0
				})
			}
			h.autoFix()
			n.Exec(t, autoFix)
			due()
			n.Await(t, n.LiveKey, ids[2], nfse.StatusCancelled)
			testkit.Eventually(t, "the mended one is asked about tomorrow", func() bool {
				return n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE note_id = $1
					AND poll_standing_at > now() + interval '23 hours'`, ids[1]) == 1
			})
		})
	}
}
