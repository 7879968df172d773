package web

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
)

// AcceptingPath is where a proxy asks whether a process takes new requests: 200, and 503 once it is about to stop. It
// says nothing of the database: with that out a process still answers, and better than a proxy could.
const AcceptingPath = "/accepting"

// Drainer is the handler of a server that stops without losing a request. From BeginDrain on it still answers, and
// tells proxies to go elsewhere: at AcceptingPath, and by closing each connection after its answer, so that none is
// idle when the server stops: a request that met its end would be lost.
type Drainer struct {
	next     http.Handler
	draining atomic.Bool
}

// NewDrainer makes the handler around next.
func NewDrainer(next http.Handler) *Drainer { return &Drainer{next: next} }

// BeginDrain says that the server is about to stop.
func (d *Drainer) BeginDrain() { d.draining.Store(true) }

// ServeHTTP implements http.Handler.
func (d *Drainer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	draining := d.draining.Load()
	if draining {
		w.Header().Set("Connection", "close")
		r = r.WithContext(context.WithValue(r.Context(), drainingKey{}, true))
	}
	switch {
	case r.URL.Path != AcceptingPath:
		d.next.ServeHTTP(w, r)
	case draining:
		http.Error(w, "draining", http.StatusServiceUnavailable)
	default:
		_, _ = io.WriteString(w, "accepting\n")
	}
}

type drainingKey struct{}

// isDraining says whether the server of this request is about to stop.
func isDraining(r *http.Request) bool { return r.Context().Value(drainingKey{}) != nil }
