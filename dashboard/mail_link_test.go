package dashboard_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"emissor/dashboard/frame"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/test/testkit"
)

// newMailingSite is a site with a mail server.
func newMailingSite(t *testing.T) (*site, *testkit.Mailbox) {
	t.Helper()
	box := testkit.NewMailbox(t)
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: box.Port, From: "notas@emissor.example",
		TLS: mail.NoTLS})
	must(t, err)
	return newSite(t, func(options *frame.Options) { options.Mail = sender }), box
}

var mailedLink = regexp.MustCompile(`/link/[A-Za-z0-9_-]+`)

// invites lets an owner invite somebody, and returns the path of the link that came by
// mail. The owner is not shown it.
func (p *person) invites(t *testing.T, box *testkit.Mailbox, email, organizationID string) string {
	t.Helper()
	before := len(box.Received())
	shown := p.post(t, p.site.of("/people/invitations", organizationID, "test"), form("email", email, "role",
		"viewer")).
		expect(t, http.StatusOK, "Enviamos o link por e-mail a "+email)
	mails := box.Received()
	if len(mails) != before+1 {
		t.Fatalf("%d mails were sent", len(mails)-before)
	}
	path := mailedLink.FindString(strings.ReplaceAll(mails[before], "=\r\n", ""))
	if path == "" {
		t.Fatalf("no link is in the mail\n%s", mails[before])
	}
	if strings.Contains(shown.body, "/link/") {
		t.Errorf("the link is shown\n%s", shown.body)
	}
	return path
}

// Who invites cannot come in instead: where there is a mail server no page shows a link,
// also when it fails; where there is none the page does.
func TestLinks_AreShownWithoutMailOnly(t *testing.T) {
	t.Parallel()
	s, box := newMailingSite(t)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.invites(t, box, "nova@example.com", s.Organization.ID)
	member := s.member(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	recover := func(text string) {
		t.Helper()
		page := owner.confirms(t, s.at("/people/"+member+"/link"), form()).expect(t, http.StatusOK, text)
		if strings.Contains(page.body, "/link/") {
			t.Errorf("the link is shown\n%s", page.body)
		}
	}
	recover("Enviamos o link por e-mail a ana@example.com")
	box.Refuse(550, "no such user")
	recover("O e-mail a ana@example.com não pôde ser enviado, e ninguém tem o link")

	without := newSite(t, nil)
	without.signedIn(t, "dona@example.com", without.Organization.ID, nfse.RoleOwner).
		post(t, without.at("/people/invitations"), form("email", "nova@example.com", "role", "viewer")).
		expect(t, http.StatusOK, "Envie este link a nova@example.com", without.base+"/link/")
	if n := without.Count(t, `SELECT count(*) FROM links WHERE mailed_at IS NOT NULL`); n != 0 {
		t.Errorf("%d links are on record as mailed", n)
	}
}
