package saopaulo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
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
// of 127.0.0.1, and keeps everything in memory.
type Options struct {
	Listen       string           // address to listen on; only tests and development reach it
	Dir          string           // where certificates and the ledger are kept between runs; empty keeps none
	Registry     Registry         // what is on record, and how the city behaves
	FaultProfile FaultProfile     // what goes wrong from the start
	Seed         uint64           // of verification codes and national keys; 0 takes any
	Clock        func() time.Time // nil is time.Now
	Logger       *slog.Logger     // nil is silent
}

// Simulator is a running simulator. Its methods are safe for concurrent use.
type Simulator struct {
	options  Options
	log      *slog.Logger
	icp      *icp.Authority
	faults   fault.Picker
	server   *http.Server
	listener net.Listener
	closing  context.Context
	close    context.CancelFunc

	mu       sync.Mutex
	registry Registry
	ledger   *ledger
	messages []Message
	random   *rand.Rand
}

// Subject is whom a test certificate is for, and what is wrong with it.
type Subject = icp.Subject

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
		options: options, log: options.Logger, random: rand.New(rand.NewPCG(options.Seed, 1)),
	}
	s.SetRegistry(options.Registry)
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
	if s.icp, err = icp.Open(dir, s.options.Clock()); err != nil {
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
		Handler: http.HandlerFunc(s.handle), Protocols: protocols,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		// Handshakes that fail are the client's to report.
		ErrorLog:  log.New(io.Discard, "", 0),
		TLSConfig: s.icp.ServerTLS(),
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

// path is where the city serves layouts 1 and 2.
const path = "/lotenfe.asmx"

// URL is where messages are sent: https://127.0.0.1:8445/lotenfe.asmx.
func (s *Simulator) URL() string { return "https://" + s.listener.Addr().String() + path }

// now is the city's clock, which a fault may have moved.
func (s *Simulator) now() time.Time { return s.options.Clock().Add(s.faults.Skew()) }

// Roots returns what a client must trust: the root of the server's certificate and
// the root of the test ICP.
func (s *Simulator) Roots() *x509.CertPool { return s.icp.Roots() }

// RootsPEM returns the certificates of Roots in PEM.
func (s *Simulator) RootsPEM() []byte { return s.icp.RootsPEM() }

// NewCertificate makes an A1 certificate of the test ICP with its chain.
func (s *Simulator) NewCertificate(subject Subject) (tls.Certificate, error) {
	return s.icp.NewCertificate(subject, s.now())
}

// NewPFX makes an A1 certificate of the test ICP as a PKCS#12 file with key and
// chain, as certificate authorities deliver it.
func (s *Simulator) NewPFX(subject Subject, password string) ([]byte, error) {
	return s.icp.NewPFX(subject, password, s.now())
}

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
func (s *Simulator) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.messages)
}

func (s *Simulator) record(message Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.messages) >= mostMessages {
		s.messages = slices.Delete(s.messages, 0, mostMessages/10)
	}
	s.messages = append(s.messages, message)
}
