package testkit

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"emissor/store"
)

// Wiretap stands between the store and PostgreSQL and notes every statement
// that crosses, as the protocol carries it.
type Wiretap struct {
	mu         sync.Mutex
	statements []string
}

// Take returns the statements since the last call.
func (w *Wiretap) Take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.statements
	w.statements = nil
	return taken
}

// Connect opens a store whose connections pass through the wiretap.
func (w *Wiretap) Connect(t testing.TB, databaseURL string) *store.Store {
	address, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	server := address.Host
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go w.relay(client, server)
		}
	}()
	address.Host = listener.Addr().String()
	return OpenStore(t, address.String())
}

func (w *Wiretap) relay(client net.Conn, address string) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
	}()
	from := bufio.NewReader(client)
	first := readMessage(from, 0) // it has no type
	if _, err := server.Write(first); err != nil || first == nil {
		return
	}
	parsed := ""
	for {
		message := readMessage(from, 1)
		if message == nil {
			return
		}
		switch text := string(message[5:]); message[0] {
		case 'Q': // a query: its text
			w.note(strings.TrimRight(text, "\x00"))
		case 'P': // parse: the statement's name and text
			parsed = strings.Split(text, "\x00")[1]
		case 'E': // execute what was parsed
			w.note(parsed)
		}
		// Only now, so that nothing is answered before it is counted.
		if _, err := server.Write(message); err != nil {
			return
		}
	}
}

func (w *Wiretap) note(statement string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.statements = append(w.statements, statement)
}

// readMessage reads one message: a type of so many bytes, the length of what
// follows, and what follows. It is nil at the end.
func readMessage(from *bufio.Reader, typeBytes int) []byte {
	head, err := from.Peek(typeBytes + 4)
	if err != nil {
		return nil
	}
	message := make([]byte, typeBytes+int(binary.BigEndian.Uint32(head[typeBytes:])))
	if _, err := io.ReadFull(from, message); err != nil {
		return nil
	}
	return message
}
