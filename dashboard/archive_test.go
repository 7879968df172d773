package dashboard_test

import (
	"net/http"
	"testing"

	"emissor/nfse"
)

// Where the document of a note is in an archive that is away, the note's page is there and says so, and so do its
// files, in both languages.
func TestNote_ArchiveAway(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.issuedWithTotals(t, "arquivada", `{"service_cents": 10000}`)
	s.Exec(t, `INSERT INTO note_documents (note_id, xml) VALUES ($1, '<NFSe/>') ON CONFLICT DO NOTHING`, id)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	back := s.ArchiveAway(t)
	viewer.get(t, s.live("/notes/"+id)).expect(t, http.StatusOK, "no arquivo, que não responde agora")
	for _, file := range []string{"/xml", "/danfse"} {
		viewer.get(t, s.live("/notes/"+id+file)).expect(t, http.StatusServiceUnavailable, "O arquivo não responde agora")
	}
	viewer.reads(t, s.live("/notes/"+id), "en").has(t, "in the archive, which does not answer right now")
	back()
	viewer.get(t, s.live("/notes/"+id+"/xml")).expect(t, http.StatusOK, "<NFSe/>")
}
