package harness

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"emissor/simulators/sefin"
)

// Simulator is a running simulator of the national authority.
type Simulator struct {
	*Process
	Control *Client // of its control address

	url    string
	adnURL string
	roots  string
}

// StartSimulator starts a simulator and waits until it answers. The file of the
// certificates to trust goes into dir. With keep, its ledger does too, so that the
// process can be killed and started again.
func StartSimulator(ctx context.Context, program, dir string, keep bool) (*Simulator, error) {
	listen, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	control, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	arguments := []string{"--listen", listen, "--control", control}
	if keep {
		arguments = append(arguments, "--dir", filepath.Join(dir, "simulator"))
	}
	s := &Simulator{
		Process: NewProcess("simulator", dir, program, arguments, nil),
		Control: &Client{Base: "http://" + control},
		url:     "https://" + listen + "/SefinNacional",
		adnURL:  "https://" + listen,
		roots:   filepath.Join(dir, "roots.pem"),
	}
	if err := s.Start(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	return s, Await(ctx, "the simulator answers", func(ctx context.Context) bool {
		answer, err := s.Control.Call(ctx, http.MethodGet, "/roots.pem", nil)
		return err == nil && answer.Status == http.StatusOK && os.WriteFile(s.roots, answer.Body, 0o600) == nil
	})
}

// Environment is what an installation is told of it.
func (s *Simulator) Environment() []string {
	return []string{
		"EMISSOR_NATIONAL_RESTRICTED_URL=" + s.url, "EMISSOR_NATIONAL_RESTRICTED_ADN_URL=" + s.adnURL,
		"EMISSOR_NATIONAL_SERVER_CA=" + s.roots, "EMISSOR_NATIONAL_SIGNER_CA=" + s.roots,
		"EMISSOR_NATIONAL_DOCUMENT_SIGNERS=CN=" + sefin.SignerName,
	}
}

// SetFaults replaces all that goes wrong; an empty profile ends every fault.
func (s *Simulator) SetFaults(ctx context.Context, profile sefin.FaultProfile) error {
	if profile.Faults == nil {
		profile.Faults = []sefin.Fault{}
	}
	return s.Control.Must(ctx, http.MethodPut, "/faults", profile, nil)
}

// Ledger is all that it issued, and every document that it was sent.
func (s *Simulator) Ledger(ctx context.Context) (issued []sefin.Entry, posts []sefin.Post, err error) {
	var ledger struct {
		Issued []sefin.Entry
		Posts  []sefin.Post
	}
	err = s.Control.Must(ctx, http.MethodGet, "/ledger", nil, &ledger)
	return ledger.Issued, ledger.Posts, err
}

// certificate asks for an A1 certificate of the test ICP, as a PFX file.
func (s *Simulator) certificate(ctx context.Context, document, name, password string) ([]byte, error) {
	answer, err := s.Control.Call(ctx, http.MethodPost, "/certificates",
		map[string]string{"document": document, "name": name, "password": password})
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("the simulator gives no certificate: %d %s", answer.Status, answer.Body)
	}
	return answer.Body, err
}
