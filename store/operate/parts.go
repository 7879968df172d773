package operate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/internal/retry"
	"emissor/store/postgres"
)

// grownTable is a table that lies in parts by time.
type grownTable struct {
	Name   string `db:"name"`
	Months int    `db:"months"` // how long a part is: 1, or 12
}

// partition is the first day of the part that a moment is in.
func (g grownTable) partition(moment time.Time) time.Time {
	year, month, _ := moment.UTC().Date()
	if g.Months == 12 {
		month = time.January
	}
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

// next is the first day of the part after the one that begins on a day.
func (g grownTable) next(starts time.Time) time.Time { return starts.AddDate(0, g.Months, 0) }

// monthsAhead is for how many months parts are there beside the one that is written; yearsAhead the same of years.
const monthsAhead, yearsAhead = 2, 1

// ahead are the first days of the parts that are to be there now.
func (g grownTable) ahead(now time.Time) (starts []time.Time) {
	day := g.partition(now)
	for range 1 + map[int]int{1: monthsAhead, 12: yearsAhead}[g.Months] {
		starts = append(starts, day)
		day = g.next(day)
	}
	return starts
}

// part is a part of a table: its rows of a month, or of a year.
type part struct {
	Table string    `db:"name"`
	Name  string    `db:"part_name"`
	Ends  time.Time `db:"ends"`
	Kept  bool      `db:"kept"` // it is never dropped, or not yet, regardless of the settings
}

// keptParts is for how long the parts of a table are kept after their end, and from the year after where that is the
// fiscal time; 0 is for ever. The least of it stands in the database (grown_tables), which lets nobody drop before it;
// tables that are not here are kept for ever. A part goes as a whole, once nothing of it is needed: a delivery that is
// not over keeps its part, and with it those of its event and of its attempts.
func (r Retention) keptParts() map[string]time.Duration {
	ofBoth := func(test, live time.Duration) time.Duration {
		if test == 0 || live == 0 {
			return 0
		}
		return max(test, live)
	}
	const counted = 7 * 24 * time.Hour // a move goes when it is counted, so that its part is empty
	return map[string]time.Duration{
		"delivery_attempts": ofBoth(r.TestNotes, r.Attempts),
		"deliveries":        ofBoth(r.TestNotes, r.Events),
		"events":            ofBoth(r.TestNotes, r.Events),
		"note_moves":        counted,
		"closing_moves":     counted,
		"note_steps":        r.FiscalDocuments,
		"fiscal_calls":      r.FiscalDocuments,
		"emails":            r.FiscalDocuments,
	}
}

// orderOfDropping has what refers to a table before it.
var orderOfDropping = []string{
	"delivery_attempts", "deliveries", "events", "note_moves", "closing_moves", "note_steps", "fiscal_calls", "emails",
}

// isOver reports whether a part that ended then is past its time.
func isOver(table string, ends, now time.Time, kept time.Duration) bool {
	if kept == 0 {
		return false
	}
	if slices.Contains([]string{"note_steps", "fiscal_calls", "emails"}, table) { // from the year after
		year := now.Add(-kept).In(saoPaulo).Year()
		return !ends.After(time.Date(year, time.January, 1, 0, 0, 0, 0, saoPaulo))
	}
	return ends.Before(now.Add(-kept))
}

// saoPaulo is the time by which fiscal years are counted.
var saoPaulo = time.FixedZone("America/Sao_Paulo", -3*60*60)

// partsLoop names the loop over the parts of tables.
const partsLoop = "parts"

// KeepParts makes the parts that are missing, some months ahead, and drops those that are past their time. One that
// cannot be made or dropped is set aside, and keeps no other from it.
func (s *Store) KeepParts(ctx context.Context, r Retention, now time.Time) (done int, err error) {
	due, err := s.dueParts(ctx, r, now)
	if err != nil {
		return 0, err
	}
	keep := func(ctx context.Context, tx *sqlx.Tx, id string) (did bool, err error) {
		what, of, _ := strings.Cut(id, " ")
		switch what {
		case "add":
			table, day, _ := strings.Cut(of, " ")
			err = tx.GetContext(ctx, &did, `SELECT add_part($1, $2::date)`, table, day)
		case "drop":
			err = tx.GetContext(ctx, &did, `SELECT drop_part($1)`, of)
		}
		if did {
			done++
		}
		return did, err
	}
	_, err = s.db.Apart(ctx, partsLoop, due, s.db.RowTimeout(), func(ctx context.Context, tx *sqlx.Tx, id string) error {
		did, err := keep(ctx, tx, id)
		if err == nil && !did {
			err = postgres.SetAsideNeeded(ctx, tx, partsLoop, id)
		}
		return err
	})
	again := s.db.DoAside(ctx, partsLoop, func(ctx context.Context, tx *sqlx.Tx, id string) (bool, error) {
		if day := id[strings.LastIndex(id, " ")+1:]; strings.HasPrefix(id, "add ") &&
			day < now.AddDate(-1, 0, 0).Format(time.DateOnly) {
			return false, nil // that time is over: nothing is missing any more
		}
		did, err := keep(ctx, tx, id)
		return !did, err
	})
	return done, errors.Join(err, again)
}

// AddParts makes the parts that are missing now, as in a database that is new or was restored after a long time, so
// that notes can be accepted before a worker has run. Where the role may not make parts, it returns nil and leaves
// them to the workers.
func (s *Store) AddParts(ctx context.Context) error {
	due, err := s.dueParts(ctx, Retention{}, time.Now())
	for _, part := range due {
		if of, add := strings.CutPrefix(part, "add "); add && err == nil {
			err = s.addPart(ctx, of)
		}
	}
	if pq.As(err, pqerror.InsufficientPrivilege) != nil {
		return nil
	}
	return err
}

// addPart makes a part, and tries it again while somebody uses the table or makes the part.
func (s *Store) addPart(ctx context.Context, of string) error {
	table, day, _ := strings.Cut(of, " ")
	for try := 0; ; try++ {
		var made bool
		err := s.db.GetContext(ctx, &made, `SELECT add_part($1, $2::date)`, table, day)
		if err != nil || made || try == postgres.LockTries {
			return err
		}
		if retry.Sleep(ctx, postgres.LockPause) != nil {
			return ctx.Err()
		}
	}
}

// dueParts are the parts to make and to drop now, as rows of the loop; without those that are set aside.
func (s *Store) dueParts(ctx context.Context, r Retention, now time.Time) (due []string, err error) {
	var tables []grownTable
	if err := s.db.SelectContext(ctx, &tables, `SELECT name, months FROM grown_tables()`); err != nil {
		return nil, err
	}
	var parts []part
	if err := s.db.SelectContext(ctx, &parts, `SELECT name, part_name, ends, floor IS NULL AS kept FROM parts
		ORDER BY ends`); err != nil {
		return nil, err
	}
	for _, table := range tables {
		for _, starts := range table.ahead(now) {
			if ends := table.next(starts); !slices.ContainsFunc(parts, func(p part) bool {
				return p.Table == table.Name && p.Ends.Equal(ends)
			}) {
				due = append(due, fmt.Sprintf("add %s %s", table.Name, starts.Format(time.DateOnly)))
			}
		}
	}
	kept := r.keptParts()
	for _, table := range orderOfDropping {
		for _, p := range parts {
			if p.Table == table && !p.Kept && isOver(table, p.Ends, now, kept[table]) {
				due = append(due, "drop "+p.Name)
			}
		}
	}
	var aside []string
	err = s.db.SelectContext(ctx, &aside, `SELECT row_id FROM row_failures WHERE loop = $1`, partsLoop)
	return slices.DeleteFunc(due, func(id string) bool { return slices.Contains(aside, id) }), err
}

// partsAhead is until when all tables have parts.
const partsAhead = `SELECT min(ends) FROM (SELECT max(ends) AS ends FROM parts GROUP BY name) AS last`
