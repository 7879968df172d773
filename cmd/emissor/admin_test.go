package main

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"emissor/test/testkit"
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
