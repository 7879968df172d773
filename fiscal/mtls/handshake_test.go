package mtls

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"testing"
	"time"

	"emissor/nfse/fact"
)

// A server is met also where it wants a certificate that was not given, in both versions of TLS; no request
// reaches it.
func TestHandshake(t *testing.T) {
	t.Parallel()
	for version, name := range map[uint16]string{tls.VersionTLS12: "TLS 1.2", tls.VersionTLS13: "TLS 1.3"} {
		client, request := serve(t, Options{MaxTLS: version}, func(http.ResponseWriter, *http.Request) {
			t.Error("a request was sent")
		})
		base, err := url.Parse(request.URL)
		if err != nil {
			t.Fatal(err)
		}
		met, problem := Handshake(t.Context(), client.options, base)
		if !problem.None() || met.Version != name || !met.Asks || time.Until(met.NotAfter) <= 0 {
			t.Errorf("%s: met is %+v: %s", name, met, problem)
		}
		untrusting := client.options
		untrusting.ServerRoots = nil
		shown, problem := Handshake(t.Context(), untrusting, base)
		if !problem.Is(fact.TLSServerNotTrusted) || shown.Certificate == nil || !shown.Certificate.Equal(met.Certificate) ||
			EndOfChain(met.Certificate, met.Chain).Subject.String() != shown.Certificate.Issuer.String() {
			t.Errorf("%s: without its root: %+v: %s", name, shown, problem)
		}
	}
	nobody, err := url.Parse("https://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if _, problem := Handshake(t.Context(), Options{}, nobody); !problem.Is(fact.ConnectionRefused) {
		t.Errorf("nobody is met: %s", problem)
	}
}
