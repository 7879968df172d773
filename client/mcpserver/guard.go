package mcpserver

import (
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withToken refuses requests without the token; an empty one asks for none.
func withToken(token string, next http.Handler) http.Handler {
	if token == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "this server asks for the token that it printed when it was started", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// fewSessions refuses another session where there are many: each holds memory for as long as it lasts.
// Those that begin at the same time can pass the bound, never to more than twice.
func fewSessions(server *mcp.Server, next http.Handler) http.Handler {
	var beginning atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" {
			defer beginning.Add(-1)
			if beginning.Add(1) > maxSessions || len(slices.Collect(server.Sessions())) >= maxSessions {
				http.Error(w, "there are too many sessions: those that are not used end after 30 minutes",
					http.StatusServiceUnavailable)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
