package mail_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"emissor/internal/mail"
)

// server is a real mail server on loopback that answers as a test says.
type server struct {
	port  int
	roots *x509.CertPool // of its own CA

	user, password string             // empty: it asks for none
	mechanisms     []string           // PLAIN when empty
	onMail, onRcpt func() error       // nil takes everything
	onData         func([]byte) error // nil takes everything

	mu       sync.Mutex
	messages []received
	sessions int
}

// received is a message that the server took.
type received struct {
	from, to string
	secured  bool // by TLS
	user     string
	raw      []byte
	options  smtp.MailOptions
}

func (s *server) taken() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.messages...)
}

// start serves in the mode until the test ends.
func (s *server) start(t *testing.T, mode mail.TLSMode) *server {
	t.Helper()
	certificate, roots := ownCertificate(t)
	s.roots = roots
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s.port = listener.Addr().(*net.TCPAddr).Port
	srv := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.sessions++
		return &session{server: s, conn: c}, nil
	}))
	srv.Domain = "mail.test"
	srv.EnableSMTPUTF8 = true
	srv.ErrorLog = log.New(io.Discard, "", 0)
	switch mode {
	case mail.StartTLS:
		srv.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	case mail.ImplicitTLS:
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate}})
	}
	go func() { _ = srv.Serve(listener) }()
	t.Cleanup(func() { _ = srv.Close() })
	return s
}

// options reach the server.
func (s *server) options(mode mail.TLSMode) mail.Options {
	return mail.Options{
		Host: "127.0.0.1", Port: s.port, From: "notas@emissor.example", TLS: mode, Roots: s.roots,
		Username: s.user, Password: s.password,
	}
}

type session struct {
	server   *server
	conn     *smtp.Conn
	message  received
	loggedIn string
}

func (s *session) AuthMechanisms() []string {
	if s.server.user == "" {
		return nil
	}
	if s.server.mechanisms != nil {
		return s.server.mechanisms
	}
	return []string{sasl.Plain}
}

func (s *session) Auth(mechanism string) (sasl.Server, error) {
	check := func(user, password string) error {
		if user != s.server.user || password != s.server.password {
			return smtp.ErrAuthFailed
		}
		s.loggedIn = user
		return nil
	}
	switch mechanism {
	case "LOGIN":
		return &loginServer{check: check}, nil
	case "XOAUTH2":
		return &tokenServer{check: check}, nil
	}
	return sasl.NewPlainServer(func(_, user, password string) error { return check(user, password) }), nil
}

// tokenServer takes a user and an access token in one line; why it refuses one it says before it does.
type tokenServer struct {
	check   func(user, token string) error
	refused error
}

func (s *tokenServer) Next(response []byte) (challenge []byte, done bool, err error) {
	if s.refused != nil {
		return nil, true, s.refused
	}
	user, rest, _ := strings.Cut(strings.TrimPrefix(string(response), "user="), "\x01auth=Bearer ")
	token, ended := strings.CutSuffix(rest, "\x01\x01")
	if !ended {
		return nil, true, smtp.ErrAuthFailed
	}
	if s.refused = s.check(user, token); s.refused != nil {
		return []byte(`{"status":"401","schemes":"bearer"}`), false, nil
	}
	return nil, true, nil
}

// loginServer asks for a user name and then for a password.
type loginServer struct {
	check func(user, password string) error
	said  []string
}

func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
	if response != nil {
		l.said = append(l.said, string(response))
	}
	switch len(l.said) {
	case 0:
		return []byte("Username:"), false, nil
	case 1:
		return []byte("Password:"), false, nil
	}
	return nil, true, l.check(l.said[0], l.said[1])
}

func (s *session) Mail(from string, options *smtp.MailOptions) error {
	if s.server.user != "" && s.loggedIn == "" {
		return smtp.ErrAuthRequired
	}
	_, secured := s.conn.TLSConnectionState()
	s.message = received{from: from, secured: secured, user: s.loggedIn, options: *options}
	return call(s.server.onMail)
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.message.to = to
	return call(s.server.onRcpt)
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.server.onData != nil {
		if err := s.server.onData(raw); err != nil {
			if errors.Is(err, errCut) {
				_ = s.conn.Conn().Close()
			}
			return err
		}
	}
	s.message.raw = raw
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.messages = append(s.server.messages, s.message)
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// errCut makes the server close the connection instead of answering.
var errCut = errors.New("cut")

func call(f func() error) error {
	if f == nil {
		return nil
	}
	return f()
}

// answering answers with a code of SMTP.
func answering(code int, words string) func() error {
	return func() error {
		return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1}, Message: words}
	}
}

// ownCertificate is a server's certificate and the CA of the test that signed
// it.
func ownCertificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test CA"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, caKey.Public(), caKey)
	must(t, err)
	ca, err = x509.ParseCertificate(caDER)
	must(t, err)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "mail"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0,
			1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, ca, key.Public(), caKey)
	must(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
