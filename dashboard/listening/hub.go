package listening

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"emissor/nfse"
	"emissor/store/webhooks"
)

const (
	leftAfter     = time.Minute     // without a poll a command is not connected here any more
	connectWithin = 3 * time.Second // the database is reached, or a command is told to come again
)

var errNotHearing = nfse.Unavailable(nfse.CodeServiceUnavailable, "", "the database is away; repeat the request")

// connection is a command that is connected to this process.
type connection struct {
	listener webhooks.Listener
	key      heldKey
	news     chan struct{} // holds one, when a delivery may wait
	dropped  chan struct{} // closed when nothing that is remembered counts any more

	mu       sync.Mutex
	waiting  bool          // a delivery may wait
	poll     chan struct{} // of the poll that is under way; closed by the next one
	polledAt time.Time
}

// begin begins a poll, and ends one that is still under way: its command has lost it.
func (c *connection) begin() (replaced <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.poll != nil {
		close(c.poll)
	}
	c.poll, c.polledAt = make(chan struct{}), time.Now()
	return c.poll
}

// mayWait says that a delivery may wait.
func (c *connection) mayWait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = true
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// takeWaiting reports whether a delivery may wait, until the next news.
func (c *connection) takeWaiting() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := c.waiting
	c.waiting = false
	return waiting
}

// left reports whether nobody has polled for a minute.
func (c *connection) left(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return now.Sub(c.polledAt) > leftAfter
}

// hub has the commands that are connected to this process, and hears for them.
type hub struct {
	hear   func(publish func(webhooks.ListeningNews), changed func(error)) // until the server closes
	logger *slog.Logger

	mu          sync.Mutex
	connections map[string]*connection // by the id of the endpoint
	hearing     bool                   // it was begun
	up          chan struct{}          // closed while the connection to the database stands
}

func newHub(hear func(func(webhooks.ListeningNews), func(error)), logger *slog.Logger) *hub {
	return &hub{hear: hear, logger: logger, connections: map[string]*connection{}, up: make(chan struct{})}
}

// connect begins to hear the database, if nobody has before, and waits until it is heard.
func (h *hub) connect(ctx context.Context) error {
	h.mu.Lock()
	if !h.hearing {
		h.hearing = true
		go h.hear(h.publish, h.connectionChanged)
	}
	up := h.up
	h.mu.Unlock()
	select {
	case <-up:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(connectWithin):
		return errNotHearing
	}
}

// find is the command that listens by this endpoint with this key; nil when it is not connected here.
func (h *hub) find(id string, hash [32]byte) *connection {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.connections[id]; c != nil && c.key.hash == hash {
		return c
	}
	return nil
}

// add remembers a command, whose deliveries may wait, or finds what was added meanwhile; nil: the database is not
// heard.
func (h *hub) add(listener webhooks.Listener, key heldKey) *connection {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.up:
	default:
		return nil
	}
	if c := h.connections[listener.ID]; c != nil && c.key.hash == key.hash {
		return c
	}
	c := &connection{listener: listener, key: key, news: make(chan struct{}, 1), dropped: make(chan struct{}),
		waiting: true, polledAt: time.Now()}
	c.key.text = "" // it is not needed any more
	h.connections[listener.ID] = c
	return c
}

// polled forgets the commands that have left, and are the ids of the others and of their keys.
func (h *hub) polled() (ids, keys []string) {
	now := time.Now()
	h.drop(func(c *connection) bool { return c.left(now) })
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, c := range h.connections {
		ids = append(ids, id)
		if !slices.Contains(keys, c.key.ID) {
			keys = append(keys, c.key.ID)
		}
	}
	return ids, keys
}

// drop forgets commands: their polls end, and the next ones ask the database again.
func (h *hub) drop(which func(*connection) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, c := range h.connections {
		if which(c) {
			delete(h.connections, id)
			close(c.dropped)
		}
	}
}

// ended forgets a command whose endpoint has ended.
func (h *hub) ended(id string) { h.drop(func(c *connection) bool { return c.listener.ID == id }) }

// publish passes on what the database says.
func (h *hub) publish(news webhooks.ListeningNews) {
	switch {
	case news.Delivery != "":
		h.mu.Lock()
		c := h.connections[news.Delivery]
		h.mu.Unlock()
		if c != nil {
			c.mayWait()
		}
	case news.Ended != "":
		h.ended(news.Ended)
	case news.Key != "":
		h.drop(func(c *connection) bool { return c.key.ID == news.Key })
	}
}

// connectionChanged says that the database is heard (nil), or why it is not. What was remembered before does not count.
func (h *hub) connectionChanged(err error) {
	h.mu.Lock()
	select {
	case <-h.up:
		h.up = make(chan struct{})
	default:
	}
	up := h.up
	h.mu.Unlock()
	h.drop(func(*connection) bool { return true })
	if err == nil {
		close(up) // only now: what is remembered from here on counts
	} else if !errors.Is(err, context.Canceled) {
		h.logger.Warn("the database is not heard: commands that listen are told to come again", "error", err)
	}
}
