package web

import (
	"container/list"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// ListenOptions say where a server listens, and how many connections it has at once.
type ListenOptions struct {
	Address        string
	Connections    int            // at once; 0 bounds nothing, neither in all nor of an address
	PerAddress     int            // of them, of one client address (IPv6: one /64)
	TrustedProxies []netip.Prefix // which may have any number

	// Closed is called for each connection that was closed because something was full:
	// address, strangers or all. It may be nil.
	Closed func(full string)

	Logger *slog.Logger // of requests that the server refuses itself; nil: nothing is logged
}

// strangersPart is the part of all connections that may be stranger connections.
const strangersPart = 0.75

// listener accepts connections and bounds how many are open.
//
// A connection is a stranger connection until a request on it has a key or a session
// cookie that is valid, or was just now. Where there is no room for a new connection, the
// oldest stranger connection is closed (evicted), so that these never make others wait.
// The rest of the connections is for authenticated clients.
type listener struct {
	net.Listener
	most, mostStrangers, mostPerAddress int
	proxies                             Networks
	onClosed                            func(full string)

	mu        sync.Mutex
	changed   *sync.Cond // a connection was closed, or the listener
	closed    bool
	open      int
	bySite    map[string]int
	strangers *list.List // of *connection, the oldest first
}

// Listen opens the address.
func Listen(options ListenOptions) (net.Listener, error) {
	opened, err := net.Listen("tcp", options.Address)
	if err != nil {
		return nil, err
	}
	if options.Connections == 0 {
		return enveloping{opened, options.Logger}, nil
	}
	l := &listener{
		Listener: opened, most: options.Connections, mostPerAddress: options.PerAddress,
		mostStrangers: max(1, int(strangersPart*float64(options.Connections))),
		proxies:       options.TrustedProxies, onClosed: options.Closed,
		bySite: map[string]int{}, strangers: list.New(),
	}
	if l.onClosed == nil {
		l.onClosed = func(string) {}
	}
	l.changed = sync.NewCond(&l.mu)
	return enveloping{l, options.Logger}, nil
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admit(accepted); c != nil {
			return c, nil
		}
		_ = accepted.Close()
	}
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.changed.Broadcast()
	return l.Listener.Close()
}

// admit makes room for a connection. It returns nil where the address has all the
// connections that it may have, and none is a stranger connection; it waits where that is
// so of the connections of all addresses.
func (l *listener) admit(accepted net.Conn) *connection {
	address := RemoteAddress(accepted.RemoteAddr().String())
	c := &connection{Conn: accepted, listener: l, site: Site(address), trusted: l.proxies.Contain(address)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !c.trusted {
		ofSite := func(other *connection) bool { return other.site == c.site }
		if l.bySite[c.site] >= l.mostPerAddress && !l.evict("address", ofSite) {
			l.onClosed("address")
			return nil
		}
		if l.strangers.Len() >= l.mostStrangers {
			l.evict("strangers", anybody)
		}
	}
	for l.open >= l.most && !l.closed && !l.evict("all", anybody) {
		l.changed.Wait()
	}
	l.open++
	if !c.trusted {
		l.bySite[c.site]++
		c.stranger = l.strangers.PushBack(c)
	}
	return c
}

func anybody(*connection) bool { return true }

// evict closes the oldest matching stranger connection, because something is full.
func (l *listener) evict(full string, matches func(*connection) bool) bool {
	for at := l.strangers.Front(); at != nil; at = at.Next() {
		if c := at.Value.(*connection); matches(c) {
			l.forget(c)
			_ = c.Conn.Close()
			l.onClosed(full)
			return true
		}
	}
	return false
}

// forget takes a connection out of the counts, once.
func (l *listener) forget(c *connection) {
	if c.forgotten {
		return
	}
	c.forgotten = true
	l.welcome(c)
	l.open--
	if !c.trusted {
		if l.bySite[c.site]--; l.bySite[c.site] == 0 {
			delete(l.bySite, c.site)
		}
	}
	l.changed.Signal()
}

// welcome marks a connection as authenticated: it is not evicted any more.
func (l *listener) welcome(c *connection) {
	if c.stranger != nil {
		l.strangers.Remove(c.stranger)
		c.stranger = nil
	}
}

// connection is a connection that a listener counts. The listener's lock guards
// its fields.
type connection struct {
	net.Conn
	listener  *listener
	site      string
	trusted   bool          // of a trusted proxy
	stranger  *list.Element // nil once it is authenticated
	forgotten bool
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.listener.mu.Lock()
	c.listener.forget(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite ends what is sent on the connection.
func (c *connection) CloseWrite() error { return closeWrite(c.Conn) }

type connectionKey struct{}

// withConnection puts the connection into the context of its requests.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	if outer, ok := c.(*enveloped); ok {
		c = outer.Conn
	}
	return context.WithValue(ctx, connectionKey{}, c)
}

// KeepConnection marks the connection of a request as authenticated, and keeps it open unless the server is about to
// stop.
func KeepConnection(w http.ResponseWriter, r *http.Request) {
	if !isDraining(r) {
		w.Header().Del("Connection")
	}
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		c.listener.mu.Lock()
		c.listener.welcome(c)
		c.listener.mu.Unlock()
	}
}

// CloseConnection closes the connection of an unauthenticated request after its answer, so
// that such clients do not keep connections. Those of trusted proxies, which carry requests
// of many clients, stay open.
func CloseConnection(w http.ResponseWriter, r *http.Request, proxies Networks) {
	if !proxies.Contain(RemoteAddress(r.RemoteAddr)) {
		w.Header().Set("Connection", "close")
	}
}
