package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lib/pq"

	"emissor/internal/panics"
	"emissor/store"
	"emissor/store/postgres"
	"emissor/test/long"
	"emissor/test/testkit"
)

// hangTime is the most that a row may take where one hangs, which takes as long. Its healthy neighbours have it too.
var hangTime = time.Duration(long.Cases(4, 2)) * time.Second

// watched is a store, in a role, whose rows have a minute each, or as long as a test says.
type watched struct {
	*store.Store
	mu     sync.Mutex
	failed []postgres.RowFailure
}

func newWatched(t *testing.T, database *testkit.Database, role string) *watched {
	t.Helper()
	return newWatchedFor(t, database, role, time.Minute)
}

func newWatchedFor(t *testing.T, database *testkit.Database, role string, longest time.Duration) *watched {
	t.Helper()
	w := &watched{}
	s, err := store.Open(t.Context(), postgres.Config{
		// A batch that hangs has four times as long: the server is not to end its session before.
		URL:            database.As(role) + "&idle_in_transaction_session_timeout=60000",
		MaxConnections: 5, StatementTimeout: 3 * longest / 2, Application: "emissor-test",
		Rows: postgres.Rows{Timeout: longest, Failed: func(_ context.Context, failure postgres.RowFailure) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.failed = append(w.failed, failure)
		}},
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	w.Store = s
	return w
}

// expectFailures fails the test unless these rows failed since it was asked the last time,
// for the so many-th time one after the other.
func (w *watched) expectFailures(t *testing.T, loop string, failures int, ids ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var failed []string
	for _, failure := range w.failed {
		failed = append(failed, failure.RowID)
		if failure.Loop != loop || failure.Failures != failures || failure.Err == nil {
			t.Errorf("%s failed for the %d. time: %+v", loop, failures, failure)
		}
	}
	w.failed = nil
	if !slices.Equal(failed, ids) {
		t.Errorf("%s: failed are %v, expected %v", loop, failed, ids)
	}
}

// pauseOver ends the pauses of all rows that are set aside.
func pauseOver(t *testing.T, database *testkit.Database) {
	t.Helper()
	database.Exec(t, `UPDATE row_failures SET retry_after = now() - interval '1 second'`)
}

// aside names the rows that are set aside, with their failures and the minutes until they
// are tried again.
func aside(t *testing.T, database *testkit.Database) string {
	t.Helper()
	return database.Text(t, `SELECT coalesce(string_agg(concat_ws(' ', row_id, failures,
		round(extract(epoch FROM retry_after - now()) / 60)::int), ', ' ORDER BY row_id), '') FROM row_failures`)
}

// things is a loop over a table of the test's own.
type things struct {
	*testkit.Database
	*watched
	loop testLoop
}

func newThings(t *testing.T, rows int, each func(ctx context.Context, id string) error) things {
	t.Helper()
	t.Parallel()
	database := testkit.NewDatabase(t)
	database.Exec(t, `CREATE TABLE things (id text PRIMARY KEY, done boolean NOT NULL DEFAULT false)`)
	database.Exec(t, `GRANT SELECT, UPDATE ON things TO `+testkit.Roles.Worker)
	database.Exec(t, `INSERT INTO things (id) SELECT lpad(i::text, 4, '0') FROM generate_series(1, $1) i`, rows)
	return things{database, newWatched(t, database, testkit.Roles.Worker),
		testLoop{Name: "things", Table: "things", Each: each}}
}

func (n things) run(t *testing.T, limit int) (looked int) {
	t.Helper()
	looked, err := n.loop.Run(t.Context(), n.watched.Store, limit)
	must(t, err)
	return looked
}

// left are the rows that are not done.
func (n things) left(t *testing.T) string {
	t.Helper()
	return n.Text(t, `SELECT coalesce(string_agg(id, ' ' ORDER BY id), '') FROM things WHERE NOT done`)
}

// poisons are what a row can do to the loop that comes to it.
var poisons = map[string]func(ctx context.Context) error{
	"fails":           func(context.Context) error { return errors.New("poison") },
	"panics":          func(context.Context) error { panic("poison") },
	"takes for ever":  func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	"fails otherwise": func(context.Context) error { return &pq.Error{Code: "22003", Message: "poison"} },
	"loses its races": func(context.Context) error { return &pq.Error{Code: "40P01", Message: "poison"} },
}

// An error of any kind in one row concerns that row alone.
func TestRowsApart_Poison(t *testing.T) {
	t.Parallel()
	for name, poison := range poisons {
		t.Run(name, func(t *testing.T) {
			autoFixed := false
			n := newThings(t, 5, func(ctx context.Context, id string) error {
				if id == "0003" && !autoFixed {
					return poison(ctx)
				}
				return nil
			})
			if name == "takes for ever" {
				n.watched = newWatchedFor(t, n.Database, testkit.Roles.Worker, hangTime)
			}
			if looked := n.run(t, 10); looked != 10 {
				t.Errorf("after a failure %d rows were looked at: more may be due", looked)
			}
			if left := n.left(t); left != "0003" {
				t.Errorf("left are %q", left)
			}
			n.expectFailures(t, "things", 1, "0003")

			// Until its time has come it does not stand in the way.
			n.Exec(t, `INSERT INTO things (id) VALUES ('0000'), ('0009')`)
			if looked := n.run(t, 10); looked != 2 {
				t.Errorf("%d rows were looked at", looked)
			}
			n.expectFailures(t, "things", 0)

			for failures, minutes := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360} {
				if expected := fmt.Sprint("0003 ", failures+1, " ", minutes); aside(t, n.Database) != expected {
					t.Fatalf("set aside is %q, expected %q", aside(t, n.Database), expected)
				}
				if name == "takes for ever" && failures > 2 {
					break
				}
				pauseOver(t, n.Database)
				n.run(t, 10)
				n.expectFailures(t, "things", failures+2, "0003")
			}
			autoFixed = true
			pauseOver(t, n.Database)
			n.run(t, 10)
			if left := n.left(t) + aside(t, n.Database); left != "" {
				t.Errorf("once it is mended, left are %q", left)
			}
		})
	}
}

