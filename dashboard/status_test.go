package dashboard_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
)

// Anybody who is signed in sees how the authorities do, and nothing of other companies.
func TestStatus_Page(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	viewer.get(t, "/status").expect(t, http.StatusOK, "Ainda não há chamadas suficientes")
	s.Exec(t, `INSERT INTO authority_hours (authority, production, municipality_code, hour, outcome, power, calls)
		SELECT 'national', true, '', date_trunc('hour', now()) - make_interval(hours => i),
			CASE WHEN i IN (3, 4) THEN 'unknown' ELSE 'answered' END, 30, 40 FROM generate_series(1, 10) i
		UNION ALL SELECT 'sao-paulo', true, '', date_trunc('hour', now()), 'answered', 30, 3`)
	page := viewer.get(t, "/status").expect(t, http.StatusOK, "Sistema nacional", "Quedas nos últimos 7 dias",
		"Com falhas", "20,0 %", "poucas chamadas")
	if strings.Contains(page.body, "São Paulo") || strings.Count(page.body, "<li>de ") != 1 {
		t.Errorf("three calls say something, or an outage is several\n%s", page.body)
	}
	answer := viewer.get(t, "/status.json").expect(t, http.StatusOK)
	var said struct {
		Authorities []struct {
			Authority string `json:"authority"`
			Day       *struct {
				Failed float64 `json:"failed_percent"`
				P95    int64   `json:"p95_ms"`
			} `json:"last_day"`
			Outages []any `json:"outages"`
		} `json:"authorities"`
	}
	must(t, json.Unmarshal([]byte(answer.body), &said))
	if len(said.Authorities) != 1 || said.Authorities[0].Day == nil || said.Authorities[0].Day.Failed != 20 ||
		said.Authorities[0].Day.P95 != 237 || len(said.Authorities[0].Outages) != 1 {
		t.Errorf("it says %+v", said)
	}
	for _, secret := range []string{s.Organization.ID, "Clínica", "calls"} {
		if strings.Contains(answer.body, secret) {
			t.Errorf("%s is in %s", secret, answer.body)
		}
	}
}
