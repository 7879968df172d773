//go:build upgrade

package upgrade

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"emissor/test/harness"
)

// balancer is in front of the APIs, and does what docs/operations/upgrade.md says that one has to do: it asks /readyz,
// sends requests to processes that are ready, tries another where a connection is refused, and lets go of idle
// connections before the API does. It repeats no request that it has sent.
type balancer struct {
	URL string

	backends  []*backend
	turn      atomic.Uint64
	transport *http.Transport
}

type backend struct {
	part  *harness.Part
	host  string
	ready atomic.Bool
}

// readinessInterval is how often it asks: several times in the drain delay.
const readinessInterval = 200 * time.Millisecond

func newBalancer(t *testing.T, parts []*harness.Part) *balancer {
	b := &balancer{transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 15 * time.Second}}
	ctx, end := context.WithCancel(context.Background())
	var checks sync.WaitGroup
	for _, part := range parts {
		address, err := url.Parse(part.URL)
		check(t, err)
		one := &backend{part: part, host: address.Host}
		b.backends = append(b.backends, one)
		checks.Go(func() {
			for ctx.Err() == nil {
				one.ready.Store(one.part.Ready(ctx))
				time.Sleep(readinessInterval)
			}
		})
	}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme = "http"; r.SetXForwarded() }, Transport: b,
	})
	b.URL = server.URL
	t.Cleanup(func() {
		end()
		checks.Wait()
		server.Close()
		b.transport.CloseIdleConnections()
	})
	return b
}

// RoundTrip implements http.RoundTripper.
func (b *balancer) RoundTrip(request *http.Request) (answer *http.Response, err error) {
	var body []byte
	if request.Body != nil {
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	for _, one := range b.inTurn() {
		attempt := request.Clone(request.Context())
		attempt.URL.Host = one.host
		attempt.Body = io.NopCloser(bytes.NewReader(body))
		answer, err = b.transport.RoundTrip(attempt)
		var failed *net.OpError
		if !errors.As(err, &failed) || failed.Op != "dial" {
			return answer, err
		}
	}
	return nil, err
}

// inTurn are the processes that are ready, another first each time; all where none is, as it may be the question that
// failed.
func (b *balancer) inTurn() (ready []*backend) {
	first := int(b.turn.Add(1))
	all := slices.Concat(b.backends[first%len(b.backends):], b.backends[:first%len(b.backends)])
	for _, one := range all {
		if one.ready.Load() {
			ready = append(ready, one)
		}
	}
	if len(ready) == 0 {
		return all
	}
	return ready
}

// sees waits until it sends requests to a process again.
func (b *balancer) sees(t *testing.T, part *harness.Part) {
	t.Helper()
	for _, one := range b.backends {
		if one.part == part {
			eventually(t, part.Name+" gets requests", one.ready.Load)
		}
	}
}
