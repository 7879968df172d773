package mail_test

import (
	"strings"
	"testing"

	"emissor/internal/mail"
)

// The server is spoken to up to where a message would be submitted, and none is.
func TestMailSender_Check(t *testing.T) {
	t.Parallel()
	for _, mode := range []mail.TLSMode{mail.StartTLS, mail.ImplicitTLS} {
		s := (&server{user: "notas", password: "segredo"}).start(t, mode)
		must(t, newSender(t, s.options(mode)).Check(t.Context()))
		if taken := s.taken(); len(taken) != 0 || s.sessions == 0 {
			t.Errorf("%s: the server took %+v in %d sessions", mode, taken, s.sessions)
		}
		wrong := s.options(mode)
		wrong.Password = "hush-4711"
		err := newSender(t, wrong).Check(t.Context())
		if err == nil || strings.Contains(mail.Problem(err).English(), "hush-4711") ||
			!strings.Contains(mail.Problem(err).English(), "authenticating") {
			t.Errorf("%s, with a wrong password: %v", mode, err)
		}
		untrusting := s.options(mode)
		untrusting.Roots = nil
		if newSender(t, untrusting).Check(t.Context()) == nil {
			t.Errorf("%s: the server was trusted", mode)
		}
	}
	away := mail.Options{Host: "127.0.0.1", Port: 1, From: "notas@emissor.example"}
	if newSender(t, away).Check(t.Context()) == nil {
		t.Error("nobody answered, and it was good")
	}
}
