package mtls_test

import (
	"crypto"
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"emissor/fiscal/mtls"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse/fact"
)

// distant is a key that a program signs with, as far as a connection sees.
type distant struct {
	crypto.Signer
	out bool // it gives no signature
}

func (d *distant) Sign(random io.Reader, digest []byte, options crypto.SignerOpts) ([]byte, error) {
	if d.out {
		return nil, fact.Failure(fact.SigningProgramFailed.With("why", fact.SigningProgramSilent.Fact()))
	}
	return d.Signer.Sign(random, digest, options)
}

// at is the certificate of the tests with its key there.
func (d *distant) at(t *testing.T) tls.Certificate {
	certificate := nationaltest.Credentials(t).Certificate
	d.Signer = certificate.PrivateKey.(crypto.Signer)
	certificate.PrivateKey = d
	return certificate
}

// A key that does not sign holds the note with its reason, and keeps nobody else from the authority. When it is asked
// for in the first handshake nothing was sent; by renegotiation the server has read of the request.
func TestDo_KeyElsewhere(t *testing.T) {
	t.Parallel()
	late := serveLate(t)
	for name, c := range map[string]struct {
		sent    bool
		options mtls.Options
	}{
		"by renegotiation": {true, late.options},
		"in TLS 1.2":       {false, mtls.Options{MaxTLS: tls.VersionTLS12}},
		"in TLS 1.3":       {false, mtls.Options{MinTLS: tls.VersionTLS13}},
	} {
		request, client := late.request, mtls.New(c.options)
		if !c.sent {
			client, request = serveAtOnce(t, c.options)
		}
		key := &distant{out: true}
		reply := client.Do(t.Context(), key.at(t), false, request)
		if reply.Sent != c.sent || !reply.Reason.Is(fact.SigningProgramFailed) ||
			!reply.NeedsPerson.Equal(reply.Reason) || reply.RetryAfter == 0 {
			t.Errorf("%s, without a signature: %+v", name, reply)
		}
		// The same certificate is given with another key, as where the token is another one.
		if reply := client.Do(t.Context(), new(distant).at(t), false, request); reply.Status != http.StatusOK {
			t.Errorf("%s: %+v", name, reply)
		}
	}
	if served := late.served.Load(); served != 1 {
		t.Errorf("%d requests were served", served)
	}
}

// serveAtOnce starts a server that asks for a certificate in the first handshake.
func serveAtOnce(t *testing.T, options mtls.Options) (*mtls.Client, mtls.Request) {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	options.ServerRoots = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	return mtls.New(options), mtls.Request{Method: http.MethodPost, URL: server.URL, Body: []byte("{}"), MaxBody: 1 << 20}
}
