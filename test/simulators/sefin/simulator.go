package sefin

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"emissor/test/simulators/shared/icp"
	"emissor/test/simulators/shared/journal"
	"emissor/test/simulators/shared/server"
)

// Options are how a simulator runs. With the zero value it simulates restricted production.
type Options struct {
	server.Options
	Production bool     // it expects documents of production (tpAmb 1)
	Registry   Registry // what is on record
	Cities     []City   // that are played beside the national system
	Door       *Door    // of a city's own protocol; nil: there is none
	// AsDescribed has it answer as SEFIN's description has it, which is not what was recorded of the real one: it asks
	// for certificates in the first handshake, in TLS 1.3 too, names the DPS in its answers, and refuses in other forms.
	AsDescribed bool
}

// Subject is whom a test certificate is for, and what is wrong with it.
type Subject = icp.Subject

// Simulator is a running simulator. Its methods are safe for concurrent use.
type Simulator struct {
	*server.Server
	production bool
	described  bool
	door       *Door
	signer     *signer
	posts      journal.Latest[Post]
	asked      journal.Latest[string] // paths of questions for parameters

	mu       sync.Mutex
	registry Registry
	ledger   *ledger
	refusals []Refusal // of the next documents
	cities   map[string]*City
	called   map[string]bool // the cities that were called already

	atOnce     map[Scope]int // requests under way, and the most there ever were
	mostAtOnce map[Scope]int

	numbering      numbering
	masksPositions atomic.Bool
	distributed    []distributed // by hand
}

// Start makes the certificates, listens, and serves until Close.
func Start(options Options) (*Simulator, error) {
	if !options.AsDescribed {
		options.Late = isSEFIN
	}
	opened, err := server.Open(options.Options, knownFaults)
	if err != nil {
		return nil, err
	}
	s := &Simulator{
		Server: opened, production: options.Production, described: options.AsDescribed,
		registry: options.Registry, door: options.Door,
		atOnce: map[Scope]int{}, mostAtOnce: map[Scope]int{},
	}
	if err := errors.Join(s.SetCities(options.Cities), s.openSigner()); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	if s.ledger, err = openLedger(options.Dir); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	s.Serve(s.routes())
	return s, nil
}

// isSEFIN reports whether a request is to SEFIN, which asks for certificates late; the ADN and the cities ask in the
// first handshake.
func isSEFIN(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/SefinNacional/") }

// Close stops serving: requests under way are cut. What was issued stays in the
// directory, if there is one.
func (s *Simulator) Close() error {
	err := s.Server.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(err, s.ledger.journal.Close())
}

// URL is the base of issuing, queries and events: https://127.0.0.1:8443/SefinNacional.
func (s *Simulator) URL() string { return s.Base() + "/SefinNacional" }

// ADNURL is the base of the routes of the ADN: https://127.0.0.1:8443.
func (s *Simulator) ADNURL() string { return s.Base() }

// environment is tpAmb: 1 is production, 2 restricted production.
func (s *Simulator) environment() string {
	if s.production {
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
	registry := byCities(s.registry, s.cities)
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
func (s *Simulator) Posts() []Post { return s.posts.All() }

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
