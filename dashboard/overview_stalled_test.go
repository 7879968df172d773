package dashboard_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/dashboard/frame"
	"emissor/nfse"
)

// An installation that moves nothing says so on the first page of everybody; a row that
// only fails by itself is told to its own organization.
func TestOverview_NothingMoves(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	other, otherKey, _ := s.NewOrganization(t, "Vizinha")
	neighbour := s.signedIn(t, "neighbour@example.com", other.ID, nfse.RoleViewer)
	s.noteOf(t, otherKey, "parada")
	for _, p := range []*person{viewer, neighbour} {
		if body := p.get(t, s.of("/", s.Organization.ID, "test")).body; strings.Contains(body, "não estão andando") {
			t.Error("a row that has just come makes it say that nothing moves")
		}
	}
	s.Exec(t, `UPDATE outbox SET created_at = now() - interval '3 minutes'`)
	viewer.get(t, s.at("/")).expect(t, http.StatusOK, "não estão andando: a mais antiga espera há 3 min")
	viewer.reads(t, s.at("/"), "en").has(t, "Invoices are not moving: the oldest has waited for 3 min")
	neighbour.get(t, s.of("/", other.ID, "live")).expect(t, http.StatusOK, "não estão andando")

	s.Exec(t, `UPDATE outbox SET failures = 1, failure = 'refused', attempts = 1`)
	shown := viewer.get(t, s.at("/")).expect(t, http.StatusOK, "Nenhuma pendência.")
	if strings.Contains(shown.body, "não estão andando") || strings.Contains(shown.body, "não pôde começar") {
		t.Error("a row of another organization is told here")
	}
	neighbour.get(t, s.of("/", other.ID, "test")).expect(t, http.StatusOK, "1 nota, entrega ou e-mail não pôde começar")
}

// While the worker beside the dashboard has not reached the engine, the first page says so, and that notes wait.
func TestOverview_EngineAway(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	s := newSite(t, func(options *frame.Options) { options.EngineAway = away.Load })
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	for _, is := range []bool{false, true, false} {
		away.Store(is)
		shown := viewer.get(t, s.at("/")).expect(t, http.StatusOK)
		if says := strings.Contains(shown.body, "O motor (Temporal) ainda não responde"); says != is {
			t.Errorf("the engine is away: %t; it says so: %t", is, says)
		}
	}
}
