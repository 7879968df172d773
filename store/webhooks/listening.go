package webhooks

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/lib/pq"

	"emissor/internal/retry"
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
	case "key":
		return ListeningNews{Key: id}
	}
	return ListeningNews{} // the first words of another process
}

const (
	listenAgainAfter  = 2 * time.Second  // after a lost connection
	listenPingEach    = 10 * time.Second // a connection that was cut silently is noticed
	listenPingLongest = 5 * time.Second
)

// errDeaf is the error of a connection that hears nothing of what others say.
var errDeaf = errors.New("store: the connection that listens does not hear: a pooler between must pool sessions, " +
	"not transactions")

var errSilent = errors.New("store: the connection that listens does not answer")

// HearListening tells of news until ctx ends, by a connection of its own, which asks the database nothing. State says
// that the connection stands (nil), or why it does not: what happens meanwhile is not heard.
func (s *Store) HearListening(ctx context.Context, tell func(ListeningNews), state func(error)) {
	for ctx.Err() == nil {
		state(s.hearOnce(ctx, tell, state))
		_ = retry.Sleep(ctx, listenAgainAfter)
	}
}

// hearOnce hears until ctx ends or the connection is lost, and says why.
func (s *Store) hearOnce(ctx context.Context, tell func(ListeningNews), state func(error)) error {
	notifications := make(chan *pq.Notification, 32)
	connection, err := pq.NewListenerConn(s.db.URL, notifications)
	if err != nil {
		return err
	}
	defer func() {
		_ = connection.Close()
		go func() {
			for range notifications { // until the connection has ended, which waits to say what it hears
			}
		}()
	}()
	defer context.AfterFunc(ctx, func() { _ = connection.Close() })()
	unanswered := time.AfterFunc(listenPingLongest, func() { _ = connection.Close() })
	_, err = connection.Listen(listeningChannel)
	if inTime := unanswered.Stop(); !inTime {
		return errSilent
	}
	if err != nil {
		return err
	}
	if err := s.hearsItself(ctx, notifications); err != nil {
		return err
	}
	state(nil)

	answered := make(chan error, 1)
	ping := time.NewTicker(listenPingEach)
	defer ping.Stop()
	silent := time.NewTimer(listenPingEach + listenPingLongest)
	defer silent.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case notification, open := <-notifications:
			if !open {
				return cmp.Or(connection.Err(), errDeaf)
			}
			if notification != nil {
				tell(newsOf(*notification))
			}
		case <-silent.C:
			return errSilent
		case err := <-answered:
			if err != nil {
				return err
			}
			silent.Reset(listenPingEach + listenPingLongest)
		case <-ping.C:
			go func() { answered <- connection.Ping() }()
		}
	}
}

// hearsItself reports whether what another connection says is heard.
func (s *Store) hearsItself(ctx context.Context, notifications <-chan *pq.Notification) error {
	word := "hello " + rand.Text()
	if _, err := s.db.Exec(ctx, `SELECT pg_notify('`+listeningChannel+`', $1)`, word); err != nil {
		return err
	}
	for longest := time.After(listenPingLongest); ; {
		select {
		case notification, open := <-notifications:
			if !open {
				return errDeaf
			}
			if notification != nil && notification.Extra == word {
				return nil
			}
		case <-longest:
			return errDeaf
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
