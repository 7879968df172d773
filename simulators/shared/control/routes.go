package control

import (
	"net/http"

	"emissor/simulators/shared/fault"
	"emissor/simulators/shared/icp"
)

// Faulty is a simulator whose faults can be changed.
type Faulty interface {
	FaultProfile() fault.Profile
	SetFaultProfile(fault.Profile) error
}

// HandleFaults adds the routes GET, PUT and DELETE /faults.
func HandleFaults(mux *http.ServeMux, simulator Faulty) {
	mux.HandleFunc("GET /faults", func(w http.ResponseWriter, _ *http.Request) {
		WriteJSON(w, simulator.FaultProfile())
	})
	mux.HandleFunc("PUT /faults", func(w http.ResponseWriter, r *http.Request) {
		var profile fault.Profile
		if !ReadJSON(w, r, &profile) {
			return
		}
		if err := simulator.SetFaultProfile(profile); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		WriteJSON(w, simulator.FaultProfile())
	})
	mux.HandleFunc("DELETE /faults", func(w http.ResponseWriter, _ *http.Request) {
		_ = simulator.SetFaultProfile(fault.Profile{}) // an empty one is never invalid
		w.WriteHeader(http.StatusNoContent)
	})
}

// Certifying is a simulator that gives certificates of its test ICP.
type Certifying interface {
	RootsPEM() []byte
	NewPFX(subject icp.Subject, password string) ([]byte, error)
}

// HandleCertificates adds the routes GET /roots.pem and POST /certificates.
func HandleCertificates(mux *http.ServeMux, simulator Certifying) {
	mux.HandleFunc("GET /roots.pem", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-pem-file")
		_, _ = w.Write(simulator.RootsPEM())
	})
	mux.HandleFunc("POST /certificates", func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			icp.Subject
			Password string `json:"password"`
		}
		if !ReadJSON(w, r, &asked) {
			return
		}
		pfx, err := simulator.NewPFX(asked.Subject, asked.Password)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/x-pkcs12")
		_, _ = w.Write(pfx)
	})
}
