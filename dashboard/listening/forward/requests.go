package forward

import (
	"context"
	"net/http"
	"net/url"

	"emissor/client"
	"emissor/dashboard/listening"
	"emissor/internal/retry"
)

// Follower follows the log of requests.
type Follower struct {
	Dashboard *client.Connection
	KeyID     string        // of one key; empty: those of all keys of the organization and environment
	Pauses    retry.Backoff // after a lost connection

	Request func(listening.Request)
	Lost    func(error) // the connection; it goes on where it was
}

// Run follows the log from now on until ctx ends, which is no error, or the key is refused.
func (f *Follower) Run(ctx context.Context) error {
	query := url.Values{}
	if f.KeyID != "" {
		query.Set("key", f.KeyID)
	}
	return again(ctx, f.Pauses, f.Lost, func() error {
		var got listening.Requests
		err := f.Dashboard.JSON(ctx, client.Call{Method: http.MethodGet, Path: "/requests/tail", Query: query,
			Timeout: pollTimeout}, &got)
		if err != nil {
			return elsewhere(err)
		}
		query.Set("after", got.After)
		for _, request := range got.Requests {
			f.Request(request)
		}
		return nil
	})
}
