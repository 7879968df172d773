package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"emissor/api"
	"emissor/internal/web"
	"emissor/test/testkit"
)

// dialFrom opens a connection to the API from one of this machine's addresses.
func dialFrom(t *testing.T, s *testkit.System, from string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	connection, err := dialer.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	// Long, and not for ever: a server without room would never answer.
	if err := connection.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return connection
}

// ask makes a request on a connection, and returns its answer.
func ask(t *testing.T, connection net.Conn, path, key string) *http.Response {
	t.Helper()
	_, err := fmt.Fprintf(connection, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", path, key)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	return response
}

// isClosed waits until the server has closed a connection.
func isClosed(t *testing.T, connection net.Conn) bool {
	t.Helper()
	if err := connection.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	_, err := connection.Read(make([]byte, 1))
	timeout, ok := err.(net.Error)
	return err != nil && (!ok || !timeout.Timeout())
}

func TestConnections_IdleStrangersKeepNobodyOut(t *testing.T) {
	const connections, perAddress = 20, 8
	for name, test := range map[string]struct {
		addresses int
		asks      bool // once, and then is silent
	}{
		"silent, of the caller's address": {1, false},
		"asked, of the caller's address":  {1, true},
		"silent, of many addresses":       {10, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := testkit.NewSystem(t, testkit.Options{
				Listen: web.ListenOptions{Connections: connections, PerAddress: perAddress},
			})
			kept := dialFrom(t, s, "127.0.0.1")
			same(t, "a valid key", ask(t, kept, "/v1/services", s.TestKey).StatusCode, http.StatusOK)
			for i := range 3 * connections {
				stranger := dialFrom(t, s, fmt.Sprintf("127.0.0.%d", 1+i%test.addresses))
				if test.asks {
					ask(t, stranger, "/llms-full.txt", "")
				}
			}
			for _, key := range []string{s.TestKey, s.LiveKey} { // of one of them nothing was seen before
				answer := ask(t, dialFrom(t, s, "127.0.0.1"), "/v1/services", key)
				same(t, "the status with a valid key", answer.StatusCode, http.StatusOK)
			}
			same(t, "on the connection from before", ask(t, kept, "/v1/services", s.TestKey).StatusCode, http.StatusOK)
		})
	}
}

func TestConnections_PerAddress(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")}
	s := testkit.NewSystem(t, testkit.Options{
		API: api.Options{TrustedProxies: trusted},
		Listen: web.ListenOptions{
			Connections: 100, PerAddress: 3, TrustedProxies: trusted,
		},
	})
	const address = "127.0.0.7"
	other := dialFrom(t, s, "127.0.0.8")
	stranger := dialFrom(t, s, address)
	for range 3 {
		ask(t, dialFrom(t, s, address), "/v1/services", s.TestKey)
	}
	if !isClosed(t, stranger) {
		t.Error("the connection of a stranger is open, and the address has three others")
	}
	if !isClosed(t, dialFrom(t, s, address)) {
		t.Error("the address has four connections with a key")
	}
	same(t, "another address", ask(t, other, "/v1/services", s.TestKey).StatusCode, http.StatusOK)

	proxy := make([]net.Conn, 10)
	for i := range proxy {
		proxy[i] = dialFrom(t, s, "127.0.0.9")
	}
	for _, connection := range proxy {
		ask(t, connection, "/v1/health", "")
		same(t, "again", ask(t, connection, "/v1/health", "").StatusCode, http.StatusOK)
	}
}

func TestConnections_AnswersToStrangersClose(t *testing.T) {
	s := newSystem(t)
	for _, test := range []struct {
		path, key string
		closes    bool
	}{
		{"/llms-full.txt", "", true}, {"/v1/health", "", true}, {"/nothing", "", true}, {"/v1/services", "", true},
		{"/v1/health", s.TestKey, true}, // nobody looks at it there
		{"/v1/services", s.TestKey, false}, {"/v1/services/1", s.TestKey, false},
	} {
		connection := dialFrom(t, s, "127.0.0.1")
		if response := ask(t, connection, test.path, test.key); response.Close != test.closes {
			t.Errorf("%s with %q: the connection closes: %v", test.path, test.key, response.Close)
		}
		if test.closes && !isClosed(t, connection) {
			t.Errorf("%s with %q: the connection is open", test.path, test.key)
		}
	}
	connection := dialFrom(t, s, "127.0.0.1")
	ask(t, connection, "/v1/services", s.TestKey)
	s.Exec(t, `UPDATE api_keys SET revoked_at = now()`)
	if !ask(t, connection, "/v1/services", s.TestKey).Close {
		t.Error("the connection of a revoked key stays")
	}
}

func TestConnections_AllTaken(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{Listen: web.ListenOptions{Connections: 2}})
	first := dialFrom(t, s, "127.0.0.1")
	ask(t, first, "/v1/services", s.TestKey)
	ask(t, dialFrom(t, s, "127.0.0.1"), "/v1/services", s.TestKey)
	third := dialFrom(t, s, "127.0.0.1") // waits for its turn
	_ = first.Close()
	same(t, "the third", ask(t, third, "/v1/services", s.TestKey).StatusCode, http.StatusOK)
}
