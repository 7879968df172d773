package mail_test

import (
	"io"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"emissor/internal/mail"
)

func linkMessage() mail.LinkMessage {
	return mail.LinkMessage{
		ID: "lnk_01", Date: time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC),
		Until: time.Date(2026, 11, 28, 8, 30, 0, 0, time.UTC), To: "ana@example.com", Invitation: true,
		Organization: "Clínica São João", URL: "https://notas.example.com/link/abc",
	}
}

// A link goes out in both languages, and an organization's name stays a text.
func TestSendLink(t *testing.T) {
	s := new(server).start(t, mail.StartTLS)
	sender := newSender(t, s.options(mail.StartTLS))
	hostile := linkMessage()
	hostile.Organization = "Clínica\r\nBcc: evil@example.com\r\n\r\n"
	recovery := linkMessage()
	recovery.Invitation, recovery.Organization = false, ""
	for i, message := range []mail.LinkMessage{linkMessage(), hostile, recovery} {
		must(t, sender.SendLink(t.Context(), message))
		taken := s.taken()[i]
		parsed, err := netmail.ReadMessage(strings.NewReader(string(taken.raw)))
		must(t, err)
		text, err := io.ReadAll(quotedprintable.NewReader(parsed.Body))
		must(t, err)
		if taken.to != "ana@example.com" || !taken.secured || parsed.Header.Get("Bcc") != "" ||
			parsed.Header.Get("Message-ID") != "<lnk_01@emissor.example>" ||
			strings.Count(string(text), "https://notas.example.com/link/abc") != 2 ||
			!strings.Contains(string(text), "28/11/2026 05:30") || strings.Contains(string(text), "\nBcc:") {
			t.Errorf("the message is\n%s", taken.raw)
		}
		if invited := strings.Contains(string(text), "You are invited to join Clínica"); invited != (i < 2) {
			t.Errorf("the message %d says\n%s", i, text)
		}
	}
}

func TestSendLink_Refused(t *testing.T) {
	s := &server{onRcpt: func() error { return &smtp.SMTPError{Code: 550, Message: "no such user"} }}
	sender := newSender(t, s.start(t, mail.StartTLS).options(mail.StartTLS))
	if err := sender.SendLink(t.Context(), linkMessage()); err == nil || mail.Temporary(err) {
		t.Errorf("it answers %v", err)
	}
	wrong := linkMessage()
	wrong.To = "ana"
	if err := sender.SendLink(t.Context(), wrong); err == nil {
		t.Error("no address is taken")
	}
}
