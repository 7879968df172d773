package web

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// ListenOptions say where a door listens, and how many connections it has at
// once.
type ListenOptions struct {
	Address        string
	Connections    int            // at once; 0 bounds nothing, neither in all nor of an address
	PerAddress     int            // of them, of one client address (IPv6: one /64)
	TrustedProxies []netip.Prefix // which may have any number

	// Closed is told of each connection that was closed because something was full: address, strangers
	// or all. It may be nil.
	Closed func(full string)
}

// strangersPart is the part of all connections that strangers may take.
const strangersPart = 0.75

// listener accepts connections and bounds how many are open.
//
// A connection is a stranger's until a request on it brings something that is or
// was just now valid: a key, or the cookie of a session. Strangers never keep
// anybody waiting: where there is no room for a new connection, the oldest one of a
// stranger is closed. The rest of the connections is for who is known.
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
	if err != nil || options.Connections == 0 {
		return opened, err
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
	return l, nil
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

// admit finds room for a connection. It returns nil where its address has all
// that it may have, and none of them is a stranger's; and waits where that is
// so of all connections.
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

// evict closes the oldest connection of a stranger, of those that match, because
// something is full.
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

// forget counts a connection no longer, once.
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

// welcome takes a connection off the list of strangers.
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
	stranger  *list.Element // nil once somebody known was seen
	forgotten bool
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.listener.mu.Lock()
	c.listener.forget(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

type connectionKey struct{}

// withConnection lets the requests of a connection know it.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// KeepConnection keeps the connection of a request of somebody known: it is no
// stranger's.
func KeepConnection(w http.ResponseWriter, r *http.Request) {
	w.Header().Del("Connection")
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		c.listener.mu.Lock()
		c.listener.welcome(c)
		c.listener.mu.Unlock()
	}
}

// CloseConnection closes the connection of a stranger's request behind its answer, so
// that nobody collects connections. A trusted proxy's are for everybody.
func CloseConnection(w http.ResponseWriter, r *http.Request, proxies Networks) {
	if !proxies.Contain(RemoteAddress(r.RemoteAddr)) {
		w.Header().Set("Connection", "close")
	}
}
