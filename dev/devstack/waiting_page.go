package main

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// waitingPage answers at the address of the Temporal UI while that is built.
type waitingPage struct{ http *http.Server }

const waitingHTML = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Temporal is being built</title>
<body style="font-family: sans-serif; max-width: 40em; margin: 4em auto; line-height: 1.5">
<h1>Temporal is being built</h1>
<p>So far for %d seconds; the first time it takes some minutes. Emissor accepts notes meanwhile: they wait, and are
issued when the engine is there. Its pages are built after it: this one becomes Temporal's own then.</p>
`

// serveWaitingPage answers until it is closed.
func serveWaitingPage(at string, began time.Time) (*waitingPage, error) {
	listener, err := net.Listen("tcp", at)
	if err != nil {
		return nil, err
	}
	page := &waitingPage{&http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintf(w, waitingHTML, int(time.Since(began).Seconds()))
		}),
		ReadHeaderTimeout: 5 * time.Second,
	}}
	go func() { _ = page.http.Serve(listener) }() // ends with close
	return page, nil
}

func (p *waitingPage) close() { _ = p.http.Close() }
