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
	hangsFor string        // a recipient
	hanging  int           // sessions
	released chan struct{} // closed when it hangs for nobody any more
	release  func()
}

// NewMailbox starts one for the time of a test.
func NewMailbox(t testing.TB) *Mailbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	box := &Mailbox{Port: listener.Addr().(*net.TCPAddr).Port, released: make(chan struct{})}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return mailSession{box}, nil }))
	server.ErrorLog = log.New(io.Discard, "", 0)
	go func() { _ = server.Serve(listener) }()
	box.release = sync.OnceFunc(func() { close(box.released) })
	t.Cleanup(func() {
		box.release()
		_ = server.Close()
	})
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

// Hang lets the server say nothing more to who names a recipient, until it is released or
// the test ends.
func (b *Mailbox) Hang(recipient string) (release func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hangsFor = recipient
	return b.release
}

// Hanging is how many sessions hang.
func (b *Mailbox) Hanging() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hanging
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

func (s mailSession) Rcpt(recipient string, _ *smtp.RcptOptions) error {
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	if recipient == s.box.hangsFor {
		s.box.hanging++
		s.box.mu.Unlock()
		<-s.box.released
		s.box.mu.Lock()
		s.box.hanging--
	}
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
