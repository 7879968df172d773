package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"emissor/test/testkit"
)

// testCA signs the certificates of a test.
type testCA struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string // PEM
}

func newTestCA(t *testing.T) testCA {
	t.Helper()
	ca := testCA{}
	ca.certificate, ca.key = issue(t, testCA{}, &x509.Certificate{
		Subject: pkix.Name{CommonName: "Test CA"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	})
	ca.file = write(t, "ca.pem", pemOf("CERTIFICATE", ca.certificate.Raw))
	return ca
}

// issue signs a certificate; without a CA it signs itself.
func issue(t *testing.T, ca testCA, template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := ca.certificate, ca.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	must(t, err)
	certificate, err := x509.ParseCertificate(der)
	must(t, err)
	return certificate, key
}

// newPair is a certificate for a host and its key, in PEM.
func (ca testCA) newPair(t *testing.T, host string) (certificate, key []byte) {
	t.Helper()
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: host},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	issued, private := issue(t, ca, template)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	must(t, err)
	return pemOf("CERTIFICATE", issued.Raw), pemOf("PRIVATE KEY", der)
}

func pemOf(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// serveTLS makes the stack's PostgreSQL speak TLS with a certificate, beside plain
// connections. The server writes its files itself: they must be its account's.
func serveTLS(t *testing.T, database *testkit.Database, certificate, key []byte) {
	t.Helper()
	folder := database.Text(t, `SHOW data_directory`) + "/tls-of-the-test"
	file := func(name string, content []byte) string {
		database.Exec(t, fmt.Sprintf(`COPY (SELECT '%s') TO PROGRAM 'umask 077 && mkdir -p %s && base64 -d > %s/%s'`,
			base64.StdEncoding.EncodeToString(content), folder, folder, name))
		return folder + "/" + name
	}
	t.Cleanup(func() { database.Exec(t, `SELECT pg_reload_conf()`) })
	for setting, value := range map[string]string{
		"ssl_cert_file": file("server.crt", certificate), "ssl_key_file": file("server.key", key), "ssl": "on",
	} {
		database.Exec(t, fmt.Sprintf(`ALTER SYSTEM SET %s = '%s'`, setting, value))
		t.Cleanup(func() { database.Exec(t, `ALTER SYSTEM RESET `+setting) })
	}
	database.Exec(t, `SELECT pg_reload_conf()`)
	testkit.Eventually(t, "the server speaks TLS", func() bool { return database.Text(t, `SHOW ssl`) == "on" })
}

// With sslmode=verify-full the processes speak TLS with a real PostgreSQL, and with
// no other server than the one that the URL names.
func TestTLS_PostgreSQL(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	ca := newTestCA(t)
	certificate, private := ca.newPair(t, "127.0.0.1")
	serveTLS(t, database, certificate, private)
	over := func(mode, roots string) settings {
		t.Helper()
		address, err := url.Parse(database.URL)
		must(t, err)
		query := address.Query()
		query.Set("sslmode", mode)
		query.Set("sslrootcert", roots)
		address.RawQuery = query.Encode()
		return settingsOf(database).with("EMISSOR_DATABASE_URL", address.String())
	}
	safe := over("verify-full", ca.file)
	caller := caller{start(t, safe, "serve").api, key}
	id := caller.post(t, "/v1/nfse", testkit.Issuance(caller.newService(t), "order"),
		http.StatusAccepted)["id"].(string)
	eventuallyShows(t, safe, id, "issued")
	connections := `SELECT count(*) FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
		WHERE datname = current_database() AND application_name LIKE 'emissor/%' AND `
	if plain := database.Count(t, connections+`NOT ssl`); plain > 0 {
		t.Errorf("%d connections are in clear text", plain)
	}
	if encrypted := database.Count(t, connections+`ssl`); encrypted == 0 {
		t.Error("no connection is encrypted")
	}
	fails(t, over("verify-full", newTestCA(t).file), "certificate signed by unknown authority", "organization", "list")

	elsewhere, private := ca.newPair(t, "db.example.com")
	serveTLS(t, database, elsewhere, private)
	testkit.Eventually(t, "the server shows its other certificate", func() bool {
		return strings.Contains(execute(t, safe, "organization", "list").stderr, "127.0.0.1")
	})
	succeeds(t, over("verify-ca", ca.file), "organization", "list")
}

// A process that speaks with a remote database otherwise says so when it starts.
func TestTLS_WarnedAbout(t *testing.T) {
	t.Parallel()
	s := settings{"EMISSOR_DATABASE_URL": "postgres://emissor:s3cret@192.0.2.1.invalid/emissor?sslmode=require"}
	for _, part := range []string{"api", "worker", "serve", "migrate"} {
		result := execute(t, s, part)
		if !strings.Contains(result.stderr, "sslmode=require takes any server for the database") ||
			strings.Contains(result.stderr, "s3cret") {
			t.Errorf("%s said\n%s", part, result.stderr)
		}
	}
	local := s.with("EMISSOR_DATABASE_URL", "postgres://127.0.0.1:1/emissor?sslmode=disable")
	if result := execute(t, local, "api"); strings.Contains(result.stderr, "sslmode") {
		t.Errorf("of this machine it said\n%s", result.stderr)
	}
}

// newTemporalFront is a server of the test's that ends TLS in front of the real Temporal frontend, which itself speaks
// clear text in the development stack. It asks for a certificate of clients, if these are given, and hands on what
// refuse does not answer with a code of gRPC.
func newTemporalFront(t *testing.T, ca testCA, clients *x509.CertPool,
	refuse func(*http.Request) (codes.Code, string)) (address string) {
	t.Helper()
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: os.Getenv("TEMPORAL_ADDRESS")})
	quiet := log.New(io.Discard, "", 0)
	proxy.ErrorLog = quiet // polls that are cut off when a process ends
	var upstream, downstream http.Protocols
	upstream.SetUnencryptedHTTP2(true)
	downstream.SetHTTP2(true)
	proxy.Transport, proxy.FlushInterval = &http.Transport{Protocols: &upstream}, -1
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if code, message := refuse(request); code != codes.OK {
			w.Header().Set("Content-Type", "application/grpc")
			w.Header().Set("Grpc-Status", strconv.Itoa(int(code)))
			w.Header().Set("Grpc-Message", message)
			return
		}
		proxy.ServeHTTP(w, request)
	}))
	certificate, key := ca.newPair(t, "temporal.example.com")
	pair, err := tls.X509KeyPair(certificate, key)
	must(t, err)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2"}}
	if clients != nil {
		server.TLS.ClientAuth, server.TLS.ClientCAs = tls.RequireAndVerifyClientCert, clients
	}
	server.Config.ErrorLog = quiet
	server.Config.Protocols, server.EnableHTTP2 = &downstream, true
	server.StartTLS()
	t.Cleanup(server.CloseClientConnections)
	return server.Listener.Addr().String()
}

