package postgres

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"github.com/lib/pq"
)

// silent is a server that takes connections and never says a word.
func silent(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}

func TestConnection_ReadDeadline(t *testing.T) {
	connection, err := dialer{wait: 20 * time.Millisecond}.DialContext(t.Context(), "tcp", silent(t))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	for range 2 { // each read has the whole wait
		if _, err := connection.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || !IsUnavailable(err) {
			t.Errorf("the read ended with %v", err)
		}
	}
}

func TestConnection_WriteDeadline(t *testing.T) {
	connection, err := dialer{wait: 20 * time.Millisecond}.Dial("tcp", silent(t))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	block := make([]byte, 1<<20) // sooner or later the buffers are full
	for err == nil {
		_, err = connection.Write(block)
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the write ended with %v", err)
	}
}

func TestConnection_HandshakeDeadline(t *testing.T) {
	connection, err := dialer{wait: time.Hour}.DialTimeout("tcp", silent(t), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := connection.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the read ended with %v", err)
	}
	if err := connection.SetDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := connection.Write([]byte{1}); err != nil {
		t.Errorf("after the handshake the write ended with %v", err)
	}
}

// tooLate dials a server whose question for the password is read just in time, and answered too late: nothing of the
// answer is sent.
type tooLate struct{ dialer }

type tooLateConn struct {
	net.Conn
	startup bool // was sent
}

func (c *tooLateConn) Write(b []byte) (int, error) {
	if c.startup {
		return 0, os.ErrDeadlineExceeded
	}
	c.startup = true
	return c.Conn.Write(b)
}

func (d tooLate) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := d.dialer.DialContext(ctx, network, address)
	return &tooLateConn{Conn: connection}, err
}

func TestConnector_NothingSent(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go func() {
		for {
			connection, err := server.Accept()
			if err != nil {
				return
			}
			_, _ = connection.Write([]byte{'R', 0, 0, 0, 8, 0, 0, 0, 3}) // AuthenticationCleartextPassword
		}
	}()
	postgres, err := pq.NewConnector("postgres://emissor:secret@" + server.Addr().String() + "/emissor?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	postgres.Dialer(tooLate{dialer{wait: time.Minute}})
	db := sql.OpenDB(connector{postgres})
	defer db.Close()
	if err := db.PingContext(t.Context()); !IsUnavailable(err) || !errors.Is(err, errNoConnection) {
		t.Errorf("a connection that cannot be opened is %v", err)
	}
}
