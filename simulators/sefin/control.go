package sefin

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
)

// Control answers the routes by which a stand-in is told what to do. They have no
// authentication: only loopback may reach them.
//
//	GET, PUT, DELETE /faults       the menu of faults, as Faults in JSON
//	GET, PUT         /registry     what is on record, as Registry in JSON
//	GET              /ledger       what was issued, and every document that was sent
//	GET              /roots.pem    who to believe
//	POST             /certificates {"document", "name", "password"}: a PKCS#12 file
//	POST             /events       {"access_key", "type"}: see RegisterEvent
func (a *Authority) Control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /faults", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, a.Faults()) })
	mux.HandleFunc("PUT /faults", a.putFaults)
	mux.HandleFunc("DELETE /faults", func(w http.ResponseWriter, _ *http.Request) {
		_ = a.SetFaults(Faults{}) // an empty menu is never wrong
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /registry", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, a.onRecord()) })
	mux.HandleFunc("PUT /registry", a.putRegistry)
	mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"issued": a.Ledger(), "posts": a.Posts()})
	})
	mux.HandleFunc("GET /roots.pem", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-pem-file")
		_, _ = w.Write(a.RootsPEM())
	})
	mux.HandleFunc("POST /certificates", a.postCertificate)
	mux.HandleFunc("POST /events", a.postEvent)
	return onlyHere(mux)
}

// onlyHere keeps web pages that a developer happens to visit from reaching the
// control routes through the browser, by another origin or by a name of their own
// for this machine.
func onlyHere(next http.Handler) http.Handler {
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

func (a *Authority) putFaults(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	var faults Faults
	if err == nil {
		faults, err = ParseFaults(text)
	}
	if err == nil {
		err = a.SetFaults(faults)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a.log.Info("the menu of faults was replaced", "faults", len(faults.List))
	writeJSON(w, a.Faults())
}

func (a *Authority) putRegistry(w http.ResponseWriter, r *http.Request) {
	registry := Registry{PostalCodeOf: a.onRecord().PostalCodeOf}
	if readJSON(w, r, &registry) {
		a.SetRegistry(registry)
		writeJSON(w, registry)
	}
}

func (a *Authority) postCertificate(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Subject
		Password string `json:"password"`
	}
	if !readJSON(w, r, &asked) {
		return
	}
	pfx, err := a.NewPFX(asked.Subject, asked.Password)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/x-pkcs12")
	_, _ = w.Write(pfx)
}

func (a *Authority) postEvent(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		AccessKey string `json:"access_key"`
		Type      string `json:"type"`
	}
	if !readJSON(w, r, &asked) {
		return
	}
	if err := a.RegisterEvent(asked.AccessKey, asked.Type); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
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
