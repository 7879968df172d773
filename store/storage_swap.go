package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// How a table that is one is brought into parts: the table itself becomes the first part of a new one of its name.
// Nothing is copied. What may take long (that all its rows are within the part) is proved before, beside the work; the
// swap itself is one transaction of some milliseconds.

// growing are the tables that lie in parts by time, in the order in which they are brought into them: what refers to a
// table comes after it. Migration 00018 says the same (grown_tables), for what the database does by itself.
var growing = []string{
	"notes", "note_documents", "note_steps", "fiscal_calls", "ledger_entries", "emails", "events", "deliveries",
	"delivery_attempts", "audit_log", "note_moves", "closing_moves",
}

// droppedTogether are tables whose parts are dropped: no foreign key refers to them, as it would keep a part from being
// dropped. Their order of dropping, which drop_part keeps, stands in its place.
var droppedTogether = []string{"events", "deliveries", "delivery_attempts"}

const (
	// swapLock is how long a swap waits for each lock, and swapLocks for all of them: others wait behind it meanwhile.
	swapLock, swapLocks = "300ms", "500ms"

	// boundaryAhead is how far ahead the first part of a table in use reaches at least. Until then it can be brought
	// into parts in peace; and after it the next parts are there.
	boundaryAhead = 35 * 24 * time.Hour
)

// grownTable is what the swap knows of a table.
type grownTable struct {
	Name    string  `db:"name"`
	Key     string  `db:"key"`
	Prefix  *string `db:"prefix"`
	Months  int     `db:"months"`
	InParts bool    `db:"in_parts"`
}

func (s *Store) grownTable(ctx context.Context, name string) (table grownTable, err error) {
	err = s.db.GetContext(ctx, &table, grownTables+` WHERE name = $1`, name)
	return table, err
}

const grownTables = `SELECT name, key, prefix, months,
	coalesce((SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass('public.' || name)), false) AS in_parts
	FROM grown_tables()`

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

// bound is the check that holds the rows of a table that is not in parts yet below the first of its next part, and the
// day of that. empty where there is none.
func (s *Store) bound(ctx context.Context, table string) (check string, ends time.Time, proved bool, err error) {
	err = s.db.QueryRowxContext(ctx, `SELECT conname, convalidated FROM pg_constraint
		WHERE conrelid = to_regclass('public.' || $1) AND contype = 'c' AND conname ~ '^before_[0-9]{6}$'`, table).
		Scan(&check, &proved)
	if errors.Is(err, sql.ErrNoRows) {
		return "", ends, false, nil
	}
	if err == nil {
		ends, err = time.Parse("200601", strings.TrimPrefix(check, "before_"))
	}
	return check, ends, proved, err
}

// The steps of a contraction, as it tells of them.
const (
	StepBounded    = "bounded"    // what comes into the table goes into its first part
	StepProved     = "proved"     // and so does what is there
	StepSwapped    = "swapped"    // the table is in parts
	StepReferences = "references" // what refers to the table is proved
	StepContracted = "contracted" // the database has its new form
)

// step is told what a contraction has done.
type step func(what, table string)

// bringIntoParts brings a table into parts, or goes on where it was interrupted. Where the table is new nobody uses
// it yet.
func (s *Store) bringIntoParts(ctx context.Context, name string, isNew bool, did step) error {
	table, err := s.grownTable(ctx, name)
	if err != nil {
		return err
	}
	if !table.InParts {
		if err := s.swapInTime(ctx, table, isNew, did); err != nil {
			return err
		}
	}
	return s.proveReferences(ctx, name, did)
}

func (s *Store) swapInTime(ctx context.Context, table grownTable, isNew bool, did step) error {
	if err := s.proveChecks(ctx, table.Name); err != nil {
		return err
	}
	if isNew {
		var used bool
		if err := s.db.GetContext(ctx, &used, `SELECT EXISTS (SELECT FROM `+table.Name+`)`); err != nil {
			return err
		}
		if !used {
			return s.swap(ctx, table, "", table.partition(time.Now()))
		}
	}
	check, ends, proved, err := s.bound(ctx, table.Name)
	if err != nil {
		return err
	}
	if check != "" && time.Until(ends) < boundaryAhead/2 {
		if err := s.untilLocked(ctx, `ALTER TABLE `+table.Name+` DROP CONSTRAINT IF EXISTS `+check); err != nil {
			return err
		}
		check = ""
	}
	if check == "" {
		ends = table.next(table.partition(time.Now().Add(boundaryAhead)))
		check, proved = "before_"+ends.Format("200601"), false
		err := s.untilLocked(ctx, fmt.Sprintf(`ALTER TABLE %s ADD CONSTRAINT %s CHECK (%s < %s) NOT VALID`,
			table.Name, check, table.Key, s.firstID(table, ends)))
		if err != nil {
			return err
		}
		did(StepBounded, table.Name)
	}
	if !proved {
		if err := s.unbounded(ctx, `ALTER TABLE `+table.Name+` VALIDATE CONSTRAINT `+check); err != nil {
			return err
		}
		did(StepProved, table.Name)
	}
	err = retriedWhileBusy(ctx, func() error { return s.swap(ctx, table, check, ends) }, pqerror.QueryCanceled)
	if err != nil {
		return fmt.Errorf("store: bring %s into parts: %w", table.Name, err)
	}
	did(StepSwapped, table.Name)
	return nil
}

