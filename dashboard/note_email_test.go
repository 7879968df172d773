package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
)

// A note is e-mailed again to any address, by who may, and each is an e-mail of its own.
func TestNote_EmailAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.issuedLive(t, "vivo")
	s.Exec(t, `INSERT INTO note_documents (note_id, xml) VALUES ($1, 'xml')`, id)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	address := s.live("/notes/" + id + "/email")
	live := func(email string) map[string][]string { return form("env", "live", "email", email) }
	viewer.post(t, address, live("a@example.com")).expect(t, http.StatusForbidden)
	if strings.Contains(viewer.get(t, s.live("/notes/"+id)).body, "Enviar por e-mail") {
		t.Error("a viewer is offered to send it")
	}
	editor.get(t, s.live("/notes/"+id)).expect(t, http.StatusOK, "Enviar por e-mail", "Duplicar")
	editor.post(t, address, live("a@b@c")).expect(t, http.StatusUnprocessableEntity, `value="a@b@c"`, `href="#email"`)
	for _, to := range []string{"contador@example.com", "maria@example.com"} {
		editor.post(t, address, live(to)).expect(t, http.StatusSeeOther)
	}
	if n := s.Count(t, `SELECT count(*) FROM emails e JOIN outbox o ON o.subject_id = e.id AND o.kind = 'email'
		WHERE copy_of = $1 AND status = 'pending' AND address IN ('contador@example.com', 'maria@example.com')`, id); n != 2 {
		t.Errorf("%d e-mails are on their way", n)
	}
	if n := s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'email.note' AND subject_id = $1
		AND actor_id = $2`, id, editor.id); n != 2 {
		t.Errorf("the audit log has %d entries", n)
	}
	editor.get(t, s.live("/notes/"+id)).expect(t, http.StatusOK, "O e-mail está a caminho", "reenviado",
		"editor@example.com")
	viewer.get(t, s.live("/emails")+"&q="+id).expect(t, http.StatusOK, "contador@example.com", "maria@example.com")
	test := s.note(t)
	editor.post(t, s.at("/notes/"+test+"/email"), form("email", "a@example.com")).
		expect(t, http.StatusUnprocessableEntity, "emitida em produção")
	other, _, _ := s.NewOrganization(t, "Escola")
	theirs := s.signedIn(t, "theirs@example.com", other.ID, nfse.RoleOwner)
	theirs.post(t, s.of("/notes/"+id+"/email", other.ID, "live"), live("a@example.com")).expect(t, http.StatusNotFound)
}

// What was sent and answered is read by developers, as it was, and by nobody of another organization.
func TestNote_Messages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.issuedLive(t, "vivo")
	s.Exec(t, `UPDATE fiscal_exchanges SET xml = convert_to($2, 'UTF8') WHERE note_id = $1`, id,
		`<?xml version="1.0"?><a:NFSe xmlns:a="x" Id="1"><b>João &amp; <![CDATA[<i>]]></b><c/></a:NFSe>`)
	s.Exec(t, `INSERT INTO fiscal_calls (note_id, what, ended_at, outcome, body)
		VALUES ($1, 'find', now(), 'unknown', '\x3c68746d6c3effc3'::bytea)`, id)
	developer := s.signedIn(t, "developer@example.com", s.Organization.ID, nfse.RoleDeveloper)
	list := developer.get(t, s.live("/notes/"+id+"/messages")).expect(t, http.StatusOK, "Recebida", "Consulta da nota", "Emissão")
	exchange := "r" + s.Text(t, `SELECT max(id)::text FROM fiscal_exchanges WHERE note_id = $1`, id)
	call := "c" + s.Text(t, `SELECT max(id)::text FROM fiscal_calls WHERE note_id = $1`, id)
	for _, one := range []string{exchange, call} {
		if !strings.Contains(list.body, "/messages/"+one) {
			t.Errorf("%s is not listed", one)
		}
	}
	developer.get(t, s.live("/notes/"+id+"/messages/"+exchange)).expect(t, http.StatusOK,
		"&lt;a:NFSe xmlns:a=&#34;x&#34; Id=&#34;1&#34;&gt;\n  &lt;b&gt;João")
	developer.get(t, s.live("/notes/"+id+"/messages/"+call)).expect(t, http.StatusOK, "&lt;html&gt;")
	raw := developer.get(t, s.live("/notes/"+id+"/messages/"+call+"/xml")).expect(t, http.StatusOK)
	if raw.body != "<html>\xff\xc3" || !strings.HasPrefix(raw.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the bytes are %q", raw.body)
	}
	developer.get(t, s.live("/notes/"+s.noteOf(t, s.LiveKey, "outra")+"/messages/"+call)).expect(t, http.StatusNotFound)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	viewer.get(t, s.live("/notes/"+id+"/messages")).expect(t, http.StatusForbidden)
	other, _, _ := s.NewOrganization(t, "Escola")
	theirs := s.signedIn(t, "theirs@example.com", other.ID, nfse.RoleOwner)
	theirs.get(t, s.of("/notes/"+id+"/messages/"+call, other.ID, "live")).expect(t, http.StatusNotFound)
}
