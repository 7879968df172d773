package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// NewOwnServer makes the HTTP server of what only the operator reaches, on this machine. It
// does not bound how long an answer takes, as a profile takes as long as was asked for.
func NewOwnServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: forOwnHost(handler), ReadHeaderTimeout: headTimeout}
}

// forOwnHost refuses a request for another host than this machine: a web page can make its
// own name resolve to this machine, and read the answer in a browser here (DNS rebinding).
// Hosts are the names and addresses of loopback, and the address that the request came to,
// where the listener opens another: a page's own name is no address.
func forOwnHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOwnHost(r) {
			http.Error(w, "this listener answers requests for loopback hosts only", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isOwnHost(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil { // without a port
		host = strings.Trim(r.Host, "[]")
	}
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	at, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return address.Unmap().IsLoopback() || at != nil && address.Unmap() == RemoteAddress(at.String())
}
