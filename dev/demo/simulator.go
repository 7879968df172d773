package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

// The names by which Emissor is told of an authority.
const (
	restrictedURLName = "EMISSOR_NATIONAL_RESTRICTED_URL"
	adnURLName        = "EMISSOR_NATIONAL_RESTRICTED_ADN_URL"
	serverCAName      = "EMISSOR_NATIONAL_SERVER_CA"
	signerCAName      = "EMISSOR_NATIONAL_SIGNER_CA"
	signersName       = "EMISSOR_NATIONAL_DOCUMENT_SIGNERS"
	intervalName      = "EMISSOR_NATIONAL_EVENTS_INTERVAL"
)

// simulator plays the national tax authority, to which live notes go.
type simulator struct {
	program string
	listen  string // TLS
	control string // plain HTTP
	dir     string // absolute; its CA, its keys and its ledger, for the next run too
	logPath string

	isNew   bool // nothing of it was kept: it has a CA that certificates of before are not from
	process *process
}

func (s *simulator) url() string        { return "https://" + s.listen + "/SefinNacional" }
func (s *simulator) controlURL() string { return "http://" + s.control }

// roots is the file of the certificates to trust: of the simulator's server and of its test ICP.
func (s *simulator) roots() string { return filepath.Join(s.dir, "roots.pem") }

// settings are all that separates the simulator from the real hosts.
func (s *simulator) settings() environment {
	return environment{
		restrictedURLName: s.url(), adnURLName: "https://" + s.listen, serverCAName: s.roots(), signerCAName: s.roots(),
		signersName: "CN=SEFIN NACIONAL DE TESTE", intervalName: "2s",
	}
}

// start runs the simulator and waits until it answers.
func (s *simulator) start(ctx context.Context) error {
	_, err := os.Stat(s.roots())
	s.isNew = err != nil
	cmd := exec.Command(s.program, "--listen", s.listen, "--control", s.control, "--dir", s.dir, "--verbose")
	s.process, err = startProcess(ctx, "sefin-simulator", s.logPath, cmd, func(ctx context.Context) bool {
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

// holds checks that the ledger has exactly one note with this access key, and counts all it has.
func (s *simulator) holds(ctx context.Context, accessKey string) (all int, err error) {
	var ledger struct {
		Issued []struct {
			AccessKey string `json:"access_key"`
		}
	}
	if err := s.client().must(ctx, http.StatusOK, http.MethodGet, "/ledger", nil, &ledger); err != nil {
		return 0, err
	}
	found := 0
	for _, entry := range ledger.Issued {
		if entry.AccessKey == accessKey {
			found++
		}
	}
	if found != 1 {
		return 0, fmt.Errorf("the simulator's ledger has %d notes with the access key %s, not one", found, accessKey)
	}
	return len(ledger.Issued), nil
}
