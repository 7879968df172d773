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

// WaitUntil polls a note until done says that it is as it was waited for.
func (c *Client) WaitUntil(ctx context.Context, id string, done func(nfse.Note) bool) (seen nfse.Note, err error) {
	call := Call{Method: http.MethodGet, Path: "/v1/nfse" + segment(id), Repeatable: true}
	for look := 1; ; look++ {
		answer, err := c.Do(ctx, call)
		if err != nil {
			return seen, err
		}
		var note nfse.Note
		if err := json.Unmarshal(answer.Body, &note); err != nil {
			return seen, fmt.Errorf("the answer to %s %s is not what the contract says: %w", call.Method, call.Path, err)
		}
		if seen = note; done(note) {
			return note, nil
		}
		if err := sleep(ctx, polls.AtLeast(answer.RetryAfter, look)); err != nil {
			return seen, fmt.Errorf("the note is still %s: %w", seen.Status, err)
		}
	}
}
