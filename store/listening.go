package store

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/lib/pq"
)

// listeningChannel is where the database tells processes of what concerns endpoints that listen.
const listeningChannel = `emissor_listening`

// ListeningNews is what a process hears of endpoints that listen.
type ListeningNews struct {
	Delivery string // a delivery waits for this endpoint
	Ended    string // this endpoint has ended
	Key      string // this key was revoked, or its end or its addresses were changed
}

func newsOf(notification pq.Notification) ListeningNews {
	kind, id, _ := strings.Cut(notification.Extra, " ")
	switch kind {
	case "delivery":
		return ListeningNews{Delivery: id}
	case "end":
		return ListeningNews{Ended: id}
	}
	return ListeningNews{Key: id}
}

const (
	listenAgainAfter  = 100 * time.Millisecond // at first, after a lost connection
	listenAgainAtLast = 5 * time.Second
	listenPingEach    = 10 * time.Second // a connection that was cut silently is noticed
	listenPingLongest = 5 * time.Second
)

// HearListening tells of news until ctx ends, by a connection of its own; it asks the database nothing. Up says whether
// the connection stands: what happens while it does not is not heard.
func (s *Store) HearListening(ctx context.Context, tell func(ListeningNews), up func(bool)) {
	for ctx.Err() == nil {
		s.hearOnce(ctx, tell, up)
		up(false)
	}
}

// hearOnce hears until ctx ends, or the connection does not answer.
func (s *Store) hearOnce(ctx context.Context, tell func(ListeningNews), up func(bool)) {
	listener := pq.NewListener(s.url, listenAgainAfter, listenAgainAtLast, func(event pq.ListenerEventType, _ error) {
		switch event {
		case pq.ListenerEventReconnected:
			up(true)
		case pq.ListenerEventDisconnected:
			up(false)
		}
	})
	end := sync.OnceFunc(func() { _ = listener.Close() })
	defer end()
	defer context.AfterFunc(ctx, end)()
	if listener.Listen(listeningChannel) != nil {
		return
	}
	up(true)
	ping := time.NewTicker(listenPingEach)
	defer ping.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case notification := <-listener.Notify:
			if notification != nil {
				tell(newsOf(*notification))
			}
		case <-ping.C:
			if !answers(listener) {
				return
			}
		}
	}
}

// answers reports whether the server answers on the connection, or is known to be away: then it is connected to again.
func answers(listener *pq.Listener) bool {
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_ = listener.Ping()
	}()
	select {
	case <-answered:
		return true
	case <-time.After(listenPingLongest):
		return false
	}
}