// byKey refuses who does not show the API key.
func byKey(key string) func(*http.Request) (codes.Code, string) {
	return func(request *http.Request) (codes.Code, string) {
		if key != "" && request.Header.Get("Authorization") != "Bearer "+key {
			return codes.PermissionDenied, "Request unauthorized."
		}
		return codes.OK, ""
	}
}

// A worker reaches Temporal over mutual TLS, or over TLS with an API key, and does
// a note's work; without them it does not.
func TestTLS_Temporal(t *testing.T) {
	t.Parallel()
	ca := newTestCA(t)
	certificate, key := ca.newPair(t, "worker.example.com")
	clients := x509.NewCertPool()
	clients.AddCert(ca.certificate)
	mutual := newTemporalFront(t, ca, clients, byKey(""))
	keyed := newTemporalFront(t, ca, nil, byKey("s3cret-api-key"))
	known := func(s settings, address string) settings {
		return s.with("TEMPORAL_ADDRESS", address).with("TEMPORAL_TLS_SERVER_CA_CERT_PATH", ca.file).
			with("TEMPORAL_TLS_SERVER_NAME", "temporal.example.com")
	}
	for _, way := range []struct {
		name    string
		address string
		good    settings
		refused settings // in its place
	}{
		{"Mutual", mutual, settings{"TEMPORAL_TLS_CLIENT_CERT_PATH": write(t, "client.pem",
			slices.Concat(certificate, key))}, settings{}},
		{"APIKey", keyed, settings{"TEMPORAL_API_KEY": "s3cret-api-key"}, settings{"TEMPORAL_API_KEY": "another"}},
	} {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			database := testkit.NewDatabase(t)
			_, apiKey, _ := database.NewOrganization(t, "Clínica Exemplo")
			base := known(settingsOf(database), way.address)
			with := func(more settings) settings {
				s := base
				for name, value := range more {
					s = s.with(name, value)
				}
				return s
			}
			program := start(t, with(way.good), "serve")
			caller := caller{program.api, apiKey}
			id := caller.post(t, "/v1/nfse", testkit.Issuance(caller.newService(t), "order"),
				http.StatusAccepted)["id"].(string)
			eventuallyShows(t, with(way.good), id, "issued")
			if result := execute(t, with(way.good), "migrate"); result.code != 0 {
				t.Errorf("the migration ended with %d\n%s", result.code, result.stderr)
			}
			if strings.Contains(program.logged(), "s3cret-api-key") {
				t.Error("the log holds the API key")
			}
			for name, refused := range map[string]settings{
				"WithoutIt":     with(way.refused),
				"AnotherServer": with(way.good).with("TEMPORAL_TLS_SERVER_NAME", "elsewhere.example.com"),
				"AnotherCA":     with(way.good).with("TEMPORAL_TLS_SERVER_CA_CERT_PATH", newTestCA(t).file),
				"TheSystemsCAs": with(way.good).with("TEMPORAL_TLS_SERVER_CA_CERT_PATH", ""),
			} {
				t.Run(name, func(t *testing.T) {
					t.Parallel() // each tries for ten seconds
					if result := execute(t, refused, "migrate"); result.code != 1 ||
						strings.Contains(result.stderr, "s3cret-api-key") ||
						!strings.Contains(result.stderr, "emissor: the engine at "+way.address) {
						t.Errorf("the migration ended with %d\n%s", result.code, result.stderr)
					}
				})
			}
		})
	}
}
