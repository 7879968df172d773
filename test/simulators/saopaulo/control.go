package saopaulo

import (
	"net/http"

	"emissor/test/simulators/shared/control"
)

// Control returns the handler of the control address of a simulator. It has no authentication and refuses every
// request that does not come by a name of this machine: only loopback may reach it.
//
//	GET, PUT, DELETE /faults       what goes wrong, as FaultProfile in JSON
//	GET, PUT         /registry     what is on record, as Registry in JSON
//	GET              /ledger       {"issued": every note, "messages": every message that was received}
//	GET              /roots.pem    the certificates to trust
//	POST             /certificates {"document", "name", "password"}: a PKCS#12 file
//	POST             /site/notes   a note made by hand, as SiteNote in JSON
//	POST             /site/cancel  {"registration", "number"}: cancelled by hand
//	POST             /site/marks   {"registration", "number", "mark"}: see Mark
func (s *Simulator) Control() http.Handler {
	mux := control.Routes(s)
	mux.HandleFunc("GET /registry", func(w http.ResponseWriter, _ *http.Request) {
		control.WriteJSON(w, s.Registry())
	})
	mux.HandleFunc("PUT /registry", func(w http.ResponseWriter, r *http.Request) {
		var registry Registry
		if control.ReadJSON(w, r, &registry) {
			s.SetRegistry(registry)
			control.WriteJSON(w, registry)
		}
	})
	mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) {
		control.WriteJSON(w, map[string]any{"issued": s.Ledger(), "messages": s.Messages()})
	})
	mux.HandleFunc("POST /site/notes", func(w http.ResponseWriter, r *http.Request) {
		var asked SiteNote
		if !control.ReadJSON(w, r, &asked) {
			return
		}
		entry, err := s.IssueOnSite(asked)
		if err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		control.WriteJSON(w, entry)
	})
	mux.HandleFunc("POST /site/cancel", control.Do(http.StatusConflict, func(asked noteChange) error {
		return s.CancelOnSite(asked.Registration, asked.Number)
	}))
	mux.HandleFunc("POST /site/marks", control.Do(http.StatusConflict, func(asked noteChange) error {
		return s.MarkNote(asked.Registration, asked.Number, asked.Mark)
	}))
	return control.OnlyLoopback(mux)
}

type noteChange struct {
	Registration string `json:"registration"`
	Number       int64  `json:"number"`
	Mark         Mark   `json:"mark"`
}
