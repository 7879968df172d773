package sefin

import (
	"net/http"

	"emissor/test/simulators/shared/control"
)

// Control returns the handler of the control address of a simulator. It has no authentication and refuses every
// request that does not come by a name of this machine: only loopback may reach it.
//
//	GET, PUT, DELETE /faults       what goes wrong, as FaultProfile in JSON
//	GET, PUT         /registry     what is on record, as Registry in JSON
//	GET, POST, DELETE /refusals    {"issuer", "code", "times", "complement"}: refuses the next documents of an issuer
//	GET, PUT         /cities       the cities that are played, as a list of City in JSON
//	GET              /ledger       what was issued, and every document that was sent
//	GET              /roots.pem    the certificates to trust
//	POST             /certificates {"document", "name", "password"}: a PKCS#12 file
//	POST             /events       {"access_key", "type", "reason", "text", "bars"}: see RegisterEventWith
//	PUT              /numbering    {"step", "shift"}: renumbers what the ADN distributes, see Renumber
//	POST             /distribution {"tax_id", "access_key", "archive"}: see Distribute
func (s *Simulator) Control() http.Handler {
	mux := control.Routes(s)
	mux.HandleFunc("GET /registry", func(w http.ResponseWriter, _ *http.Request) {
		control.WriteJSON(w, s.currentRegistry())
	})
	mux.HandleFunc("PUT /registry", s.putRegistry)
	mux.HandleFunc("GET /cities", func(w http.ResponseWriter, _ *http.Request) {
		control.WriteJSON(w, s.Cities())
	})
	mux.HandleFunc("PUT /cities", control.Do(http.StatusBadRequest, s.SetCities))
	mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) {
		control.WriteJSON(w, map[string]any{"issued": s.Ledger(), "posts": s.Posts()})
	})
	mux.HandleFunc("GET /refusals", func(w http.ResponseWriter, _ *http.Request) {
		control.WriteJSON(w, s.Refusals())
	})
	mux.HandleFunc("POST /refusals", control.Do(http.StatusBadRequest, s.RefuseNext))
	mux.HandleFunc("DELETE /refusals", func(w http.ResponseWriter, _ *http.Request) {
		s.EndRefusals()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST /events", control.Do(http.StatusConflict, func(asked askedEvent) error {
		return s.RegisterEventWith(asked.AccessKey, asked.Type, asked.EventDetails)
	}))
	mux.HandleFunc("PUT /numbering", control.Do(http.StatusBadRequest, func(asked askedNumbering) error {
		return s.Renumber(asked.Step, asked.Shift)
	}))
	mux.HandleFunc("POST /distribution", control.Do(http.StatusBadRequest, func(asked askedDistribution) error {
		s.Distribute(asked.TaxID, asked.AccessKey, asked.Archive)
		return nil
	}))
	return control.OnlyLoopback(mux)
}

func (s *Simulator) putRegistry(w http.ResponseWriter, r *http.Request) {
	registry := Registry{PostalCodeOf: s.currentRegistry().PostalCodeOf}
	if control.ReadJSON(w, r, &registry) {
		s.SetRegistry(registry)
		control.WriteJSON(w, registry)
	}
}

type askedEvent struct {
	AccessKey string `json:"access_key"`
	Type      string `json:"type"`
	EventDetails
}

type askedNumbering struct {
	Step  int64 `json:"step"`
	Shift int64 `json:"shift"`
}

type askedDistribution struct {
	TaxID     string `json:"tax_id"`
	AccessKey string `json:"access_key"`
	Archive   string `json:"archive"`
}
