package api_test

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"emissor/internal/testkit"
	"emissor/municipality"
	"emissor/store"
)

// wiretap stands between the store and PostgreSQL and notes every statement
// that crosses, as the protocol carries it.
type wiretap struct {
	mu         sync.Mutex
	statements []string
}

// take returns the statements since the last call.
func (w *wiretap) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.statements
	w.statements = nil
	return taken
}

// connect opens a store whose connections pass through the wiretap.
func (w *wiretap) connect(t testing.TB, databaseURL string) *store.Store {
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
	return testkit.OpenStore(t, address.String())
}

func (w *wiretap) relay(client net.Conn, address string) {
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

func (w *wiretap) note(statement string) {
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

// cost sorts statements into those that count, and how transactions began and
// ended.
func cost(statements []string) (counted []string, begins, commits, rollbacks int) {
	for _, statement := range statements {
		switch verb, _, _ := strings.Cut(strings.TrimSpace(statement), " "); verb {
		case "BEGIN":
			begins++
		case "COMMIT":
			commits++
		case "ROLLBACK":
			rollbacks++
		case ";": // what the driver asks to see whether a connection lives
		default:
			counted = append(counted, strings.Join(strings.Fields(statement), " "))
		}
	}
	return counted, begins, commits, rollbacks
}

func TestCost_Accept(t *testing.T) {
	tap := &wiretap{}
	zips := newZipServer(t)
	plain := testkit.NewSystem(t, testkit.Options{Connect: tap.connect}) // no engine: nothing there could call Temporal
	service := plain.NewService(t, plain.TestKey)
	customer := post(t, plain, "/v1/customers", customerBody()).Expect(t, http.StatusCreated).Text("id")
	inline := func(reference, document string) Body {
		return with(testkit.Issuance(service, reference), Body{"customer.document": document})
	}
	measure := func(what string, most int, request func() testkit.Answer) {
		t.Helper()
		tap.take()
		request().Expect(t, http.StatusAccepted)
		counted, begins, commits, rollbacks := cost(tap.take())
		if len(counted) == 0 || len(counted) > most || begins != commits || commits > 1 || rollbacks != 0 {
			t.Errorf("%s: %d statements, %d BEGIN, %d COMMIT, %d ROLLBACK:\n%s", what, len(counted), begins, commits,
				rollbacks, strings.Join(counted, "\n"))
		}
	}
	measure("inline, a new customer, a zip code in a range", 6, func() testkit.Answer {
		return post(t, plain, "/v1/nfse", inline("order-1", cpf(1)))
	})
	measure("inline, a known customer", 6, func() testkit.Answer {
		return post(t, plain, "/v1/nfse", inline("order-2", cpf(1)))
	})
	measure("a customer on record", 6, func() testkit.Answer {
		return post(t, plain, "/v1/nfse", byID(service, customer, "order-3"))
	})
	measure("a replay", 2, func() testkit.Answer { return post(t, plain, "/v1/nfse", inline("order-2", cpf(1))) })

	online := testkit.NewSystem(t, testkit.Options{Connect: tap.connect,
		Services: []municipality.Service{zips.viaCEP(t)}})
	service = online.NewService(t, online.TestKey)
	measure("inline, a zip code looked up", 6, func() testkit.Answer {
		return post(t, online, "/v1/nfse", inline("order-1", cpf(1)))
	})
	measure("inline, a remembered zip code", 6, func() testkit.Answer {
		return post(t, online, "/v1/nfse", inline("order-2", cpf(2)))
	})
}

func TestCost_Read(t *testing.T) {
	tap := &wiretap{}
	s := testkit.NewSystem(t, testkit.Options{Connect: tap.connect})
	service := s.NewService(t, s.TestKey)
	note := post(t, s, "/v1/nfse", testkit.Issuance(service, "order-1")).Expect(t, http.StatusAccepted)
	for _, path := range []string{
		"/v1/services", "/v1/services/" + service, "/v1/customers", "/v1/customers/" + note.Text("customer_id"),
		"/v1/nfse", "/v1/nfse/" + note.Text("id"), "/v1/nfse/" + note.Text("id") + "/xml",
	} {
		tap.take()
		get(t, s, path)
		counted, begins, commits, _ := cost(tap.take())
		if len(counted) != 2 || begins != 0 || commits != 0 { // the key and the record
			t.Errorf("%s: %d BEGIN, %d COMMIT:\n%s", path, begins, commits, strings.Join(counted, "\n"))
		}
	}
}
