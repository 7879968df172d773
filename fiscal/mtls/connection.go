package mtls

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
)

// dial returns a connection whose TLS handshake is done: anything that fails here fails before a byte of a request.
func dial(ctx context.Context, network, address string, config *tls.Config) (net.Conn, error) {
	raw, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config = config.Clone()
	asks := new(asks)
	config.GetClientCertificate = asks.before(config.GetClientCertificate)
	config.ServerName, _, err = net.SplitHostPort(address)
	if err != nil {
		raw.Close()
		return nil, err
	}
	secure := tls.Client(raw, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, fmt.Errorf("%w: %w", errHandshake, cmp.Or(asks.notSigned(), err))
	}
	asks.over.Store(true)
	return &connection{Conn: secure, version: secure.ConnectionState().Version, asks: asks,
		chain: shownBy(secure.ConnectionState())}, nil
}

// connection counts what went over it: the transport's own errors do not say
// for certain whether a byte of a request left.
type connection struct {
	net.Conn
	version uint16 // of TLS
	asks    *asks
	chain   []*x509.Certificate // by which the server's certificate is trusted

	mutex   sync.Mutex
	written int64 // bytes of requests handed to TLS, counted before they go
	read    int64 // bytes of answers
	alert   error // the TLS alert that ended it before its first answer
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
		c.alert = err
	}
	return n, err
}

func (c *connection) Close() error {
	c.mutex.Lock()
	c.closed = true
	c.mutex.Unlock()
	return c.Conn.Close()
}

// mayRenegotiate reports whether the server may ask for the client's certificate by a renegotiation, after it
// has read the head of a request: up to TLS 1.2.
func (c *connection) mayRenegotiate() bool { return c.version < tls.VersionTLS13 }

// writtenBytes returns how much was written so far.
func (c *connection) writtenBytes() int64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.written
}

// end lets nothing more be written, and reports whether anything was beyond so
// many bytes, and the TLS alert that ended the connection. Both stay true.
func (c *connection) end(written int64) (sent bool, alert error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.closed = true
	return c.written > written, c.alert
}

// certificateAlerts are what a server says of our certificate.
var certificateAlerts = []string{
	"access denied", "bad certificate", "certificate required", "expired certificate",
	"revoked certificate", "unknown certificate", "unknown certificate authority", "unsupported certificate",
}

// refusedCertificate reports whether the server said that it does not take our
// certificate: another may be needed. A handshake can fail for other reasons, which
// pass.
func refusedCertificate(err error) bool {
	return slices.Contains(certificateAlerts, tlsAlert("remote error", err))
}

// certificateAlert reports whether the server ended the connection because of our
// certificate, or refused a handshake without an acceptable one. In TLS 1.3 a client's
// handshake is over before the server has checked its certificate, so the alert comes
// when a request may have been written; but a server reads no request before its own
// handshake is over. Only of a connection that may not renegotiate does that hold.
func certificateAlert(err error) bool {
	return refusedCertificate(err) || tlsAlert("remote error", err) == "handshake failure"
}

// tlsAlert returns the TLS alert in an error, received (remote error) or sent (local
// error); empty when there is none.
func tlsAlert(op string, err error) string {
	var alert *net.OpError
	if !errors.As(err, &alert) || alert.Op != op || alert.Err == nil {
		return ""
	}
	return strings.TrimPrefix(alert.Err.Error(), "tls: ")
}
