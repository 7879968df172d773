package main

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

// simulator is the simulator of a tax authority, to which live notes go.
type simulator struct {
	name    string // of the program
	program string
	listen  string // TLS
	control string // plain HTTP
	dir     string // absolute; its CA, its keys and its ledger, for the next run too
	logPath string
	// arguments are those beside the addresses.
	arguments []string

	isNew   bool // nothing of it was kept: its CA is new, and has not issued earlier certificates
	process *process
}

// newSimulator describes a simulator that keeps its files below state and its log in dir; it starts nothing.
func newSimulator(name, program, listen, control, state, dir, short string) *simulator {
	return &simulator{
		name: name, program: program, listen: listen, control: control,
		dir: filepath.Join(state, short), logPath: filepath.Join(dir, short+".log"),
	}
}

func (s *simulator) controlURL() string { return "http://" + s.control }

// roots is the file of the certificates to trust: of the simulator's server and of its test ICP.
func (s *simulator) roots() string { return filepath.Join(s.dir, "roots.pem") }

// start runs the simulator and waits until it answers.
func (s *simulator) start(ctx context.Context) error {
	_, err := os.Stat(s.roots())
	s.isNew = err != nil
	arguments := append([]string{"--listen", s.listen, "--control", s.control, "--dir", s.dir, "--verbose"},
		s.arguments...)
	cmd := exec.Command(s.program, arguments...)
	s.process, err = startProcess(ctx, s.name, s.logPath, cmd, func(ctx context.Context) bool {
		status, err := s.client().call(ctx, http.MethodGet, "/roots.pem", nil, nil)
		return err == nil && status == http.StatusOK
	})
	return err
}

func (s *simulator) client() *client { return &client{base: s.controlURL()} }

// certificate asks for an A1 certificate of the test ICP, as a PFX file.
func (s *simulator) certificate(ctx context.Context, document, name, password string) (pfx []byte, err error) {
	err = s.client().must(ctx, http.StatusOK, http.MethodPost, "/certificates",
		map[string]string{"document": document, "name": name, "password": password}, &pfx)
	return pfx, err
}