// proveChecks proves what the table's checks say of rows of before them, while work goes on: a part has to show it.
func (s *Store) proveChecks(ctx context.Context, table string) error {
	var statements []string
	err := s.db.SelectContext(ctx, &statements, `
		SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint
		WHERE conrelid = to_regclass('public.' || $1) AND contype = 'c' AND NOT convalidated
			AND conname !~ '^before_[0-9]{6}$'
		ORDER BY conname`, table)
	for _, statement := range statements {
		if err == nil {
			err = s.unbounded(ctx, statement)
		}
	}
	return err
}

// firstID is the least id of a day, as SQL.
func (s *Store) firstID(table grownTable, day time.Time) string {
	id := `first_id(NULL, ` + pq.QuoteLiteral(day.Format(time.RFC3339)) + `)`
	if table.Prefix != nil {
		id = `first_id(` + pq.QuoteLiteral(*table.Prefix) + `, ` + pq.QuoteLiteral(day.Format(time.RFC3339)) + `)`
	}
	var value string
	if err := s.db.Get(&value, `SELECT `+id); err != nil {
		return "NULL" // the statement that it is for fails too
	}
	if table.Prefix == nil {
		return value
	}
	return pq.QuoteLiteral(value)
}

// untilLocked executes a short statement that locks a table, until it has the lock.
func (s *Store) untilLocked(ctx context.Context, statement string) error {
	return s.untilExecuted(ctx, `SET LOCAL lock_timeout = '`+swapLock+`'`, statement)
}

// unbounded executes a statement that reads a whole table, and that nobody waits for.
func (s *Store) unbounded(ctx context.Context, statement string) error {
	return s.untilExecuted(ctx, `SET LOCAL statement_timeout = 0`, `SET LOCAL lock_timeout = '`+swapLock+`'`, statement)
}

// untilExecuted executes statements in one transaction, until it has its locks.
func (s *Store) untilExecuted(ctx context.Context, statements ...string) error {
	return retriedWhileBusy(ctx, func() error {
		return s.inTransaction(ctx, func(tx *sqlx.Tx) error {
			for _, one := range statements {
				if _, err := tx.ExecContext(ctx, one); err != nil {
					return err
				}
			}
			return nil
		})
	}, pqerror.QueryCanceled)
}

