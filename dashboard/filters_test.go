package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
)

// A person keeps filters of notes under names: they are links on the list, only to that person and in the
// organization and environment that they were made in.
func TestNotes_SavedFilters(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Escola")
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	s.member(t, "viewer@example.com", other.ID, nfse.RoleViewer)
	colleague := s.signedIn(t, "colleague@example.com", s.Organization.ID, nfse.RoleOwner)
	filtered := s.at("/notes") + "&state=issued&q=" + "da+Silva"
	shown := viewer.get(t, filtered).expect(t, http.StatusOK, "Salvar este filtro", `name="q" value="da Silva"`)
	if strings.Contains(viewer.get(t, s.at("/notes")).body, "Salvar este filtro") {
		t.Error("a list without a filter can be saved")
	}
	hostile := `<b>Emitidas</b> & "mais"`
	saved := form("q", "da Silva", "state", "issued", "name", hostile, "unknown", "x")
	to := viewer.post(t, s.at("/notes/filters"), saved).expect(t, http.StatusSeeOther).header.Get("Location")
	viewer.get(t, to).expect(t, http.StatusOK, "Filtro salvo", "&lt;b&gt;Emitidas&lt;/b&gt; &amp; &#34;mais&#34;",
		`aria-current="true">&lt;b&gt;`)
	viewer.get(t, s.at("/notes")).expect(t, http.StatusOK, "q=da&#43;Silva", "state=issued")
	for who, body := range map[string]string{
		"a colleague": colleague.get(t, s.at("/notes")).body, "another environment": viewer.get(t, s.live("/notes")).body,
		"another organization": viewer.get(t, s.of("/notes", other.ID, "test")).body, "before": shown.body,
	} {
		if strings.Contains(body, "&lt;b&gt;Emitidas") {
			t.Errorf("it is shown to %s", who)
		}
	}
	if kept := s.Text(t, `SELECT query::text FROM saved_filters`); kept != `{"q": "da Silva", "state": "issued"}` {
		t.Errorf("kept is %s", kept)
	}
	// Somebody else cannot remove it, and the same name replaces it.
	id := s.Text(t, `SELECT id FROM saved_filters`)
	colleague.post(t, s.at("/notes/filters/"+id+"/remove"), form()).expect(t, http.StatusSeeOther)
	saved.Set("state", "rejected")
	viewer.post(t, s.at("/notes/filters"), saved).expect(t, http.StatusSeeOther)
	if kept := s.Text(t, `SELECT query ->> 'state' FROM saved_filters WHERE id = $1`, id); kept != "rejected" {
		t.Errorf("the state is %s", kept)
	}
	viewer.post(t, s.at("/notes/filters/"+id+"/remove"), form()).expect(t, http.StatusSeeOther)
	if s.Count(t, `SELECT count(*) FROM saved_filters`) != 0 {
		t.Error("it is not removed")
	}
	if s.Count(t, `SELECT count(*) FROM audit_log WHERE actor_id = $1 AND action NOT LIKE 'user.%'`, viewer.id) != 0 {
		t.Error("the audit log has something of it")
	}
}

// There are 20 at most; names are bounded, and a member who leaves leaves none.
func TestNotes_SavedFiltersBounded(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	save := func(name, says string) {
		t.Helper()
		to := viewer.post(t, s.at("/notes/filters"), form("state", "issued", "name", name)).
			expect(t, http.StatusSeeOther).header.Get("Location")
		viewer.get(t, to).expect(t, http.StatusOK, says)
	}
	for _, wrong := range []string{"", "  ", strings.Repeat("á", 61), "a\x00b"} {
		save(wrong, "até 60 caracteres")
	}
	for i := range 20 {
		save(fmt.Sprint("filtro ", i), "Filtro salvo")
	}
	save("mais um", "você já tem 20 filtros")
	save("filtro 7", "Filtro salvo")
	to := viewer.post(t, s.at("/notes/filters"), form("name", "vazio")).header.Get("Location")
	viewer.get(t, to).expect(t, http.StatusOK, "a lista não tem filtro")
	viewer.post(t, s.at("/notes/filters"), form("name", "x", "q", strings.Repeat("x", 201))).
		expect(t, http.StatusBadRequest)
	must(t, s.Changes().Access.RemoveMember(t.Context(), s.Organization.ID, viewer.id))
	if s.Count(t, `SELECT count(*) FROM saved_filters`) != 0 {
		t.Error("filters of who left are kept")
	}
}
