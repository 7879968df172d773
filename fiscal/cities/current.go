package cities

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"emissor/internal/retry"
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

// loaded says that the process knows which table was imported last.
var loaded atomic.Bool

// Loaded reports whether the process has learned once which table counts. Until then nothing is sent to
// any city: the table that is built in may name another server than the one that was imported.
func Loaded() bool { return loaded.Load() }

// Loader is where imported tables are on record.
type Loader interface {
	// CityTable is the content of the table that was imported last, and its id; empty where none was.
	CityTable(ctx context.Context) (id, content string, err error)
}

// Load has the process go by the table that was imported last. One that this version, which speaks these families,
// does not understand leaves the one before.
func Load(ctx context.Context, loader Loader, families Families) error {
	id, content, err := loader.CityTable(ctx)
	if err != nil {
		return err
	}
	if id == Current().ID {
		loaded.Store(true)
		return nil
	}
	table := BuiltIn()
	if id != "" {
		read, err := Parse(content, families)
		if err != nil {
			return fmt.Errorf("the imported table %s: %w", id, err)
		}
		table = &read
		table.ID = id
	}
	current.Store(table)
	loaded.Store(true)
	return nil
}

// reloadInterval is how long after an import every process knows it, at the latest. The content of a
// table is some kilobytes.
const reloadInterval = 10 * time.Second

// Keep loads again and again until ctx ends, and calls changed whenever the process goes by another
// table than before, or knows for the first time which one counts.
func Keep(ctx context.Context, loader Loader, families Families, logger *slog.Logger, changed func()) {
	known, knows, failed := Current(), Loaded(), ""
	look := func() {
		err := Load(ctx, loader, families)
		switch {
		case err == nil:
			failed = ""
		case ctx.Err() == nil && err.Error() != failed: // said once
			failed = err.Error()
			logger.ErrorContext(ctx, "the table of cities could not be read; the one before is used", "error", failed)
		}
		if table := Current(); table != known || Loaded() != knows {
			known, knows = table, Loaded()
			logger.InfoContext(ctx, "goes by another table of cities", "table_id", table.ID)
			changed()
		}
	}
	look()
	retry.Every(ctx, reloadInterval, look)
}
