package sefin

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// RootsFile is the name, in Options.Dir, of the file with RootsPEM.
const RootsFile = "roots.pem"

// Options are how a stand-in runs. The zero value serves: on a free port of
// 127.0.0.1, as the restricted production environment, in memory.
type Options struct {
	Listen     string           // address to listen on; only tests and development reach it
	Dir        string           // where certificates and the ledger are kept between runs; empty keeps none
	Production bool             // it expects documents of production (tpAmb 1)
	Registry   Registry         // what is on record
	Faults     Faults           // the menu to begin with
	Seed       uint64           // of the random part of access keys; 0 takes any
	Clock      func() time.Time // nil is time.Now
	Logger     *slog.Logger     // nil is silent
}

// Authority is a running stand-in. Its methods may be called at any time from
// anywhere.
type Authority struct {
	options  Options
	log      *slog.Logger
	pki      *authorities
	menu     menu
	server   *http.Server
	listener net.Listener
	closing  context.Context
	close    context.CancelFunc

	mu       sync.Mutex
	registry Registry
	ledger   *ledger
	posts    []Post
	random   *rand.Rand
}

// Start makes the certificates, listens, and serves until Close.
func Start(options Options) (*Authority, error) {
	if options.Listen == "" {
		options.Listen = "127.0.0.1:0"
	}
	if options.Clock == nil {
		options.Clock = time.Now
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Seed == 0 {
		options.Seed = rand.Uint64()
	}
	a := &Authority{
		options: options, log: options.Logger, registry: options.Registry, random: rand.New(rand.NewPCG(options.Seed, 1)),
	}
	a.closing, a.close = context.WithCancel(context.Background())
	if err := a.SetFaults(options.Faults); err != nil {
		return nil, err
	}
	// The address first: of two stand-ins with the same one and the same directory,
	// the second ends here.
	var err error
	if a.listener, err = net.Listen("tcp", options.Listen); err != nil {
		return nil, err
	}
	if err := a.open(); err != nil {
		return nil, errors.Join(err, a.listener.Close())
	}
	a.serve()
	return a, nil
}

// open makes certificates and ledger, or reads those that were kept.
func (a *Authority) open() error {
	dir := a.options.Dir
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	var err error
	if a.pki, err = newAuthorities(dir, a.options.Clock()); err != nil {
		return fmt.Errorf("certificates: %w", err)
	}
	if dir != "" {
		if err := replaceFile(filepath.Join(dir, RootsFile), a.RootsPEM()); err != nil {
			return err
		}
	}
	a.ledger, err = openLedger(dir)
	return err
}

func (a *Authority) serve() {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	a.server = &http.Server{
		Handler: a.routes(), Protocols: protocols,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		// Handshakes that fail are the client's to report.
		ErrorLog: log.New(io.Discard, "", 0),
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{{
				Certificate: [][]byte{a.pki.server.certificate.Raw}, PrivateKey: a.pki.server.key,
			}},
			MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
			// Whoever comes without a certificate, or with a bad one, is told so in a body.
			ClientAuth: tls.RequestClientCert,
		},
	}
	go func() { _ = a.server.ServeTLS(a.listener, "", "") }()
}

// Close stops serving: requests under way are cut. What was issued stays in the
// directory, if there is one.
func (a *Authority) Close() error {
	a.close()
	err := a.server.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	return errors.Join(err, a.ledger.close())
}

func (a *Authority) base() string { return "https://" + a.listener.Addr().String() }

// URL is the base of issuing, queries and events: https://127.0.0.1:8443/SefinNacional.
func (a *Authority) URL() string { return a.base() + "/SefinNacional" }

// ADNURL is the base of the contributor's routes of the ADN.
func (a *Authority) ADNURL() string { return a.base() + "/contribuintes" }

// now is the authority's clock, which a fault may have moved.
func (a *Authority) now() time.Time { return a.options.Clock().Add(a.menu.skew()) }

// SetRegistry replaces what is on record.
func (a *Authority) SetRegistry(registry Registry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.registry = registry
}

// onRecord is what is on record now.
func (a *Authority) onRecord() *Registry {
	a.mu.Lock()
	defer a.mu.Unlock()
	registry := a.registry
	return &registry
}

// Ledger is everything issued, in order.
func (a *Authority) Ledger() []Entry {
	a.mu.Lock()
	defer a.mu.Unlock()
	entries := make([]Entry, len(a.ledger.notes))
	for i, n := range a.ledger.notes {
		entries[i] = n.view()
	}
	return entries
}

// Posts are the documents that were sent, with what became of each; the last
// hundred thousand of this run.
func (a *Authority) Posts() []Post {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.posts)
}

func (a *Authority) record(post Post) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.posts) >= mostPosts {
		a.posts = slices.Delete(a.posts, 0, mostPosts/10)
	}
	a.posts = append(a.posts, post)
}

// NFSe is the document that was issued under an access key, or under the id of a
// DPS, as it was signed; nil when there is none.
func (a *Authority) NFSe(id string) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := a.ledger.byKey[id]; n != nil {
		return n.xml
	}
	if n := a.ledger.byDPS[id]; n != nil {
		return n.xml
	}
	return nil
}

// Events are the documents of the events of a note, in order, as they were
// signed.
func (a *Authority) Events(accessKey string) [][]byte {
	n := a.noteByKey(accessKey)
	if n == nil {
		return nil
	}
	documents := make([][]byte, len(n.events))
	for i, e := range n.events {
		documents[i] = e.XML
	}
	return documents
}
