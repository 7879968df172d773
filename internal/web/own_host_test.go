package web_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"emissor/internal/web"
)

// Where the operator opens another address, it may be named by itself, and by no name.
func TestOwnServer_OtherAddress(t *testing.T) {
	t.Parallel()
	at := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 9090}
	handler := web.NewOwnServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).Handler
	for host, status := range map[string]int{
		"192.0.2.7:9090": http.StatusOK, "192.0.2.7": http.StatusOK, "localhost:9090": http.StatusOK,
		"192.0.2.8:9090": http.StatusForbidden, "worker.example:9090": http.StatusForbidden, "": http.StatusForbidden,
	} {
		request := httptest.NewRequestWithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, at),
			http.MethodGet, "/metrics", nil)
		request.Host = host
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code != status {
			t.Errorf("%q is answered %d, expected %d", host, answer.Code, status)
		}
	}
}
