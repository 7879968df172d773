package api

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"emissor/internal/metrics"
	"emissor/nfse"
	"emissor/store"
)

func TestForwarded_RequestsAtOnceOfEachAddress(t *testing.T) {
	a := New(Options{
		Store: &store.Store{}, Metrics: metrics.New(), Logger: slog.New(slog.DiscardHandler), PerAddress: 2,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	})
	entered, leave := make(chan struct{}), make(chan struct{})
	handler := a.withRequest(a.boundForwarded(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-leave
	})))
	known := nfse.NewAPIKeyText(true)
	a.known.Add(hashOf(known), time.Now())
	send := func(remote, forwarded, key string) chan int {
		r := httptest.NewRequest(http.MethodGet, "/v1/nfse", nil)
		r.RemoteAddr = remote + ":1234"
		r.Header.Set("X-Forwarded-For", forwarded)
		r.Header.Set("Authorization", "Bearer "+key)
		status := make(chan int, 1)
		go func() {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			status <- w.Code
		}()
		return status
	}
	const client, neighbour = "203.0.113.1", "203.0.113.2"
	var passes []chan int
	for _, sent := range []struct{ remote, forwarded, key string }{
		{"10.0.0.1", client, ""}, {"10.0.0.2", client, ""}, {"10.0.0.1", neighbour, ""}, {"10.0.0.1", client, known},
		// Not through a proxy:
		{"198.51.100.1", client, ""}, {"198.51.100.1", client, ""}, {"198.51.100.1", client, ""},
	} {
		passes = append(passes, send(sent.remote, sent.forwarded, sent.key))
		<-entered
	}
	if status := <-send("10.0.0.1", client, nfse.NewAPIKeyText(true)); status != http.StatusTooManyRequests {
		t.Errorf("a third request of one address: %d", status)
	}
	close(leave)
	for _, pass := range passes {
		if status := <-pass; status != http.StatusOK {
			t.Errorf("got %d", status)
		}
	}
	again := send("10.0.0.1", client, "")
	<-entered
	if status := <-again; status != http.StatusOK || a.forwarded.UnderWay() != 0 {
		t.Errorf("afterwards: %d, and %d are under way", status, a.forwarded.UnderWay())
	}
}
