package harness

import (
	"context"
	"net/http"
	"time"

	"emissor/test/simulators/saopaulo"
)

// SaoPaulo is a running simulator of the city of São Paulo.
type SaoPaulo struct{ simulated }

// StartSaoPaulo starts a simulator of the city of São Paulo, as StartSimulator does the
// national one.
func StartSaoPaulo(ctx context.Context, program, dir string, as Simulation) (*SaoPaulo, error) {
	started, err := startSimulated(ctx, "saopaulo", program, dir, as)
	return &SaoPaulo{started}, err
}

// URL is where messages are sent.
func (s *SaoPaulo) URL() string { return "https://" + s.address + "/lotenfe.asmx" }

// Roots is the file of the certificates to trust.
func (s *SaoPaulo) Roots() string { return s.roots }

// Environment is the settings with which an installation reaches it.
func (s *SaoPaulo) Environment() []string {
	return []string{"EMISSOR_SAO_PAULO_URL=" + s.URL(), "EMISSOR_AUTHORITY_CA=" + s.roots}
}

// SetRegistry replaces what is on record.
func (s *SaoPaulo) SetRegistry(ctx context.Context, registry saopaulo.Registry) error {
	return s.Control.Must(ctx, http.MethodPut, "/registry", registry, nil)
}

// Ledger is every note, cancelled or not and by what, and every message that it received.
func (s *SaoPaulo) Ledger(ctx context.Context) (issued []saopaulo.Entry, messages []saopaulo.Message, err error) {
	var ledger struct {
		Issued   []saopaulo.Entry
		Messages []saopaulo.Message
	}
	err = s.Control.Must(ctx, http.MethodGet, "/ledger", nil, &ledger)
	return ledger.Issued, ledger.Messages, err
}

// Certificate asks for an A1 certificate of the test ICP, as a PFX file.
func (s *SaoPaulo) Certificate(ctx context.Context, document, name, password string) ([]byte, error) {
	return s.certificate(ctx, document, name, password, time.Time{})
}
