package saopaulo

import (
	"errors"
	"net/http"
	"slices"
	"sync"

	"emissor/test/simulators/shared/icp"
	"emissor/test/simulators/shared/journal"
	"emissor/test/simulators/shared/server"
)

// Options are how a simulator runs.
type Options struct {
	server.Options
	Registry Registry // what is on record, and how the city behaves
}

// Subject is whom a test certificate is for, and what is wrong with it.
type Subject = icp.Subject

// Simulator is a running simulator. Its methods are safe for concurrent use.
type Simulator struct {
	*server.Server
	messages journal.Latest[Message]

	mu       sync.Mutex
	registry Registry
	ledger   *ledger
}

// Start makes the certificates, listens, and serves until Close.
func Start(options Options) (*Simulator, error) {
	opened, err := server.Open(options.Options, knownFaults)
	if err != nil {
		return nil, err
	}
	s := &Simulator{Server: opened}
	s.SetRegistry(options.Registry)
	if s.ledger, err = openLedger(options.Dir); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	s.Serve(http.HandlerFunc(s.handle))
	return s, nil
}

// Close stops serving: requests under way are cut. What was issued stays in the
// directory, if there is one.
func (s *Simulator) Close() error {
	err := s.Server.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(err, s.ledger.journal.Close())
}

// path is where the city serves layouts 1 and 2.
const path = "/lotenfe.asmx"

// URL is where messages are sent: https://127.0.0.1:8445/lotenfe.asmx.
func (s *Simulator) URL() string { return s.Base() + path }

// SetRegistry replaces what is on record.
func (s *Simulator) SetRegistry(registry Registry) {
	taxpayers := make(map[string]Taxpayer, len(registry.Taxpayers))
	for registration, taxpayer := range registry.Taxpayers {
		taxpayers[bareNumber(registration)] = taxpayer
	}
	registry.Taxpayers = taxpayers
	s.mu.Lock()
	defer s.mu.Unlock()
	s.registry = registry
}

// Registry returns what is on record now.
func (s *Simulator) Registry() Registry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.registry
}

// Ledger returns every note there is, in the order of issuing.
func (s *Simulator) Ledger() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := make([]Entry, len(s.ledger.notes))
	for i, n := range s.ledger.notes {
		entries[i] = n.Entry
		entries[i].Marks = slices.Clone(n.Marks)
	}
	return entries
}

// Messages returns the messages that were received, with what became of each; the
// last hundred thousand of this run.
func (s *Simulator) Messages() []Message { return s.messages.All() }
