package fault

import (
	"context"
	"net"
	"net/http"
	"time"
)

// Cut closes what is under TLS, so that not even its close_notify is sent.
func Cut(w http.ResponseWriter, reset bool) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if secured, isTLS := connection.(interface{ NetConn() net.Conn }); isTLS {
		connection = secured.NetConn()
	}
	if tcp, isTCP := connection.(*net.TCPConn); isTCP && reset {
		_ = tcp.SetLinger(0)
	}
	_ = connection.Close()
}

// Pause waits, unless the client or the simulator ends before: then the connection is cut, as a client
// that is just leaving would take an empty answer for the authority's.
func Pause(w http.ResponseWriter, r *http.Request, simulator context.Context, wait time.Duration) bool {
	if wait <= 0 {
		return true
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-simulator.Done():
	}
	Cut(w, false)
	return false
}
