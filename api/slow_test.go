package api_test

import (
	"context"
	"io"
	"net/http"
	"sync"
	"testing"

	"emissor/api"
	"emissor/nfse"
	"emissor/test/testkit"
)

// However slowly the bodies of an organization come, it has so many requests at once, and
// its neighbours are answered.
func TestScope_SlowBodies(t *testing.T) {
	const most = 3
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{PerAddress: most}})
	_, neighbour, _ := s.NewOrganization(t, "Vizinha")
	another := s.NewKey(t, s.Organization.ID, false)
	ctx, cancel := context.WithCancel(t.Context())
	var slow sync.WaitGroup
	defer slow.Wait()
	defer cancel()
	for range most {
		slow.Go(func() {
			for ctx.Err() == nil { // one that comes beside a look is refused
				never, writer := io.Pipe() // of which nothing comes
				stop := context.AfterFunc(ctx, func() { writer.Close() })
				request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/v1/nfse", never)
				if err != nil {
					t.Error(err)
					return
				}
				request.Header.Set("Authorization", "Bearer "+s.TestKey)
				request.Header.Set("Content-Type", "application/json")
				if response, err := http.DefaultClient.Do(request); err == nil {
					response.Body.Close()
				}
				stop()
			}
		})
	}
	var refused testkit.Answer
	testkit.Eventually(t, "the organization has all that it may have", func() bool {
		refused = s.Call(t, http.MethodGet, "/v1/services", another, nil)
		return refused.Status == http.StatusTooManyRequests
	})
	refused.ExpectError(t, http.StatusTooManyRequests, nfse.CodeRateLimited, "")
	same(t, "Retry-After", refused.Header.Get("Retry-After"), "1")
	for _, key := range []string{neighbour, s.LiveKey} {
		s.Call(t, http.MethodGet, "/v1/services", key, nil).Expect(t, http.StatusOK)
	}
	cancel()
	testkit.Eventually(t, "the organization is answered again", func() bool {
		return s.Call(t, http.MethodGet, "/v1/services", another, nil).Status == http.StatusOK
	})
}
