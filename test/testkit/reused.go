package testkit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jmoiron/sqlx"

	"emissor/store"
	"emissor/store/postgres"
)

// reused is a database that tests of this process use one after the other, with sessions of its stores that have read
// the catalogue: to make these again is more than half of what a test costs. Each test finds it as the first did. One
// whose schema a test changed, or that something still uses, is dropped.
type reused struct {
	name    string
	session *sqlx.DB // one session, by which it is looked at and emptied
	schema  string   // tells its schema from a changed one
	rows    string   // JSON of the rows that a database has from the start
	made    int64    // the last function (oid) that it has from the start

	sql   *sqlx.DB // the sessions of the tests themselves; nil before the first
	mu    sync.Mutex
	pools []*pool
	last  bool // its test is the last one: it is dropped
}

// pool are connections that one store of a test has at a time.
type pool struct {
	*sqlx.DB
	config postgres.Config
	inUse  bool
}

// databases are the reused databases of this process.
var databases = struct {
	mu   sync.Mutex
	free []*reused
	lent map[string]*reused // by name
	made atomic.Int64
}{lent: map[string]*reused{}}

// freeDatabase is one that a test gave back, or a new one.
func freeDatabase(t testing.TB) *reused {
	t.Helper()
	databases.mu.Lock()
	if last := len(databases.free) - 1; last >= 0 {
		d := databases.free[last]
		databases.free = databases.free[:last]
		databases.mu.Unlock()
		return d
	}
	databases.mu.Unlock()
	return newReused(t)
}

// lend leaves the database to a test until it ends, and returns its name.
func (d *reused) lend(t testing.TB) string {
	t.Helper()
	databases.mu.Lock()
	databases.lent[d.name] = d
	databases.mu.Unlock()
	t.Cleanup(func() { d.giveBack(t) })
	return d.name
}

func newReused(t testing.TB) *reused {
	t.Helper()
	server := openServer(t)
	migrateTemplate(t, server)
	dropOrphans()
	d := &reused{name: fmt.Sprintf("test_%d_%d", os.Getpid(), databases.made.Add(1))}
	_, err := server.Exec(`CREATE DATABASE ` + d.name + ` TEMPLATE ` + template + copyOption(t, server))
	must(t, err)
	d.session, err = sqlx.Open("postgres", databaseURL(t, d.name))
	must(t, err)
	d.session.SetMaxOpenConns(1)
	_, err = d.session.Exec(`UPDATE checked_database SET name = sequence_database()`) // a copy, of which nothing was lost
	must(t, errors.Join(err, d.session.Get(&d.schema, schemaQuery), d.session.Get(&d.rows, firstRowsQuery),
		d.session.Get(&d.made, `SELECT max(oid)::bigint FROM pg_proc`)))
	return d
}

// dropOrphans drops the databases of processes that have ended, once.
var dropOrphans = sync.OnceFunc(func() {
	server, err := openServerOnce()
	if err != nil {
		return
	}
	var names []string
	_ = server.Select(&names, `SELECT datname FROM pg_database WHERE datname ~ '^test_[0-9]+_[0-9]+$'`)
	for _, name := range names {
		var process int
		_, _ = fmt.Sscanf(name, "test_%d_", &process)
		if errors.Is(syscall.Kill(process, 0), syscall.ESRCH) {
			_, _ = server.Exec(`DROP DATABASE IF EXISTS ` + name + ` WITH (FORCE)`) // another process may do so too
		}
	}
})

const (
	// schemaQuery says how many rows the catalogue has, and which transaction changed it last; of tables and indexes,
	// which a constraint changes that is gone, what they are.
	schemaQuery = `SELECT concat_ws(' ',
		(SELECT sum(hashtextextended(concat_ws(' ', oid, relname, relacl, reloptions, relchecks, relhastriggers, relhasrules,
			relnatts, relowner, relrowsecurity, relispartition), 0)) FROM pg_class),
		(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM pg_attribute),
		(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM pg_proc),
		(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM pg_trigger),
		(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM pg_constraint),
		(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM pg_type),
		(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM pg_namespace),
		(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM schema_migrations),
		(SELECT count(*) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
		 WHERE d.datname = current_database()))`

	// firstRowsQuery reads the rows that a database has from the start, but for its migrations.
	firstRowsQuery = `SELECT jsonb_build_object('archive_state', (SELECT jsonb_agg(r) FROM archive_state r),
		'checked_database', (SELECT jsonb_agg(r) FROM checked_database r))`

	// usersQuery counts who still does something in the database, or keeps a lock, and the programs that have not left.
	usersQuery = `SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
		AND pid <> pg_backend_pid() AND backend_type = 'client backend'
		AND (state <> 'idle' OR application_name LIKE 'emissor/%'))
		+ (SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
		WHERE d.datname = current_database() AND l.locktype = 'advisory')`

	emptyStatement = `DO $$
		DECLARE stored regclass; counter regclass; start bigint;
		BEGIN
			SET LOCAL session_replication_role = replica; -- without triggers
			FOR stored IN SELECT oid FROM pg_class
				WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('public', 'months', 'request_days')
				AND relname <> 'schema_migrations' AND pg_relation_size(oid) > 0
			LOOP EXECUTE 'DELETE FROM ' || stored; END LOOP;
			FOR counter, start IN SELECT seqrelid, seqstart FROM pg_sequence
				WHERE seqrelid <> 'schema_migrations_id_seq'::regclass
			LOOP PERFORM setval(counter, start, false); END LOOP;
		END $$`

	fillStatement = `WITH first AS (SELECT $1::jsonb AS rows), archive AS (
			INSERT INTO archive_state SELECT a.* FROM first,
				jsonb_populate_recordset(NULL::archive_state, rows->'archive_state') a)
		INSERT INTO checked_database SELECT c.* FROM first,
			jsonb_populate_recordset(NULL::checked_database, rows->'checked_database') c`
)

