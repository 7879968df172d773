package issnet

import (
	"net/http"
	"sync"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/control"
)

// Path is where the service is, behind the host.
const Path = "/wsnfsenacional/nfse.asmx"

// Options are how a simulator runs.
type Options struct {
	sefin.Options // but for its Door
	Behaviour     Behaviour
}

// Behaviour is in what cities of the family differ, and what they have on record.
type Behaviour struct {
	Escaped         bool     `json:"escaped,omitempty"`            // answers are escaped text
	OldNames        bool     `json:"old_names,omitempty"`          // Nfse and Evento, as in 2026-02
	NotFoundInWords bool     `json:"not_found_in_words,omitempty"` // without E212
	ExistsCode      string   `json:"exists_code,omitempty"`        // beside "DPS já existe"
	Off             []string `json:"off,omitempty"`                // operations: E999
	Unserved        []string `json:"unserved,omitempty"`           // operations: a Fault
	NotAllowed      []string `json:"not_allowed,omitempty"`        // issuers: E138
	// Codes are the cTribMun of an issuer; none: it may use any.
	Codes map[string][]string `json:"codes,omitempty"`
	// Granted are the numbers of an issuer; none: it may use any.
	Granted map[string][]Granted `json:"granted,omitempty"`
}

// Granted are numbers of a series, first and last.
type Granted struct {
	Series int   `json:"series"`
	First  int64 `json:"first"`
	Last   int64 `json:"last"`
}

// Simulator is a running simulator. Its methods are safe for concurrent use.
type Simulator struct {
	*sefin.Simulator

	mu        sync.Mutex
	behaviour Behaviour
}

// Start makes the certificates, listens, and serves until Close.
func Start(options Options) (*Simulator, error) {
	s := &Simulator{behaviour: options.Behaviour}
	options.Options.Door = &sefin.Door{Path: Path, Serve: func(national *sefin.Simulator) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handle(national, w, r) })
	}}
	var err error
	s.Simulator, err = sefin.Start(options.Options)
	return s, err
}

// URL is the address of the service: https://127.0.0.1:8447/wsnfsenacional/nfse.asmx.
func (s *Simulator) URL() string { return s.Base() + Path }

// SetBehaviour replaces how it behaves.
func (s *Simulator) SetBehaviour(behaviour Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviour = behaviour
}

// Behaviour is how it behaves now.
func (s *Simulator) Behaviour() Behaviour {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.behaviour
}

// Control returns the handler of the control address: that of the national simulator, and
//
//	GET, PUT /behaviour  as Behaviour in JSON
func (s *Simulator) Control() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", s.Simulator.Control())
	mux.HandleFunc("GET /behaviour", func(w http.ResponseWriter, _ *http.Request) {
		control.WriteJSON(w, s.Behaviour())
	})
	mux.HandleFunc("PUT /behaviour", func(w http.ResponseWriter, r *http.Request) {
		var behaviour Behaviour
		if control.ReadJSON(w, r, &behaviour) {
			s.SetBehaviour(behaviour)
			control.WriteJSON(w, behaviour)
		}
	})
	return control.OnlyLoopback(mux)
}
