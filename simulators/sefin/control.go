package sefin

import (
	"net/http"

	"emissor/simulators/shared/control"
)

var (
	readJSON  = control.ReadJSON
	writeJSON = control.WriteJSON
)

// Control returns the handler of the control address, by which a simulator is told
// what to do. It has no authentication and refuses whatever does not come by a name
// of this machine: only loopback may reach it.
//
//	GET, PUT, DELETE /faults       what goes wrong, as FaultProfile in JSON
//	GET, PUT         /registry     what is on record, as Registry in JSON
//	GET              /ledger       what was issued, and every document that was sent
//	GET              /roots.pem    the certificates to trust
//	POST             /certificates {"document", "name", "password"}: a PKCS#12 file
//	POST             /events       {"access_key", "type"}: see RegisterEvent
func (s *Simulator) Control() http.Handler {
	mux := http.NewServeMux()
	control.HandleFaults(mux, s)
	control.HandleCertificates(mux, s)
	mux.HandleFunc("GET /registry", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, s.currentRegistry()) })
	mux.HandleFunc("PUT /registry", s.putRegistry)
	mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"issued": s.Ledger(), "posts": s.Posts()})
	})
	mux.HandleFunc("POST /events", s.postEvent)
	return control.OnlyLoopback(mux)
}

func (s *Simulator) putRegistry(w http.ResponseWriter, r *http.Request) {
	registry := Registry{PostalCodeOf: s.currentRegistry().PostalCodeOf}
	if readJSON(w, r, &registry) {
		s.SetRegistry(registry)
		writeJSON(w, registry)
	}
}

func (s *Simulator) postEvent(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		AccessKey string `json:"access_key"`
		Type      string `json:"type"`
	}
	if !readJSON(w, r, &asked) {
		return
	}
	if err := s.RegisterEvent(asked.AccessKey, asked.Type); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