// swap makes the table in parts and gives it the table as its first part, which ends on a day.
func (s *Store) swap(ctx context.Context, table grownTable, check string, ends time.Time) error {
	shape, err := s.shapeOf(ctx, table)
	if err != nil {
		return err
	}
	before := table.Name + "_before_" + ends.Format("200601")
	locking := []string{
		`SET LOCAL lock_timeout = '` + swapLock + `'`,
		`SET LOCAL statement_timeout = '` + swapLocks + `'`,
		`LOCK TABLE ` + strings.Join(shape.locked(table.Name), ", ") + ` IN ACCESS EXCLUSIVE MODE`,
		`SET LOCAL statement_timeout = '10s'`, // of all that follows, which is one
	}
	statements := []string{
		`CREATE SCHEMA swapping`, // so that all has its name already
		fmt.Sprintf(`CREATE TABLE swapping.%[1]s (LIKE public.%[1]s INCLUDING DEFAULTS INCLUDING CONSTRAINTS
			INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMMENTS) PARTITION BY RANGE (%[2]s)`, table.Name, table.Key),
	}
	if check != "" {
		statements = append(statements, `ALTER TABLE swapping.`+table.Name+` DROP CONSTRAINT `+check)
	}
	statements = append(statements, shape.making...)
	statements = append(statements, shape.releasing...)
	statements = append(statements,
		fmt.Sprintf(`ALTER TABLE public.%s SET SCHEMA months`, table.Name),
		fmt.Sprintf(`ALTER TABLE months.%s RENAME TO %s`, table.Name, before),
		fmt.Sprintf(`ALTER TABLE swapping.%s SET SCHEMA public`, table.Name),
		`DROP SCHEMA swapping`,
		fmt.Sprintf(`ALTER TABLE public.%s ATTACH PARTITION months.%s FOR VALUES FROM (MINVALUE) TO (%s)`, table.Name,
			before, s.firstID(table, ends)),
	)
	if check != "" {
		statements = append(statements, fmt.Sprintf(`ALTER TABLE months.%s DROP CONSTRAINT %s`, before, check))
	}
	for _, statement := range shape.finishing {
		statements = append(statements, strings.ReplaceAll(statement, "{before}", "months."+before))
	}
	for _, starts := range table.ahead(ends, time.Now()) {
		statements = append(statements, fmt.Sprintf(`SELECT add_part('%s', '%s')`, table.Name,
			starts.Format(time.DateOnly)))
	}
	statements = append(statements, shape.rejoining...)
	return s.inTransaction(ctx, func(tx *sqlx.Tx) error {
		for _, statement := range locking {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return executeAtOnce(ctx, tx, statements)
	})
}

// executeAtOnce executes statements in their order by one message: others wait behind what the transaction has locked,
// and not for a hundred answers to come and go.
func executeAtOnce(ctx context.Context, tx *sqlx.Tx, statements []string) error {
	quoted := make([]string, len(statements))
	for i, statement := range statements {
		quoted[i] = pq.QuoteLiteral(statement)
	}
	_, err := tx.ExecContext(ctx, `DO $at_once$ DECLARE statement text; BEGIN
		FOREACH statement IN ARRAY ARRAY[`+strings.Join(quoted, ", ")+`] LOOP EXECUTE statement; END LOOP;
	END $at_once$`)
	var server *pq.Error
	if errors.As(err, &server) && server.Where != "" { // which statement it was
		return fmt.Errorf("%s: %w", server.Where, err)
	}
	return err
}

// monthsAhead is for how many months parts are there beside the one that is written; yearsAhead the same of years.
const monthsAhead, yearsAhead = 2, 1

// ahead are the first days of the parts that are to be there, after those up to a day.
func (g grownTable) ahead(from, now time.Time) (starts []time.Time) {
	last := g.partition(now)
	for range map[int]int{1: monthsAhead, 12: yearsAhead}[g.Months] {
		last = g.next(last)
	}
	for day := from; !day.After(last); day = g.next(day) {
		starts = append(starts, day)
	}
	return starts
}

// shape is what a table has besides its columns, as statements that give it to the table in parts.
type shape struct {
	referred  []string // tables that it refers to
	referring []string // tables that refer to it

	making    []string // on the new table, before it has its name
	releasing []string // on the old one, which gives up what is the whole table's
	finishing []string // once the old one is a part
	rejoining []string // what refers to it refers to the new one
}

// locked are the tables that the swap locks, in the order in which what works locks them: one that is referred to
// before what refers to it. PostgreSQL locks all of them where a reference is made or moves.
func (s shape) locked(table string) []string {
	return slices.Concat(s.referred, []string{table}, s.referring)
}

// shapeOf reads the shape of a table from the catalogue, so that a later migration changes it in one place.
func (s *Store) shapeOf(ctx context.Context, table grownTable) (shape shape, err error) {
	name := table.Name
	add := func(to *[]string, query string, args ...any) error {
		var statements []string
		err := s.db.SelectContext(ctx, &statements, query, args...)
		*to = append(*to, statements...)
		return err
	}
	public := `to_regclass('public.' || $1)`
	err = errors.Join(
		add(&shape.referred, `SELECT confrelid::regclass::text FROM pg_constraint
			WHERE conrelid = `+public+` AND contype = 'f' AND conparentid = 0 AND conrelid <> confrelid
			GROUP BY confrelid ORDER BY confrelid`, name),
		add(&shape.referring, `SELECT conrelid::regclass::text FROM pg_constraint
			WHERE confrelid = `+public+` AND contype = 'f' AND conparentid = 0 AND conrelid <> confrelid
			GROUP BY conrelid ORDER BY conrelid`, name),
		// Keys with the id.
		add(&shape.making, `SELECT format('ALTER TABLE swapping.%I ADD CONSTRAINT %I %s', $1::text, conname,
				pg_get_constraintdef(oid)) FROM pg_constraint
			WHERE conrelid = `+public+` AND contype IN ('p', 'u')
				AND (SELECT attnum FROM pg_attribute WHERE attrelid = conrelid AND attname = $2) = ANY(conkey)
			ORDER BY contype, conname`, name, table.Key),
		// Other indexes; a unique one without the id stays each part's own.
		add(&shape.making, `SELECT replace(pg_get_indexdef(indexrelid), format(' ON public.%I ', $1::text),
				format(' ON swapping.%I ', $1::text)) FROM pg_index
			WHERE indrelid = `+public+` AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid
					AND contype IN ('p', 'u', 'x'))
				AND (NOT indisunique OR (SELECT attnum FROM pg_attribute WHERE attrelid = indrelid AND attname = $2)
					= ANY(indkey::smallint[]))
			ORDER BY indexrelid`, name, table.Key),
		add(&shape.making, `SELECT format('ALTER TABLE swapping.%I ADD CONSTRAINT %I %s', $1::text, conname,
				pg_get_constraintdef(oid)) FROM pg_constraint
			WHERE conrelid = `+public+` AND contype = 'f' AND conparentid = 0 AND confrelid <> conrelid
				AND NOT confrelid::regclass::text = ANY($2) ORDER BY conname`, name, pq.Array(droppedTogether)),
		add(&shape.making, `SELECT format('GRANT %s%s ON swapping.%I TO %s', privilege_type,
				CASE WHEN attname IS NULL THEN '' ELSE format(' (%I)', attname) END, $1::text,
				CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END)
			FROM (SELECT NULL::name AS attname, (aclexplode(relacl)).* FROM pg_class WHERE oid = `+public+`
				UNION ALL SELECT attname, (aclexplode(attacl)).* FROM pg_attribute WHERE attrelid = `+public+`) acl
			WHERE grantee <> (SELECT relowner FROM pg_class WHERE oid = `+public+`)`, name),
		add(&shape.releasing, `SELECT format('DROP TRIGGER %I ON public.%I', tgname, $1::text) FROM pg_trigger
			WHERE tgrelid = `+public+` AND NOT tgisinternal AND tgtype & 1 = 1`, name),
		add(&shape.releasing, `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
			FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
				AND (confrelid = `+public+` OR conrelid = `+public+` AND confrelid::regclass::text = ANY($2))
			ORDER BY conname`, name, pq.Array(droppedTogether)),
		add(&shape.finishing, `SELECT pg_get_triggerdef(oid) FROM pg_trigger
			WHERE tgrelid = `+public+` AND NOT tgisinternal ORDER BY tgname`, name),
		// A note may refer to another, in each part by itself: the table in parts is proved by no later step.
		add(&shape.finishing, `SELECT format('ALTER TABLE {before} ADD CONSTRAINT %I %s NOT VALID', conname,
				replace(pg_get_constraintdef(oid), ' NOT VALID', '')) FROM pg_constraint
			WHERE conrelid = `+public+` AND contype = 'f' AND conparentid = 0 AND confrelid = conrelid
			ORDER BY conname`, name),
		add(&shape.rejoining, `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', conrelid::regclass, conname,
				replace(pg_get_constraintdef(oid), ' NOT VALID', '')) FROM pg_constraint
			WHERE confrelid = `+public+` AND contype = 'f' AND conparentid = 0 AND conrelid <> confrelid
				AND NOT $1 = ANY($2) ORDER BY conname`, name, pq.Array(droppedTogether)),
	)
	return shape, err
}

// proveReferences proves the references to a table that were made anew, while work goes on.
func (s *Store) proveReferences(ctx context.Context, table string, did step) error {
	var statements []string
	err := s.db.SelectContext(ctx, &statements, `
		SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint
		WHERE confrelid = to_regclass('public.' || $1) AND contype = 'f' AND NOT convalidated AND conparentid = 0
		ORDER BY conrelid::regclass::text, conname`, table)
	for _, statement := range statements {
		if err == nil {
			err = s.unbounded(ctx, statement)
		}
	}
	if err == nil && len(statements) > 0 {
		did(StepReferences, table)
	}
	return err
}

// aloneOnStorage does something while no other process changes the form of the database.
func (s *Store) aloneOnStorage(ctx context.Context, do func(ctx context.Context) error) error {
	session, err := s.db.Connx(ctx)
	if err != nil {
		return err
	}
	defer session.Close()
	for {
		var alone bool
		err := session.GetContext(ctx, &alone, `SELECT pg_try_advisory_lock(hashtext('emissor storage'))`)
		if err != nil {
			return err
		}
		if alone {
			break
		}
		if err := sleep(ctx, lockPause); err != nil {
			return err
		}
	}
	err = do(ctx)
	_, unlocked := session.ExecContext(context.WithoutCancel(ctx),
		`SELECT pg_advisory_unlock(hashtext('emissor storage'))`)
	return errors.Join(err, unlocked)
}
