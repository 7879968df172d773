package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail/smtp"
	"golang.org/x/oauth2"

	"emissor/nfse/fact"
)

// TLSMode is how the connection to the mail server is protected.
type TLSMode string

// The modes.
const (
	StartTLS    TLSMode = "starttls" // begins in clear and must become TLS before anything else is sent
	ImplicitTLS TLSMode = "tls"      // TLS from the first byte
	NoTLS       TLSMode = "none"     // for development only
)

const (
	connectTimeout = 5 * time.Second  // for the connection, with its TLS handshake in the mode tls
	wholeTimeout   = 30 * time.Second // for the whole conversation
	quitTimeout    = time.Second      // for QUIT, when the message is already accepted
)

// defaultPorts are the usual ones: submission, submissions and relay.
var defaultPorts = map[TLSMode]int{StartTLS: 587, ImplicitTLS: 465, NoTLS: 25}

// Options name the mail server and the sender.
type Options struct {
	Host     string
	Port     int    // 0 is the usual one of the mode: 587, 465 or 25
	From     string // the sender's address; the name beside it is the issuer's
	Username string // empty: without authentication
	Password string
	// OAuth gives the access tokens by which the server lets the user in, in place of a password; nil is none.
	OAuth oauth2.TokenSource
	TLS   TLSMode        // empty is starttls
	Roots *x509.CertPool // that sign the server's certificate; nil is the system's
}

// Sender sends messages, each over a connection of its own. It may be used by
// many at once.
type Sender struct {
	options Options
	domain  string // of the sender's address
	hello   string // our name, to the server
}

// New makes a Sender, without connecting yet. Its errors name the wrong option, and never
// hold the password.
func New(options Options) (*Sender, error) {
	options.TLS = cmp.Or(options.TLS, StartTLS)
	usual, known := defaultPorts[options.TLS]
	if !known {
		return nil, errors.New("mail: the TLS mode must be starttls, tls or none")
	}
	options.Port = cmp.Or(options.Port, usual)
	if options.Host == "" || strings.ContainsAny(options.Host, " \t\r\n/:@") && net.ParseIP(options.Host) == nil {
		return nil, errors.New("mail: the host must be a name or an address, without a port")
	}
	if options.Port < 1 || options.Port > 65535 {
		return nil, errors.New("mail: the port must be 1 to 65535")
	}
	if !isAddress(options.From) {
		return nil, errors.New("mail: the sender (from) must be a plain e-mail address")
	}
	if options.OAuth != nil && (options.Username == "" || options.Password != "") {
		return nil, errors.New("mail: with OAuth there is a username, and no password")
	}
	if options.OAuth == nil && (options.Username == "") != (options.Password == "") {
		return nil, errors.New("mail: username and password go together")
	}
	if options.Username != "" && options.TLS == NoTLS {
		return nil, errors.New("mail: a password is never sent without TLS: the TLS mode must be starttls or tls")
	}
	hello, err := os.Hostname()
	if err != nil || hello == "" {
		hello = "localhost"
	}
	_, domain, _ := strings.Cut(options.From, "@")
	return &Sender{options: options, domain: domain, hello: hello}, nil
}

// Server is the host and port of the server.
func (s *Sender) Server() string {
	return net.JoinHostPort(s.options.Host, strconv.Itoa(s.options.Port))
}

// String returns the name of the server, and keeps the password out of logs.
func (s *Sender) String() string { return "the mail server " + s.Server() }

// GoString returns what String does.
func (s *Sender) GoString() string { return s.String() }

// Send makes one attempt. nil means that the server has accepted the message.
// After an error it may have accepted it too: the same message sent again has the
// same Message-ID and the same bytes. Temporary, Problem and Summary read the error.
func (s *Sender) Send(ctx context.Context, message Message) error {
	composed, err := s.compose(message)
	if err != nil {
		return err
	}
	return s.deliver(ctx, message.To, composed)
}

// Check has the conversation with the server up to where a message would be submitted: connection,
// greeting, TLS and password. It submits none. Problem and Summary read the error.
func (s *Sender) Check(ctx context.Context) error {
	return s.converse(ctx, func(client *smtp.Client) error {
		if err := client.Noop(); err != nil {
			return failed(stepGreeting, err)
		}
		return nil
	})
}

// deliver connects to the server and submits a message.
func (s *Sender) deliver(ctx context.Context, to string, composed io.WriterTo) error {
	return s.converse(ctx, func(client *smtp.Client) error { return s.submit(client, to, composed) })
}

