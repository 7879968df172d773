package testkit

import (
	"net/url"
	"strings"
	"sync"
	"testing"

	"emissor/store"
	"emissor/test/pgwire"
)

// Wiretap is a proxy between the store and PostgreSQL that records every
// statement, as the protocol carries it.
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
	listener, err := pgwire.Listen(address.Host, func() func(pgwire.Message) {
		parsed, bound := map[string]string{}, "" // texts by the names of statements
		return func(message pgwire.Message) {
			switch parts := strings.Split(string(message.Content), "\x00"); message.Type {
			case 'Q': // its text
				w.note(parts[0])
			case 'P': // the statement's name and text
				parsed[parts[0]] = parts[1]
			case 'B': // the names of portal and statement
				bound = parsed[parts[1]]
			case 'E':
				w.note(bound)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	address.Host = listener.Addr().String()
	return OpenStore(t, address.String())
}

func (w *Wiretap) note(statement string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.statements = append(w.statements, statement)
}
