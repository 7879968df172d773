package sefin

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

func TestSend_ByteForByte(t *testing.T) {
	b := newBench(t)
	c := b.serve(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent map[string]string
		if err != nil || json.Unmarshal(body, &sent) != nil || len(sent) != 1 {
			t.Errorf("the body is %s, %v", body, err)
		}
		if document, err := unpack(sent["dpsXmlGZipB64"]); err != nil || !bytes.Equal(document, message.XML) {
			t.Errorf("the document is %s, %v", document, err)
		}
		if r.Method != http.MethodPost || r.URL.String() != "/SefinNacional/nfse" ||
			r.Header.Get("Content-Type") != "application/json" ||
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
	expect(t, "issue", answer, accepted, fact.Fact{})
	document := answer.Document
	if document == nil || document.AccessKey != accessKey || document.Digest != digest ||
		string(document.XML) != nfseOf(accessKey, dpsID) {
		t.Fatalf("%+v", document)
	}
	authorization := document.Authorization
	if *authorization.Number != "12" || *authorization.AccessKey != accessKey ||
		authorization.VerificationCode != nil ||
		!authorization.IssuedAt.Equal(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", authorization)
	}
	if answer.Status != 201 || answer.Body != nil || !answer.Alarm.None() || !answer.Reason.None() {
		t.Errorf("%+v", answer)
	}
}

func TestSend_NotDelivered(t *testing.T) {
	t.Parallel()
	never := func(http.ResponseWriter, *http.Request) { t.Error("a request arrived") }
	hang := make(chan struct{})
	defer close(hang)
	for name, c := range map[string]struct {
		make   func(b *bench) *Client
		reason fact.Fact
	}{
		"refused": {func(b *bench) *Client { return b.client("https://127.0.0.1:1") },
			fact.ConnectionRefused.Fact()},
		"closed before the handshake": {func(b *bench) *Client {
			return b.listen(func(conn net.Conn) {})
		}, fact.TLSHandshakeFailed.Fact()},
		"silent in the handshake": {func(b *bench) *Client {
			b.options.Transport.ConnectTimeout = 50 * time.Millisecond
			return b.listen(func(net.Conn) { <-hang })
		}, fact.TLSHandshakeTooSlow.Fact()},
		"no TLS": {func(b *bench) *Client {
			return b.listen(func(conn net.Conn) { io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n") })
		}, fact.TLSHandshakeFailed.Fact()},
		"no time left": {func(b *bench) *Client {
			b.options.Transport.Timeout = 50 * time.Millisecond
			return b.listen(func(net.Conn) { <-hang })
		}, fact.Fact{}},
		"an untrusted server": {func(b *bench) *Client {
			b.options.Transport.ServerRoots = newCA(t).pool
			return b.serve(never)
		}, fact.TLSServerNotTrusted.Fact()},
		"a server of another name": {func(b *bench) *Client {
			b.server.Certificates = []tls.Certificate{b.servers.sign(t, "127.0.0.9")}
			return b.serve(never)
		}, fact.TLSServerOfAnotherHost.Fact()},
		"an old server": {func(b *bench) *Client {
			b.server.MaxVersion = tls.VersionTLS11
			b.server.MinVersion = tls.VersionTLS10
			return b.serve(never)
		}, fact.TLSHandshakeFailed.Fact()},
		"our certificate refused, TLS 1.2": {func(b *bench) *Client {
			b.options.Transport.MaxTLS = tls.VersionTLS12
			b.access.Credentials.Certificate = newCA(t).sign(t, "127.0.0.1")
			return b.serve(never)
		}, fact.TLSCertificateRefused.With("alert", "unknown certificate authority")},
		"our certificate refused, TLS 1.3": {func(b *bench) *Client {
			b.options.Transport.MinTLS = tls.VersionTLS13
			b.access.Credentials.Certificate = newCA(t).sign(t, "127.0.0.1")
			return b.serve(never)
		}, fact.TLSCertificateRefused.With("alert", "unknown certificate authority")},
		"no certificate": {func(b *bench) *Client {
			b.access.Credentials = nil
			return b.serve(never)
		}, fact.CallWithoutCertificate.Fact()},
		"an environment that is not served": {func(b *bench) *Client {
			b.access.Production = true
			return b.serve(never)
		}, fact.CallNotServed.Fact()},
	} {
		b := newBench(t)
		answer := b.issue(c.make(b))
		expect(t, name, answer, notDelivered, c.reason)
		if name == "no time left" && !answer.Reason.Is(fact.CallConnectingTooSlow, fact.TLSHandshakeTooSlow) {
			t.Errorf("%s: %s", name, answer.Reason)
		}
		// Only a certificate that is not let in takes a person; anything else that fails here passes.
		if answer.Status != 0 || answer.Body != nil ||
			answer.NeedsPerson.None() == strings.Contains(name, "our certificate refused") {
			t.Errorf("%s: %+v", name, answer)
		}
		for _, secret := range []string{"127.0.0.1", "SefinNacional", "x509", "CommonName"} {
			if strings.Contains(answer.Reason.English(), secret) {
				t.Errorf("%s: the reason tells %q", name, answer.Reason)
			}
		}
	}
}

func TestSend_StoppedBeforeItBegins(t *testing.T) {
	b := newBench(t)
	c := b.serve(func(http.ResponseWriter, *http.Request) { t.Error("a request arrived") })
	ctx, stop := context.WithCancel(t.Context())
	stop()
	expect(t, "stopped", c.Send(ctx, b.access, issuing), notDelivered, fact.CallNoConnection.Fact())
}

func TestSend_RefusedUnread(t *testing.T) {
	for _, status := range []int{401, 403, 429, 495, 496} {
		b := newBench(t)
		c := b.serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(status)
			fmt.Fprint(w, "<html>no</html>")
		})
		answer := b.issue(c)
		reason := fact.CertificateShutOut.With("status", status)
		if status == 429 {
			reason = fact.SefinAnsweredNoJSON.With("status", status)
		}
		expect(t, fmt.Sprint(status), answer, notDelivered, reason)
		if answer.NeedsPerson.None() != (status == 429) {
			t.Errorf("%d: a person %s", status, answer.NeedsPerson)
		}
		if answer.RetryAfter != 2*time.Minute || answer.Status != status || string(answer.Body) != "<html>no</html>" {
			t.Errorf("%+v", answer)
		}
	}
}

// A body that is not taken may have been: it is asked about. One that is not taken although it was held back is told.
func TestSend_BodyNotTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestEntityTooLarge) })
	for _, heldBack := range []bool{false, true} {
		answer := b.issue(c)
		expect(t, "413", answer, unknown, fact.SefinBodyNotTaken.Fact())
		if answer.Alarm.None() == heldBack {
			t.Errorf("held back %t: the alarm is %s", heldBack, answer.Alarm)
		}
	}
}

