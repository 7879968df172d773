package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/testkit"
)

// A part of a reference is looked for in the newest ten thousand notes of a period. The page says since when, in both
// languages, and leads to the same search in older ones.
func TestNotes_PartOfReference(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	model := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "modelo"))
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	search := s.at("/notes") + "&q=pedido-velho"
	viewer.get(t, search).expect(t, http.StatusOK, "Nenhuma nota")

	accepted := func(day int, first, notes int, reference string) {
		at := time.Date(2026, 2, day, 15, 0, 0, 0, time.UTC)
		s.Exec(t, `INSERT INTO notes SELECT added.* FROM notes n, generate_series($1::int, $2::int) i,
			jsonb_populate_record(n, jsonb_build_object('id', $3::text || lpad(i::text, 16, '0'), 'created_at', $4::timestamptz,
				'reference', $5::text || i)) added WHERE n.id = $6`,
			first, first+notes-1, nfse.FirstID(nfse.PrefixNote, at)[:len("nfse_")+10], at, reference, model)
	}
	accepted(1, 1, 1, "ana-pedido-velho-")
	accepted(2, 2, 1500, "muitas-")
	accepted(3, 2000, 9000, "muitas-")
	page := viewer.get(t, search).expect(t, http.StatusOK, "foi procurada nas notas aceitas desde 02/02/2026",
		"Procurar em notas mais antigas")
	older := strings.ReplaceAll(search, "&q=", "&until=2026-02-02&q=")
	if link := strings.ReplaceAll(page.body, "&amp;", "&"); !strings.Contains(link, "until=2026-02-02") ||
		strings.Contains(link, "ana-pedido-velho-1") {
		t.Errorf("no link leads to older ones, or they are there already:\n%s", page.body)
	}
	viewer.get(t, older).expect(t, http.StatusOK, "ana-pedido-velho-1")
	viewer.get(t, strings.ReplaceAll(search, "pedido-velho", "ana-ped")).expect(t, http.StatusOK)
}
