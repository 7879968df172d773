package sefin

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"emissor/fiscal"
)

func TestTransports_ReusedAndKeptApart(t *testing.T) {
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
			if answer := c.Find(t.Context(), session, issuing); answer.Outcome != notFound {
				t.Fatalf("%+v", answer)
			}
		}
	}
	if len(opened) != 2 {
		t.Errorf("%d connections for two certificates: %v", len(opened), opened)
	}
}

func TestTransports_Bounded(t *testing.T) {
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
	first := c.transports.of(b.session)
	for serial := range maxTransports + 10 {
		certificate := tls.Certificate{Certificate: [][]byte{fmt.Append(nil, serial)}}
		c.transports.of(fiscal.Session{Credentials: &fiscal.Credentials{Certificate: certificate}})
	}
	if len(c.transports.open) != maxTransports {
		t.Errorf("%d pools", len(c.transports.open))
	}
	close(free)
	if answer := <-answers; answer.Outcome != accepted {
		t.Errorf("a request on a dropped pool: %+v", answer)
	}
	if c.transports.of(b.session) == first {
		t.Error("the pool left alone longest is still there")
	}
	production := b.session
	production.Production = true
	if c.transports.of(production) == c.transports.of(b.session) {
		t.Error("the environments share a pool")
	}
}

func TestTransport_Settings(t *testing.T) {
	b := newBench(t)
	certificate := b.session.Credentials.Certificate
	transport := newTransport(b.options, certificate)
	if transport.Proxy != nil || !transport.DisableCompression || transport.TLSNextProto == nil ||
		transport.Protocols.HTTP2() || !transport.Protocols.HTTP1() {
		t.Errorf("%+v", transport)
	}
	config := tlsConfig(b.options, certificate)
	if config.MinVersion != tls.VersionTLS12 || config.MaxVersion != 0 || config.Renegotiation != tls.RenegotiateNever {
		t.Errorf("%+v", config)
	}
	for _, renegotiation := range []tls.RenegotiationSupport{
		tls.RenegotiateNever, tls.RenegotiateOnceAsClient, tls.RenegotiateFreelyAsClient,
	} {
		b.options.MinTLS, b.options.MaxTLS, b.options.Renegotiation = tls.VersionTLS11, tls.VersionTLS12, renegotiation
		config := tlsConfig(b.options, certificate)
		if config.MinVersion != tls.VersionTLS11 || config.MaxVersion != tls.VersionTLS12 ||
			config.Renegotiation != renegotiation || config.NextProtos[0] != "http/1.1" {
			t.Errorf("%+v", config)
		}
		c := b.serve(func(w http.ResponseWriter, r *http.Request) {
			if r.TLS.Version != tls.VersionTLS12 {
				t.Errorf("TLS %x", r.TLS.Version)
			}
			w.WriteHeader(http.StatusNotFound)
		})
		if answer := c.Find(t.Context(), b.session, issuing); answer.Outcome != notFound {
			t.Errorf("%+v", answer)
		}
	}
}

// A server may name issuers of which the stored chain knows nothing; the
// certificate is offered all the same.
func TestTransport_AlwaysOffersTheCertificate(t *testing.T) {
	b := newBench(t)
	b.server.ClientAuth = tls.RequestClientCert
	b.server.ClientCAs = newCA(t).pool
	c := b.serve(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) != 1 {
			t.Errorf("%d certificates", len(r.TLS.PeerCertificates))
		}
		w.WriteHeader(http.StatusNotFound)
	})
	if answer := c.Find(t.Context(), b.session, issuing); answer.Outcome != notFound {
		t.Errorf("%+v", answer)
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
	trace := requestTrace{[]connectionTry{{connection: &connection{written: 10}}}}
	alert := &net.OpError{Op: "local error", Err: errors.New("tls: no renegotiation")}
	reply := trace.failed(t.Context(), fmt.Errorf("read: %w", alert))
	if !reply.sent || !strings.Contains(reply.reason, "renegotiation") {
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
		if reply.sent || (reply.needsPerson != "") != needsPerson {
			t.Errorf("%s: %+v", alert, reply)
		}
	}
}
