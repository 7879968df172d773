package mtls_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/fiscal/mtls"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse/fact"
	"emissor/test/simulators/shared/renegotiation"
)

// late is a host that asks for the client's certificate by renegotiation, as SEFIN does.
type late struct {
	options   mtls.Options // by which it is reached
	request   mtls.Request
	served    atomic.Int64                          // requests
	expects   atomic.Int64                          // of them, those whose body was held back
	asked     func() renegotiation.Behaviour        // how it behaves, where it is not nil
	strangers bool                                  // who shows no certificate is not served, and that is no error
	answer    func(http.ResponseWriter) (done bool) // in the place of 200, where it is not nil
}

// serveLate starts it with a certificate of httptest's.
func serveLate(t *testing.T) *late {
	t.Helper()
	known := httptest.NewTLSServer(nil)
	known.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(known.Certificate())
	host := &late{
		options: mtls.Options{ServerRoots: roots, MaxTLS: tls.VersionTLS12, Renegotiation: tls.RenegotiateOnceAsClient},
		request: mtls.Request{Method: http.MethodPost, URL: "https://" + listener.Addr().String(),
			Body: []byte(strings.Repeat("x", 6<<10)), MaxBody: 1 << 20},
	}
	server := &http.Server{ErrorLog: log.New(io.Discard, "", 0)}
	t.Cleanup(func() { _ = server.Close() })
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Expect") != "" {
			host.expects.Add(1)
		}
		if host.strangers && len(r.TLS.PeerCertificates) == 0 || host.answer != nil && host.answer(w) {
			return
		}
		host.served.Add(1)
		body, err := io.ReadAll(r.Body)
		if len(r.TLS.PeerCertificates) != 1 || r.ProtoMajor != 1 || err != nil || len(body) != len(host.request.Body) {
			t.Errorf("%d certificates, %s, %d bytes, %v", len(r.TLS.PeerCertificates), r.Proto, len(body), err)
		}
	})
	go func() {
		_ = renegotiation.Serve(server, listener, handler, renegotiation.Options{
			Certificate: known.TLS.Certificates[0],
			Behaviour: func() (behaviour renegotiation.Behaviour) {
				if host.asked != nil {
					behaviour = host.asked()
				}
				return behaviour
			},
		})
	}()
	return host
}

func (h *late) do(t *testing.T) mtls.Reply {
	return mtls.New(h.options).Do(t.Context(), nationaltest.Credentials(t).Certificate, false, h.request)
}

// A server may renegotiate once, where it is let, to learn who the client is: the request arrives whole, by one
// connection or several.
func TestDo_Renegotiates(t *testing.T) {
	t.Parallel()
	host := serveLate(t)
	client := mtls.New(host.options)
	for range 3 {
		reply := client.Do(t.Context(), nationaltest.Credentials(t).Certificate, false, host.request)
		if !reply.Sent || reply.Status != http.StatusOK || !reply.Reason.None() {
			t.Errorf("%+v", reply)
		}
	}
	// It speaks no TLS 1.3: who allows that too needs no other bound.
	host.options.MaxTLS = 0
	if reply := host.do(t); reply.Status != http.StatusOK {
		t.Errorf("up to TLS 1.3: %+v", reply)
	}
	if served := host.served.Load(); served != 4 {
		t.Errorf("%d requests were served", served)
	}
}

// Where renegotiation is not let, nothing is served, and the reason names the setting.
func TestDo_RefusesToRenegotiate(t *testing.T) {
	t.Parallel()
	host := serveLate(t)
	host.strangers = true
	for _, most := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		host.options.MaxTLS, host.options.Renegotiation = most, tls.RenegotiateNever
		if reply := host.do(t); !reply.Sent || !reply.Reason.Is(fact.TLSRenegotiationAsked) {
			t.Errorf("%x: %+v", most, reply)
		}
	}
	if served := host.served.Load(); served != 0 {
		t.Errorf("%d requests were served", served)
	}
}