// converse has a whole conversation with the server, of which say is what comes after its beginning.
func (s *Sender) converse(ctx context.Context, say func(*smtp.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, wholeTimeout)
	defer cancel()
	conn, err := s.connect(ctx)
	if err != nil {
		return failed(stepConnect, err)
	}
	defer conn.Close()
	conn = &bounded{conn, maxAnswers}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	client, err := s.greet(conn)
	if err != nil {
		return err
	}
	if err := say(client); err != nil {
		return err
	}
	stop()
	_ = conn.SetDeadline(time.Now().Add(quitTimeout))
	_ = client.Quit() // what was said is said, whether this succeeds or not
	return nil
}

func (s *Sender) connect(ctx context.Context) (net.Conn, error) {
	address := s.Server()
	dialer := &net.Dialer{Timeout: connectTimeout}
	if s.options.TLS == ImplicitTLS {
		return (&tls.Dialer{NetDialer: dialer, Config: s.tlsConfig()}).DialContext(ctx, "tcp", address)
	}
	return dialer.DialContext(ctx, "tcp", address)
}

// maxAnswers are the bytes that a server may answer in a conversation: an answer
// of many lines is kept until its last.
const maxAnswers = 256 << 10

// bounded is a connection that ends after so many bytes from the other side.
type bounded struct {
	net.Conn
	left int
}

// Read implements net.Conn.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errEndless
	}
	n, err := b.Conn.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func (s *Sender) tlsConfig() *tls.Config {
	return &tls.Config{ServerName: s.options.Host, RootCAs: s.options.Roots, MinVersion: tls.VersionTLS12}
}

// greet begins the conversation, up to where a message may be submitted.
func (s *Sender) greet(conn net.Conn) (*smtp.Client, error) {
	client, err := smtp.NewClient(conn, s.options.Host)
	if err != nil {
		return nil, failed(stepGreeting, err)
	}
	client.SkipSMTPUTF8(true) // our messages are ASCII, and not every server behind this one takes SMTPUTF8
	if err := client.Hello(s.hello); err != nil {
		return nil, failed(stepGreeting, err)
	}
	if s.options.TLS == StartTLS {
		if offered, _ := client.Extension("STARTTLS"); !offered {
			return nil, &failure{step: stepTLS, why: fact.MailServerWithoutSTARTTLS.Fact()}
		}
		if err := client.StartTLS(s.tlsConfig()); err != nil {
			return nil, failed(stepTLS, err)
		}
	}
	if s.options.Username == "" {
		return client, nil
	}
	return client, s.authenticate(client)
}

func (s *Sender) authenticate(client *smtp.Client) error {
	_, offered := client.Extension("AUTH")
	mechanisms := strings.Fields(strings.ToUpper(offered))
	var method smtp.Auth
	switch {
	case s.options.OAuth != nil && !slices.Contains(mechanisms, "XOAUTH2"):
		return &failure{step: stepAuthentication, why: fact.MailServerWithoutXOAUTH2.Fact()}
	case s.options.OAuth != nil:
		token, err := s.options.OAuth.Token()
		if err != nil {
			return failed(stepAuthentication, err)
		}
		method = smtp.XOAuth2Auth(s.options.Username, token.AccessToken)
	case slices.Contains(mechanisms, "PLAIN"):
		method = smtp.PlainAuth("", s.options.Username, s.options.Password, s.options.Host, false)
	case slices.Contains(mechanisms, "LOGIN"):
		method = smtp.LoginAuth(s.options.Username, s.options.Password, s.options.Host, false)
	default:
		return &failure{step: stepAuthentication, why: fact.MailServerWithoutLogin.Fact()}
	}
	if err := client.Auth(method); err != nil {
		return failed(stepAuthentication, err)
	}
	return nil
}

// submit gives the message to the server.
func (s *Sender) submit(client *smtp.Client, to string, message io.WriterTo) error {
	if err := client.Mail("<" + s.options.From + ">"); err != nil {
		return failed(stepSender, err)
	}
	if err := client.Rcpt("<" + to + ">"); err != nil {
		return failed(stepRecipient, err)
	}
	data, err := client.Data()
	if err != nil {
		return failed(stepMessage, err)
	}
	if _, err := message.WriteTo(data); err != nil {
		return failed(stepMessage, err)
	}
	if err := data.Close(); err != nil {
		return failed(stepMessage, err)
	}
	return nil
}
