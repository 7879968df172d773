package api

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"emissor/internal/panics"
	"emissor/nfse"
)

const (
	useCounts    = 5 * time.Minute  // how old the record of a key's last use may get while it is in use
	usesKeptEach = 10 * time.Second // uses of all keys are written together, so often at most
	usesLongest  = 30 * time.Second // it may take that long, where keys have to be written one by one
)

// lookUp finds the key with this text for the caller of the request, and notes
// for the log whose it is and why it is refused: the caller is not told.
func (a *API) lookUp(r *http.Request, text string) (nfse.APIKey, error) {
	current := requestOf(r.Context())
	key, err := a.store.APIKey(r.Context(), text, current.Client)
	current.keyID = key.ID
	switch {
	case err == nil:
		a.uses.add(key, time.Now())
	case nfse.IsCode(err, nfse.CodeInvalidAPIKey):
		current.refusal = cmp.Or(key.Refusal(current.Client, time.Now()), "the key is unknown")
	}
	return key, err
}

// keyUses are the keys whose use is yet to be kept. A request only adds to them
// when the record that it has just read says that it is time.
type keyUses struct {
	mu   sync.Mutex
	keys map[string]struct{} // by id
}

func (u *keyUses) add(key nfse.APIKey, now time.Time) {
	if key.LastUsedAt != nil && now.Sub(key.LastUsedAt.Time) < useCounts {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.keys == nil {
		u.keys = map[string]struct{}{}
	}
	u.keys[key.ID] = struct{}{}
}

// take empties it.
func (u *keyUses) take() (ids []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for id := range u.keys {
		ids = append(ids, id)
	}
	clear(u.keys)
	return ids
}

// KeepKeyUses writes from time to time when keys were last used, until ctx ends,
// and then what is left. A use that cannot be written is forgotten: the key's
// next one is not.
func (a *API) KeepKeyUses(ctx context.Context) {
	tick := time.NewTicker(usesKeptEach)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			a.keepKeyUses(context.WithoutCancel(ctx), usesLongest, a.store.APIKeysUsed)
			return
		case <-tick.C:
			a.keepKeyUses(ctx, usesLongest, a.store.APIKeysUsed)
		}
	}
}

// keepKeyUses forgets what cannot be written, for whatever reason, or not soon.
func (a *API) keepKeyUses(
	ctx context.Context, longest time.Duration, write func(ctx context.Context, ids []string) error,
) {
	ids := a.uses.take()
	if len(ids) == 0 {
		return
	}
	err := panics.Within(ctx, longest, func(ctx context.Context) error { return write(ctx, ids) })
	if err != nil {
		a.metrics.RowFailed("key uses")
		a.logger.LogAttrs(ctx, slog.LevelError, "the last use of keys was not kept",
			slog.String("loop", "key uses"), slog.Int("keys", len(ids)), slog.Any("error", err))
	}
}

// actor is who makes the request, for the audit log.
func (r *request) actor() nfse.Actor {
	return nfse.Actor{Kind: nfse.ActorKey, ID: r.key.ID, From: r.Client.String(), RequestID: r.ID}
}
