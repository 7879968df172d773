package dashboard_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/dashboard/frame"
	"emissor/internal/web"
	"emissor/nfse"
	"emissor/test/testkit"
)

// dial opens a connection to the dashboard from one of this machine's addresses.
func (s *site) dial(t *testing.T, from string) net.Conn {
	t.Helper()
	address, err := url.Parse(s.base)
	must(t, err)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	connection, err := dialer.Dial("tcp", "127.0.0.1:"+address.Port())
	must(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	must(t, connection.SetDeadline(time.Now().Add(30*time.Second))) // a server without room would never answer
	return connection
}

// ask asks for a page on a connection, with a cookie.
func ask(t *testing.T, connection net.Conn, path, cookie string, headers ...string) *http.Response {
	t.Helper()
	_, err := fmt.Fprintf(connection, "GET %s HTTP/1.1\r\nHost: x\r\nCookie: emissor=%s\r\n%s\r\n", path, cookie,
		strings.Join(headers, ""))
	must(t, err)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	must(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	must(t, err)
	return response
}

// Strangers who hold connections keep nobody out, and least of all who is signed in.
func TestConnections_OfStrangersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	const connections = 20
	system := testkit.NewSystem(t, testkit.Options{})
	s := serveSite(t, system, web.ListenOptions{Connections: connections, PerAddress: 8},
		testkit.OpenStore(t, system.As(testkit.Roles.Dashboard)), nil)
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	cookie := ana.cookie(t)
	ana.client.CloseIdleConnections()
	kept := s.dial(t, "127.0.0.1")
	if answer := ask(t, kept, s.at("/notes"), cookie); answer.StatusCode != http.StatusOK || answer.Close {
		t.Fatalf("who is signed in is answered %d, and the connection closes: %t", answer.StatusCode, answer.Close)
	}
	for i := range 3 * connections {
		s.dial(t, fmt.Sprintf("127.0.0.%d", 1+i%10))
	}
	if answer := ask(t, kept, s.at("/notes"), cookie); answer.StatusCode != http.StatusOK {
		t.Errorf("on the connection from before the answer is %d", answer.StatusCode)
	}
	if answer := ask(t, s.dial(t, "127.0.0.1"), "/sign-in", ""); answer.StatusCode != http.StatusOK || !answer.Close {
		t.Errorf("a stranger is answered %d, and the connection closes: %t", answer.StatusCode, answer.Close)
	}
	for path, keeps := range map[string]bool{s.at("/notes"): true, "/assets/style.css": true, "/sign-in": true} {
		if answer := ask(t, s.dial(t, "127.0.0.1"), path, cookie); answer.Close == keeps {
			t.Errorf("%s of who is signed in: the connection closes: %t", path, answer.Close)
		}
	}
	s.Exec(t, `UPDATE sessions SET ended_at = now()`)
	if answer := ask(t, s.dial(t, "127.0.0.1"), s.at("/notes"), cookie); !answer.Close {
		t.Error("the connection of a session that has ended stays")
	}
	if answer := ask(t, s.dial(t, "127.0.0.1"), "/assets/style.css", cookie); !answer.Close {
		t.Error("a session that has ended is still known")
	}
}

// Behind a trusted proxy the requests of each address are bounded, but for who is signed
// in; in front of none they are not.
func TestForwarded_RequestsAtOnceOfEachAddress(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")}
	system := testkit.NewSystem(t, testkit.Options{})
	s := serveSite(t, system, web.ListenOptions{Connections: 100, PerAddress: 100, TrustedProxies: proxies},
		testkit.OpenStore(t, system.As(testkit.Roles.Dashboard)), func(o *frame.Options) {
			o.TrustedProxies, o.PerAddress = proxies, 2
		})
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	ana.get(t, s.at("/notes")).expect(t, http.StatusOK)

	const client, neighbour = "203.0.113.1", "203.0.113.2"
	forwarded := func(address string) string { return "X-Forwarded-For: " + address + "\r\n" }
	for range 2 { // each sends a form that does not end
		slow := s.dial(t, "127.0.0.9")
		_, err := fmt.Fprintf(slow, "POST /language HTTP/1.1\r\nHost: x\r\n%sContent-Type: "+
			"application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nlanguage=", forwarded(client))
		must(t, err)
	}
	testkit.Eventually(t, "both forms are under way", func() bool { return dashboard.UnderWay(s.pages) == 2 })
	refused := ask(t, s.dial(t, "127.0.0.9"), "/sign-in", "", forwarded(client))
	if refused.StatusCode != http.StatusTooManyRequests || refused.Header.Get("Retry-After") != "1" {
		t.Errorf("a third request of one address: %d, again after %q", refused.StatusCode,
			refused.Header.Get("Retry-After"))
	}
	for what, answer := range map[string]*http.Response{
		"who is signed in, of the same address": ask(t, s.dial(t, "127.0.0.9"), s.at("/notes"), ana.cookie(t),
			forwarded(client)),
		"a neighbour":           ask(t, s.dial(t, "127.0.0.9"), "/sign-in", "", forwarded(neighbour)),
		"not through the proxy": ask(t, s.dial(t, "127.0.0.1"), "/sign-in", "", forwarded(client)),
	} {
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", what, answer.StatusCode)
		}
	}
}