func TestSend_UnknownWhatMayHaveArrived(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	defer close(hang)
	const page = "Content-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>"
	say := func(text string) func(*net.TCPConn, *tls.Conn) {
		return func(_ *net.TCPConn, conn *tls.Conn) {
			readRequest(conn)
			io.WriteString(conn, text)
		}
	}
	for name, c := range map[string]struct {
		handle func(*net.TCPConn, *tls.Conn)
		reason fact.Fact
	}{
		"closed after a byte": {func(_ *net.TCPConn, conn *tls.Conn) { conn.Read(make([]byte, 1)) },
			fact.CallConnectionBroke.Fact()},
		"closed after the request": {func(_ *net.TCPConn, conn *tls.Conn) { readRequest(conn); conn.Close() },
			fact.CallConnectionBroke.Fact()},
		"reset after the request": {func(tcp *net.TCPConn, conn *tls.Conn) { readRequest(conn); tcp.SetLinger(0) },
			fact.CallConnectionBroke.Fact()},
		"silence": {func(_ *net.TCPConn, conn *tls.Conn) { readRequest(conn); <-hang },
			fact.NoAnswerInTime.Fact()},
		"half a status line":  {say("HTTP/1.1 20"), fact.CallConnectionBroke.Fact()},
		"half of the headers": {say("HTTP/1.1 201 Created\r\nContent-Le"), fact.CallConnectionBroke.Fact()},
		"headers without end": {say("HTTP/1.1 201 Created\r\nX: " + strings.Repeat("x", 100<<10)),
			fact.CallConnectionBroke.Fact()},
		"not HTTP": {say("220 smtp.example ESMTP\r\n"), fact.CallConnectionBroke.Fact()},
		"half a body": {say("HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n\r\n{\"chaveAcesso\":\"" +
			accessKey + "\"}"), fact.AnswerBrokeOff.With("status", 201)},
		"half a chunked body": {say("HTTP/1.1 201 Created\r\n" +
			"Transfer-Encoding: chunked\r\n\r\n40\r\n{\"chaveAcesso\""), fact.AnswerBrokeOff.With("status", 201)},
		"a body that comes too slow": {func(_ *net.TCPConn, conn *tls.Conn) {
			say("HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n\r\n{")(nil, conn)
			<-hang
		}, fact.AnswerBrokeOff.With("status", 201)},
		"a 429 that breaks off": {say("HTTP/1.1 429 No\r\nContent-Length: 1000\r\n\r\n{"),
			fact.AnswerBrokeOff.With("status", 429)},
		"null for an answer": {say("HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nnull"),
			fact.SefinAnsweredNoJSON.With("status", 201)},
		"an answer without words": {say("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"),
			fact.SefinAnsweredNothing.With("status", 201)},
		"a redirect": {say("HTTP/1.1 307 Elsewhere\r\nLocation: /SefinNacional/nfse\r\n" +
			"Content-Length: 0\r\n\r\n"), fact.SefinAnsweredElsewhere.With("status", 307)},
		"a proxy's page": {say("HTTP/1.1 502 Bad Gateway\r\n" + page),
			fact.SefinUnavailable.With("status", 502)},
		"a page that says yes": {say("HTTP/1.1 200 OK\r\n" + page), fact.SefinAnsweredNoJSON.With("status", 200)},
		"a fault without errors": {say("HTTP/1.1 500 Fault\r\nContent-Length: 18\r\n\r\n{\"tipoAmbiente\":2}"),
			fact.SefinAnsweredUnclearly.With("status", 500)},
		"an error that is but a text": {say("HTTP/1.1 500 Bad\r\nContent-Length: 20\r\n\r\n{\"erro\":\"E0014 bad\"}"),
			fact.SefinAnsweredUnclearly.With("status", 500)},
	} {
		b := newBench(t)
		if name == "silence" || name == "a body that comes too slow" {
			b.options.Transport.Timeout = 3 * time.Second // connecting is part of it
		}
		answer := b.issue(b.listenTLS(c.handle))
		expect(t, name, answer, unknown, c.reason)
		if answer.Document != nil || answer.Rejection != nil || answer.Handling != "" {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestSend_AnswerTooLarge(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.serve(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, strings.Repeat(" ", maxBody)+successfully(accessKey, dpsID))
	})
	answer := b.issue(c)
	expect(t, "large", answer, unknown, fact.AnswerTooLarge.With("status", 201, "mib", 2))
	if len(answer.Body) != 16<<10 {
		t.Errorf("%d bytes are kept", len(answer.Body))
	}
}

// A transport that sent a POST again by itself would turn one issue into two
// requests. Connections are cut at each stage, fresh and reused ones.
func TestSend_AtMostOnce(t *testing.T) {
	t.Parallel()
	body := successfully(accessKey, dpsID)
	yes := fmt.Sprintf("HTTP/1.1 201 Created\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
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
		counts := map[fiscal.Outcome]int{}
		c := b.listenTLS(func(tcp *net.TCPConn, conn *tls.Conn) {
			if len(readRequest(conn)) > 0 {
				begun.Add(1)
			}
			io.WriteString(conn, yes)
			after(tcp, conn, func() { begun.Add(1) })
		})
		reused := false
		traced := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			GotConn: func(got httptrace.GotConnInfo) { reused = got.Reused },
		})
		for range 40 {
			before := begun.Load()
			answer := c.Send(traced, b.access, issuing)
			if strings.Contains(name, "request") && (answer.Outcome == unknown) != reused {
				t.Errorf("%s: a call is %s, its connection reused: %t", name, answer.Outcome, reused)
			}
			arrived := begun.Load() - before
			counts[answer.Outcome]++
			switch answer.Outcome {
			case accepted:
				if arrived != 1 {
					t.Errorf("%s: issued by %d requests", name, arrived)
				}
			case notDelivered:
				if arrived != 0 {
					t.Errorf("%s: %d requests arrived that were not delivered", name, arrived)
				}
			default:
				if arrived > 1 {
					t.Errorf("%s: %d requests arrived", name, arrived)
				}
			}
		}
		if strings.Contains(name, "request") && counts[unknown] == 0 {
			t.Errorf("%s: no connection was reused: %v", name, counts)
		}
	}
}

