package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"

	"emissor/internal/testkit"
	"emissor/store"
)

// mailbox is a mail server that takes everything.
type mailbox struct {
	port     string
	mu       sync.Mutex
	messages []string
}

func newMailbox(t *testing.T) *mailbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	box := &mailbox{port: fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return box, nil }))
	server.ErrorLog = log.New(io.Discard, "", 0)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return box
}

func (b *mailbox) Mail(string, *smtp.MailOptions) error { return nil }
func (b *mailbox) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (b *mailbox) Reset()                               {}
func (b *mailbox) Logout() error                        { return nil }

func (b *mailbox) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.messages = append(b.messages, string(raw))
	return err
}

func (b *mailbox) received() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.messages...)
}

// The worker sends the printed form beside the XML, unless it is told not to.
func TestEmail_CarriesDANFSe(t *testing.T) {
	for setting, attached := range map[string]bool{"": true, "true": true, "false": false} {
		t.Run("EMISSOR_EMAIL_DANFSE="+setting, func(t *testing.T) {
			database, box := testkit.NewDatabase(t), newMailbox(t)
			issueLive(t, database, bookkept(t, database), "order")
			database.Exec(t, `UPDATE customers SET email = 'maria@example.com'`)
			s := settingsOf(database).with("EMISSOR_SMTP_HOST", "127.0.0.1").with("EMISSOR_SMTP_PORT", box.port).
				with("EMISSOR_SMTP_FROM", "notas@emissor.example").with("EMISSOR_SMTP_TLS", "none").
				with("EMISSOR_EMAIL_DANFSE", setting)
			skipped := printed[[]store.Email](t, s, "email", "list", "--status", "skipped")
			succeeds(t, s, "email", "retry", skipped[0].ID)
			start(t, s, "serve")
			testkit.Eventually(t, "the customer gets the e-mail", func() bool { return len(box.received()) > 0 })
			message := box.received()[0]
			if !strings.Contains(message, "application/xml") ||
				strings.Contains(message, "application/pdf") != attached {
				t.Errorf("the customer got\n%s", message)
			}
		})
	}
}

// A logo that is none stops the start, not the e-mails.
func TestEmail_WrongLogo(t *testing.T) {
	s := settingsOf(testkit.NewDatabase(t)).with("EMISSOR_DANFSE_LOGO", write(t, "logo.svg", []byte("<svg/>")))
	if result := execute(t, s, "serve"); result.code != 1 || !strings.Contains(result.stderr,
		"EMISSOR_DANFSE_LOGO: the logo is neither PNG nor JPEG") {
		t.Errorf("it ended with %d\n%s", result.code, result.stderr)
	}
}
