// Package pgwire relays connections between a process and PostgreSQL and shows their
// messages to tests and benchmarks, which count statements.
package pgwire

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
)

// Message is what a client sends after its startup message: its type ('Q' is a query, 'P'
// parses a statement, 'E' executes a parsed one), and its content.
type Message struct {
	Type    byte
	Content []byte
}

// Listen returns a listener whose connections it relays to a server, until the listener is
// closed. For each it calls connection, and then see with each message before the server
// gets it, so that nothing is answered before it was seen.
func Listen(server string, connection func() (see func(Message))) (net.Listener, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // it was closed
			}
			go relay(client, server, connection())
		}
	}()
	return listener, nil
}

func relay(client net.Conn, address string, see func(Message)) {
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
	for typeBytes := 0; ; typeBytes = 1 { // the first message has no type
		message, err := readMessage(from, typeBytes)
		if err != nil {
			return
		}
		if typeBytes == 1 {
			see(Message{message[0], message[5:]})
		}
		if _, err := server.Write(message); err != nil {
			return
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
