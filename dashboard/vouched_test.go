package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
)

// vouchedAt is when the provider last said who it is, in all sessions.
func (s *site) vouchedAt(t *testing.T, moment time.Time) {
	t.Helper()
	s.Exec(t, `UPDATE sessions SET data = jsonb_set(data, '{values,vouched_at}', to_jsonb($1::text))
		WHERE data -> 'values' ? 'vouched_at'`, moment.UTC().Format(time.RFC3339))
}

// asksSilently expects that a page sends people to the provider without a question for them, and returns the state.
func (p page) asksSilently(t *testing.T) (state string) {
	t.Helper()
	p.expect(t, http.StatusSeeOther)
	to, err := url.Parse(p.header.Get("Location"))
	must(t, err)
	if to.Path != "/authorize" || to.Query().Get("prompt") != "none" {
		t.Fatalf("it leads to %s", to)
	}
	return to.Query().Get("state")
}

// Who came in by the company's sign-on goes on while its provider says so, every quarter of an hour, where they were;
// who was disabled there, or is somebody else by now, is out. Sessions that were begun by a passkey are not asked
// about.
func TestOIDC_LeaverIsOut(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	s.invitation(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	other := s.signedIn(t, "passkey@example.com", s.Organization.ID, nfse.RoleViewer)
	someone := s.stranger(t)
	someone.get(t, p.meets(t, someone.get(t, "/oidc/sign-in"), ana())).expect(t, http.StatusSeeOther)
	s.vouchedAt(t, time.Now().Add(-14*time.Minute))
	someone.get(t, s.at("/people")).expect(t, http.StatusOK)

	long := time.Now().Add(-15*time.Minute - time.Second)
	s.vouchedAt(t, long)
	sent := someone.get(t, s.at("/people"))
	sent.asksSilently(t)
	back := someone.get(t, p.meets(t, sent, ana())).expect(t, http.StatusSeeOther).header.Get("Location")
	if back != s.at("/people") {
		t.Errorf("it leads back to %s", back)
	}
	someone.get(t, back).expect(t, http.StatusOK)

	// Two tabs at once: the answer to the one that was sent last counts for both, and nobody is out.
	s.vouchedAt(t, long)
	first, second := someone.get(t, s.at("/people")), someone.get(t, s.at("/notes"))
	if to := someone.get(t, p.meets(t, first, ana())).expect(t, http.StatusSeeOther).header.Get("Location"); to != "/" {
		t.Errorf("the tab before leads to %s", to)
	}
	if to := someone.get(t, p.meets(t, second, ana())).expect(t, http.StatusSeeOther).header.Get("Location"); to !=
		s.at("/notes") {
		t.Errorf("the last tab leads to %s", to)
	}
	someone.get(t, s.at("/people")).expect(t, http.StatusOK)

	// A form is kept, and sent once they signed in there again.
	s.vouchedAt(t, long)
	rename := form("email", "nova@example.com", "role", "viewer")
	kept := someone.post(t, s.at("/people/invitations"), rename).expect(t, http.StatusForbidden, "nova@example.com",
		"Confirmar com Clínica ID")
	if strings.Contains(kept.body, "Envie este link") {
		t.Error("it was done all the same")
	}
	someone.get(t, p.meets(t, someone.get(t, "/oidc/confirm"), ana())).expect(t, http.StatusOK, "Confirmado")
	someone.post(t, s.at("/people/invitations"), rename).expect(t, http.StatusOK, "Envie este link")

	for name, answer := range map[string]func(sent page) string{
		"disabled": func(sent page) string {
			return "/oidc/callback?error=login_required&state=" + url.QueryEscape(sent.asksSilently(t))
		},
		"somebody else": func(sent page) string { return p.meets(t, sent, claims{"sub": "eva-1"}) },
	} {
		leaver := s.stranger(t)
		leaver.get(t, p.meets(t, leaver.get(t, "/oidc/sign-in"), ana())).expect(t, http.StatusSeeOther)
		s.vouchedAt(t, long)
		out := leaver.get(t, answer(leaver.get(t, s.at("/notes")))).expect(t, http.StatusSeeOther)
		if to := out.header.Get("Location"); !strings.HasPrefix(to, "/sign-in?next=%2Fnotes") {
			t.Errorf("%s: it leads to %s", name, to)
		}
		leaver.get(t, s.at("/notes")).expect(t, http.StatusSeeOther)
		if to := leaver.get(t, s.at("/notes")).header.Get("Location"); !strings.HasPrefix(to, "/sign-in?") {
			t.Errorf("%s: the session goes on, to %s", name, to)
		}
	}
	other.get(t, s.at("/people")).expect(t, http.StatusOK)
}
