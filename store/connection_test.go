package store

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
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
