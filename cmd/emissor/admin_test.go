package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"emissor/internal/testkit"
)

// A page of the web whose name leads to this machine gets nothing of the admin listener.
func TestAdmin_LoopbackHostsOnly(t *testing.T) {
	t.Parallel()
	p := start(t, settingsOf(testkit.NewDatabase(t)).withoutTemporal(), "api")
	_, port, err := net.SplitHostPort(strings.TrimPrefix(p.admin, "http://"))
	must(t, err)
	for host, status := range map[string]int{
		"127.0.0.1:" + port: http.StatusOK, "localhost:" + port: http.StatusOK, "LOCALHOST": http.StatusOK,
		"localhost.": http.StatusOK, "[::1]:" + port: http.StatusOK, "[::1]": http.StatusOK,
		"127.8.9.10":              http.StatusOK,
		"rebound.example:" + port: http.StatusForbidden, "rebound.example": http.StatusForbidden,
		"localhost.rebound.example": http.StatusForbidden, "127.0.0.1.rebound.example": http.StatusForbidden,
		"10.0.0.1:" + port: http.StatusForbidden, "0.0.0.0:" + port: http.StatusForbidden,
	} {
		for _, path := range []string{"/metrics", "/livez", "/debug/pprof/cmdline"} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.admin+path, nil)
			must(t, err)
			request.Host = host
			response, err := http.DefaultClient.Do(request)
			must(t, err)
			response.Body.Close()
			if response.StatusCode != status {
				t.Errorf("%s of %s is answered %d, expected %d", path, host, response.StatusCode, status)
			}
		}
	}
}

// Where the operator opens another address, it may be named by itself, and by no name.
func TestAdmin_OtherAddress(t *testing.T) {
	t.Parallel()
	at := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 9090}
	handler := forOwnHost(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
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