// A panic is reported with the place where it happened.
func TestRowsApart_PanicHasItsStack(t *testing.T) {
	n := newThings(t, 1, func(context.Context, string) error { panic("poison") })
	n.run(t, 10)
	var caught *panics.Error
	if len(n.failed) != 1 || !errors.As(n.failed[0].Err, &caught) ||
		!strings.Contains(string(caught.Stack), "rows_apart_test.go") {
		t.Errorf("reported is %+v", n.failed)
	}
}

// While the database is out no row is to blame.
func TestRowsApart_Outage(t *testing.T) {
	outages := map[string]error{
		"it shuts down":        &pq.Error{Code: "57P01"},
		"no more connections":  &pq.Error{Code: "53300"},
		"it is read only":      &pq.Error{Code: "25006"},
		"the connection broke": fmt.Errorf("x: %w", &pq.Error{Code: "08006"}),
	}
	for name, outage := range outages {
		t.Run(name, func(t *testing.T) {
			n := newThings(t, 3, func(context.Context, string) error { return outage })
			if _, err := n.loop.Run(t.Context(), n.watched.Store, 10); !errors.Is(err, outage) {
				t.Errorf("answered %v", err)
			}
			n.expectFailures(t, "things", 0)
			if left := n.left(t); left != "0001 0002 0003" || aside(t, n.Database) != "" {
				t.Errorf("left are %q, set aside %q", left, aside(t, n.Database))
			}
		})
	}
}

// A process that stops blames no row either.
func TestRowsApart_Stop(t *testing.T) {
	var stop context.CancelFunc
	n := newThings(t, 3, func(ctx context.Context, _ string) error { stop(); <-ctx.Done(); return ctx.Err() })
	ctx, cancel := context.WithCancel(t.Context())
	stop = cancel
	if _, err := n.loop.Run(ctx, n.watched.Store, 10); err == nil {
		t.Error("it went on")
	}
	n.expectFailures(t, "things", 0)
	if aside(t, n.Database) != "" {
		t.Errorf("set aside are %q", aside(t, n.Database))
	}
}

