package control

import (
	"net/http"

	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/icp"
)

// Simulator is what is controlled of every simulator: its faults, and the certificates
// that it gives.
type Simulator interface {
	FaultProfile() fault.Profile
	SetFaultProfile(fault.Profile) error
	RootsPEM() []byte
	NewPFX(subject icp.Subject, password string) ([]byte, error)
}

// Routes returns the routes of every simulator: GET, PUT and DELETE /faults, GET /roots.pem and POST /certificates.
// Others are added to them; OnlyLoopback guards them all.
func Routes(simulator Simulator) *http.ServeMux {
	mux := http.NewServeMux()
	handleFaults(mux, simulator)
	handleCertificates(mux, simulator)
	return mux
}

func handleFaults(mux *http.ServeMux, simulator Simulator) {
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

func handleCertificates(mux *http.ServeMux, simulator Simulator) {
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