// A form that does not come to its end is given up, and says so.
func TestBody_TimesOut(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleEditor)
	impatient := web.NewServer(dashboard.Handler(s.pages), testkit.Logger(t))
	impatient.ReadTimeout = 200 * time.Millisecond // web has a test of the ten seconds
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	go func() { _ = impatient.Serve(listener) }()
	t.Cleanup(func() { _ = impatient.Close() })
	connection, err := net.Dial("tcp", listener.Addr().String())
	must(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	_, err = fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: x\r\nCookie: emissor=%s\r\nContent-Type: "+
		"application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nenv=test", s.at("/catalogue/services"),
		ana.cookie(t))
	must(t, err)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	must(t, err)
	body, err := io.ReadAll(response.Body)
	must(t, err)
	page{response.StatusCode, response.Header, string(body)}.expect(t, http.StatusRequestTimeout,
		"O envio demorou demais")
	if n := s.Count(t, `SELECT count(*) FROM services`); n != 0 {
		t.Errorf("%d services were saved", n)
	}
}

// Who is signed in is so at every process: the page to sign in leads them on also where they
// were never seen, while their address has a try.
func TestSignIn_KnownElsewhere(t *testing.T) {
	t.Parallel()
	system := testkit.NewSystem(t, testkit.Options{})
	s := newSiteBeside(t, system, nil)
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	another := newSiteBeside(t, system, func(o *frame.Options) { o.Tries = 2; standing(o) })
	asked := func(cookie string) int {
		t.Helper()
		return ask(t, another.dial(t, "127.0.0.1"), "/sign-in?next=%2Fnotes", cookie).StatusCode
	}
	for range 2 {
		if status := asked(nfse.NewLinkText()); status != http.StatusOK {
			t.Errorf("a cookie that names nothing is answered %d", status)
		}
	}
	if status := asked(ana.cookie(t)); status != http.StatusOK {
		t.Errorf("without a try the session is looked up: %d", status)
	}
	fresh := newSiteBeside(t, system, nil)
	answer := ask(t, fresh.dial(t, "127.0.0.1"), "/sign-in?next=%2Fnotes", ana.cookie(t))
	if to := answer.Header.Get("Location"); answer.StatusCode != http.StatusSeeOther || to != "/notes" {
		t.Errorf("who is signed in is answered %d, and led to %q", answer.StatusCode, to)
	}
}

// Anybody may ask for the health and for the page to sign in, as often as they like: no
// request of theirs is a statement, but for a few tries with a cookie that names no session.
func TestStrangers_CostNoStatements(t *testing.T) {
	t.Parallel()
	const tries = 4
	tap := &testkit.Wiretap{}
	system := testkit.NewSystem(t, testkit.Options{})
	s := serveSite(t, system, web.ListenOptions{Connections: 500, PerAddress: 500},
		tap.Connect(t, system.As(testkit.Roles.Dashboard)), func(o *frame.Options) {
			standing(o)
			o.Tries = tries
		})
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	ana.get(t, s.at("/notes")).expect(t, http.StatusOK)
	if len(tap.Take()) == 0 {
		t.Fatal("no statement is seen")
	}
	const requests = 30
	for range requests {
		s.stranger(t).get(t, "/sign-in?next=%2Fnotes").expect(t, http.StatusOK, "next=/notes")
	}
	if statements := tap.Take(); len(statements) > 0 {
		t.Errorf("%d pages to sign in cost %d statements: %q", requests, len(statements), statements)
	}
	for range requests {
		somebody := http.Header{"Cookie": {"emissor=" + nfse.NewLinkText()}}
		s.stranger(t).send(t, http.MethodGet, "/sign-in", somebody, "", nil).expect(t, http.StatusOK)
	}
	if statements := tap.Take(); len(statements) > tries {
		t.Errorf("%d cookies that name nothing cost %d statements: %q", requests, len(statements), statements)
	}
	began := time.Now()
	for range requests {
		s.stranger(t).get(t, "/health").expect(t, http.StatusOK)
	}
	if asked, most := len(tap.Take()), 1+int(time.Since(began)/time.Second); asked == 0 || asked > most {
		t.Errorf("the database was asked %d times for its health in %s", asked, time.Since(began))
	}
	// Who is signed in goes on instead.
	to := ana.get(t, "/sign-in?next=%2Fnotes").expect(t, http.StatusSeeOther).header.Get("Location")
	if to != "/notes" {
		t.Errorf("who is signed in is led to %s", to)
	}
}
