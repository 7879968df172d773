package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// injectAll lets the faults happen in their order, each so long after the one
// before began. They overlap where they do not take hold of the same.
func (s *system) injectAll(ctx context.Context, faults []fault, result *report) error {
	var under sync.WaitGroup
	var mu sync.Mutex
	var failed error
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		failed = errors.Join(failed, err)
	}
	for _, f := range faults {
		if err := sleep(ctx, f.Gap); err != nil {
			return err
		}
		release := s.take(faultKinds[f.Kind].takes)
		s.options.log("%s for %s", f.Kind, f.Length.Round(10*time.Millisecond))
		result.faults[f.Kind]++
		if err := s.begin(ctx, f); err != nil {
			release()
			return errors.Join(failed, err)
		}
		under.Go(func() {
			defer release()
			if err := errors.Join(sleep(ctx, f.Length), s.end(ctx, f)); err != nil {
				fail(err)
			}
		})
	}
	under.Wait()
	return failed
}

// take waits until nobody else has hold of the resources.
func (s *system) take(names []string) (release func()) {
	var taken []*sync.Mutex
	for _, name := range resources {
		if slices.Contains(names, name) {
			s.locks[name].Lock()
			taken = append(taken, s.locks[name])
		}
	}
	return func() {
		for _, lock := range taken {
			lock.Unlock()
		}
	}
}

func (s *system) begin(ctx context.Context, f fault) error {
	return faultKinds[f.Kind].begin(ctx, s, f)
}
func (s *system) end(ctx context.Context, f fault) error { return faultKinds[f.Kind].end(ctx, s, f) }

// calm ends all faults of what is around Emissor.
func (s *system) calm(ctx context.Context) error {
	s.network.heal(ctx)
	s.receiver.Answer(nil)
	s.zips.away.Store(0)
	return authorityAutoFixes(ctx, s, fault{})
}

func sleep(ctx context.Context, duration time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(duration):
		return nil
	}
}
