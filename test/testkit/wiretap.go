package testkit

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"emissor/store"
	"emissor/test/pgwire"
)

// Wiretap is a proxy between the store and PostgreSQL that records every
// statement, as the protocol carries it.
type Wiretap struct {
	Before func(statement string) // called before PostgreSQL gets a statement, if set

	mu         sync.Mutex
	statements []string
	commits    []string
}

// Take returns the statements since the last call.
func (w *Wiretap) Take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.statements
	w.statements = nil
	return taken
}

// TakeCommits returns what wrote since the last call, by a statement of each transaction: as far
// as statements tell, which may find nothing to change.
func (w *Wiretap) TakeCommits() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.commits
	w.commits = nil
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
		var open transaction
		return func(message pgwire.Message) {
			switch parts := strings.Split(string(message.Content), "\x00"); message.Type {
			case 'Q': // its text
				w.note(parts[0], &open)
			case 'P': // the statement's name and text
				parsed[parts[0]] = parts[1]
			case 'B': // the names of portal and statement
				bound = parsed[parts[1]]
			case 'E':
				w.note(bound, &open)
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

func (w *Wiretap) note(statement string, open *transaction) {
	if w.Before != nil {
		w.Before(statement)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.statements = append(w.statements, statement)
	if writing := open.after(statement); writing != "" {
		w.commits = append(w.commits, writing)
	}
}

// transaction is where a connection stands: whether it has begun one, and what wrote in it.
type transaction struct {
	begun   bool
	writing string
}

var writes = regexp.MustCompile(`\b(UPDATE|INSERT INTO|DELETE FROM)\b`) // locking a row writes as well

// after returns a statement that wrote in the transaction that another one ends, if any did.
func (t *transaction) after(statement string) (writing string) {
	word, _, _ := strings.Cut(strings.TrimSpace(statement), " ")
	switch word {
	case "BEGIN":
		*t = transaction{begun: true}
		return ""
	case "ROLLBACK":
		t.writing = ""
		fallthrough
	case "COMMIT":
		writing = t.writing
		*t = transaction{}
		return writing
	}
	if !writes.MatchString(statement) {
		return ""
	}
	if t.begun {
		t.writing = statement
		return ""
	}
	return statement
}
