package renegotiation

import (
	"crypto/tls"
	"errors"
	"net/http"
	"strings"
)

// connKey is where the context of a request has its *Conn.
type connKey struct{}

// asking is a handler that asks for the client's certificate before another handler serves the request.
type asking struct {
	handler http.Handler
	options Options
}

func (a asking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	conn := r.Context().Value(connKey{}).(*Conn)
	if a.options.Late != nil && !a.options.Late(r) {
		r.TLS = conn.first.Load()
	} else if r.TLS = a.late(conn, w, r); r.TLS == nil {
		return
	}
	a.handler.ServeHTTP(w, r)
}

// late returns what the client shows in the renegotiation; or nil if the request was answered here. The requests of a
// connection come one after another, so that no other asks meanwhile.
func (a asking) late(conn *Conn, w http.ResponseWriter, r *http.Request) *tls.ConnectionState {
	if shown := conn.second.Load(); shown != nil {
		return shown
	}
	nobody := *conn.first.Load()
	nobody.PeerCertificates = nil
	if conn.pending.Load() != nil { // it was asked before, and refused
		return &nobody
	}
	var behaviour Behaviour
	if a.options.Behaviour != nil {
		behaviour = a.options.Behaviour()
	}
	if behaviour.ReadAhead > 0 && exceeds(r, int64(behaviour.ReadAhead)) {
		w.Header().Set("Connection", "close")
		http.Error(w, "the body is too large to be held while the client is unknown", http.StatusRequestEntityTooLarge)
		return nil
	}
	err := conn.Renegotiate(r.Context(), behaviour)
	if errors.Is(err, ErrRefused) {
		return &nobody
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return conn.second.Load()
}

// exceeds says whether a body that comes without being asked for may be larger than a bound.
func exceeds(r *http.Request, bound int64) bool {
	waits := strings.EqualFold(r.Header.Get("Expect"), "100-continue")
	return !waits && (r.ContentLength < 0 || r.ContentLength > bound)
}
