package dashboard_test

import (
	"net/http"
	"testing"

	"emissor/dashboard"
	"emissor/mail"
	"emissor/nfse"
)

// A mail server that does not answer costs no link: the page says so, and shows it.
func TestInvite_MailFails(t *testing.T) {
	t.Parallel()
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: 1, From: "notas@emissor.example", TLS: mail.NoTLS})
	must(t, err)
	s := newSite(t, func(options *dashboard.Options) { options.Mail = sender })
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.post(t, s.at("/people/invitations"), form("email", "nova@example.com", "role", "viewer")).
		expect(t, http.StatusOK, "O e-mail a nova@example.com não pôde ser enviado", s.base+"/link/")
}
