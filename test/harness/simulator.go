package harness

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/fault"
)

// simulated is a running simulator of any authority.
type simulated struct {
	*Process
	Control *Client // of its control address

	address string
	roots   string
}

// Simulation is how a simulator is started. With the zero value it forgets everything when it ends, and answers as
// was recorded of the real hosts.
type Simulation struct {
	Keep      bool         // its ledger is kept, so that the process can be killed and started again
	AnyShape  bool         // answers have any form, and some are lost: see package shapes
	Described bool         // it answers as SEFIN's description has it, which is all that 1.0.0 understands
	Cities    []sefin.City // that are played beside the national system
	Door      *Door        // a city that is played alone, in its own protocol
}

// Door is a city with a protocol of its own: the flag by which the simulator plays it, and the path of its service.
type Door struct{ Name, Municipality, Flag, Path string }

// startSimulated starts the program of a simulator and waits until it answers. The file of the certificates to trust
// goes into dir.
func startSimulated(ctx context.Context, name, program, dir string, as Simulation) (simulated, error) {
	listen, err := FreeAddress()
	if err != nil {
		return simulated{}, err
	}
	control, err := FreeAddress()
	if err != nil {
		return simulated{}, err
	}
	arguments := []string{"--listen", listen, "--control", control}
	if as.AnyShape {
		arguments = append(arguments, "--shapes", "any")
	}
	if as.Described {
		arguments = append(arguments, "--as-described")
	}
	if as.Door != nil {
		arguments = append(arguments, as.Door.Flag)
	}
	if as.Keep {
		arguments = append(arguments, "--dir", filepath.Join(dir, name))
	}
	s := simulated{
		Process: NewProcess(name, dir, program, arguments, nil),
		Control: &Client{Base: "http://" + control},
		address: listen,
		roots:   filepath.Join(dir, name+"-roots.pem"),
	}
	if err := s.Start(); err != nil {
		return simulated{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	return s, Await(ctx, "the "+name+" answers", func(ctx context.Context) bool {
		answer, err := s.Control.Call(ctx, http.MethodGet, "/roots.pem", nil)
		return err == nil && answer.Status == http.StatusOK && os.WriteFile(s.roots, answer.Body, 0o600) == nil
	})
}

// SetFaults replaces all that goes wrong; an empty profile ends every fault.
func (s *simulated) SetFaults(ctx context.Context, profile fault.Profile) error {
	if profile.Faults == nil {
		profile.Faults = []fault.Fault{}
	}
	return s.Control.Must(ctx, http.MethodPut, "/faults", profile, nil)
}

// certificate asks for an A1 certificate of the test ICP, as a PFX file; without an end it lasts a year.
func (s *simulated) certificate(ctx context.Context, document, name, password string, ends time.Time) ([]byte, error) {
	subject := map[string]string{"document": document, "name": name, "password": password}
	if !ends.IsZero() {
		subject["not_after"] = ends.UTC().Format(time.RFC3339)
	}
	answer, err := s.Control.Call(ctx, http.MethodPost, "/certificates", subject)
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("the simulator gives no certificate: %d %s", answer.Status, answer.Body)
	}
	return answer.Body, err
}

// Certificate asks for an A1 certificate of the test ICP for a document, as a PFX file with a password.
func (s *Simulator) Certificate(ctx context.Context, document, name, password string) ([]byte, error) {
	return s.certificate(ctx, document, name, password, time.Time{})
}

// Simulator is a running simulator of the national authority.
type Simulator struct {
	simulated
	cities []sefin.City // that it plays
	door   *Door        // that it plays alone
	beside []*Simulator // those of cities that are issued by, too
}

// StartSimulator starts a simulator of the national authority and waits until it answers. The file of the certificates
// to trust goes into dir.
func StartSimulator(ctx context.Context, program, dir string, as Simulation) (*Simulator, error) {
	name := "simulator"
	if as.Door != nil {
		name = as.Door.Name
	}
	started, err := startSimulated(ctx, name, program, dir, as)
	s := &Simulator{simulated: started, door: as.Door}
	if err == nil && len(as.Cities) > 0 {
		err = s.SetCities(ctx, as.Cities...)
	}
	return s, err
}

// Roots is the file of the certificates to trust.
func (s *Simulator) Roots() string { return s.roots }

// Environment is the settings with which an installation reaches it, and with ImportCities the cities
// that it plays.
func (s *Simulator) Environment() []string {
	const scheme = "https://"
	settings := []string{
		"EMISSOR_NATIONAL_RESTRICTED_URL=" + scheme + s.address + "/SefinNacional",
		"EMISSOR_NATIONAL_RESTRICTED_ADN_URL=" + scheme + s.address,
		"EMISSOR_AUTHORITY_CA=" + s.roots, "EMISSOR_CERTIFICATE_ROOTS=" + s.roots,
		"EMISSOR_NATIONAL_DOCUMENT_SIGNERS=CN=" + sefin.SignerName,
	}
	if len(s.cities)+len(s.beside) > 0 {
		settings = append(settings, "EMISSOR_CITIES=true")
	}
	return settings
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

// RefuseNext has the next documents of an issuer refused with a code, so many times.
func (s *Simulator) RefuseNext(ctx context.Context, issuer, code string, times int) error {
	return s.Control.Must(ctx, http.MethodPost, "/refusals",
		map[string]any{"issuer": issuer, "code": code, "times": times}, nil)
}

// EndRefusals has nothing more refused that RefuseNext has asked for.
func (s *Simulator) EndRefusals(ctx context.Context) error {
	return s.Control.Must(ctx, http.MethodDelete, "/refusals", nil, nil)
}
