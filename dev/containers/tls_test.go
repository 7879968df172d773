//go:build containers

package containers

import (
	"crypto/x509"
	"fmt"
	"strings"
	"testing"
)

// putTLSInFront gives callers names and TLS, with certificates of an authority made here: one that has expired, the one
// that replaces it, and another while notes are posted.
func (i *installation) putTLSInFront(t *testing.T) {
	const page, heading = "install.md", "TLS in front"
	m := i.machine
	m.run(t, "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=A test' "+
		"-keyout /tmp/ca.key -out /tmp/ca.pem 2>&1")
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(m.run(t, "cat /tmp/ca.pem"))) {
		t.Fatal("the authority's certificate is none")
	}
	i.roots.Store(roots)

	accepted := i.call(t, plain) // before TLS, and while what is in front of it is expired
	i.expectAccepted(t, accepted, 10)
	i.handbook.follow(t, m, page, heading)
	i.certify(t, "expired", "-not_before 20200101000000Z -not_after 20200201000000Z")
	i.handbook.follow(t, m, page, heading)
	i.expectAllWork(t)
	refused, err := i.client(false).Get(withTLS + "/v1/health")
	if err == nil || !strings.Contains(err.Error(), "expired") {
		t.Fatalf("an expired certificate: %v %v", refused, err)
	}
	i.expectIssued(t, accepted)

	i.certify(t, "first", "-days 20")
	i.handbook.follow(t, m, page, heading)
	i.expectAnswer(t, withTLS+"/v1/health")
	i.expectAnswer(t, "https://painel.example.com/health")
	before := i.serial(t)
	c := i.call(t, withTLS)
	i.expectAccepted(t, c, 100)
	i.certify(t, "second", "-days 20")
	i.handbook.again(t, m, page, heading)
	i.expectAccepted(t, c, 100)
	c.expectNoFailure(t)
	i.expectIssued(t, c)
	if after := i.serial(t); after == before {
		t.Error("the certificate is the one of before")
	}
}

// certify puts a new certificate where the page says.
func (i *installation) certify(t *testing.T, name, validity string) {
	t.Helper()
	i.machine.run(t, fmt.Sprintf(`
mkdir -p deploy/caddy/certificates
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=%s' \
	-keyout /tmp/%[1]s.key -out /tmp/%[1]s.csr 2>&1
openssl x509 -req -in /tmp/%[1]s.csr -CA /tmp/ca.pem -CAkey /tmp/ca.key %[2]s -out /tmp/%[1]s.pem \
	-extfile <(echo 'subjectAltName=DNS:notes.example.com,DNS:painel.example.com') 2>&1
cp /tmp/%[1]s.key deploy/caddy/certificates/key.pem
cp /tmp/%[1]s.pem deploy/caddy/certificates/certificate.pem`, name, validity))
}

// serial is the serial number of the certificate that callers get.
func (i *installation) serial(t *testing.T) string {
	t.Helper()
	response, err := i.client(false).Get(withTLS + "/v1/health")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.TLS.PeerCertificates[0].SerialNumber.String()
}
