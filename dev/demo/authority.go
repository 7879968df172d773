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
	serverCAName      = "EMISSOR_NATIONAL_SERVER_CA"
	signerCAName      = "EMISSOR_NATIONAL_SIGNER_CA"
)

// authority is the stand-in of the national tax authority, to which live notes go.
type authority struct {
	listen  string // TLS
	control string // plain HTTP
	dir     string // absolute; its CA, its keys and its ledger, for the next run too
	logPath string

	isNew   bool // nothing of it was kept: it has a CA that certificates of before are not from
	process *process
}

func (a *authority) url() string        { return "https://" + a.listen + "/SefinNacional" }
func (a *authority) controlURL() string { return "http://" + a.control }

// roots is the file of the certificates to believe: of the authority's server and of its test ICP.
func (a *authority) roots() string { return filepath.Join(a.dir, "roots.pem") }

// settings are all that separates the stand-in from the real hosts.
func (a *authority) settings() environment {
	return environment{restrictedURLName: a.url(), serverCAName: a.roots(), signerCAName: a.roots()}
}

// start runs "emissor authority" and waits until it answers.
func (a *authority) start(ctx context.Context, program string) error {
	_, err := os.Stat(a.roots())
	a.isNew = err != nil
	cmd := exec.Command(program, "authority", "--listen", a.listen, "--control", a.control, "--dir", a.dir, "--verbose")
	a.process, err = startProcess(ctx, "emissor authority", a.logPath, cmd, func(ctx context.Context) bool {
		status, err := a.client().call(ctx, http.MethodGet, "/roots.pem", nil, nil)
		return err == nil && status == http.StatusOK
	})
	return err
}

func (a *authority) client() *client { return &client{base: a.controlURL()} }

// certificate asks for an A1 certificate of the test ICP, as a PFX file.
func (a *authority) certificate(ctx context.Context, document, name, password string) (pfx []byte, err error) {
	err = a.client().must(ctx, http.StatusOK, http.MethodPost, "/certificates",
		map[string]string{"document": document, "name": name, "password": password}, &pfx)
	return pfx, err
}

// holds checks that the ledger has exactly one note with this access key, and counts all it has.
func (a *authority) holds(ctx context.Context, accessKey string) (all int, err error) {
	var ledger struct {
		Issued []struct {
			AccessKey string `json:"access_key"`
		}
	}
	if err := a.client().must(ctx, http.StatusOK, http.MethodGet, "/ledger", nil, &ledger); err != nil {
		return 0, err
	}
	found := 0
	for _, entry := range ledger.Issued {
		if entry.AccessKey == accessKey {
			found++
		}
	}
	if found != 1 {
		return 0, fmt.Errorf("the ledger of the authority has %d notes with the access key %s, not one", found, accessKey)
	}
	return len(ledger.Issued), nil
}
