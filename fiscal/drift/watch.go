package drift

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"emissor/internal/panics"
)

const (
	maxWaiting = 16   // drifts that wait to be kept, each with maxRead of its answer
	maxSeen    = 1000 // drifts that a process tells apart; it looks for no more
	longest    = 10 * time.Second
)

// Watch compares answers with what is known, and has kept what is new. Its methods may be called by many at once.
type Watch struct {
	known   *Known
	keep    func(context.Context, Drift) (isNew bool, err error)
	count   func(authority, call string)
	logger  *slog.Logger
	waiting chan waiting

	mu   sync.Mutex
	seen map[string]bool // by fingerprint
}

type waiting struct {
	Drift
	body []byte
}

// NewWatch makes a watch. keep keeps a drift unless it is kept already, and count counts those that are new.
func NewWatch(known *Known, keep func(context.Context, Drift) (isNew bool, err error),
	count func(authority, call string), logger *slog.Logger) *Watch {
	return &Watch{known: known, keep: keep, count: count, logger: logger,
		waiting: make(chan waiting, maxWaiting), seen: map[string]bool{}}
}

// Of returns what looks at the answers of an authority, of a family of servers: it waits for nothing and cannot fail.
// Of no watch that is nothing.
func (w *Watch) Of(authority, family string) func(call string, production bool, status int, contentType string,
	body []byte) {
	if w == nil {
		return nil
	}
	return func(call string, production bool, status int, contentType string, body []byte) {
		err := panics.Caught(func() error {
			if news := w.known.News(family, call, status, contentType, body); news != nil {
				w.saw(Drift{Authority: authority, Call: call, Production: production, Status: status,
					Media: MediaOf(contentType), News: strings.Join(news, "\n")}, body)
			}
			return nil
		})
		if err != nil {
			w.logger.Error("the form of an answer could not be looked at", "authority", authority, "call", call,
				"error", err)
		}
	}
}

// saw hands on what was not seen before. Where too many wait it is as if it was not seen: it comes again.
func (w *Watch) saw(drift Drift, body []byte) {
	drift.Fingerprint = drift.fingerprint()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[drift.Fingerprint] || len(w.seen) >= maxSeen {
		return
	}
	select {
	case w.waiting <- waiting{drift, bytes.Clone(body[:min(len(body), maxRead)])}:
		w.seen[drift.Fingerprint] = true
	default:
	}
}

// Run has kept what is new, until ctx ends. What cannot be kept is tried again when it comes again.
func (w *Watch) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case one := <-w.waiting:
			w.handle(ctx, one)
		}
	}
}

func (w *Watch) handle(ctx context.Context, one waiting) {
	attributes := []any{"authority", one.Authority, "call", one.Call, "fingerprint", one.Fingerprint}
	err := panics.Within(ctx, longest, func(ctx context.Context) error {
		one.Copy = string(w.known.Anonymised(one.body))
		isNew, err := w.keep(ctx, one.Drift)
		if isNew {
			w.count(one.Authority, one.Call)
			w.logger.Warn("an authority answers in a form that is new: emissor authority drift show tells of it",
				attributes...)
		}
		return err
	})
	if err != nil {
		w.logger.Error("an answer in a form that is new was not kept", append(attributes, "error", err)...)
		w.mu.Lock()
		delete(w.seen, one.Fingerprint)
		w.mu.Unlock()
	}
}
