package mail_test

import (
	"testing"

	"emissor/internal/mail"
)

// The address can be read again, no matter what a name is written with.
func TestMailMessage_Names(t *testing.T) {
	s := (&server{}).start(t, mail.StartTLS)
	sender := newSender(t, s.options(mail.StartTLS))
	for _, c := range []struct{ name, read string }{
		{`Ana "Nina" \ Souza, ME`, `Ana "Nina" \ Souza, ME`}, {`João \u00e9 \`, "João /u00e9 /"},
		{"🏳️‍🌈 _\\u0041 (filial)", "🏳️‍🌈 _/u0041 (filial)"}, {"漢字 <a@b>", "漢字 <a@b>"},
	} {
		sent := message()
		sent.Name, sent.Issuer = c.name, c.name
		must(t, sender.Send(t.Context(), sent))
		messages := s.taken()
		got := show(t, messages[len(messages)-1].raw)
		if to, from := got.address(t, "To"), got.address(t, "From"); to.Name != c.read || from.Name != c.read {
			t.Errorf("%q is read as %q and %q", c.name, to.Name, from.Name)
		}
	}
}
