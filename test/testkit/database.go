package testkit

import (
	"context"
	"errors"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq" // the driver of the tests' own SQL

	"emissor/internal/packed"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/operate"
	"emissor/store/postgres"
)

// databaseVariable is the environment's URL of a database on the stack's server.
const databaseVariable = "EMISSOR_DATABASE_URL"

// Database is an empty, migrated database of one test.
type Database struct {
	URL   string
	Store *store.Store
	SQL   *sqlx.DB // for what a test wants to read or to change
}

// Roles are the roles of every test's database. They belong to the server, so all
// tests share them.
var Roles = store.Roles{
	API: "emissor_api", Worker: "emissor_worker", Dashboard: "emissor_dashboard", Operator: "emissor_operator",
}

// As is the URL of the database for somebody who has no more privileges than a
// role.
func (d *Database) As(role string) string { return d.URL + "&role=" + role }

// NewLogin makes an account that may log in to the database, a member of these
// roles, and returns the URL with which it does. It is gone when the test ends.
func (d *Database) NewLogin(t testing.TB, roles ...string) (name, databaseURL string) {
	t.Helper()
	name = "test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	d.Exec(t, `CREATE ROLE `+name+` LOGIN PASSWORD 'secret'`)
	t.Cleanup(func() { d.Exec(t, `REASSIGN OWNED BY `+name+` TO current_user; DROP ROLE `+name) })
	for _, role := range roles {
		d.Exec(t, `GRANT `+role+` TO `+name)
	}
	address, err := url.Parse(d.URL)
	must(t, err)
	address.User = url.UserPassword(name, "secret")
	return name, address.String()
}

// NewDatabase is an empty, migrated database of this test, as long as it runs: see reused.
func NewDatabase(t testing.TB) *Database {
	t.Helper()
	return OpenDatabase(t, databaseURL(t, freeDatabase(t).lend(t)))
}

// FreshDatabase is a database that no test used before: what a statement reads of it is what the test stored.
func FreshDatabase(t testing.TB) *Database {
	t.Helper()
	database := newReused(t)
	database.last = true
	return OpenDatabase(t, databaseURL(t, database.lend(t)))
}

// Copy makes a copy of the database that is gone when the test ends. The database itself is
// not to be used any more, except to copy it again: nobody may be connected to what is copied.
func (d *Database) Copy(t testing.TB) *Database {
	t.Helper()
	leave(d.URL)
	must(t, errors.Join(d.Store.Close(), d.SQL.Close()))
	address, err := url.Parse(d.URL)
	must(t, err)
	server := openServer(t)
	name := strings.TrimPrefix(address.Path, "/")
	return OpenDatabase(t, createDatabase(t, server, "TEMPLATE "+name+copyOption(t, server)))
}

// EmptyDatabase makes a database without a schema, gone when the test ends, and
// returns its URL.
func EmptyDatabase(t testing.TB) string {
	t.Helper()
	return createDatabase(t, openServer(t), "")
}

// openServer returns what all tests of the process make their databases by: few connections,
// each of which costs as much as it does.
func openServer(t testing.TB) *sqlx.DB {
	t.Helper()
	environment(t, databaseVariable)
	server, err := openServerOnce()
	must(t, err)
	return server
}

var openServerOnce = sync.OnceValues(func() (*sqlx.DB, error) {
	return sqlx.Open("postgres", os.Getenv(databaseVariable))
})

// copyOption has a database copied file by file, which is half the work of writing it block
// by block into the log. PostgreSQL 14 knows no other way, and no option.
func copyOption(t testing.TB, server *sqlx.DB) string {
	t.Helper()
	var version int
	must(t, server.Get(&version, `SELECT current_setting('server_version_num')::int`))
	if version < 15_00_00 {
		return ""
	}
	return " STRATEGY FILE_COPY"
}

// OpenDatabase opens a database by its URL, no matter what is in it.
func OpenDatabase(t testing.TB, databaseURL string) *Database {
	t.Helper()
	return &Database{URL: databaseURL, Store: OpenStore(t, databaseURL), SQL: openSQL(t, databaseURL)}
}

// template is the migrated database that tests get copies of: copying takes a
// fraction of migrating.
const template = "emissor_template"

// migrateTemplate makes the template, once for all processes that test on this
// server.
func migrateTemplate(t testing.TB, server *sqlx.DB) {
	t.Helper()
	session, err := server.Connx(t.Context())
	must(t, err)
	defer session.Close()
	_, err = session.ExecContext(t.Context(), `SELECT pg_advisory_lock(hashtext($1))`, template)
	must(t, err)
	defer func() {
		_, _ = session.ExecContext(context.WithoutCancel(t.Context()), `SELECT pg_advisory_unlock_all()`)
	}()
	var made bool
	must(t, session.GetContext(t.Context(), &made,
		`SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)`, template))
	if made {
		return
	}
	_, err = session.ExecContext(t.Context(), `DROP DATABASE IF EXISTS `+template) // of a process that was killed
	must(t, err)
	_, err = session.ExecContext(t.Context(), `CREATE DATABASE `+template)
	must(t, err)
	s, err := store.Open(t.Context(), storeConfig(databaseURL(t, template)))
	must(t, err)
	must(t, s.Migrate(t.Context()))
	_, err = s.Grant(t.Context(), Roles)
	must(t, err)
	// As the first round of maintenance leaves it, which then changes nothing.
	_, days := s.Operate.KeepRequestDays(t.Context())
	_, parts := s.Operate.KeepParts(t.Context(), operate.Retention{}, time.Now())
	must(t, errors.Join(days, parts, s.Close()))
	_, err = session.ExecContext(t.Context(), `UPDATE pg_database SET datistemplate = true WHERE datname = $1`,
		template)
	must(t, err)
}

