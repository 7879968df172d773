package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
)

// lands is where somebody who names no organization and environment is sent.
func (p *person) lands(t *testing.T, path string) string {
	t.Helper()
	return p.get(t, path).expect(t, http.StatusSeeOther).header.Get("Location")
}

// Somebody begins in live once the organization has live notes, or what it takes to issue
// them, and in test before; afterwards where they were last.
func TestLanding_Environment(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	begins := func(when, environment string) *person {
		t.Helper()
		p := s.signedIn(t, strings.ReplaceAll(when, " ", "-")+"@example.com", s.Organization.ID, nfse.RoleOwner)
		if to := p.lands(t, "/"); to != s.of("/", s.Organization.ID, environment) {
			t.Errorf("%s: lands on %s", when, to)
		}
		return p
	}
	begins("nothing set up", "test")
	certificate := s.NewCertificate(t)
	begins("a certificate only", "test")
	s.NewProfile(t, "national")
	owner := begins("profile and certificate", "live")
	owner.get(t, s.at("/notes")).expect(t, http.StatusOK)
	if to := owner.lands(t, "/notes"); to != s.at("/notes") {
		t.Errorf("who was in test last lands on %s", to)
	}
	s.Exec(t, `UPDATE certificates SET removed_at = now(), sealed = '' WHERE id = $1`, certificate)
	begins("certificate removed", "test")
	s.noteOf(t, s.LiveKey, "viva")
	begins("a live note", "live")
}

// The organization of others says nothing about its notes, not by where one lands either.
func TestLanding_OfOthers(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.noteOf(t, s.LiveKey, "viva")
	other, _, _ := s.NewOrganization(t, "Outra")
	stranger := s.signedIn(t, "outra@example.com", other.ID, nfse.RoleOwner)
	path := "/notes?org=" + s.Organization.ID
	if to := stranger.lands(t, path); to != s.at("/notes") {
		t.Errorf("lands on %s", to)
	}
}

// An operator begins on the operators' page, and finds the overview from there.
func TestLanding_Operator(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	operator := s.signedIn(t, "operator@example.com", "", "")
	if to := operator.lands(t, "/"); to != "/operations" {
		t.Errorf("lands on %s", to)
	}
	operator.get(t, "/operations").expect(t, http.StatusOK)
	if to := operator.lands(t, "/"); to != s.at("/") {
		t.Errorf("then lands on %s", to)
	}
}

// Sessions are told apart by browser and system, not by a User-Agent.
func TestSessions_InWords(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	raw := "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0"
	for userAgent, words := range map[string][2]string{
		raw: {"Firefox no Windows", "Firefox on Windows"}, "x/1": {"Navegador desconhecido", "Unknown browser"},
	} {
		s.Exec(t, `UPDATE sessions SET data = jsonb_set(data, '{values,browser}', to_jsonb($1::text))
			WHERE user_id = $2`, userAgent, owner.id)
		for i, language := range []string{"pt-BR", "en"} {
			shown := owner.send(t, http.MethodGet, "/session", http.Header{"Accept-Language": {language}}, "", nil).
				expect(t, http.StatusOK, words[i])
			if strings.Contains(shown.body, userAgent) {
				t.Errorf("%q is shown", userAgent)
			}
		}
	}
}
