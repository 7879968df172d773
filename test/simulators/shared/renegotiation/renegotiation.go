// Package renegotiation is a server of TLS 1.2 that asks for the client's certificate as old hosts do: by a second
// handshake in the same connection, after it has read the head of a request. crypto/tls has no server of that kind.
// It is made for simulators: what it leaves out (resumption, other suites, other versions) it refuses, and it does
// not verify chains, which who serves the request does.
package renegotiation

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
)

// Options are how a server asks for certificates. The zero value, with a Certificate, asks by renegotiation before
// it serves any request.
type Options struct {
	Certificate tls.Certificate          // the server's; its key is of ECDSA or RSA
	AskEarly    bool                     // it asks in the first handshake too
	Late        func(*http.Request) bool // before which it asks, once in a connection, by renegotiation; nil: all
	Behaviour   func() Behaviour         // read for each renegotiation; nil: the zero value
}

// Behaviour is what goes wrong in a renegotiation. The zero value is: nothing.
type Behaviour struct {
	// ReadAhead is how many bytes of a body the host holds while it does not know the client. A body that is larger,
	// or of unknown length, is answered 413, and the connection is closed; unless the client waits for 100 Continue,
	// which comes after the renegotiation. 0: no length is refused; but a client that goes on writing more than
	// 256 KiB before it answers the HelloRequest is cut off.
	ReadAhead int
	Refuse    byte             // the fatal alert by which what the client showed is refused, as 42 (bad_certificate)
	Cut       Point            // where the connection is closed, without a word of TLS
	Hang      bool             // after the HelloRequest nothing more comes, until the client or the server ends
	Other     *tls.Certificate // another identity that the server shows in the renegotiation
}

// Point is a moment of a renegotiation. The empty one is none.
type Point string

// The points at which a connection can be cut.
const (
	AfterHello    Point = "hello"    // HelloRequest was sent
	AfterFlight   Point = "flight"   // the server's certificate and the question for the client's were sent
	AfterFinished Point = "finished" // the handshake is over, the request is not yet served
)

// Serve serves handler on listener with server until that is closed, and returns what server.Serve returns. It sets
// server's Handler and ConnContext; what ConnContext was before is called too.
//
// The handler finds Version and PeerCertificates in r.TLS: for a request that is Late only what was shown in the
// renegotiation of its connection, which is nothing if the client refused to renegotiate; else what was shown in the
// first handshake. A connection whose renegotiation failed is closed, and the handler is not called.
func Serve(server *http.Server, listener net.Listener, handler http.Handler, options Options) error {
	before := server.ConnContext
	server.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		if before != nil {
			ctx = before(ctx, conn)
		}
		return context.WithValue(ctx, connKey{}, conn)
	}
	server.Handler = asking{handler, options}
	return server.Serve(secured{listener, options})
}

// secured is a listener whose connections are of type *Conn.
type secured struct {
	net.Listener
	options Options
}

func (l secured) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return NewConn(raw, &l.options.Certificate, l.options.AskEarly), nil
}
