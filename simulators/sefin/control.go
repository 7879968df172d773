package sefin

import (
	"net/http"

	"emissor/simulators/shared/control"
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
//	POST             /events       {"access_key", "type", "reason", "text", "bars"}: see RegisterEventWith
//	PUT              /numbering    {"step", "shift"}: renumbers what the ADN distributes, see Renumber
//	POST             /distribution {"tax_id", "access_key", "archive"}: see Distribute
func (s *Simulator) Control() http.Handler {
	mux := http.NewServeMux()
	control.HandleFaults(mux, s)
	control.HandleCertificates(mux, s)
	mux.HandleFunc("GET /registry", func(w http.ResponseWriter, _ *http.Request) { control.WriteJSON(w, s.currentRegistry()) })
	mux.HandleFunc("PUT /registry", s.putRegistry)
	mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) {
		control.WriteJSON(w, map[string]any{"issued": s.Ledger(), "posts": s.Posts()})
	})
	mux.HandleFunc("POST /events", s.postEvent)
	mux.HandleFunc("PUT /numbering", s.putNumbering)
	mux.HandleFunc("POST /distribution", s.postDistribution)
	return control.OnlyLoopback(mux)
}

func (s *Simulator) putRegistry(w http.ResponseWriter, r *http.Request) {
	registry := Registry{PostalCodeOf: s.currentRegistry().PostalCodeOf}
	if control.ReadJSON(w, r, &registry) {
		s.SetRegistry(registry)
		control.WriteJSON(w, registry)
	}
}

func (s *Simulator) postEvent(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		AccessKey string `json:"access_key"`
		Type      string `json:"type"`
		EventDetails
	}
	if !control.ReadJSON(w, r, &asked) {
		return
	}
	if err := s.RegisterEventWith(asked.AccessKey, asked.Type, asked.EventDetails); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Simulator) putNumbering(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Step  int64 `json:"step"`
		Shift int64 `json:"shift"`
	}
	if !control.ReadJSON(w, r, &asked) {
		return
	}
	if err := s.Renumber(asked.Step, asked.Shift); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Simulator) postDistribution(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		TaxID     string `json:"tax_id"`
		AccessKey string `json:"access_key"`
		Archive   string `json:"archive"`
	}
	if !control.ReadJSON(w, r, &asked) {
		return
	}
	s.Distribute(asked.TaxID, asked.AccessKey, asked.Archive)
	w.WriteHeader(http.StatusNoContent)
}
