package api

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/nfse"
)

const (
	useCounts    = 5 * time.Minute  // how old the record of a key's last use may get while it is in use
	usesKeptEach = 10 * time.Second // how often the uses of all keys are written together
	usesLongest  = 30 * time.Second // how long that may take, where keys have to be written one by one
)

// lookUp finds the key with this text for the caller of the request, and records for the
// log which it is and why it is refused, which the answer does not say.
func (a *API) lookUp(r *http.Request, text string) (nfse.APIKey, error) {
	current := requestOf(r.Context())
	key, err := a.store.Access.APIKey(r.Context(), text, current.Client)
	current.keyID = key.ID
	switch {
	case err == nil:
		a.uses.add(key, time.Now())
	case nfse.IsCode(err, nfse.CodeInvalidAPIKey):
		a.countRefused(key)
		current.refusal = cmp.Or(key.Refusal(current.Client, time.Now()), "the key is unknown")
	}
	return key, err
}

// keyUses are the keys whose use is still to be written. A request adds its key only when
// the record of the last use, which it has just read, is older than useCounts.
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

// take returns the keys and removes them.
func (u *keyUses) take() (ids []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for id := range u.keys {
		ids = append(ids, id)
	}
	clear(u.keys)
	return ids
}

// KeepKeyUses writes every few seconds when keys were last used, until ctx ends, and then
// what is left. A use that cannot be written is dropped; the key's next use is written.
func (a *API) KeepKeyUses(ctx context.Context) {
	retry.Every(ctx, usesKeptEach, func() { a.keepKeyUses(ctx, usesLongest, a.store.Access.APIKeysUsed) })
	a.keepKeyUses(context.WithoutCancel(ctx), usesLongest, a.store.Access.APIKeysUsed)
}

// keepKeyUses writes the uses, and drops those that cannot be written within longest, for any reason.
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