func createDatabase(t testing.TB, server *sqlx.DB, options string) string {
	t.Helper()
	name := "test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	_, err := server.Exec(`CREATE DATABASE ` + name + ` ` + options)
	must(t, err)
	t.Cleanup(func() {
		if _, err := server.Exec(`DROP DATABASE ` + name + ` WITH (FORCE)`); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return databaseURL(t, name)
}

func databaseURL(t testing.TB, name string) string {
	t.Helper()
	address, err := url.Parse(environment(t, databaseVariable))
	must(t, err)
	address.Path = "/" + name
	return address.String()
}

func openSQL(t testing.TB, databaseURL string) *sqlx.DB {
	t.Helper()
	if db := sqlOf(t, databaseURL); db != nil {
		return db
	}
	db, err := sqlx.Open("postgres", databaseURL)
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// storeConfig is the configuration of a store that waits for a lock, and for an answer, as long as a loaded machine
// needs: tests of what ends a wait open stores of their own.
func storeConfig(databaseURL string) postgres.Config {
	if !strings.Contains(databaseURL, "&lock_timeout=") {
		databaseURL += "&lock_timeout=60000"
	}
	return postgres.Config{URL: databaseURL, MaxConnections: 20, StatementTimeout: time.Minute,
		Rows: postgres.Rows{Timeout: time.Minute}, Application: "emissor-test"}
}

// OpenStore opens a store as the program does.
func OpenStore(t testing.TB, databaseURL string) *store.Store {
	t.Helper()
	return OpenLimitedStore(t, databaseURL, postgres.Limits{})
}

// OpenLimitedStore opens a store as the program does with such limits.
func OpenLimitedStore(t testing.TB, databaseURL string, limits postgres.Limits) *store.Store {
	t.Helper()
	config := storeConfig(databaseURL)
	config.Limits = limits
	return open(t, config)
}

func open(t testing.TB, config postgres.Config) *store.Store {
	t.Helper()
	if s := storeOf(t, config); s != nil {
		return s
	}
	s, err := store.Open(context.WithoutCancel(t.Context()), config)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// environment reads a variable that the development stack sets. Without the stack
// the test fails: none may pass by not running.
func environment(t testing.TB, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set: run the tests with `make test`, or inside `devstack -- go test ...`", name)
	}
	return value
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Exec runs SQL of the test's own.
func (d *Database) Exec(t testing.TB, statement string, args ...any) {
	t.Helper()
	_, err := d.SQL.Exec(statement, args...)
	must(t, err)
}

// Count reads one number.
func (d *Database) Count(t testing.TB, query string, args ...any) int {
	t.Helper()
	var n int
	must(t, d.SQL.Get(&n, query, args...))
	return n
}

// Text reads one text.
func (d *Database) Text(t testing.TB, query string, args ...any) string {
	t.Helper()
	var s string
	must(t, d.SQL.Get(&s, query, args...))
	return s
}

// Plain reads one document, message or body of an event, whether it is stored packed or not.
func (d *Database) Plain(t testing.TB, query string, args ...any) string {
	t.Helper()
	var stored []byte
	must(t, d.SQL.Get(&stored, query, args...))
	return string(d.Unpack(t, stored))
}

// Unpack returns the plain bytes of what is stored.
func (d *Database) Unpack(t testing.TB, stored []byte) []byte {
	t.Helper()
	if !packed.Is(stored) {
		return stored
	}
	id, err := packed.DictionaryOf(stored)
	must(t, err)
	if id < packed.FirstOwnID {
		plain, err := packed.Unpack(stored)
		must(t, err)
		return plain
	}
	var row struct {
		Version      int    `db:"version"`
		Certificates []byte `db:"certificates"`
	}
	must(t, d.SQL.Get(&row, `SELECT version, certificates FROM document_dictionaries WHERE id = $1`, int64(id)))
	dictionary, err := packed.NewDictionary(id, row.Version, row.Certificates)
	must(t, err)
	plain, err := dictionary.Unpack(stored)
	must(t, err)
	return plain
}

// UnpackAll stores everything that is packed as it is without, so that SQL can look into it.
func (d *Database) UnpackAll(t testing.TB) {
	t.Helper()
	for table, column := range map[string]string{"note_documents": "xml", "fiscal_messages": "xml",
		"fiscal_exchanges": "xml", "events": "payload"} {
		var stored [][]byte
		must(t, d.SQL.Select(&stored, `SELECT `+column+` FROM `+table+` WHERE `+column+` <> ''`))
		for _, one := range stored {
			d.Exec(t, `UPDATE `+table+` SET `+column+` = $1 WHERE `+column+` = $2`, d.Unpack(t, one), one)
		}
	}
}

// Operator is who makes a test's changes, for the audit log.
var Operator = nfse.Actor{Kind: nfse.ActorCommand, ID: "operator", From: "test"}

// Changes are what an operator may change.
func (d *Database) Changes() *store.Changes { return d.Store.By(Operator) }
