package store_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"emissor/store"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

// network is a network between a store and its database that a test can corrupt.
type network struct {
	*toxiproxy.Proxy
	Store *store.Store // one connection, open
}

func newNetwork(t *testing.T, database *testkit.Database, statementTimeout time.Duration) network {
	t.Helper()
	address, err := url.Parse(database.URL)
	must(t, err)
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	proxy := toxiproxy.NewProxy(server, "database", "127.0.0.1:0", address.Host)
	must(t, proxy.Start())
	t.Cleanup(proxy.Stop)
	address.Host = proxy.Listen
	s, err := store.Open(t.Context(), postgres.Config{
		URL: address.String(), MaxConnections: 1, StatementTimeout: statementTimeout, Application: "emissor-test",
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return network{proxy, s}
}

// cutAfter lets so many bytes more through in one direction, upstream or
// downstream, and then cuts the connection.
func (n network) cutAfter(t *testing.T, direction string, bytes int) {
	t.Helper()
	_, err := n.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(
		`{"name": "cut", "type": "limit_data", "stream": %q, "attributes": {"bytes": %d}}`, direction, bytes)))
	must(t, err)
}

// silence lets nothing more through and leaves the connection open.
func (n network) silence(t *testing.T) {
	t.Helper()
	_, err := n.Toxics.AddToxicJson(strings.NewReader(`{"name": "silence", "type": "timeout", "stream": "downstream",
		"attributes": {"timeout": 0}}`))
	must(t, err)
}

// cutEverywhere does something again and again, each time on a connection that
// is cut a few bytes later, until it is done before the cut. Near the end it
// goes byte by byte, so that some cuts are within COMMIT and its answer. Each
// time check is given what came of it.
func cutEverywhere(t *testing.T, database *testkit.Database, direction string, step int,
	prepare func() (do func(*store.Store) error, check func(error))) {
	t.Helper()
	attempt := func(bytes int) error {
		do, check := prepare()
		network := newNetwork(t, database, 5*time.Second)
		network.cutAfter(t, direction, bytes)
		err := do(network.Store)
		network.Stop()
		_ = network.Store.Close()
		if err != nil && !postgres.IsUnavailable(err) {
			t.Errorf("cut after %d bytes %s: %v is not taken for an outage", bytes, direction, err)
		}
		check(err)
		return err
	}
	bytes := 0
	for attempt(bytes) != nil {
		bytes += step
	}
	const lastMessages = 24 // longer than COMMIT, or its answer
	for bytes -= step + lastMessages; attempt(bytes) != nil; {
		bytes += 4
	}
}
