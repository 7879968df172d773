package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/lib/pq"
)

// errNoConnection says that no connection to the database could be opened.
var errNoConnection = errors.New("store: no connection to the database")

// connector opens connections to the database.
type connector struct{ *pq.Connector }

// Connect implements driver.Connector. Its error is the server's own answer, or errNoConnection: where the driver could
// send nothing of a handshake its error is of a type of its own that wraps nothing (safeRetryError).
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	connection, err := c.Connector.Connect(ctx)
	var server *pq.Error
	if err != nil && !errors.As(err, &server) {
		err = fmt.Errorf("%w: %w", errNoConnection, err)
	}
	return connection, err
}

// deadlineMargin is how much longer than its longest statement a connection waits for
// the server.
const deadlineMargin = 5 * time.Second

// dialer opens connections whose waits are bounded. The server ends a statement that
// takes too long, but when the network loses all packets nothing else ends the wait: the
// driver goes on reading after its context has ended, and the kernel gives up only after a
// quarter of an hour.
type dialer struct {
	wait time.Duration
	lost func() // is called when a connection fails; may be nil
}

// DialContext implements pq.DialerContext.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &deadlineConn{Conn: connection, wait: d.wait, lost: d.lost}, nil
}

// DialTimeout implements pq.Dialer.
func (d dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// Dial implements pq.Dialer.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// deadlineConn is a connection that fails when nothing comes for too long. The driver
// reads only when it waits for an answer.
type deadlineConn struct {
	net.Conn
	wait      time.Duration
	handshake time.Time // when the connection must be ready; zero once it is
	lost      func()
}

// failed passes on an error of the connection.
func (c *deadlineConn) failed(err error) error {
	if err != nil && c.lost != nil {
		c.lost()
	}
	return err
}

// SetDeadline implements net.Conn: the driver bounds its handshake with it, and
// lifts the bound afterwards.
func (c *deadlineConn) SetDeadline(t time.Time) error {
	c.handshake = t
	return nil
}

func (c *deadlineConn) deadline() time.Time {
	if !c.handshake.IsZero() {
		return c.handshake
	}
	return time.Now().Add(c.wait)
}

// Read implements net.Conn.
func (c *deadlineConn) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(c.deadline()); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(b)
	return n, c.failed(err)
}

// Write implements net.Conn.
func (c *deadlineConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(c.deadline()); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(b)
	return n, c.failed(err)
}
