package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
)

// Who is about to cancel sees what is known of the city's term; of a refusal that the city
// may change by an analysis the page offers to ask for it, once, and shows its age.
func TestNote_Analysis(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.noteOf(t, s.LiveKey, "vencida")
	s.RefuseByTerm(t, id)
	address, path := s.live("/notes/"+id), s.live("/notes/"+id+"/analysis")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.addPasskey(t)
	editor.verifiedAt(t, time.Now())
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	if shown := viewer.get(t, address).expect(t, http.StatusOK); strings.Contains(shown.body, "/analysis\"") {
		t.Error("a viewer may ask for it")
	}
	editor.get(t, address).expect(t, http.StatusOK, "cancelar uma nota 35 dias depois de emitida",
		"Esta foi emitida há 40 dias", "É provável que recuse também esta", "Pedir a análise fiscal ao município")
	editor.reads(t, address, "en").has(t, "to cancel an invoice 35 days after its issue", "issued 40 days ago",
		"It will probably refuse this one too")
	editor.post(t, path, form("env", "live", "confirmed", "yes")).expect(t, http.StatusSeeOther)
	editor.get(t, address).expect(t, http.StatusOK, "A análise fiscal foi pedida", "Análise fiscal")
	s.Exec(t, `UPDATE notes SET analysis = 'pending', analysis_since = now() - interval '12 days' WHERE id = $1`, id)
	shown := editor.get(t, address).expect(t, http.StatusOK, "há 12 dias", "Não há prazo")
	if strings.Contains(shown.body, "/analysis\"") || strings.Contains(shown.body, "/cancel\"") ||
		strings.Contains(shown.body, "data-follow") {
		t.Error("something is asked for while the city decides")
	}
	editor.post(t, path, form("env", "live", "confirmed", "yes")).expect(t, http.StatusSeeOther)
	if asked := s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'note.analysis'`); asked != 1 {
		t.Errorf("it is asked for %d times", asked)
	}
	s.Exec(t, `UPDATE notes SET analysis = 'denied', cancellation_status = 'refused', cancellation_resolved_at = now(),
		cancellation_refusal = '{"code": "analysis_denied"}' WHERE id = $1`, id)
	editor.post(t, path, form("env", "live", "confirmed", "yes")).expect(t, http.StatusSeeOther)
	editor.get(t, address).expect(t, http.StatusOK, "Não há recusa do município que uma análise fiscal possa mudar")
}

// The company says who asks for analyses.
func TestCompany_CancellationAnalysis(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	kept := func() string {
		return s.Text(t, `SELECT coalesce(profile ->> 'cancellation_analysis', '') FROM fiscal_profiles`)
	}
	version := owner.get(t, s.at("/company")).expect(t, http.StatusOK, `<option value="ask" selected>`).version(t)
	owner.post(t, s.at("/company/profile"), profileForm("cancellation_analysis", "request", "version", version)).
		expect(t, http.StatusSeeOther)
	if kept() != "request" {
		t.Errorf("it is %q", kept())
	}
	version = owner.get(t, s.at("/company")).expect(t, http.StatusOK, `<option value="request" selected>`).version(t)
	owner.post(t, s.at("/company/profile"), profileForm("cancellation_analysis", "never", "version", version)).
		expect(t, http.StatusUnprocessableEntity, "Escolha uma das opções")
}