func TestCall_Request(t *testing.T) {
	c := newBench(t).client("https://127.0.0.1:1/base/")
	what := call{name: "issue", method: http.MethodPost, path: []string{"nfse", "a/../b?c"}, body: []byte("{}")}
	if got := what.request(c.restricted).URL; got != "https://127.0.0.1:1/base/nfse/a%2F..%2Fb%3Fc" {
		t.Error(got)
	}
}

func TestNew_RefusesAddresses(t *testing.T) {
	for _, address := range []string{
		"http://sefin.example", "sefin.example", "https://", "https:///x", "https:opaque", "https://a:b@sefin.example",
		"https://a@sefin.example", "https://sefin.example/?", "https://sefin.example/?a=b", "https://sefin.example/#x",
		"https://sefin.example:x", "ftp://sefin.example", " https://sefin.example",
	} {
		for option, options := range map[string]Options{
			"RestrictedURL: ": {RestrictedURL: address}, "ProductionURL: ": {ProductionURL: address},
		} {
			if _, err := New(options); err == nil || !strings.HasPrefix(err.Error(), option) {
				t.Errorf("%q: %v", address, err)
			}
		}
	}
	client, err := New(Options{ProductionURL: "https://sefin.nfse.gov.br/SefinNacional"})
	if err != nil || !client.Serves(true) || client.Serves(false) {
		t.Errorf("%v", err)
	}
}

// A question without an answer is unknown, delivered or not.
func TestFind_NoAnswer(t *testing.T) {
	b := newBench(t)
	for _, request := range []fiscal.Request{issuing, cancelling} {
		answer := b.client("https://127.0.0.1:1").Find(t.Context(), b.access, request)
		expect(t, string(request.Kind), answer, unknown, fact.ConnectionRefused.Fact())
	}
}
