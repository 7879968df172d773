package testkit

import (
	"io"
	"log"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// Mailbox is a mail server that answers as a test says, and keeps what it takes.
type Mailbox struct {
	Port int // on 127.0.0.1, without TLS

	mu       sync.Mutex
	answer   error // to every recipient
	messages []string
}

// NewMailbox starts one for the time of a test.
func NewMailbox(t testing.TB) *Mailbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	box := &Mailbox{Port: listener.Addr().(*net.TCPAddr).Port}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return mailSession{box}, nil }))
	server.ErrorLog = log.New(io.Discard, "", 0)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return box
}

// Refuse makes the server answer every recipient so from now on; 0 takes them.
func (b *Mailbox) Refuse(code int, words string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer = nil
	if code != 0 {
		b.answer = &smtp.SMTPError{Code: code, Message: words}
	}
}

// Received returns the messages that were taken so far, oldest first.
func (b *Mailbox) Received() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.messages)
}

// mailSession implements smtp.Session.
type mailSession struct{ box *Mailbox }

func (s mailSession) Mail(string, *smtp.MailOptions) error { return nil }

func (s mailSession) Rcpt(string, *smtp.RcptOptions) error {
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	return s.box.answer
}

func (s mailSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	s.box.messages = append(s.box.messages, string(raw))
	return err
}

func (s mailSession) Reset()        {}
func (s mailSession) Logout() error { return nil }
