package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"emissor/internal/retry"
)

// polls are the pauses between two looks at a note, where the API does not ask for longer ones.
var polls = retry.Backoff{Initial: 250 * time.Millisecond, Max: 5 * time.Second}

// Terminal reports whether a note in this state has ended. An issued one can still be cancelled.
func (s NfseStatus) Terminal() bool {
	return s == NfseStatusIssued || s == NfseStatusRejected || s == NfseStatusCancelled
}

// WaitForEnd polls a note until its state is terminal: issued, rejected or cancelled. An API that is out, or limits the
// key, is waited for too: only the context ends that. It returns the note as it was last seen, and why it is no longer
// waited for.
func (c *Client) WaitForEnd(ctx context.Context, id string) (Nfse, error) {
	return c.wait(ctx, id, func(note Nfse) bool { return note.Status.Terminal() })
}

// WaitSettled waits as WaitForEnd does, and until no cancellation of the note is pending.
func (c *Client) WaitSettled(ctx context.Context, id string) (Nfse, error) {
	return c.wait(ctx, id, func(note Nfse) bool {
		pending := note.Cancellation != nil && note.Cancellation.Status == NfseCancellationStatusPending
		return note.Status.Terminal() && !pending
	})
}

func (c *Client) wait(ctx context.Context, id string, done func(Nfse) bool) (seen Nfse, err error) {
	for look := 1; ; look++ {
		note, asked, err := c.look(ctx, id)
		if err == nil {
			if seen = note; done(note) {
				return note, nil
			}
			err = fmt.Errorf("the note is still %s", note.Status)
		} else {
			var passes bool
			if asked, passes = passing(err, true); !passes || IsCode(err, ErrorCodeInternalError) || ctx.Err() != nil {
				return seen, err
			}
		}
		if cut := retry.Sleep(ctx, polls.AtLeast(asked, look)); cut != nil {
			return seen, fmt.Errorf("%w: %w", err, cut)
		}
	}
}

// look reads a note, and how long the API asks to wait before the next look.
func (c *Client) look(ctx context.Context, id string) (note Nfse, asked time.Duration, err error) {
	call := Call{Method: http.MethodGet, Path: "/v1/nfse" + segment(id), Repeatable: true}
	answer, err := c.Do(ctx, call)
	if err != nil {
		return note, 0, err
	}
	if err := json.Unmarshal(answer.Body, &note); err != nil {
		return note, 0, fmt.Errorf("the answer to %s %s is not what the contract says: %w", call.Method, call.Path, err)
	}
	return note, answer.RetryAfter, nil
}
