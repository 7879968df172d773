package national

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"emissor/fiscal"
)

const (
	dpsID   = "DPS330455721122233300018100001000000000000042"
	otherID = "DPS330455721122233300018100001000000000000043"
	digest  = "gOVddxIw60q1U0GaD9rqDncINSp+mdabvIC2VZnMX7U="
)

var (
	accessKey    = newKey("33045572211222333000181000000000001226111234567890")
	strangerKey  = newKey("33045572244555666000181000000000001226111234567890")
	sameIssuers  = newKey("33045572211222333000181000000000002226111234567890")
	rendering    = fiscal.Rendering{ID: dpsID, Digest: digest, XML: []byte("<?xml version=\"1.0\" encoding=\"UTF-8\"?><DPS>é</DPS>")}
	issuedXMLOf  = func(key, id string) string { return issuedDocument(key, id, digest) }
	successfully = func(key, id string) string {
		return fmt.Sprintf(`{"tipoAmbiente":2,"versaoAplicativo":"SefinNacional_1.6.0","dataHoraProcessamento":"2026-11-21T09:00:00-03:00","idDps":%q,"chaveAcesso":%q,"nfseXmlGZipB64":%q,"alertas":[]}`,
			id, key, packed(issuedXMLOf(key, id)))
	}
)

// newKey gives the first 49 characters of a key its check digit.
func newKey(like string) string {
	for digit := '0'; digit <= '9'; digit++ {
		if key := like[:49] + string(digit); validAccessKey(key) {
			return key
		}
	}
	panic("no check digit fits " + like)
}

func issuedDocument(key, id, digest string) string {
	return `<?xml version="1.0" encoding="utf-8"?><NFSe versao="1.01" xmlns="` + namespaceOfNFSe + `"><infNFSe Id="NFS` + key + `"><nNFSe>12</nNFSe><cStat>100</cStat>` +
		`<dhProc>2026-11-21T09:00:00-03:00</dhProc><DPS xmlns="` + namespaceOfNFSe + `" versao="1.01"><infDPS Id="` + id + `"><nDPS>42</nDPS></infDPS>` +
		`<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><Reference URI="#` + id + `"><DigestValue>` + digest + `</DigestValue></Reference></SignedInfo></Signature></DPS></infNFSe>` +
		`<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><Reference URI="#NFS` + key + `"><DigestValue>AAAA</DigestValue></Reference></SignedInfo></Signature></NFSe>`
}

const namespaceOfNFSe = "http://www.sped.fazenda.gov.br/nfse"

// packed is a document as it travels.
func packed(document string) string {
	body, err := pack("x", []byte(document))
	if err != nil {
		panic(err)
	}
	var read map[string]string
	if err := json.Unmarshal(body, &read); err != nil {
		panic(err)
	}
	return read["x"]
}

// ca is a certificate authority of a test.
type ca struct {
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	pool        *x509.CertPool
}

func newCA(t testing.TB) *ca {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "CA of a test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	made := &ca{key, certificate, x509.NewCertPool()}
	made.pool.AddCert(certificate)
	return made
}

// sign makes a certificate for the loopback host, good for servers and clients.
func (ca *ca) sign(t testing.TB, host string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<60))
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "of a test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.ParseIP(host)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.certificate, &key.PublicKey, ca.key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// bench is a client with a certificate, and the TLS of a server that wants it.
type bench struct {
	t       testing.TB
	servers *ca // signs the servers
	clients *ca // signs the clients
	server  *tls.Config
	options Options
	session fiscal.Session
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, servers: newCA(t), clients: newCA(t)}
	b.server = &tls.Config{
		Certificates: []tls.Certificate{b.servers.sign(t, "127.0.0.1")},
		ClientAuth:   tls.RequireAndVerifyClientCert, ClientCAs: b.clients.pool,
		NextProtos: []string{"h2", "http/1.1"},
	}
	b.options = Options{ServerRoots: b.servers.pool, Software: "Emissor-test"}
	b.session = fiscal.Session{Credentials: &fiscal.Credentials{ID: "crt_1", Certificate: b.clients.sign(t, "127.0.0.1")}, Issuer: "11222333000181"}
	return b
}

// serve starts an authority that answers with a handler.
func (b *bench) serve(handler http.HandlerFunc) *client {
	b.t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = b.server
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	b.t.Cleanup(server.Close)
	return b.client(server.URL + "/SefinNacional")
}

