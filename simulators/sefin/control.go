package sefin

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
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
	mux.HandleFunc("GET /faults", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, s.FaultProfile()) })
	mux.HandleFunc("PUT /faults", s.putFaults)
	mux.HandleFunc("DELETE /faults", func(w http.ResponseWriter, _ *http.Request) {
		_ = s.SetFaultProfile(FaultProfile{}) // an empty one is never invalid
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /registry", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, s.currentRegistry()) })
	mux.HandleFunc("PUT /registry", s.putRegistry)
	mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"issued": s.Ledger(), "posts": s.Posts()})
	})
	mux.HandleFunc("GET /roots.pem", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-pem-file")
		_, _ = w.Write(s.RootsPEM())
	})
	mux.HandleFunc("POST /certificates", s.postCertificate)
	mux.HandleFunc("POST /events", s.postEvent)
	mux.HandleFunc("PUT /numbering", s.putNumbering)
	mux.HandleFunc("POST /distribution", s.postDistribution)
	return onlyLoopback(mux)
}

// onlyLoopback keeps web pages that a developer happens to visit from reaching the
// control routes through the browser, by another origin or by a name of their own
// for this machine.
func onlyLoopback(next http.Handler) http.Handler {
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "only loopback is served", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

func (s *Simulator) putFaults(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	var profile FaultProfile
	if err == nil {
		profile, err = ParseFaultProfile(text)
	}
	if err == nil {
		err = s.SetFaultProfile(profile)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.log.Info("the fault profile was replaced", "faults", len(profile.Faults))
	writeJSON(w, s.FaultProfile())
}

func (s *Simulator) putRegistry(w http.ResponseWriter, r *http.Request) {
	registry := Registry{PostalCodeOf: s.currentRegistry().PostalCodeOf}
	if readJSON(w, r, &registry) {
		s.SetRegistry(registry)
		writeJSON(w, registry)
	}
}

func (s *Simulator) postCertificate(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Subject
		Password string `json:"password"`
	}
	if !readJSON(w, r, &asked) {
		return
	}
	pfx, err := s.NewPFX(asked.Subject, asked.Password)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/x-pkcs12")
	_, _ = w.Write(pfx)
}

func (s *Simulator) postEvent(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		AccessKey string `json:"access_key"`
		Type      string `json:"type"`
		EventDetails
	}
	if !readJSON(w, r, &asked) {
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
	if !readJSON(w, r, &asked) {
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
	if !readJSON(w, r, &asked) {
		return
	}
	s.Distribute(asked.TaxID, asked.AccessKey, asked.Archive)
	w.WriteHeader(http.StatusNoContent)
}

func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, largestBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		http.Error(w, strings.TrimPrefix(err.Error(), "json: "), http.StatusBadRequest)
		return false
	}
	return true
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // the client may be gone
}
