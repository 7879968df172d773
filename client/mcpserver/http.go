package mcpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	headerTimeout  = 5 * time.Second
	maxHeader      = 16 << 10
	requestTimeout = 10 * time.Second // of a request with its body
	idleTimeout    = 2 * time.Minute  // of a connection between requests
	maxMessage     = 128 << 10        // of a request's body; the API takes bodies of 64 KiB
	sessionTimeout = 30 * time.Minute // of one that is not used
	maxSessions    = 100
	stopTimeout    = 5 * time.Second // of calls that are under way
)

// ListenLoopback listens at an address of this machine, as 127.0.0.1:8765: anybody who reaches the server has the
// rights of its key.
func ListenLoopback(ctx context.Context, address string) (net.Listener, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().IsLoopback() {
		return nil, errors.New("must be a loopback address with its port, as 127.0.0.1:8765 or [::1]:8765")
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", at.String())
}

// NewToken makes a token for Serve, at random.
func NewToken() string { return rand.Text() }

// Serve serves streamable HTTP until the context ends, and then what is under way for five seconds at
// most. Where there is a token every request must bring it, as Authorization: Bearer.
func Serve(ctx context.Context, listener net.Listener, server *mcp.Server, token string) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout, MaxRequestBodyBytes: maxMessage})
	// What a page of a browser can send is refused: from another origin, and, by the handler, to a name that leads here
	// (DNS rebinding). Programs send no Origin, and name the address.
	guarded := http.NewCrossOriginProtection().Handler(withToken(token, fewSessions(server, handler)))
	// No WriteTimeout: a stream lasts as long as its session.
	httpServer := &http.Server{Handler: guarded, Protocols: protocols,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader}
	stopped := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		defer close(stopped)
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		if httpServer.Shutdown(limited) != nil {
			_ = httpServer.Close() // a stream that is open does not end by itself
		}
	})
	if err := httpServer.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		forget()
		return err
	}
	<-stopped
	return nil
}
