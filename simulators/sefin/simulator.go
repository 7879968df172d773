package sefin

import (
	"context"
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

	"emissor/simulators/shared/fault"
	"emissor/simulators/shared/icp"
)

// RootsFile is the name, in Options.Dir, of the file with RootsPEM.
const RootsFile = "roots.pem"

// Options are how a simulator runs. With the zero value it listens on a free port
// of 127.0.0.1, plays restricted production, and keeps everything in memory.
type Options struct {
	Listen       string           // address to listen on; only tests and development reach it
	Dir          string           // where certificates and the ledger are kept between runs; empty keeps none
	Production   bool             // it expects documents of production (tpAmb 1)
	Registry     Registry         // what is on record
	FaultProfile FaultProfile     // what goes wrong from the start
	Seed         uint64           // of the random part of access keys; 0 takes any
	Clock        func() time.Time // nil is time.Now
	Logger       *slog.Logger     // nil is silent
}

// Simulator is a running simulator. Its methods are safe for concurrent use.
type Simulator struct {
	options  Options
	log      *slog.Logger
	pki      *pki
	faults   fault.Picker
	server   *http.Server
	listener net.Listener
	closing  context.Context
	close    context.CancelFunc

	mu       sync.Mutex
	registry Registry
	ledger   *ledger
	posts    []Post
	asked    []string // paths of questions for parameters
	random   *rand.Rand

	atOnce     map[Scope]int // requests under way, and the most there ever were
	mostAtOnce map[Scope]int

	numbering   numbering
	distributed []distributed // by hand
}

// Start makes the certificates, listens, and serves until Close.
func Start(options Options) (*Simulator, error) {
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
	s := &Simulator{
		atOnce: map[Scope]int{}, mostAtOnce: map[Scope]int{},
		options: options, log: options.Logger, registry: options.Registry,
		random: rand.New(rand.NewPCG(options.Seed, 1)),
	}
	s.closing, s.close = context.WithCancel(context.Background())
	if err := s.SetFaultProfile(options.FaultProfile); err != nil {
		return nil, err
	}
	// The address first: of two simulators with the same one and the same directory,
	// the second ends here.
	var err error
	if s.listener, err = net.Listen("tcp", options.Listen); err != nil {
		return nil, err
	}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	s.serve()
	return s, nil
}

// open makes certificates and ledger, or reads those that were kept.
func (s *Simulator) open() error {
	dir := s.options.Dir
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	var err error
	if s.pki, err = newPKI(dir, s.options.Clock()); err != nil {
		return fmt.Errorf("certificates: %w", err)
	}
	if dir != "" {
		if err := icp.ReplaceFile(filepath.Join(dir, RootsFile), s.RootsPEM()); err != nil {
			return err
		}
	}
	s.ledger, err = openLedger(dir)
	return err
}

func (s *Simulator) serve() {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	s.server = &http.Server{
		Handler: s.routes(), Protocols: protocols,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		// Handshakes that fail are the client's to report.
		ErrorLog:  log.New(io.Discard, "", 0),
		TLSConfig: s.pki.ServerTLS(),
	}
	go func() { _ = s.server.ServeTLS(s.listener, "", "") }()
}

// Close stops serving: requests under way are cut. What was issued stays in the
// directory, if there is one.
func (s *Simulator) Close() error {
	s.close()
	err := s.server.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(err, s.ledger.journal.Close())
}

func (s *Simulator) base() string { return "https://" + s.listener.Addr().String() }

// URL is the base of issuing, queries and events: https://127.0.0.1:8443/SefinNacional.
func (s *Simulator) URL() string { return s.base() + "/SefinNacional" }

// ADNURL is the base of the routes of the ADN: https://127.0.0.1:8443.
func (s *Simulator) ADNURL() string { return s.base() }

// now is the authority's clock, which a fault may have moved.
func (s *Simulator) now() time.Time { return s.options.Clock().Add(s.faults.Skew()) }

// environment is tpAmb: 1 is production, 2 restricted production.
func (s *Simulator) environment() string {
	if s.options.Production {
		return "1"
	}
	return "2"
}

// SetRegistry replaces what is on record.
func (s *Simulator) SetRegistry(registry Registry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.registry = registry
}

// currentRegistry returns what is on record now.
func (s *Simulator) currentRegistry() *Registry {
	s.mu.Lock()
	defer s.mu.Unlock()
	registry := s.registry
	return &registry
}

// Ledger returns every note that was issued, in order.
func (s *Simulator) Ledger() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := make([]Entry, len(s.ledger.notes))
	for i, n := range s.ledger.notes {
		entries[i] = n.view()
	}
	return entries
}

// Posts returns the documents that were sent, with what became of each; the last
// hundred thousand of this run.
func (s *Simulator) Posts() []Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.posts)
}

// enter counts a request under way, until what it returns is called.
func (s *Simulator) enter(scope Scope) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.atOnce[scope]++
	s.mostAtOnce[scope] = max(s.mostAtOnce[scope], s.atOnce[scope])
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.atOnce[scope]--
	}
}

// MostAtOnce returns the most requests of a scope that were under way at once.
func (s *Simulator) MostAtOnce(scope Scope) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mostAtOnce[scope]
}

func (s *Simulator) record(post Post) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.posts) >= mostPosts {
		s.posts = slices.Delete(s.posts, 0, mostPosts/10)
	}
	s.posts = append(s.posts, post)
}

// NFSe returns the document that was issued under an access key, or under the id
// of a DPS, as it was signed; nil when there is none.
func (s *Simulator) NFSe(id string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.ledger.byKey[id]; n != nil {
		return n.xml
	}
	if n := s.ledger.byDPS[id]; n != nil {
		return n.xml
	}
	return nil
}

// Events returns the documents of the events of a note, in order, as they were
// signed.
func (s *Simulator) Events(accessKey string) [][]byte {
	n := s.noteByKey(accessKey)
	if n == nil {
		return nil
	}
	documents := make([][]byte, len(n.events))
	for i, e := range n.events {
		documents[i] = e.XML
	}
	return documents
}
