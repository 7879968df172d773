package web

import (
	"context"
	"net/http"
)

type partingKey struct{}

// Parting has each answer end its connection for as long as parting says so, as while a process drains: who asks next
// takes another connection, to another process, instead of one that is closed at the moment in which it asks.
func Parting(next http.Handler, parting func() bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if parting() {
			w.Header().Set("Connection", "close")
			r = r.WithContext(context.WithValue(r.Context(), partingKey{}, true))
		}
		next.ServeHTTP(w, r)
	})
}

// isParting reports whether the answer to a request ends its connection whoever asks.
func isParting(r *http.Request) bool { return r.Context().Value(partingKey{}) != nil }
