package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/nfse"
	"emissor/store"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

func expectUnavailable(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil || !postgres.IsUnavailable(err) {
		t.Errorf("%s: %v is not taken for an outage", what, err)
	}
}

func TestIsUnavailable_KilledConnection(t *testing.T) {
	t.Parallel()
	tenant := addTenant(t, testkit.FreshDatabase(t), false) // in whose store no other connection is open
	_, err := tenant.Store.Catalogues.UpdateService(t.Context(), tenant.scope, tenant.service.ID,
		func(*nfse.Service) error {
			tenant.Exec(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'emissor-test'`)
			return nil
		})
	expectUnavailable(t, "within a transaction", err)
	must(t, tenant.Store.Ping(t.Context())) // the next one has a new connection
}

func TestIsUnavailable_StatementTimeout(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.accept(t, "pedido-1")
	other := begun(t, tenant.Database)
	_, err := other.Exec(`SELECT FROM notes FOR UPDATE`)
	must(t, err)

	bounded, err := store.Open(t.Context(), postgres.Config{URL: tenant.URL + "&lock_timeout=60000", MaxConnections: 1,
		StatementTimeout: 2 * time.Second})
	must(t, err)
	defer bounded.Close()
	_, err = bounded.Lifecycle.BeginNote(t.Context(), id)
	expectUnavailable(t, "statement_timeout", err)
	if pq.As(err, pqerror.QueryCanceled) == nil {
		t.Errorf("the statement ended with %v", err)
	}

	unwilling := testkit.OpenStore(t, tenant.URL+"&lock_timeout=100")
	_, err = unwilling.Lifecycle.BeginNote(t.Context(), id)
	expectUnavailable(t, "lock_timeout", err)
	if pq.As(err, pqerror.LockNotAvailable) == nil {
		t.Errorf("the statement ended with %v", err)
	}
}

func TestOpen_WithoutDatabase(t *testing.T) {
	tenant := newTenant(t)
	must(t, tenant.Store.Close())
	for what, err := range map[string]error{
		"key":    second(tenant.Store.Access.APIKey(t.Context(), nfse.NewAPIKeyText(false), anywhere)),
		"note":   second(tenant.Store.Notes.Note(t.Context(), tenant.scope, "nfse_x")),
		"replay": third(tenant.Store.Lifecycle.Replay(t.Context(), tenant.scope, nfse.Issuance{})),
	} {
		var known *nfse.Error
		if err == nil || errors.As(err, &known) {
			t.Errorf("%s: without a database the answer is %v", what, err)
		}
	}
}

func TestIsUnavailable(t *testing.T) {
	for err, outage := range map[error]bool{
		&pq.Error{Code: "08006"}:    true, // connection failure
		&pq.Error{Code: "53300"}:    true, // too many connections
		&pq.Error{Code: "57P01"}:    true, // the operator stops the server
		&pq.Error{Code: "57P03"}:    true, // it starts
		&pq.Error{Code: "40001"}:    true, // serialization
		&pq.Error{Code: "40P01"}:    true, // deadlock
		&pq.Error{Code: "25006"}:    true, // a standby
		io.EOF:                      true,
		io.ErrUnexpectedEOF:         true,
		sql.ErrConnDone:             true,
		context.DeadlineExceeded:    true,
		fmt.Errorf("x: %w", io.EOF): true,

		nil:                                      false,
		&pq.Error{Code: "23505"}:                 false,
		&pq.Error{Code: "23503"}:                 false,
		&pq.Error{Code: "42P01"}:                 false,
		&pq.Error{Code: "22021"}:                 false,
		&pq.Error{Code: "28P01"}:                 false, // a wrong password does not get right by itself
		sql.ErrNoRows:                            false,
		context.Canceled:                         false,
		errors.New("a bug"):                      false,
		nfse.NewError(nfse.CodeNotFound, "", ""): false,
	} {
		if postgres.IsUnavailable(err) != outage {
			t.Errorf("%v is an outage: %v", err, !outage)
		}
	}
}

func TestIsUnavailable_Violation(t *testing.T) {
	tenant := newTenant(t)
	text := nfse.NewAPIKeyText(false)
	_, err := tenant.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{Scope: tenant.scope}, text)
	must(t, err)
	if _, err := tenant.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{Scope: tenant.scope}, text); err == nil ||
		postgres.IsUnavailable(err) {
		t.Errorf("the same key twice: %v", err)
	}
	if _, err := tenant.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{},
		nfse.NewAPIKeyText(false)); err == nil ||
		postgres.IsUnavailable(err) {
		t.Errorf("a key of nobody: %v", err)
	}
}

// database/sql rolls back as soon as the context ends, and then knows only that
// the transaction is over.
func TestTransaction_CallerGone(t *testing.T) {
	tenant := newTenant(t)
	customer, _, err := tenant.Store.Catalogues.SyncCustomer(t.Context(), tenant.scope, "52998224725",
		func(c *nfse.Customer) error {
			c.Name = "Maria"
			return nil
		})
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = tenant.Store.Catalogues.UpdateCustomer(ctx, tenant.scope, customer.ID, func(*nfse.Customer) error {
		cancel()
		testkit.Eventually(t, "the transaction is rolled back", func() bool {
			return tenant.Count(t, `SELECT count(*) FROM pg_stat_activity
				WHERE datname = current_database() AND application_name = 'emissor-test'
				AND state = 'idle in transaction'`) == 0
		})
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the transaction ended with %v", err)
	}
}

func second[A, B any](_ A, b B) B        { return b }
func third[A, B, C any](_ A, _ B, c C) C { return c }
