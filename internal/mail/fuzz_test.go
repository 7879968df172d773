package mail_test

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"emissor/internal/mail"
)

// talker answers connections with what it is told, without listening.
type talker struct {
	listener net.Listener
	words    chan []byte
}

func newTalker(t testing.TB) talker {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	s := talker{listener, make(chan []byte, 1)}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
			_, _ = conn.Write(<-s.words)
			_ = conn.(*net.TCPConn).CloseWrite()
			go func() {
				defer conn.Close()
				_, _ = conn.Read(make([]byte, 64<<10))
			}()
		}
	}()
	return s
}

func (s talker) options() mail.Options {
	return mail.Options{Host: "127.0.0.1", Port: s.listener.Addr().(*net.TCPAddr).Port, TLS: mail.NoTLS,
		From: "notas@emissor.example"}
}

// Sending ends on any answer of a mail server, and what is kept of it is short text without an address.
func FuzzServerAnswers(f *testing.F) {
	for _, words := range []string{
		"220 mail.test\r\n250-mail.test\r\n250 AUTH PLAIN\r\n250 ok\r\n250 ok\r\n354 go\r\n250 ok\r\n221 bye\r\n",
		"220 mail.test\r\n250 AUTH LOGIN\r\n334 VXNlcm5hbWU6\r\n334 UGFzc3dvcmQ6\r\n535 5.7.8 no\r\n",
		"220-\r\n220 x\r\n250 AUTH PLAIN\r\n235 ok\r\n250 ok\r\n550 5.1.1 <x>: no such user\r\n",
		"421 later\r\n", "", "HTTP/1.1 400 Bad Request\r\n\r\n", "220 \xff\x00\x1b[31m\r\n", "220-\r\n220-\r\n",
	} {
		f.Add([]byte(words))
	}
	server := newTalker(f)
	sender, err := mail.New(server.options())
	must(f, err)
	f.Fuzz(func(t *testing.T, words []byte) {
		server.words <- words
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		err := sender.Send(ctx, message())
		if err == nil {
			return
		}
		_ = mail.Temporary(err)
		for _, said := range []string{mail.Summary(err).English(), mail.Problem(err).English(),
			mail.Problem(err).Portuguese()} {
			if said == "" || len(said) > 2000 || !utf8.ValidString(said) || strings.Contains(said, "@") {
				t.Errorf("%q is said as %q", words, said)
			}
		}
	})
}

// A server that never comes to the end of its answer costs some memory, and fails.
func TestSend_AnswerWithoutEnd(t *testing.T) {
	t.Parallel()
	server := newTalker(t)
	sender, err := mail.New(server.options())
	must(t, err)
	server.words <- bytes.Repeat([]byte("220-welcome\r\n"), 100_000)
	if err := sender.Send(t.Context(), message()); err == nil || !strings.Contains(err.Error(), "without end") {
		t.Errorf("%v", err)
	}
}
