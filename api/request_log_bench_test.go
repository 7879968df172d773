package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-chi/chi/v5"

	"emissor/nfse"
	"emissor/test/testkit"
)

// BenchmarkRequestLog reads a list, while the log is written and while nothing writes it, and measures
// what the log itself takes of a request.
func BenchmarkRequestLog(b *testing.B) {
	s := testkit.NewSystem(b, testkit.Options{})
	handler := s.API.Handler()
	read := func(b *testing.B) {
		for b.Loop() {
			r := httptest.NewRequest(http.MethodGet, "/v1/services", nil)
			r.Header.Set("Authorization", "Bearer "+s.TestKey)
			answer := httptest.NewRecorder()
			if handler.ServeHTTP(answer, r); answer.Code != http.StatusOK {
				b.Fatalf("%d %s", answer.Code, answer.Body)
			}
		}
	}
	b.Run("not written", read)
	b.Run("written", func(b *testing.B) {
		ctx, end := context.WithCancel(b.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.API.KeepRequestLog(ctx)
		}()
		read(b)
		end()
		<-ended
	})
	b.Run("the log alone", func(b *testing.B) {
		key := nfse.APIKey{ID: nfse.NewID(nfse.PrefixAPIKey)}
		r := httptest.NewRequest(http.MethodPost, "/v1/nfse", nil)
		r = r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, chi.NewRouteContext()))
		for b.Loop() {
			s.API.LogRequest(key, r)
		}
	})
}
