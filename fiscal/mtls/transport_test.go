package mtls

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/national/nationaltest"
	"emissor/nfse/fact"
)

const maxBody = 2 << 20

// serve starts an authority that wants a certificate, any.
func serve(t *testing.T, options Options, handler http.HandlerFunc) (*Client, Request) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	options.ServerRoots = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	return New(options), Request{Method: http.MethodPost, URL: server.URL, Body: []byte("{}"), MaxBody: maxBody}
}

func TestDo(t *testing.T) {
	certificate := nationaltest.Credentials(t).Certificate
	client, request := serve(t, Options{UserAgent: "Emissor-test"}, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != "{}" || r.UserAgent() != "Emissor-test" || r.Header.Get("X") != "y" ||
			r.ProtoMajor != 1 || len(r.TLS.PeerCertificates) != 1 || r.ContentLength != 2 {
			t.Errorf("%v %s %+v", err, body, r.Header)
		}
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, "short and stout")
	})
	request.Header = http.Header{"X": {"y"}}
	reply := client.Do(t.Context(), certificate, true, request)
	if !reply.Sent || !reply.Reason.None() || reply.Status != http.StatusTeapot || reply.ContentType != "text/plain" ||
		string(reply.Body) != "short and stout" || reply.RetryAfter != 7*time.Second {
		t.Errorf("%+v", reply)
	}
	if reply := client.Do(t.Context(), tls.Certificate{}, true, request); reply.Sent || reply.Reason.None() {
		t.Errorf("without a certificate: %+v", reply)
	}
	request.URL = "https://127.0.0.1:1"
	if reply := client.Do(t.Context(), certificate, true, request); reply.Sent ||
		!reply.Reason.Is(fact.ConnectionRefused) {
		t.Errorf("%+v", reply)
	}
}

func TestRequest_HasNoBodyToSendAgain(t *testing.T) {
	request, err := New(Options{}).request(t.Context(), Request{URL: "https://127.0.0.1:1", Body: []byte("{}")})
	if err != nil || request.GetBody != nil {
		t.Errorf("GetBody is set, %v", err)
	}
}

func TestTransports_Bounded(t *testing.T) {
	certificate := nationaltest.Credentials(t).Certificate
	inside, free := make(chan struct{}), make(chan struct{})
	client, request := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		close(inside)
		<-free
		w.WriteHeader(http.StatusCreated)
	})
	replies := make(chan Reply, 1)
	go func() { replies <- client.Do(t.Context(), certificate, false, request) }()
	<-inside
	first := client.transports.of(certificate, false)
	for serial := range maxTransports + 10 {
		client.transports.of(tls.Certificate{Certificate: [][]byte{fmt.Append(nil, serial)}}, false)
	}
	if len(client.transports.open) != maxTransports {
		t.Errorf("%d pools", len(client.transports.open))
	}
	close(free)
	if reply := <-replies; reply.Status != http.StatusCreated {
		t.Errorf("a request on a dropped pool: %+v", reply)
	}
	if client.transports.of(certificate, false) == first {
		t.Error("the pool left alone longest is still there")
	}
	if client.transports.of(certificate, true) == client.transports.of(certificate, false) {
		t.Error("the environments share a pool")
	}
}

func TestTransport_Settings(t *testing.T) {
	certificate := nationaltest.Credentials(t).Certificate
	transport := newTransport(Options{})
	if transport.Proxy != nil || !transport.DisableCompression || transport.TLSNextProto == nil ||
		transport.Protocols.HTTP2() || !transport.Protocols.HTTP1() {
		t.Errorf("%+v", transport)
	}
	config := tlsConfig(Options{})
	if config.MinVersion != tls.VersionTLS12 || config.MaxVersion != 0 || config.Renegotiation != tls.RenegotiateNever {
		t.Errorf("%+v", config)
	}
	for _, renegotiation := range []tls.RenegotiationSupport{
		tls.RenegotiateNever, tls.RenegotiateOnceAsClient, tls.RenegotiateFreelyAsClient,
	} {
		options := Options{MinTLS: tls.VersionTLS11, MaxTLS: tls.VersionTLS12, Renegotiation: renegotiation}
		config := tlsConfig(options)
		if config.MinVersion != tls.VersionTLS11 || config.MaxVersion != tls.VersionTLS12 ||
			config.Renegotiation != renegotiation || config.NextProtos[0] != "http/1.1" {
			t.Errorf("%+v", config)
		}
		client, request := serve(t, options, func(_ http.ResponseWriter, r *http.Request) {
			if r.TLS.Version != tls.VersionTLS12 {
				t.Errorf("TLS %x", r.TLS.Version)
			}
		})
		if reply := client.Do(t.Context(), certificate, false, request); reply.Status != http.StatusOK {
			t.Errorf("%+v", reply)
		}
	}
}

// Large answers wait for one of few slots; usual ones do not.
func TestDo_LargeAnswersWait(t *testing.T) {
	t.Parallel()
	certificate, size := nationaltest.Credentials(t).Certificate, maxBody/2
	client, request := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, strings.Repeat(" ", size))
	})
	for range maxLarge {
		client.large <- struct{}{}
	}
	do := func(ctx context.Context) fact.Fact { return client.Do(ctx, certificate, false, request).Reason }
	inTime, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if reason := do(inTime); !reason.Is(fact.AnswerBrokeOff) {
		t.Errorf("large, while others are read: %s", reason)
	}
	<-client.large
	if reason := do(t.Context()); !reason.None() {
		t.Errorf("large: %s", reason)
	}
	client.large <- struct{}{}
	size = 0
	if reason := do(t.Context()); !reason.None() {
		t.Errorf("usual, while others are read: %s", reason)
	}
}

// What the connection says of itself stays true: once asked, nothing more goes
// over it.
func TestConnection_WritesNoMoreOnceEnded(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	conn := &connection{Conn: here}
	if sent, _ := conn.end(conn.writtenBytes()); sent {
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
func TestRequestTrace_NamesARefusedRenegotiation(t *testing.T) {
	trace := requestTrace{[]connectionTry{{connection: &connection{asks: new(asks), written: 10}}}}
	alert := &net.OpError{Op: "local error", Err: errors.New("tls: no renegotiation")}
	reply := trace.failed(t.Context(), fmt.Errorf("read: %w", alert))
	if !reply.Sent || !reply.Reason.Is(fact.TLSRenegotiationAsked) {
		t.Errorf("%+v", reply)
	}
}

// Only the alerts about a certificate ask for another one.
func TestRequestTrace_Alerts(t *testing.T) {
	for alert, needsPerson := range map[string]bool{
		"bad certificate": true, "unknown certificate authority": true, "expired certificate": true,
		"revoked certificate": true, "unknown certificate": true, "certificate required": true, "access denied": true,
		"unsupported certificate": true,
		"handshake failure":       false, "internal error": false, "protocol version not supported": false,
		"user canceled": false,
	} {
		err := fmt.Errorf("%w: %w", errHandshake, &net.OpError{Op: "remote error", Err: errors.New("tls: " + alert)})
		reply := new(requestTrace).failed(t.Context(), err)
		if reply.Sent || reply.NeedsPerson.None() == needsPerson {
			t.Errorf("%s: %+v", alert, reply)
		}
	}
}

func TestUnsentReason_Lookup(t *testing.T) {
	lookup := &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "sefin.example"}}
	if reason := unsentReason(lookup); !reason.Is(fact.CallNameNotResolved) {
		t.Error(reason)
	}
}
