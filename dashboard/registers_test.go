package dashboard_test

import (
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/store/catalogues"
)

// work puts a work into the register of the site's test environment.
func (s *site) work(t *testing.T) string {
	t.Helper()
	added, err := catalogues.Works.Add(t.Context(), s.Changes().Catalogues,
		nfse.Scope{OrganizationID: s.Organization.ID},
		nfse.Work{Name: "Casa", Registration: "900012345678", MunicipalityCode: "3304557"})
	must(t, err)
	return added.ID
}

func (s *site) culturalEvent(t *testing.T) string {
	t.Helper()
	added, err := catalogues.CulturalEvents.Add(t.Context(), s.Changes().Catalogues,
		nfse.Scope{OrganizationID: s.Organization.ID},
		nfse.CulturalEvent{Name: "Show", From: "2026-11-20", Through: "2026-11-21", Identification: "7",
			MunicipalityCode: "3304557"})
	must(t, err)
	return added.ID
}

// A work is typed, wrong fields are named, it is changed by who saw it, and closed for good.
func TestRegister_Works(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	list := s.at("/catalogue/works")
	editor.get(t, list).expect(t, http.StatusOK, "Nenhuma obra ainda.", "Nova obra")
	typed := form("name", "Casa <1>", "registration", "90.001.23456/78", "municipality_code", "3304557",
		"technical_document", "ART 7")
	for field, value := range map[string]string{"name": "", "registration": "900012345679", "cib": "x",
		"municipality_code": "1", "zip_code": "1"} {
		changed := maps.Clone(typed)
		changed.Set(field, value)
		editor.post(t, list, changed).expect(t, http.StatusUnprocessableEntity, `aria-describedby="`+field+`-problem"`)
	}
	found := maps.Clone(typed)
	found.Set("municipality_code", "rio de jan")
	found.Set("find", "municipality_code")
	editor.post(t, list, found).expect(t, http.StatusOK, `value="municipality_code=3304557"`)
	found.Set("municipality_code", "Rio de Janeiro/RJ") // as the field shows the city that was chosen
	if body := editor.post(t, list, found).expect(t, http.StatusOK, `value="municipality_code=3304557"`).body; strings.
		Contains(body, "Nenhum município") {
		t.Error("the city that the field has is not found")
	}
	found.Set("municipality_code", "Rio")
	body := editor.post(t, list, found).expect(t, http.StatusOK).body
	if first := regexp.MustCompile(`value="municipality_code=(\d+)"`).FindStringSubmatch(body); first == nil ||
		first[1] != "3304557" {
		t.Errorf("the first that is found of Rio is %q", first)
	}
	editor.post(t, list, typed).expect(t, http.StatusSeeOther)
	id := s.Text(t, `SELECT id FROM works`)
	address := s.at("/catalogue/works/" + id)
	shown := editor.get(t, address).expect(t, http.StatusOK, "Registro criado.", `value="900012345678"`,
		"Casa &lt;1&gt;")
	editor.get(t, list).expect(t, http.StatusOK, "Casa &lt;1&gt;", "900012345678", "Rio de Janeiro", "aberta a notas")
	typed.Set("version", shown.version(t))
	typed.Set("name", "Casa 2")
	editor.post(t, address, typed).expect(t, http.StatusSeeOther)
	typed.Set("name", "Casa 3")
	editor.post(t, address, typed).expect(t, http.StatusConflict, "Outra pessoa mudou isto")
	closing := s.at("/catalogue/works/" + id + "/close")
	editor.post(t, closing, form()).expect(t, http.StatusOK, "Casa 2", "Não se desfaz.")
	editor.post(t, closing, form("confirmed", "yes")).expect(t, http.StatusSeeOther)
	editor.get(t, address).expect(t, http.StatusOK, "Notas novas não podem mais")
	editor.get(t, list).expect(t, http.StatusOK, "encerrado")
	if s.entries(t, "work.create", editor.id)+s.entries(t, "work.set", editor.id)+
		s.entries(t, "work.close", editor.id) != "111" {
		t.Error("it is not on record who did it")
	}
	editor.get(t, s.at("/catalogue/works/wrk_1")).expect(t, http.StatusNotFound)
	events := s.at("/catalogue/events")
	event := form("name", "Show", "from", "2026-11-20", "through", "2026-11-19", "identification", "7",
		"municipality_code", "3304557")
	editor.post(t, events, event).expect(t, http.StatusUnprocessableEntity, "não antes do primeiro")
	event.Set("through", "2026-11-21")
	editor.post(t, events, event).expect(t, http.StatusSeeOther)
	editor.get(t, events).expect(t, http.StatusOK, "Show", "20/11/2026 – 21/11/2026")
}