// listen starts an authority that does with each connection as it likes, before
// any TLS.
func (b *bench) listen(handle func(net.Conn)) *client {
	b.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.t.Fatal(err)
	}
	var done sync.WaitGroup
	b.t.Cleanup(func() { listener.Close(); done.Wait() })
	done.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			done.Go(func() {
				defer conn.Close()
				handle(conn)
			})
		}
	})
	return b.client("https://" + listener.Addr().String() + "/SefinNacional")
}

// listenTLS is listen with the handshake done.
func (b *bench) listenTLS(handle func(tcp *net.TCPConn, conn *tls.Conn)) *client {
	return b.listen(func(tcp net.Conn) {
		conn := tls.Server(tcp, b.server)
		if conn.Handshake() == nil {
			handle(tcp.(*net.TCPConn), conn)
		}
	})
}

func (b *bench) client(url string) *client {
	b.t.Helper()
	options := b.options
	options.RestrictedURL = url
	c, err := newClient(options)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

func (b *bench) issue(c *client) fiscal.Answer {
	return c.issue(b.t.(interface{ Context() context.Context }).Context(), b.session, rendering)
}

func expect(t testing.TB, name string, answer fiscal.Answer, outcome fiscal.Outcome, reason string) {
	t.Helper()
	if answer.Outcome != outcome || !strings.Contains(answer.Reason, reason) {
		t.Errorf("%s: %s because %q, alarm %q; want %s because %q", name, answer.Outcome, answer.Reason, answer.Alarm, outcome, reason)
	}
	if answer.Outcome != fiscal.Issued && answer.Outcome != fiscal.Rejected && answer.Outcome != fiscal.Absent && answer.Reason == "" {
		t.Errorf("%s: %s without a reason", name, answer.Outcome)
	}
}

func TestIssueSendsTheRenderingByteForByte(t *testing.T) {
	b := newBench(t)
	c := b.serve(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent map[string]string
		if err != nil || json.Unmarshal(body, &sent) != nil || len(sent) != 1 {
			t.Errorf("the body is %s, %v", body, err)
		}
		if document, err := unpack(sent["dpsXmlGZipB64"]); err != nil || !bytes.Equal(document, rendering.XML) {
			t.Errorf("the document is %s, %v", document, err)
		}
		if r.Method != http.MethodPost || r.URL.String() != "/SefinNacional/nfse" || r.Header.Get("Content-Type") != "application/json" ||
			r.Header.Get("User-Agent") != "Emissor-test" || r.ContentLength != int64(len(body)) {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		// The server offers HTTP/2 and prefers it.
		if r.Proto != "HTTP/1.1" || r.TLS.NegotiatedProtocol != "http/1.1" || len(r.TLS.PeerCertificates) != 1 {
			t.Errorf("%s, %s, %d certificates", r.Proto, r.TLS.NegotiatedProtocol, len(r.TLS.PeerCertificates))
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, successfully(accessKey, dpsID))
	})
	answer := b.issue(c)
	expect(t, "issue", answer, fiscal.Issued, "")
	document := answer.Document
	if document == nil || document.AccessKey != accessKey || document.ID != dpsID || document.Digest != digest || string(document.XML) != issuedXMLOf(accessKey, dpsID) {
		t.Fatalf("%+v", document)
	}
	authority := document.Authority
	if *authority.Number != "12" || *authority.AccessKey != accessKey || authority.VerificationCode != nil ||
		!authority.IssuedAt.Equal(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", authority)
	}
	if answer.Status != 201 || answer.Body != nil || answer.Alarm != "" || answer.Reason != "" {
		t.Errorf("%+v", answer)
	}
}

func TestWhatIsNotDelivered(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	never := func(http.ResponseWriter, *http.Request) { t.Error("a request arrived") }
	hang := make(chan struct{})
	defer close(hang)
	for name, c := range map[string]struct {
		make   func(b *bench) *client
		reason string
	}{
		"refused": {func(b *bench) *client { return b.client("https://" + closed.Addr().String()) }, "connection was refused"},
		"closed before the handshake": {func(b *bench) *client {
			return b.listen(func(conn net.Conn) {})
		}, "TLS handshake failed"},
		"silent in the handshake": {func(b *bench) *client {
			b.options.ConnectTimeout = 50 * time.Millisecond
			return b.listen(func(net.Conn) { <-hang })
		}, "handshake took too long"},
		"no TLS": {func(b *bench) *client {
			return b.listen(func(conn net.Conn) { io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n") })
		}, "TLS handshake failed"},
		"no time left": {func(b *bench) *client {
			b.options.Timeout = 50 * time.Millisecond
			return b.listen(func(net.Conn) { <-hang })
		}, "took too long"},
		"an untrusted server": {func(b *bench) *client {
			b.options.ServerRoots = newCA(t).pool
			return b.serve(never)
		}, "signed by nobody we trust"},
		"a server of another name": {func(b *bench) *client {
			b.server.Certificates = []tls.Certificate{b.servers.sign(t, "127.0.0.9")}
			return b.serve(never)
		}, "of another host"},
		"an old server": {func(b *bench) *client {
			b.server.MaxVersion = tls.VersionTLS11
			b.server.MinVersion = tls.VersionTLS10
			return b.serve(never)
		}, "TLS handshake failed"},
		"our certificate refused, TLS 1.2": {func(b *bench) *client {
			b.options.MaxTLS = tls.VersionTLS12
			b.session.Credentials.Certificate = newCA(t).sign(t, "127.0.0.1")
			return b.serve(never)
		}, "refused the certificate"},
		"our certificate refused, TLS 1.3": {func(b *bench) *client {
			b.options.MinTLS = tls.VersionTLS13
			b.session.Credentials.Certificate = newCA(t).sign(t, "127.0.0.1")
			return b.serve(never)
		}, "refused the certificate"},
		"no certificate": {func(b *bench) *client {
			b.session.Credentials = nil
			return b.serve(never)
		}, "no certificate"},
		"an environment that is not served": {func(b *bench) *client {
			b.session.Production = true
			return b.serve(never)
		}, "does not serve the environment"},
	} {
		b := newBench(t)
		answer := b.issue(c.make(b))
		expect(t, name, answer, fiscal.NotDelivered, c.reason)
		if answer.Status != 0 || answer.Body != nil {
			t.Errorf("%s: %+v", name, answer)
		}
		for _, secret := range []string{"127.0.0.1", "SefinNacional", "x509", "CommonName"} {
			if strings.Contains(answer.Reason, secret) {
				t.Errorf("%s: the reason tells %q", name, answer.Reason)
			}
		}
	}
	lookup := &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "sefin.example"}}
	if reason := unsentReason(lookup); reason != "the authority's name could not be resolved" {
		t.Error(reason)
	}
}

func TestACallThatIsStoppedBeforeItBeginsIsNotDelivered(t *testing.T) {
	b := newBench(t)
	c := b.serve(func(http.ResponseWriter, *http.Request) { t.Error("a request arrived") })
	ctx, stop := context.WithCancel(t.Context())
	stop()
	expect(t, "stopped", c.issue(ctx, b.session, rendering), fiscal.NotDelivered, "no connection")
}

func TestTurnedAwayAtTheDoor(t *testing.T) {
	for _, status := range []int{401, 403, 429} {
		b := newBench(t)
		c := b.serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(status)
			fmt.Fprint(w, "<html>no</html>")
		})
		answer := b.issue(c)
		expect(t, http.StatusText(status), answer, fiscal.NotDelivered, fmt.Sprint(status))
		if answer.RetryIn != 2*time.Minute || answer.Status != status || string(answer.Body) != "<html>no</html>" {
			t.Errorf("%+v", answer)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	c := newBench(t).client("https://127.0.0.1:1")
	c.now = func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	for header, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-5": 0, "0": 0, " 7 ": 7 * time.Second, "901": 15 * time.Minute, "99999999999999999999": 0, "18446744073709551615": 0,
		"9223372036854775807": 15 * time.Minute, "Sat, 21 Nov 2026 12:01:00 GMT": time.Minute, "Sat, 21 Nov 2026 11:00:00 GMT": 0, "Sun, 22 Nov 2026 11:00:00 GMT": 15 * time.Minute,
	} {
		if got := c.retryIn(header); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

// readRequest reads one request whole, which ends like the JSON in it.
func readRequest(conn net.Conn) []byte {
	var read bytes.Buffer
	for piece := make([]byte, 4096); ; {
		n, err := conn.Read(piece)
		read.Write(piece[:n])
		if err != nil || bytes.HasSuffix(read.Bytes(), []byte(`"}`)) {
			return read.Bytes()
		}
	}
}

func TestWhatMayHaveArrivedIsUnknown(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	say := func(text string) func(*net.TCPConn, *tls.Conn) {
		return func(_ *net.TCPConn, conn *tls.Conn) {
			readRequest(conn)
			io.WriteString(conn, text)
		}
	}
	for name, c := range map[string]struct {
		handle func(*net.TCPConn, *tls.Conn)
		reason string
	}{
		"closed after a byte":      {func(_ *net.TCPConn, conn *tls.Conn) { conn.Read(make([]byte, 1)) }, "connection broke"},
		"closed after the request": {func(_ *net.TCPConn, conn *tls.Conn) { readRequest(conn); conn.Close() }, "connection broke"},
		"reset after the request":  {func(tcp *net.TCPConn, conn *tls.Conn) { readRequest(conn); tcp.SetLinger(0) }, "connection broke"},
		"silence":                  {func(_ *net.TCPConn, conn *tls.Conn) { readRequest(conn); <-hang }, "no answer in time"},
		"half a status line":       {say("HTTP/1.1 20"), "connection broke"},
		"half of the headers":      {say("HTTP/1.1 201 Created\r\nContent-Le"), "connection broke"},
		"headers without end":      {say("HTTP/1.1 201 Created\r\nX: " + strings.Repeat("x", 100<<10)), "connection broke"},
		"not HTTP":                 {say("220 smtp.example ESMTP\r\n"), "connection broke"},
		"half a body":              {say("HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n\r\n{\"chaveAcesso\":\"" + accessKey + "\"}"), "(201) broke off"},
		"half a chunked body":      {say("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{\"chaveAcesso\""), "(201) broke off"},
		"a body that comes too slow": {func(_ *net.TCPConn, conn *tls.Conn) {
			say("HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n\r\n{")(nil, conn)
			<-hang
		}, "(201) broke off"},
		"a 429 that breaks off":       {say("HTTP/1.1 429 No\r\nContent-Length: 1000\r\n\r\n{"), "(429) broke off"},
		"null for an answer":          {say("HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nnull"), "answered 201, and not in JSON"},
		"an answer without words":     {say("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"), "answered 201 without words"},
		"a redirect":                  {say("HTTP/1.1 307 Elsewhere\r\nLocation: /SefinNacional/nfse\r\nContent-Length: 0\r\n\r\n"), "points elsewhere"},
		"a proxy's page":              {say("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>"), "answered 502, and not in JSON"},
		"a page that says yes":        {say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>"), "answered 200, and not in JSON"},
		"a fault without errors":      {say("HTTP/1.1 500 Fault\r\nContent-Length: 18\r\n\r\n{\"tipoAmbiente\":2}"), "neither yes nor no"},
		"an error that is but a text": {say("HTTP/1.1 400 Bad\r\nContent-Length: 20\r\n\r\n{\"erro\":\"E0014 bad\"}"), "neither yes nor no"},
	} {
		b := newBench(t)
		b.options.Timeout = 250 * time.Millisecond
		answer := b.issue(b.listenTLS(c.handle))
		expect(t, name, answer, fiscal.Unknown, c.reason)
		if answer.Document != nil || answer.Rejection != nil || answer.Treatment != "" {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestTooLargeAnAnswer(t *testing.T) {
	b := newBench(t)
	c := b.serve(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, strings.Repeat(" ", maxBody)+successfully(accessKey, dpsID))
	})
	answer := b.issue(c)
	expect(t, "large", answer, fiscal.Unknown, "larger than 16 MiB")
	if len(answer.Body) != maxKept {
		t.Errorf("%d bytes are kept", len(answer.Body))
	}
}

// A transport that sent a POST again by itself would turn one issue into two
// requests. Connections are cut at each stage, fresh and reused ones.
func TestAPostIsSentAtMostOnce(t *testing.T) {
	yes := fmt.Sprintf("HTTP/1.1 201 Created\r\nContent-Length: %d\r\n\r\n%s", len(successfully(accessKey, dpsID)), successfully(accessKey, dpsID))
	for name, after := range map[string]func(tcp *net.TCPConn, conn *tls.Conn, count func()){
		"closed while idle": func(_ *net.TCPConn, conn *tls.Conn, _ func()) { conn.Close() },
		"reset while idle":  func(tcp *net.TCPConn, _ *tls.Conn, _ func()) { tcp.SetLinger(0) },
		"closed after the request": func(_ *net.TCPConn, conn *tls.Conn, count func()) {
			readRequest(conn)
			count()
		},
		"reset after the request": func(tcp *net.TCPConn, conn *tls.Conn, count func()) {
			readRequest(conn)
			count()
			tcp.SetLinger(0)
		},
		"reset at the first byte": func(tcp *net.TCPConn, conn *tls.Conn, count func()) {
			if n, _ := conn.Read(make([]byte, 1)); n > 0 {
				count()
			}
			tcp.SetLinger(0)
		},
	} {
		b := newBench(t)
		var begun atomic.Int64
		var unknown, notDelivered int64
		c := b.listenTLS(func(tcp *net.TCPConn, conn *tls.Conn) {
			if len(readRequest(conn)) > 0 {
				begun.Add(1)
			}
			io.WriteString(conn, yes)
			after(tcp, conn, func() { begun.Add(1) })
		})
		for range 40 {
			before := begun.Load()
			answer := b.issue(c)
			arrived := begun.Load() - before
			switch answer.Outcome {
			case fiscal.Issued:
				if arrived != 1 {
					t.Errorf("%s: issued by %d requests", name, arrived)
				}
			case fiscal.NotDelivered:
				notDelivered++
				if arrived != 0 {
					t.Errorf("%s: %d requests arrived that were not delivered", name, arrived)
				}
			default:
				unknown++
				if arrived > 1 {
					t.Errorf("%s: %d requests arrived", name, arrived)
				}
			}
		}
		if strings.Contains(name, "request") && unknown != 20 {
			t.Errorf("%s: %d of 40 calls are unknown, %d not delivered; every second should be", name, unknown, notDelivered)
		}
	}
}

// What the connection says of itself stays true: once asked, nothing more goes
// over it.
func TestAnEndedConnectionWritesNoMore(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	conn := &connection{Conn: here}
	if sent, _ := conn.end(conn.mark()); sent {
		t.Error("something was sent")
	}
	if _, err := conn.Write([]byte("POST")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a write after the end: %v", err)
	}
	if sent, _ := conn.end(0); sent {
		t.Error("the refused write counts")
	}
}

// A server may ask for the certificate by renegotiation. Where that is not
// configured, the reason says what to configure.
func TestARefusedRenegotiationIsNamed(t *testing.T) {
	line := wire{legs: []leg{{connection: &connection{written: 10}}}}
	reply := line.failed(t.Context(), fmt.Errorf("read: %w", &net.OpError{Op: "local error", Err: errors.New("tls: no renegotiation")}))
	if !reply.sent || !strings.Contains(reply.reason, "renegotiation") {
		t.Errorf("%+v", reply)
	}
}

func TestNothingIsSentAgainByTheRequestItself(t *testing.T) {
	c := newBench(t).client("https://127.0.0.1:1/base/")
	request, err := c.request(t.Context(), c.restricted, call{"issue", http.MethodPost, []string{"nfse", "a/../b?c"}, []byte("{}")})
	if err != nil || request.GetBody != nil {
		t.Errorf("GetBody is set, %v", err)
	}
	if got := request.URL.String(); got != "https://127.0.0.1:1/base/nfse/a%2F..%2Fb%3Fc" {
		t.Error(got)
	}
}

func TestConnectionsAreReusedAndKeptApart(t *testing.T) {
	b := newBench(t)
	var mutex sync.Mutex
	opened := map[string]int{} // connections by certificate
	c := b.serve(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		opened[r.RemoteAddr+" "+r.TLS.PeerCertificates[0].SerialNumber.String()]++
		w.WriteHeader(http.StatusNotFound)
	})
	other := b.session
	other.Credentials = &fiscal.Credentials{ID: b.session.Credentials.ID, Certificate: b.clients.sign(t, "127.0.0.1")}
	for range 5 {
		for _, session := range []fiscal.Session{b.session, other} {
			if answer := c.find(t.Context(), session, dpsID); answer.Outcome != fiscal.Absent {
				t.Fatalf("%+v", answer)
			}
		}
	}
	if len(opened) != 2 {
		t.Errorf("%d connections for two certificates: %v", len(opened), opened)
	}
}

func TestPoolsAreBounded(t *testing.T) {
	b := newBench(t)
	inside, free := make(chan struct{}), make(chan struct{})
	c := b.serve(func(w http.ResponseWriter, r *http.Request) {
		close(inside)
		<-free
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, successfully(accessKey, dpsID))
	})
	answers := make(chan fiscal.Answer, 1)
	go func() { answers <- b.issue(c) }()
	<-inside
	first := c.pools.of(b.session)
	for serial := range maxPools + 10 {
		certificate := tls.Certificate{Certificate: [][]byte{fmt.Append(nil, serial)}}
		c.pools.of(fiscal.Session{Credentials: &fiscal.Credentials{Certificate: certificate}})
	}
	if len(c.pools.open) != maxPools {
		t.Errorf("%d pools", len(c.pools.open))
	}
	close(free)
	if answer := <-answers; answer.Outcome != fiscal.Issued {
		t.Errorf("a request on a dropped pool: %+v", answer)
	}
	if c.pools.of(b.session) == first {
		t.Error("the pool left alone longest is still there")
	}
	production := b.session
	production.Production = true
	if c.pools.of(production) == c.pools.of(b.session) {
		t.Error("the environments share a pool")
	}
}

func TestTransportSettings(t *testing.T) {
	b := newBench(t)
	certificate := b.session.Credentials.Certificate
	transport := newTransport(b.options, certificate)
	if transport.Proxy != nil || !transport.DisableCompression || transport.TLSNextProto == nil || transport.Protocols.HTTP2() || !transport.Protocols.HTTP1() {
		t.Errorf("%+v", transport)
	}
	if config := tlsConfig(b.options, certificate); config.MinVersion != tls.VersionTLS12 || config.MaxVersion != 0 || config.Renegotiation != tls.RenegotiateNever {
		t.Errorf("%+v", config)
	}
	for _, renegotiation := range []tls.RenegotiationSupport{tls.RenegotiateNever, tls.RenegotiateOnceAsClient, tls.RenegotiateFreelyAsClient} {
		b.options.MinTLS, b.options.MaxTLS, b.options.Renegotiation = tls.VersionTLS11, tls.VersionTLS12, renegotiation
		config := tlsConfig(b.options, certificate)
		if config.MinVersion != tls.VersionTLS11 || config.MaxVersion != tls.VersionTLS12 || config.Renegotiation != renegotiation || config.NextProtos[0] != "http/1.1" {
			t.Errorf("%+v", config)
		}
		c := b.serve(func(w http.ResponseWriter, r *http.Request) {
			if r.TLS.Version != tls.VersionTLS12 {
				t.Errorf("TLS %x", r.TLS.Version)
			}
			w.WriteHeader(http.StatusNotFound)
		})
		if answer := c.find(t.Context(), b.session, dpsID); answer.Outcome != fiscal.Absent {
			t.Errorf("%+v", answer)
		}
	}
}

// A server may name issuers of which the stored chain knows nothing; the
// certificate is offered all the same.
func TestTheCertificateIsAlwaysOffered(t *testing.T) {
	b := newBench(t)
	b.server.ClientAuth = tls.RequestClientCert
	b.server.ClientCAs = newCA(t).pool
	c := b.serve(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) != 1 {
			t.Errorf("%d certificates", len(r.TLS.PeerCertificates))
		}
		w.WriteHeader(http.StatusNotFound)
	})
	if answer := c.find(t.Context(), b.session, dpsID); answer.Outcome != fiscal.Absent {
		t.Errorf("%+v", answer)
	}
}

func TestAddressesThatAreRefused(t *testing.T) {
	for _, address := range []string{"http://sefin.example", "sefin.example", "https://", "https:///x", "https:opaque", "https://a:b@sefin.example", "https://a@sefin.example",
		"https://sefin.example/?", "https://sefin.example/?a=b", "https://sefin.example/#x", "https://sefin.example:x", "ftp://sefin.example", " https://sefin.example"} {
		if _, err := New(Options{RestrictedURL: address}); err == nil || !strings.HasPrefix(err.Error(), "RestrictedURL: ") {
			t.Errorf("%q: %v", address, err)
		}
		if _, err := New(Options{ProductionURL: address}); err == nil || !strings.HasPrefix(err.Error(), "ProductionURL: ") {
			t.Errorf("%q: %v", address, err)
		}
	}
	authority, err := New(Options{ProductionURL: "https://sefin.nfse.gov.br/SefinNacional"})
	if err != nil || !authority.Serves(true) || authority.Serves(false) {
		t.Errorf("%v", err)
	}
}
