package apiclient

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"emissor/internal/retry"
	"emissor/nfse"
)

// polls are the pauses between two looks at a note, where the API does not ask for longer ones.
var polls = retry.Backoff{Initial: 250 * time.Millisecond, Max: 5 * time.Second}

// Wait polls a note until its state is terminal: issued, rejected or cancelled. When the context
// ends first, it returns the note as it was last seen, and the reason.
func (c *Client) Wait(ctx context.Context, id string) (nfse.Note, error) {
	return c.WaitUntil(ctx, id, func(note nfse.Note) bool { return note.Status.Terminal() })
}

// WaitSettled polls a note until its state is terminal and no cancellation of it is pending.
func (c *Client) WaitSettled(ctx context.Context, id string) (nfse.Note, error) {
	return c.WaitUntil(ctx, id, func(note nfse.Note) bool { return !note.Moving() })
}

// WaitUntil polls a note until done says that it is as it was waited for. An API that is out, or
// limits the key, is waited for too: only the context ends that.
func (c *Client) WaitUntil(ctx context.Context, id string, done func(nfse.Note) bool) (seen nfse.Note, err error) {
	for look := 1; ; look++ {
		note, asked, err := c.look(ctx, id)
		if err == nil {
			if seen = note; done(note) {
				return note, nil
			}
			err = fmt.Errorf("the note is still %s", note.Status)
		} else {
			var passes bool
			if asked, passes = passing(err, true); !passes || ctx.Err() != nil {
				return seen, err
			}
		}
		if cut := retry.Sleep(ctx, polls.AtLeast(asked, look)); cut != nil {
			return seen, fmt.Errorf("%w: %w", err, cut)
		}
	}
}

// look reads a note, and how long the API asks to wait before the next look.
func (c *Client) look(ctx context.Context, id string) (note nfse.Note, asked time.Duration, err error) {
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
