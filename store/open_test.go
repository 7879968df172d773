package store_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"emissor/store"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

func open(ctx context.Context, databaseURL string) (*store.Store, error) {
	return store.Open(ctx, postgres.Config{URL: databaseURL, MaxConnections: 1, StatementTimeout: 5 * time.Second,
		Application: "emissor-test"})
}

func TestOpen_NotDurable(t *testing.T) {
	database := testkit.NewDatabase(t)
	refused := func(databaseURL string) {
		t.Helper()
		s, err := open(t.Context(), databaseURL)
		if err == nil || s != nil || !strings.Contains(err.Error(),
			"synchronous_commit is off: an accepted note could be lost; set both on") {
			t.Errorf("answered %v", err)
		}
	}
	refused(database.URL + "&synchronous_commit=off")
	database.Exec(t, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off',
		current_database()); END $$`)
	refused(database.URL)
	database.Exec(t, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = local',
		current_database()); END $$`)
	s, err := open(t.Context(), database.URL)
	if err != nil {
		t.Fatalf("a database that waits for its own disk is refused: %v", err)
	}
	must(t, s.Ping(t.Context()))
	must(t, s.Close())
}

func TestIsUnavailable_NoServer(t *testing.T) {
	database := testkit.NewDatabase(t)
	address, err := url.Parse(database.URL)
	must(t, err)
	address.Host = "127.0.0.1:1" // where nobody listens
	address.User = url.UserPassword("emissor", "s3cret")

	_, err = open(t.Context(), address.String())
	if err == nil || !postgres.IsUnavailable(err) || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("answered %v", err)
	}
}

// The driver goes on reading when its context ends, and the kernel waits for a
// quarter of an hour: a network that goes silent must not hold a request.
func TestConnection_SilentNetwork(t *testing.T) {
	tenant := newTenant(t)
	network := newNetwork(t, tenant.Database, time.Second)
	network.silence(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := network.Store.Ping(ctx); err == nil || !postgres.IsUnavailable(err) {
		t.Errorf("without an answer, a statement ended with %v", err)
	}
	network.Toxics.ResetToxics(t.Context())
	must(t, network.Store.Ping(t.Context()))
}
