package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
)

// Each member chooses what they are told of; an operator is told of alarms, and of no company's notes.
func TestAlerts_Page(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	developer := s.signedIn(t, "developer@example.com", s.Organization.ID, nfse.RoleDeveloper)
	operator := s.signedIn(t, "operator@example.com", "", "")
	owner.get(t, s.at("/alerts")).expect(t, http.StatusOK, "Certificado que vence", `id="rejection"`,
		`<option value="daily" selected>`, "owner@example.com")
	owner.post(t, s.at("/alerts"), form("held", "off", "rejection", "now", "certificate", "x", "alarm", "now")).
		expect(t, http.StatusSeeOther)
	chosen := s.Text(t, `SELECT string_agg(organization_id || kind || how, ' ' ORDER BY kind) FROM alert_settings`)
	if chosen != s.Organization.ID+"heldoff "+s.Organization.ID+"rejectionnow" {
		t.Errorf("chosen is %s", chosen)
	}
	owner.get(t, s.at("/alerts")).expect(t, http.StatusOK, "Alertas salvos", `<option value="off" selected>`)
	if body := developer.get(t, s.at("/alerts")).body; strings.Contains(body, `id="certificate"`) {
		t.Error("a developer is told of certificates")
	}
	if body := operator.get(t, s.at("/alerts")).body; strings.Contains(body, `id="held"`) ||
		!strings.Contains(body, `id="alarm"`) {
		t.Errorf("an operator is offered\n%s", body)
	}
	operator.post(t, s.at("/alerts"), form("alarm", "daily")).expect(t, http.StatusSeeOther)
	if s.Count(t, `SELECT count(*) FROM alert_settings WHERE organization_id = '' AND how = 'daily'`) != 1 {
		t.Error("the alarms' setting is not kept")
	}
	owner.post(t, s.at("/alerts"), form("held", "daily")).expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/audit")).expect(t, http.StatusOK, "escolheu os alertas por e-mail", "nota rejeitada",
		"na hora", "nota aguardando uma pessoa", "não enviar", "um resumo por dia")
	owner.get(t, "/session").expect(t, http.StatusOK, `href="/alerts"`)
}