// A renegotiation that fails proves nothing of the request: the server has read its head, and perhaps its body.
func TestDo_RenegotiationFails(t *testing.T) {
	t.Parallel()
	other := httptest.NewUnstartedServer(nil)
	other.StartTLS()
	other.Close()
	identity := other.TLS.Certificates[0]
	identity.Certificate = [][]byte{nationaltest.Credentials(t).Certificate.Certificate[0]}
	for name, c := range map[string]struct {
		behaviour renegotiation.Behaviour
		reason    fact.Code
		person    bool
	}{
		"cut at once":           {renegotiation.Behaviour{Cut: renegotiation.AfterHello}, fact.CallConnectionBroke, false},
		"cut in the middle":     {renegotiation.Behaviour{Cut: renegotiation.AfterFlight}, fact.CallConnectionBroke, false},
		"cut at its end":        {renegotiation.Behaviour{Cut: renegotiation.AfterFinished}, fact.CallConnectionBroke, false},
		"another server":        {renegotiation.Behaviour{Other: &identity}, fact.CallConnectionBroke, false},
		"a bad certificate":     {renegotiation.Behaviour{Refuse: 42}, fact.TLSCertificateRefused, true},
		"an expired one":        {renegotiation.Behaviour{Refuse: 45}, fact.TLSCertificateRefused, true},
		"of an unknown CA":      {renegotiation.Behaviour{Refuse: 48}, fact.TLSCertificateRefused, true},
		"a handshake that ends": {renegotiation.Behaviour{Refuse: 40}, fact.TLSCertificateRefused, false},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			host := serveLate(t)
			host.asked = func() renegotiation.Behaviour { return c.behaviour }
			if host.request.Method = method; method == http.MethodGet {
				host.request.Body = nil
			}
			reply := host.do(t)
			if !reply.Sent || !reply.Reason.Is(c.reason) || reply.NeedsPerson.None() == c.person ||
				(reply.RetryAfter > 0) != c.person || host.served.Load() != 0 {
				t.Errorf("%s, %s: %+v; %d served", name, method, reply, host.served.Load())
			}
		}
	}
}

// One that does not go on is given up with its request.
func TestDo_RenegotiationHangs(t *testing.T) {
	t.Parallel()
	host := serveLate(t)
	ctx, stop := context.WithCancel(t.Context())
	host.asked = func() renegotiation.Behaviour { stop(); return renegotiation.Behaviour{Hang: true} }
	reply := mtls.New(host.options).Do(ctx, nationaltest.Credentials(t).Certificate, false, host.request)
	if !reply.Sent || !reply.Reason.Is(fact.CallStopped) {
		t.Errorf("%+v", reply)
	}
}

// A host that holds less than a body while it does not know the client refuses it by 413, unread. From then on bodies
// are held back until they are asked for, which comes after the renegotiation; unless the host does not know that.
func TestDo_BodyThatIsNotHeld(t *testing.T) {
	t.Parallel()
	host := serveLate(t)
	host.asked = func() renegotiation.Behaviour { return renegotiation.Behaviour{ReadAhead: 1 << 10} }
	client, certificate := mtls.New(host.options), nationaltest.Credentials(t).Certificate
	post := func() mtls.Reply { return client.Do(t.Context(), certificate, false, host.request) }
	if reply := post(); reply.Status != http.StatusRequestEntityTooLarge || !reply.Sent || host.served.Load() != 0 {
		t.Fatalf("%+v", reply)
	}
	if reply := post(); reply.Status != http.StatusOK || host.expects.Load() != 1 {
		t.Fatalf("held back: %+v, %d", reply, host.expects.Load())
	}
	host.answer = func(w http.ResponseWriter) bool { w.WriteHeader(http.StatusExpectationFailed); return true }
	if reply := post(); reply.Status != http.StatusExpectationFailed {
		t.Fatalf("%+v", reply)
	}
	host.answer = nil
	if reply := post(); reply.Status == http.StatusExpectationFailed || host.expects.Load() != 2 {
		t.Errorf("not held back any more: %+v, %d", reply, host.expects.Load())
	}
}
