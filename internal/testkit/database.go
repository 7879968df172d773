package testkit

import (
	"context"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq" // the driver of the tests' own SQL

	"emissor/store"
)

// Database is an empty, migrated database of one test.
type Database struct {
	URL   string
	Store *store.Store
	SQL   *sqlx.DB // for what a test wants to see or to bend
}

// NewDatabase makes a database that is gone when the test ends.
func NewDatabase(t testing.TB) *Database {
	t.Helper()
	database := &Database{URL: EmptyDatabase(t)}
	database.Store = OpenStore(t, database.URL)
	must(t, database.Store.Migrate(t.Context()))
	var err error
	database.SQL, err = sqlx.Open("postgres", database.URL)
	must(t, err)
	t.Cleanup(func() { _ = database.SQL.Close() })
	return database
}

// EmptyDatabase makes a database without a schema, gone when the test ends, and
// returns its URL.
func EmptyDatabase(t testing.TB) string {
	t.Helper()
	server := environment(t, "EMISSOR_DATABASE_URL")
	admin, err := sqlx.Open("postgres", server)
	must(t, err)
	name := "test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	_, err = admin.Exec(`CREATE DATABASE ` + name)
	must(t, err)
	t.Cleanup(func() {
		_, err := admin.Exec(`DROP DATABASE ` + name + ` WITH (FORCE)`)
		if err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
		_ = admin.Close()
	})

	address, err := url.Parse(server)
	must(t, err)
	address.Path = "/" + name
	return address.String()
}

// OpenStore opens a store as the program does.
func OpenStore(t testing.TB, databaseURL string) *store.Store {
	t.Helper()
	s, err := store.Open(context.WithoutCancel(t.Context()), store.Config{
		URL: databaseURL, MaxConnections: 20, StatementTimeout: 5 * time.Second, Application: "emissor-test",
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// environment reads a variable that the development stack sets. Without the
// stack there is nothing to test with, and no test passes by not running.
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
