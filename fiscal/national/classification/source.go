package classification

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"emissor/internal/retry"
)

// Loader is where imported editions are on record.
type Loader interface {
	// Version names the state of what is on record: every import changes it.
	Version(ctx context.Context) (string, error)
	// Imported reads all of them, in the order of their import.
	Imported(ctx context.Context) ([]*Edition, error)
}

// Source holds the editions for a process, so that no note costs a query. Until
// the first load it has those that are built in; a load that fails leaves what
// was.
type Source struct {
	loader   Loader
	logger   *slog.Logger
	interval time.Duration
	held     atomic.Pointer[held]
	loading  chan struct{} // taken by the one load at a time: an older state never replaces a newer
}

type held struct {
	version  string // empty: nothing was loaded
	editions *Editions
}

// reloadInterval is how long after an import every process knows it, at the
// latest.
const reloadInterval = time.Minute

// NewSource makes one. Load or Run make it look at what is on record.
func NewSource(loader Loader, logger *slog.Logger) *Source {
	s := &Source{loader: loader, logger: logger, interval: reloadInterval, loading: make(chan struct{}, 1)}
	s.held.Store(&held{editions: NewEditions()})
	return s
}

// Editions returns what is known now. It never waits.
func (s *Source) Editions() *Editions { return s.held.Load().editions }

// Load reads what is on record, when anything was imported since.
func (s *Source) Load(ctx context.Context) error {
	select {
	case s.loading <- struct{}{}:
		defer func() { <-s.loading }()
	case <-ctx.Done():
		return ctx.Err()
	}
	version, err := s.loader.Version(ctx)
	if err != nil || version == s.held.Load().version {
		return err
	}
	imported, err := s.loader.Imported(ctx)
	if err != nil {
		return err
	}
	s.held.Store(&held{version, NewEditions(imported...)})
	return nil
}

// reloadTimeout bounds how long a check waits for the database.
const reloadTimeout = 5 * time.Second

// Reload is Load at once, before a check refuses by tables that may not be the latest.
func (s *Source) Reload() error {
	ctx, cancel := context.WithTimeout(context.Background(), reloadTimeout)
	defer cancel()
	return s.Load(ctx)
}

// Run loads at once, and then once a minute, until ctx ends.
func (s *Source) Run(ctx context.Context) {
	load := func() {
		if err := s.Load(ctx); err != nil && ctx.Err() == nil {
			s.logger.WarnContext(ctx, "the classification tables could not be read; those before are used",
				"error", err.Error())
		}
	}
	load()
	retry.Every(ctx, s.interval, load)
}
