package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync/atomic"

	"emissor/internal/harness"
)

// statementCounter stands between a process and PostgreSQL and counts the
// statements that cross, as the protocol carries them.
type statementCounter struct {
	listener   net.Listener
	statements atomic.Int64 // without what begins and ends transactions
	commits    atomic.Int64 // of transactions that were begun explicitly
}

func newStatementCounter(database *harness.Database) (*statementCounter, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &statementCounter{listener: listener}
	server := database.Address()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // it was closed
			}
			go c.relay(client, server)
		}
	}()
	return c, nil
}

func (c *statementCounter) close() { _ = c.listener.Close() }

// url is the database's by way of the counter.
func (c *statementCounter) url(database *harness.Database) string {
	return database.URLThrough(c.listener.Addr().String())
}

func (c *statementCounter) relay(client net.Conn, address string) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
	}()
	from := bufio.NewReader(client)
	typeBytes := 0 // the first message has no type
	for {
		message, err := readMessage(from, typeBytes)
		if err != nil {
			return
		}
		if typeBytes == 1 {
			c.count(message)
		}
		if _, err := server.Write(message); err != nil {
			return
		}
		typeBytes = 1
	}
}

func (c *statementCounter) count(message []byte) {
	switch message[0] {
	case 'E': // execute what was parsed
		c.statements.Add(1)
	case 'Q': // a query: its text
		text := strings.ToUpper(string(message[5:min(len(message), 13)]))
		switch {
		case strings.HasPrefix(text, "COMMIT"):
			c.commits.Add(1)
		case strings.HasPrefix(text, "BEGIN"), strings.HasPrefix(text, "ROLLBACK"):
		default:
			c.statements.Add(1)
		}
	}
}

// readMessage reads a type of so many bytes, the length of what follows, and what
// follows.
func readMessage(from *bufio.Reader, typeBytes int) ([]byte, error) {
	head, err := from.Peek(typeBytes + 4)
	if err != nil {
		return nil, err
	}
	message := make([]byte, typeBytes+int(binary.BigEndian.Uint32(head[typeBytes:])))
	_, err = io.ReadFull(from, message)
	return message, err
}
