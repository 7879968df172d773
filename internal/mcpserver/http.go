package mcpserver

import (
	"context"
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
	maxMessage     = 128 << 10        // of a request's body; the API takes bodies of 64 KiB
	sessionTimeout = 30 * time.Minute // of one that is not used
	stopTimeout    = 2 * time.Second  // of calls that are under way
)

// ListenLoopback listens at an address of this machine, as 127.0.0.1:8765: whoever reaches the server
// has the rights of its key.
func ListenLoopback(ctx context.Context, address string) (net.Listener, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().IsLoopback() {
		return nil, errors.New("must be a loopback address with its port, as 127.0.0.1:8765 or [::1]:8765")
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", at.String())
}

// Serve serves streamable HTTP until the context ends, and then what is under way for two seconds.
func Serve(ctx context.Context, listener net.Listener, server *mcp.Server) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout, MaxRequestBodyBytes: maxMessage})
	// No WriteTimeout: a stream lasts as long as its session.
	httpServer := &http.Server{Handler: ownMachineOnly(listener.Addr().String(), handler), Protocols: protocols,
		ReadHeaderTimeout: headerTimeout, MaxHeaderBytes: maxHeader}
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

// ownMachineOnly refuses what a page of a browser can send: a request from another origin, and one
// to a name that leads here (DNS rebinding). Programs send no Origin, and name the address.
func ownMachineOnly(address string, next http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(address)
	hosts := map[string]bool{address: true, net.JoinHostPort("localhost", port): true}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		switch {
		case !hosts[r.Host]:
			http.Error(w, "this server is asked for by its loopback address", http.StatusForbidden)
		case len(r.Header.Values("Origin")) > 0 && origin != "http://"+r.Host:
			http.Error(w, "this server answers no page of another origin", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
