// Package server is what every simulator is: a server with TLS by a test ICP of its own,
// whose clock can be moved, and whose answers can be spoilt. What it answers is each
// simulator's own.
package server

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
	"sync/atomic"
	"time"

	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/icp"
	"emissor/test/simulators/shared/renegotiation"
	"emissor/test/simulators/shared/shapes"
)

// RootsFile is the name, in Options.Dir, of the file with RootsPEM.
const RootsFile = "roots.pem"

// Options are how a simulator runs. With the zero value it listens on a free port
// of 127.0.0.1, and keeps everything in memory.
type Options struct {
	Listen       string           // address to listen on; only tests and development reach it
	Dir          string           // where certificates and the ledger are kept between runs; empty keeps none
	FaultProfile fault.Profile    // what goes wrong from the start
	Seed         uint64           // of the random part of keys and codes; 0 takes any
	Clock        func() time.Time // nil is time.Now
	Logger       *slog.Logger     // nil is silent
	// Late are the requests before which the server asks for the client's certificate by TLS renegotiation, as hosts
	// do that speak TLS 1.2 alone; nil: it asks in the first handshake only, and speaks 1.3 too.
	Late func(*http.Request) bool
	// Between is put before what the simulator serves: it may answer in its place, or change what it answers. Nil:
	// nothing is.
	Between func(http.Handler) http.Handler
	Shapes  *shapes.Shapes // of answers; nil: they have the usual one
}

// Server is the part of a simulator that it shares with the others. Its methods are
// safe for concurrent use.
type Server struct {
	Log    *slog.Logger
	Random *rand.Rand     // of the seed; who uses it holds a lock
	ICP    *icp.Authority // the certificates

	clock    func() time.Time
	faults   fault.Picker
	known    fault.Known
	listener net.Listener
	http     *http.Server
	between  func(http.Handler) http.Handler
	shapes   *shapes.Shapes
	late     func(*http.Request) bool
	lateness atomic.Pointer[renegotiation.Behaviour]
	closing  context.Context
	close    context.CancelFunc
}

// Open listens and makes the certificates, or reads those that were kept. Known is
// which faults the simulator can make. Nothing is served before Serve; Close must be
// called all the same.
func Open(options Options, known fault.Known) (*Server, error) {
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
	s := &Server{
		Log: options.Logger, Random: rand.New(rand.NewPCG(options.Seed, 1)), clock: options.Clock, known: known,
		between: options.Between, shapes: options.Shapes, late: options.Late,
	}
	if err := s.SetFaultProfile(options.FaultProfile); err != nil {
		return nil, err
	}
	// The address first: of two simulators with the same one and the same directory,
	// the second ends here.
	var err error
	if s.listener, err = net.Listen("tcp", options.Listen); err != nil {
		return nil, err
	}
	if err := s.openICP(options.Dir); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	s.closing, s.close = context.WithCancel(context.Background())
	s.http = newHTTPServer()
	s.http.TLSConfig = s.ICP.ServerTLS()
	return s, nil
}

// openICP makes the certificates, and keeps them in a directory if there is one.
func (s *Server) openICP(dir string) error {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	var err error
	if s.ICP, err = icp.Open(dir, s.clock(), s.listener.Addr().(*net.TCPAddr).IP); err != nil {
		return fmt.Errorf("certificates: %w", err)
	}
	if dir == "" {
		return nil
	}
	return icp.ReplaceFile(filepath.Join(dir, RootsFile), s.RootsPEM())
}

func newHTTPServer() *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Server{
		Protocols:         protocols,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		// Handshakes that fail are the client's to report.
		ErrorLog: log.New(io.Discard, "", 0),
	}
}

// Serve serves until Close. It is called once, and returns at once.
func (s *Server) Serve(handler http.Handler) {
	if s.between != nil {
		handler = s.between(handler)
	}
	listener := s.listener
	if s.shapes != nil {
		handler, listener = s.shapes.Between(handler), s.shapes.Listener(listener)
	}
	s.http.Handler = handler
	if s.late == nil {
		go func() { _ = s.http.ServeTLS(listener, "", "") }()
		return
	}
	options := renegotiation.Options{
		Certificate: s.http.TLSConfig.Certificates[0], AskEarly: true, Late: s.late,
		Behaviour: func() (set renegotiation.Behaviour) {
			if behaviour := s.lateness.Load(); behaviour != nil {
				set = *behaviour
			}
			return set
		},
	}
	go func() { _ = renegotiation.Serve(s.http, listener, handler, options) }()
}

// SetRenegotiation sets what goes wrong where the certificate is asked for late.
func (s *Server) SetRenegotiation(behaviour renegotiation.Behaviour) { s.lateness.Store(&behaviour) }

// Close stops serving: requests under way are cut.
func (s *Server) Close() error {
	s.close()
	err := s.http.Close()
	if closed := s.listener.Close(); !errors.Is(closed, net.ErrClosed) {
		err = errors.Join(err, closed)
	}
	return err
}

// Base is where it listens: https://127.0.0.1:8443.
func (s *Server) Base() string { return "https://" + s.listener.Addr().String() }

// Now is the authority's clock, which a fault may have moved.
func (s *Server) Now() time.Time { return s.clock().Add(s.faults.Skew()) }

// SetFaultProfile replaces all that goes wrong; an empty profile ends every fault.
// An error names the field that is wrong, and changes nothing.
func (s *Server) SetFaultProfile(profile fault.Profile) error {
	return s.faults.SetProfile(profile, s.known)
}

// FaultProfile returns the profile as it stands: Next counts down, and what is
// used up is not listed.
func (s *Server) FaultProfile() fault.Profile { return s.faults.Profile() }

// Closing ends when the simulator does.
func (s *Server) Closing() context.Context { return s.closing }