// Of a batch that is large, only the small part with the bad row is done row by row.
func TestRowsApart_LargeBatch(t *testing.T) {
	const rows = 2000
	n := newThings(t, rows, func(_ context.Context, id string) error {
		if id == "1234" {
			return errors.New("poison")
		}
		return nil
	})
	n.Exec(t, `CREATE TABLE changes (transaction bigint)`)
	n.Exec(t, `GRANT INSERT ON changes TO `+testkit.Roles.Worker)
	n.Exec(t, `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN INSERT INTO changes VALUES (txid_current()); RETURN NULL; END $$`)
	n.Exec(t, `CREATE TRIGGER note AFTER UPDATE ON things FOR EACH ROW EXECUTE FUNCTION note()`)
	if looked := n.run(t, 5*rows); looked != rows {
		t.Errorf("%d rows were looked at", looked)
	}
	if left := n.left(t); left != "1234" {
		t.Errorf("left are %q", left)
	}
	n.expectFailures(t, "things", 1, "1234")
	// Three parts of 500 rows in a transaction each, and one in 499.
	if done := n.Count(t, `SELECT count(DISTINCT transaction) FROM changes`); done != 3+499 {
		t.Errorf("it took %d transactions", done)
	}
}

// However many rows hang, those that do not are done in the same pass.
func TestRowsApart_ManyHang(t *testing.T) {
	long.Only(t, "has five rows hang, one after another")
	n := newThings(t, 30, func(ctx context.Context, id string) error {
		if id <= "0005" {
			<-ctx.Done()
		}
		return ctx.Err()
	})
	// Those that do not have a quarter of it each, after four have hung and another one.
	n.watched = newWatchedFor(t, n.Database, testkit.Roles.Worker, 2*hangTime)
	n.run(t, 30)
	if left := n.left(t); left != "0001 0002 0003 0004 0005" {
		t.Errorf("left are %q", left)
	}
}

// Of many workers one tries a row again.
func TestRowsApart_TriedAgainByOne(t *testing.T) {
	var mu sync.Mutex
	tried := 0
	n := newThings(t, 3, func(_ context.Context, id string) error {
		if id != "0002" {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		tried++
		return errors.New("poison")
	})
	n.run(t, 10)
	pauseOver(t, n.Database)
	before := tried
	must(t, errors.Join(together(4, func(int) error {
		_, err := n.loop.Run(t.Context(), n.watched.Store, 10)
		return err
	})...))
	if tried != before+1 {
		t.Errorf("it was tried %d times", tried-before)
	}
}

// What is set aside and is gone meanwhile is forgotten.
func TestRowsApart_Gone(t *testing.T) {
	n := newThings(t, 3, func(_ context.Context, id string) error {
		if id == "0002" {
			return errors.New("poison")
		}
		return nil
	})
	n.run(t, 10)
	n.Exec(t, `DELETE FROM things`)
	pauseOver(t, n.Database)
	n.run(t, 10)
	if aside(t, n.Database) != "" {
		t.Errorf("set aside are %q", aside(t, n.Database))
	}
}

// A statement that fails without any row has its own error, and comes to an end.
func TestRowsApart_NoRow(t *testing.T) {
	n := newThings(t, 3, func(context.Context, string) error { return nil })
	n.Exec(t, `REVOKE UPDATE ON things FROM `+testkit.Roles.Worker)
	n.Exec(t, `GRANT UPDATE (id) ON things TO `+testkit.Roles.Worker) // it may lock rows still
	n.Exec(t, `UPDATE things SET done = true`)
	for _, limit := range []int{10, 5000} {
		if _, err := n.loop.Run(t.Context(), n.watched.Store, limit); err == nil ||
			!strings.Contains(err.Error(), "permission denied") {
			t.Errorf("answered %v", err)
		}
	}
	n.expectFailures(t, "things", 0)
}

// When no row at all can be done, only some are set aside, and the loop fails.
func TestRowsApart_EveryRowFails(t *testing.T) {
	n := newThings(t, 250, func(context.Context, string) error { return errors.New("poison") })
	for _, expected := range []int{100, 200} {
		if _, err := n.loop.Run(t.Context(), n.watched.Store, 500); err == nil {
			t.Error("the loop does not fail")
		}
		if failed := n.Count(t, `SELECT count(*) FROM row_failures`); failed != expected {
			t.Errorf("%d rows are set aside, expected %d", failed, expected)
		}
	}
	n.run(t, 500) // what is left is set aside, and is not all
	if failed := n.Count(t, `SELECT count(*) FROM row_failures`); failed != 250 {
		t.Errorf("%d rows are set aside", failed)
	}
}
