package dashboard_test

import (
	"context"
	"io"
	"net/http"
	"net/netip"
	"sync"
	"testing"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/test/testkit"
)

// A client behind a proxy that sends slowly takes only so many requests at once, and leaves the proxy's connections
// to others.
func TestForwarded_SlowUploads(t *testing.T) {
	t.Parallel()
	const most = 3
	s := newSite(t, func(options *frame.Options) {
		options.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
		options.PerAddress = most
	})
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	from := func(address string) http.Header { return http.Header{"X-Forwarded-For": {address}} }
	const slow, neighbour = "203.0.113.1", "203.0.113.2"
	ctx, cancel := context.WithCancel(t.Context())
	var uploads sync.WaitGroup
	defer uploads.Wait()
	defer cancel()
	_, kind := certificateForm(t, nil, "")
	for range most {
		uploads.Go(func() {
			for ctx.Err() == nil { // one that comes beside a look is refused
				never, writer := io.Pipe() // of which nothing comes
				stop := context.AfterFunc(ctx, func() { writer.Close() })
				request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+s.at("/company/certificates"),
					never)
				if err != nil {
					t.Error(err)
					return
				}
				request.Header = from(slow)
				request.Header.Set("Content-Type", kind)
				if response, err := owner.client.Do(request); err == nil {
					response.Body.Close()
				}
				stop()
			}
		})
	}
	testkit.Eventually(t, "the address has all that it may have", func() bool {
		return owner.send(t, http.MethodGet, s.at("/company"), from(slow), "", nil).status == http.StatusTooManyRequests
	})
	owner.send(t, http.MethodGet, s.at("/company"), from(neighbour), "", nil).expect(t, http.StatusOK)
	cancel()
	testkit.Eventually(t, "the address is answered again", func() bool {
		return owner.send(t, http.MethodGet, s.at("/company"), from(slow), "", nil).status == http.StatusOK
	})
}