// giveBack leaves the database to the next test, or drops it.
func (d *reused) giveBack(t testing.TB) {
	databases.mu.Lock()
	delete(databases.lent, d.name)
	databases.mu.Unlock()
	ended, end := context.WithCancel(context.Background())
	end()
	d.pools = slices.DeleteFunc(d.pools, func(p *pool) bool { // those that a test closed
		return !errors.Is(p.PingContext(ended), context.Canceled)
	})
	if d.sql != nil && !errors.Is(d.sql.PingContext(ended), context.Canceled) {
		d.sql = nil
	}
	for _, p := range d.pools {
		p.inUse = false
		p.SetMaxIdleConns(warmSessions) // the others are closed
		p.SetMaxIdleConns(p.config.MaxConnections)
	}
	if err := errors.Join(d.discard(), d.clean()); err != nil {
		d.close()
		if _, err := openServer(t).Exec(`DROP DATABASE ` + d.name + ` WITH (FORCE)`); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
		return
	}
	databases.mu.Lock()
	defer databases.mu.Unlock()
	databases.free = append(databases.free, d)
}

// warmSessions is how many sessions of a pool stay open for the next test.
const warmSessions = 8

// mostBytes is how large a database may become: 15 MB are its schema.
const mostBytes = 40 << 20

var errChanged = errors.New("the database is not as it was, or in use")

// discard leaves of the tests' own sessions what a session has at its start.
func (d *reused) discard() error {
	if d.sql == nil {
		return nil
	}
	stats := d.sql.Stats()
	if stats.InUse > 0 {
		return errChanged
	}
	for range stats.Idle {
		session, err := d.sql.Conn(context.Background())
		if err != nil {
			return err
		}
		defer session.Close() // so that the next one is another
		if _, err := session.ExecContext(context.Background(), `DISCARD ALL`); err != nil {
			return err
		}
	}
	return nil
}

// clean makes the database what it was for the first test.
func (d *reused) clean() error {
	if d.last {
		return errChanged
	}
	var functions []string // those of triggers by which a test had statements fail
	if err := d.session.Select(&functions, `SELECT oid::regprocedure FROM pg_proc WHERE oid > $1`, d.made); err != nil {
		return err
	}
	for _, function := range functions {
		if _, err := d.session.Exec(`DROP FUNCTION ` + function + ` CASCADE`); err != nil {
			return err
		}
	}
	var schema string
	var users, bytes int
	err := cmp.Or(d.session.Get(&schema, schemaQuery), d.session.Get(&users, usersQuery),
		d.session.Get(&bytes, `SELECT pg_database_size(current_database())`))
	if err != nil || schema != d.schema || users > 0 || bytes > mostBytes {
		return cmp.Or(err, errChanged)
	}
	if _, err := d.session.Exec(emptyStatement); err != nil {
		return err
	}
	_, err = d.session.Exec(fillStatement, d.rows)
	return err
}

func (d *reused) close() {
	_ = d.session.Close()
	if d.sql != nil {
		_ = d.sql.Close()
	}
	for _, p := range d.pools {
		_ = p.Close()
	}
}

// lentAs is the database of a URL, nil where it is none that is lent.
func lentAs(databaseURL string) *reused {
	address, err := url.Parse(databaseURL)
	if err != nil {
		return nil
	}
	databases.mu.Lock()
	defer databases.mu.Unlock()
	return databases.lent[strings.TrimPrefix(address.Path, "/")]
}

// leave closes all connections to a database, so that it can be copied. No other test gets it.
func leave(databaseURL string) {
	if d := lentAs(databaseURL); d != nil {
		d.last = true
		d.close()
	}
}

// sqlOf returns the sessions of a database that is lent, nil for any other.
func sqlOf(t testing.TB, address string) *sqlx.DB {
	t.Helper()
	d := lentAs(address)
	if d == nil || address != databaseURL(t, d.name) {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sql == nil {
		var err error
		d.sql, err = sqlx.Open("postgres", address)
		must(t, err)
		d.sql.SetMaxIdleConns(warmSessions)
	}
	return d.sql
}

// storeOf returns a store of a database that is lent, nil for any other: those behind a proxy, and those of a login of
// the test's own.
func storeOf(t testing.TB, config postgres.Config) *store.Store {
	t.Helper()
	d := lentAs(config.URL)
	if d == nil || !strings.HasPrefix(config.URL, databaseURL(t, d.name)) {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.pools, func(p *pool) bool {
		return !p.inUse && p.config.URL == config.URL
	})
	if i < 0 {
		db, err := postgres.Connect(config, nil)
		must(t, err)
		i, d.pools = len(d.pools), append(d.pools, &pool{DB: db, config: config})
	}
	d.pools[i].inUse = true
	return store.New(d.pools[i].DB, config)
}
