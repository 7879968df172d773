package national

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"emissor/fiscal"
)

const (
	maxPools       = 128              // certificates whose connections are kept open at a time
	maxConnections = 64               // to the authority with one certificate
	idleTimeout    = 15 * time.Second // short: what is sent on a connection that the other side just closed has an unknown outcome
	maxHeader      = 64 << 10
)

// parseBase refuses what is no plain https address.
func parseBase(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("must be an https URL")
	case base.Scheme != "https" || base.Hostname() == "" || base.Opaque != "":
		return nil, errors.New("must be an https URL with a host")
	case base.User != nil || base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errors.New("must have no user, query or fragment")
	}
	return base, nil
}

// pools keep the connections of each certificate apart: what was opened as one
// organization never carries a request of another.
type pools struct {
	options Options
	mutex   sync.Mutex
	clock   int64 // counts uses: the pool with the lowest was left alone longest
	open    map[poolKey]*pool
}

// poolKey is the certificate itself, not its name: that one is bound to what
// opened the connections.
type poolKey struct {
	certificate [sha256.Size]byte
	production  bool
}

type pool struct {
	transport *http.Transport
	used      int64
}

// of is the transport of a session. When there are too many, the one left alone
// longest goes: requests still on it end as usual, and its connections close
// once they are idle.
func (p *pools) of(as fiscal.Session) *http.Transport {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.clock++
	key := poolKey{sha256.Sum256(as.Credentials.Certificate.Certificate[0]), as.Production}
	if found := p.open[key]; found != nil {
		found.used = p.clock
		return found.transport
	}
	if len(p.open) >= maxPools {
		p.dropOldest()
	}
	fresh := &pool{transport: newTransport(p.options, as.Credentials.Certificate), used: p.clock}
	p.open[key] = fresh
	return fresh.transport
}

func (p *pools) dropOldest() {
	var oldest poolKey
	for key, candidate := range p.open {
		if p.open[oldest] == nil || candidate.used < p.open[oldest].used {
			oldest = key
		}
	}
	p.open[oldest].transport.CloseIdleConnections()
	delete(p.open, oldest)
}

// newTransport speaks HTTP/1.1 only, which SEFIN demands, straight to the
// authority: no proxy of the environment, no compression of its own.
func newTransport(options Options, certificate tls.Certificate) *http.Transport {
	config := tlsConfig(options, certificate)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, stop := context.WithTimeout(ctx, options.ConnectTimeout)
			defer stop()
			return dial(ctx, network, address, config)
		},
		Protocols:              protocols,
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
		DisableCompression:     true,
		MaxConnsPerHost:        maxConnections,
		MaxIdleConnsPerHost:    maxConnections,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// tlsConfig always offers the certificate: the list of issuers that a server
// names is no reason to stay silent, since chains are often stored without
// their intermediates.
func tlsConfig(options Options, certificate tls.Certificate) *tls.Config {
	config := &tls.Config{
		RootCAs:       options.ServerRoots,
		NextProtos:    []string{"http/1.1"},
		MinVersion:    options.MinTLS,
		MaxVersion:    options.MaxTLS,
		Renegotiation: options.Renegotiation,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &certificate, nil
		},
	}
	if config.MinVersion == 0 {
		config.MinVersion = tls.VersionTLS12
	}
	return config
}

// dial ends with the TLS handshake done: whatever fails here fails before a
// byte of a request.
func dial(ctx context.Context, network, address string, config *tls.Config) (net.Conn, error) {
	raw, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config = config.Clone()
	config.ServerName, _, err = net.SplitHostPort(address)
	if err != nil {
		raw.Close()
		return nil, err
	}
	secure := tls.Client(raw, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, fmt.Errorf("%w: %w", errHandshake, err)
	}
	return &connection{Conn: secure}, nil
}

// connection knows what went over it: the transport's own errors do not tell
// for certain whether a byte of a request left.
type connection struct {
	net.Conn

	mutex   sync.Mutex
	written int64 // bytes of requests handed to TLS, counted before they go
	read    int64 // bytes of answers
	refusal error // the TLS alert that ended it before its first answer
	closed  bool
}

func (c *connection) Write(p []byte) (int, error) {
	c.mutex.Lock()
	if c.closed {
		c.mutex.Unlock()
		return 0, net.ErrClosed
	}
	c.written += int64(len(p))
	c.mutex.Unlock()
	return c.Conn.Write(p)
}

func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.read += int64(n)
	if c.read == 0 && certificateAlert(err) {
		c.refusal = err
	}
	return n, err
}

func (c *connection) Close() error {
	c.mutex.Lock()
	c.closed = true
	c.mutex.Unlock()
	return c.Conn.Close()
}

// mark is how much was written so far.
func (c *connection) mark() int64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.written
}

// end lets nothing more be written, and says whether anything was since the
// mark. What it says stays true.
func (c *connection) end(since int64) (sent bool, refusal error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.closed = true
	return c.written > since, c.refusal
}

// certificateAlerts are what a server says of our certificate, or of a
// handshake without one it likes.
var certificateAlerts = []string{
	"access denied", "bad certificate", "certificate required", "expired certificate", "handshake failure",
	"revoked certificate", "unknown certificate", "unknown certificate authority", "unsupported certificate",
}

// certificateAlert reports whether the server ended the connection over our
// certificate. In TLS 1.3 a client's handshake is over before the server has
// looked at its certificate, so the alert comes when a request may have been
// written; but a server reads no request before its own handshake is over. The
// same holds for the renegotiation by which some ask for a certificate late: it
// comes before the request is handled.
func certificateAlert(err error) bool {
	return slices.Contains(certificateAlerts, tlsWords("remote error", err))
}

// tlsWords is the TLS alert in an error, received (remote error) or sent (local
// error); empty when there is none.
func tlsWords(op string, err error) string {
	var alert *net.OpError
	if !errors.As(err, &alert) || alert.Op != op || alert.Err == nil {
		return ""
	}
	return strings.TrimPrefix(alert.Err.Error(), "tls: ")
}
