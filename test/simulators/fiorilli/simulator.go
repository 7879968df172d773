package fiorilli

import (
	"net/http"
	"sync"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/control"
)

// Path is where the service is, behind the host.
const Path = "/IssWeb-ejb/IssWebWSNacional/IssWebWSNacionalPortType"

// Options are how a simulator runs.
type Options struct {
	sefin.Options // but for its Door
	Behaviour     Behaviour
}

// Behaviour is in what cities of the family differ.
type Behaviour struct {
	NotFound   string `json:"not_found,omitempty"`   // the code of a question that finds nothing; empty: an empty answer
	ExistsCode string `json:"exists_code,omitempty"` // of a DPS that was made a note of; empty: E10
	Alerts     bool   `json:"alerts,omitempty"`      // a note comes with an alert
	Status     string `json:"status,omitempty"`      // of a cancellation; empty: Cancelada
	ShowsEvent bool   `json:"shows_event,omitempty"` // a note that is cancelled shows its event
	OfLot      bool   `json:"of_lot,omitempty"`      // refusals name the Id of another DPS
	Password   string `json:"password,omitempty"`    // that messages must end with, after a user; empty: none may
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

// URL is the address of the service.
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
