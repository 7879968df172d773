package renegotiation

import (
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// closePatience is how long Close tries to say that it closes.
const closePatience = time.Second

// errEnded is what is written after the server's last word.
var errEnded = errors.New("renegotiation: the connection was ended")

// Conn is the server's side of a connection of TLS 1.2. Its first handshake is made by the first Read or Write. Its
// methods are safe for concurrent use.
type Conn struct {
	raw         net.Conn
	certificate *tls.Certificate
	askEarly    bool

	// What the handshakes came to: nil before their end.
	first, second atomic.Pointer[tls.ConnectionState]
	// The renegotiation that was asked for: it stays when it is over, as there is only one.
	pending atomic.Pointer[renegotiation]

	// The lock of what follows, down to writing. A reader holds it, also while it waits for the client; a channel, so
	// that Renegotiate can wait for it or for the end of the handshake that a reader makes.
	input    chan struct{}
	in       half
	record   [headSize + maxSealed]byte // the record that is arriving; a deadline in its midst loses nothing of it
	arrived  int                        // bytes of record
	messages []byte                     // handshake messages that are not yet read
	plain    []byte                     // application data that are not yet read
	changing bool                       // the client's keys are new, and its Finished is not yet verified
	broken   error                      // why nothing more can be read
	// The last handshake, as the next one must name it.
	clientFinished, serverFinished []byte

	writing sync.Mutex // held in a renegotiation, in which a client takes no application data
	output  sync.Mutex // the lock of what follows
	out     half
	ended   bool // close_notify, a fatal alert or half a record was sent
}

// NewConn returns the server's side of raw. With askEarly the first handshake asks for a certificate.
func NewConn(raw net.Conn, certificate *tls.Certificate, askEarly bool) *Conn {
	return &Conn{raw: raw, certificate: certificate, askEarly: askEarly, input: make(chan struct{}, 1)}
}

// Read reads application data. It also makes the handshakes that the client and Renegotiate begin.
func (c *Conn) Read(p []byte) (int, error) {
	c.input <- struct{}{}
	defer func() { <-c.input }()
	if err := c.establish(); err != nil {
		return 0, err
	}
	for len(c.plain) == 0 && len(p) > 0 {
		if err := c.step(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.plain)
	c.plain = c.plain[n:]
	return n, nil
}

// Write writes application data. It waits for the end of a renegotiation.
func (c *Conn) Write(p []byte) (int, error) {
	if c.first.Load() == nil {
		if err := c.handshakeFirst(); err != nil {
			return 0, err
		}
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.send(applicationData, p)
}

func (c *Conn) handshakeFirst() error {
	c.input <- struct{}{}
	defer func() { <-c.input }()
	return c.establish()
}

// establish makes the first handshake, if that is not done. The caller holds input.
func (c *Conn) establish() error {
	if c.broken != nil || c.first.Load() != nil {
		return c.broken
	}
	state, err := (&handshake{conn: c, certificate: c.certificate, ask: c.askEarly}).run()
	if err != nil {
		return c.fail(err)
	}
	c.first.Store(state)
	return nil
}

// fail keeps why nothing more can be read, and tells the client if it is the client's mistake. The caller holds input.
func (c *Conn) fail(err error) error {
	if alert := tls.AlertError(0); errors.As(err, &alert) {
		c.alert(levelFatal, byte(alert))
	}
	c.broken = err
	return err
}

// CloseWrite says that nothing more will be written.
func (c *Conn) CloseWrite() error {
	c.alert(levelWarning, alertCloseNotify)
	return nil
}

// Close closes the connection. It says so to the client unless a Write is under way.
func (c *Conn) Close() error {
	if c.first.Load() != nil && c.output.TryLock() {
		_ = c.raw.SetWriteDeadline(time.Now().Add(closePatience))
		c.alertLocked(levelWarning, alertCloseNotify)
		c.output.Unlock()
	}
	return c.raw.Close()
}

// NetConn returns the connection below TLS.
func (c *Conn) NetConn() net.Conn { return c.raw }

// ConnectionState describes the last handshake that ended; it is zero before the end of the first.
func (c *Conn) ConnectionState() tls.ConnectionState {
	if state := c.second.Load(); state != nil {
		return *state
	}
	if state := c.first.Load(); state != nil {
		return *state
	}
	return tls.ConnectionState{}
}

// LocalAddr is the address of the server.
func (c *Conn) LocalAddr() net.Addr { return c.raw.LocalAddr() }

// RemoteAddr is the address of the client.
func (c *Conn) RemoteAddr() net.Addr { return c.raw.RemoteAddr() }

// SetDeadline bounds reading and writing. A Read that it ends can be repeated, except in a handshake.
func (c *Conn) SetDeadline(t time.Time) error { return c.raw.SetDeadline(t) }

// SetReadDeadline bounds reading. A Read that it ends can be repeated, except in a handshake.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.raw.SetReadDeadline(t) }

// SetWriteDeadline bounds writing. After a Write that it ends nothing more can be written.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.raw.SetWriteDeadline(t) }
