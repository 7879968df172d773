// Package forward is the command's side of package listening: it takes the deliveries of test events and posts them,
// signed, to a receiver on this machine.
package forward

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"emissor/client"
	"emissor/dashboard/listening"
	"emissor/internal/retry"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const (
	pollTimeout = 40 * time.Second // the server answers within 25
	endTimeout  = 5 * time.Second
)

// VariableDashboardURL is the environment variable of commands that says where the dashboard is.
const VariableDashboardURL = "EMISSOR_DASHBOARD_URL"

// Posted is a delivery and what came of it.
type Posted struct {
	At         nfse.Timestamp `json:"at"`
	DeliveryID string         `json:"delivery_id"`
	EventID    string         `json:"event_id"`
	EventType  nfse.EventType `json:"event_type"`
	NoteID     string         `json:"note_id"`
	Status     int            `json:"status"` // of the receiver's answer; 0: there was none
	DurationMS int64          `json:"duration_ms"`
	Problem    string         `json:"problem,omitempty"` // in English; none on 2xx
}

// Forwarder posts events to a receiver.
type Forwarder struct {
	Dashboard *client.Connection
	To        string           // the receiver's address
	Events    []nfse.EventType // that it wants; none: all
	Pauses    retry.Backoff    // after a lost connection

	Ready  func(listening.Begun) // each time that it begins
	Posted func(Posted)          // in any order, one at a time
	Lost   func(error)           // the connection; it goes on where it was

	receiver *webhook.Client
	mu       sync.Mutex                   // of Posted
	untold   map[string]listening.Attempt // posted, and perhaps not on record, by delivery
}

// Run posts until ctx ends, which is no error, or the key is refused. Its endpoint ends with it.
func (f *Forwarder) Run(ctx context.Context) error {
	f.receiver = webhook.NewClient(webhook.Options{AllowLoopback: true})
	f.untold = map[string]listening.Attempt{}
	var begun listening.Begun
	defer func() { f.end(ctx, begun.ID) }()
	return again(ctx, f.Pauses, f.Lost, func() error {
		err := f.turn(ctx, &begun)
		if begun.ID == "" {
			return elsewhere(err)
		}
		if client.IsCode(err, client.ErrorCodeNotFound) {
			begun = listening.Begun{} // it was away for so long that its endpoint has ended, and its deliveries with it
			clear(f.untold)
			return nil
		}
		return err
	})
}

// again takes turns until ctx ends, which is no error, or one fails for good. After one that may pass it pauses.
func again(ctx context.Context, pauses retry.Backoff, lost func(error), turn func() error) error {
	for failures := 0; ; {
		err := turn()
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			failures = 0
			continue
		case !passes(err):
			return err
		}
		failures++
		lost(err)
		_ = retry.Sleep(ctx, pauses.After(failures))
	}
}

// elsewhere explains a 404: another server listens at the address, or a dashboard of an older version.
func elsewhere(err error) error {
	var refused *client.Error
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return fmt.Errorf("no dashboard that commands can listen to is at %s: %w", VariableDashboardURL, err)
	}
	return err
}

// passes reports whether an error may be over after a while.
func passes(err error) bool {
	var refused *client.Error
	return !errors.As(err, &refused) || refused.Status >= 500 || refused.Status == http.StatusTooManyRequests
}

// turn begins to listen, if it does not yet, and posts what waits.
func (f *Forwarder) turn(ctx context.Context, begun *listening.Begun) error {
	if begun.ID == "" {
		err := f.Dashboard.JSON(ctx, client.Call{Method: http.MethodPost, Path: "/listen",
			Body: listening.Begin{ForwardTo: f.To, Events: f.Events}}, begun)
		if err != nil {
			return err
		}
		f.Ready(*begun)
	}
	if err := f.acknowledge(ctx, begun.ID); err != nil { // what the server may not have heard before a cut
		return err
	}
	var got listening.Deliveries
	err := f.Dashboard.JSON(ctx, client.Call{Method: http.MethodGet, Path: path(begun.ID), Timeout: pollTimeout}, &got)
	if err != nil {
		return err
	}
	attempts := make([]listening.Attempt, len(got.Deliveries))
	var posting sync.WaitGroup
	for i, delivery := range got.Deliveries {
		posting.Go(func() { attempts[i] = f.post(ctx, begun.Secret, delivery) })
	}
	posting.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, attempt := range attempts {
		f.untold[attempt.DeliveryID] = attempt
	}
	return f.acknowledge(ctx, begun.ID)
}

// post posts a delivery once.
func (f *Forwarder) post(ctx context.Context, secret string, delivery listening.Delivery) listening.Attempt {
	made := f.receiver.Send(ctx, f.To, []string{secret}, []byte(delivery.Body))
	if ctx.Err() == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.Posted(Posted{At: nfse.Timestamp{Time: made.StartedAt}, DeliveryID: delivery.ID, EventID: delivery.EventID,
			EventType: delivery.EventType, NoteID: delivery.NoteID, Status: made.Status,
			DurationMS: made.Duration.Milliseconds(), Problem: made.Problem.English()})
	}
	attempt := listening.Attempt{DeliveryID: delivery.ID, DurationMS: made.Duration.Milliseconds(), Status: made.Status,
		Answer: made.Answer}
	switch {
	case made.Status == 0:
		attempt.Silence = made.Problem.Code
	case made.Status < 100 || made.Status > 599: // three digits that are no status of HTTP: it is not on record as one
		attempt.Status, attempt.Silence = 0, fact.ReceiverBroke
	}
	return attempt
}

// acknowledge says what came of deliveries, and forgets what is on record.
func (f *Forwarder) acknowledge(ctx context.Context, id string) error {
	for _, attempt := range f.untold {
		_, err := f.Dashboard.Do(ctx, client.Call{Method: http.MethodPost, Path: path(id) + "/attempts", Body: attempt})
		if err != nil {
			return err
		}
		delete(f.untold, attempt.DeliveryID)
	}
	return nil
}

// end ends the endpoint, also when ctx has ended.
func (f *Forwarder) end(ctx context.Context, id string) {
	if id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	_, _ = f.Dashboard.Do(ctx, client.Call{Method: http.MethodDelete, Path: path(id)})
}

func path(id string) string { return "/listen/" + url.PathEscape(id) }
