package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/internal/outgoing"
)

// DB is the database: its connections, what is prepared on them, how it packs and what bounds rows.
type DB struct {
	pool
	URL        string // with the settings of each connection
	statements statements
	Rows       Rows
	Limits     Limits

	packing *packing
	Archive archiveReader
}

// Config says how to reach the database, what loops do about rows that they cannot
// handle, and how much an organization may have.
type Config struct {
	URL              string        // postgres://..., with an explicit sslmode
	MaxConnections   int           // of this process
	StatementTimeout time.Duration // the longest a statement may take
	Application      string        // shown in pg_stat_activity
	Rows             Rows
	Limits           Limits
	Archive          DocumentArchive
}

// Open connects, and refuses a server that could lose what it acknowledged.
func Open(ctx context.Context, config Config) (*DB, error) {
	// Where connections fail another server may have taken over, which lacks the last rows of the one before: what is
	// packed is packed with dictionaries that it has.
	var s *DB
	db, err := Connect(config, func() { s.packing.forget() })
	if err != nil {
		return nil, err
	}
	s = New(db, config)
	if err := s.checkServer(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// Connect opens the connections of a store, none of them yet; lost, which may be nil, is called where one fails.
func Connect(config Config, lost func()) (*sqlx.DB, error) {
	dsn, err := dsn(config)
	if err != nil {
		return nil, err
	}
	postgres, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	postgres.Dialer(dialer{wait: config.StatementTimeout + deadlineMargin, lost: lost})
	db := sqlx.NewDb(sql.OpenDB(connector{postgres}), "postgres")
	db.SetMaxOpenConns(config.MaxConnections)
	db.SetMaxIdleConns(config.MaxConnections)
	db.SetConnMaxLifetime(30 * time.Minute)
	return db, nil
}

// New makes a store of connections that Connect opened with the same URL. What it remembers is its own: tests use the
// connections one after the other.
func New(db *sqlx.DB, config Config) *DB {
	s := &DB{pool: pool{db}, Rows: config.Rows, Limits: config.Limits, Archive: newArchiveReader(config.Archive),
		packing: newPacking()}
	s.URL, _ = dsn(config) // Connect refuses what it refuses
	return s
}

// Close closes every connection.
func (s *DB) Close() error { return s.pool.Close() }

// Ping reports whether the database answers.
func (s *DB) Ping(ctx context.Context) error {
	_, err := s.pool.ExecContext(ctx, `SELECT 1`)
	return err
}

// Pool says how the connections of this process are used.
func (s *DB) Pool() sql.DBStats { return s.pool.Stats() }

func dsn(config Config) (string, error) {
	parsed, err := url.Parse(config.URL)
	if err != nil || parsed.Scheme != "postgres" && parsed.Scheme != "postgresql" {
		return "", errors.New("store: the database URL must look like " +
			"postgres://user:password@host:port/database?sslmode=MODE")
	}
	query := parsed.Query()
	if query.Get("sslmode") == "" {
		return "", errors.New("store: the database URL must say sslmode=disable, require, verify-ca or verify-full")
	}
	// The URL cannot change it: a connection waits for its server a little longer than this (dialer).
	query.Set("statement_timeout", milliseconds(config.StatementTimeout))
	for name, value := range map[string]string{
		"application_name":                    config.Application,
		"lock_timeout":                        "2000",
		"idle_in_transaction_session_timeout": "10000",
		"connect_timeout":                     "5",
		// Parameters are sent with the statement, which saves a round trip.
		"binary_parameters": "yes",
	} {
		if query.Get(name) == "" && value != "" {
			query.Set(name, value)
		}
	}
	parsed.RawQuery = query.Encode()
	return parsed.String(), nil
}

// Eavesdropper says what a third party could do on the way to the database that this URL
// names; empty when that is nothing, because the server is this machine or the connection
// is encrypted and the server's identity is verified.
func Eavesdropper(databaseURL string) string {
	parsed, err := url.Parse(databaseURL)
	if err != nil {
		return "" // Open returns what is wrong with it
	}
	mode, host := parsed.Query().Get("sslmode"), cmp.Or(parsed.Query().Get("host"), parsed.Hostname())
	switch {
	case host == "", strings.HasPrefix(host, "/"), outgoing.IsThisMachine(host):
		return ""
	case mode == "verify-full":
		return ""
	case mode == "verify-ca":
		return "sslmode=verify-ca takes any server with a certificate of the CA for the database"
	case mode == "require":
		return "sslmode=require takes any server for the database"
	}
	return "sslmode=" + mode + " may send passwords and notes in clear text"
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// checkServer refuses a server that could lose an acknowledged commit in a
// crash: the 202 promises that it cannot.
func (s *DB) checkServer(ctx context.Context) error {
	var settings serverSettings
	err := s.pool.GetContext(ctx, &settings, `
		SELECT current_setting('server_version_num')::int AS version,
		       current_setting('fsync') AS fsync,
		       current_setting('synchronous_commit') AS synchronous_commit`)
	if err != nil {
		return fmt.Errorf("store: connect: %w", err)
	}
	return settings.check()
}

// serverSettings are what decides whether a server may be used.
type serverSettings struct {
	Version           int    `db:"version"`
	Fsync             string `db:"fsync"`
	SynchronousCommit string `db:"synchronous_commit"`
}

func (s serverSettings) check() error {
	switch {
	case s.Version < 140000:
		return fmt.Errorf("store: PostgreSQL 14 or newer is needed, this is %d", s.Version/10000)
	case s.Fsync != "on" || s.SynchronousCommit == "off":
		return fmt.Errorf("store: fsync is %s and synchronous_commit is %s: "+
			"an accepted note could be lost; set both on", s.Fsync, s.SynchronousCommit)
	}
	return nil
}

// InTransaction runs do in one transaction, committed when it returns nil.
func (s *DB) InTransaction(ctx context.Context, do func(*sqlx.Tx) error) error {
	ctx, span := startSpan(ctx)
	return endSpan(span, s.transact(ctx, do))
}

func (s *DB) transact(ctx context.Context, do func(*sqlx.Tx) error) error {
	tx, err := s.pool.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // for a panic; after a commit or rollback it does nothing
	if err := do(tx); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	err = tx.Commit()
	if errors.Is(err, sql.ErrTxDone) {
		return ctx.Err() // ctx had ended, so that the transaction was rolled back
	}
	return err
}

// RetriedDeadlock does something again that was rolled back by a deadlock, after which
// the other transaction can continue. Statements that touch many rows of the outbox may
// deadlock each other.
func RetriedDeadlock(ctx context.Context, do func() error) error {
	const tries = 5
	for try := 1; ; try++ {
		err := do()
		var server *pq.Error
		if try == tries || ctx.Err() != nil || !errors.As(err, &server) || server.Code != "40P01" {
			return err
		}
	}
}

// Affected counts the rows of a statement that returns none.
func Affected(result sql.Result, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	rows, err := result.RowsAffected()
	return int(rows), err
}
