package cities

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

// current is the table that this process goes by; nil: the one that is built in.
var current atomic.Pointer[Table]

// Current is the table that the process goes by: the one that is built in, until another was
// imported and loaded.
func Current() *Table {
	if table := current.Load(); table != nil {
		return table
	}
	return BuiltIn()
}

// read says that it is known which table was imported last.
var read atomic.Bool

// Read reports whether the process has ever known which table was imported last. Until then the one
// that is built in may have on what an operator has turned off, and no city may be called by it.
func Read() bool { return read.Load() }

// Loader is where imported tables are on record.
type Loader interface {
	// CityTable is the content of the table that was imported last, and its id; empty where none was.
	CityTable(ctx context.Context) (id, content string, err error)
}

// Load has the process go by the table that was imported last. One that this version does not
// understand leaves the one before.
func Load(ctx context.Context, loader Loader) error {
	id, content, err := loader.CityTable(ctx)
	if err != nil {
		return err
	}
	if id != Current().ID {
		table := BuiltIn()
		if id != "" {
			parsed, err := Parse(content)
			if err != nil {
				return fmt.Errorf("the imported table %s: %w", id, err)
			}
			table = &parsed
			table.ID = id
		}
		current.Store(table)
	}
	read.Store(true)
	return nil
}

// reloadInterval is how long after an import every process knows it, at the latest. The content of a
// table is some kilobytes.
const reloadInterval = 10 * time.Second

// Keep loads again and again until ctx ends, and calls changed whenever the process goes by another
// table than before, or knows for the first time which one that is (Read).
func Keep(ctx context.Context, loader Loader, logger *slog.Logger, changed func()) {
	ticker := time.NewTicker(reloadInterval)
	defer ticker.Stop()
	known, wasRead, failed := Current(), Read(), ""
	for {
		err := Load(ctx, loader)
		switch {
		case err == nil:
			failed = ""
		case ctx.Err() == nil && err.Error() != failed: // said once
			failed = err.Error()
			logger.ErrorContext(ctx, "the table of cities could not be read; the one before is used", "error", failed)
		}
		if table := Current(); table != known || Read() != wasRead {
			known, wasRead = table, Read()
			logger.InfoContext(ctx, "the table of cities is another one", "table_id", table.ID)
			changed()
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
