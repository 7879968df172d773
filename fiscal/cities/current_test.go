package cities

import (
	"context"
	"errors"
	"log/slog"
	"testing"
)

// imported is the table that is on record.
type imported struct {
	id, content string
	err         error
}

func (i *imported) CityTable(context.Context) (id, content string, err error) {
	return i.id, i.content, i.err
}

// A process goes by the table that was imported last. One that cannot be read, or a database that is
// out, leaves the one before; without any it is the one that is built in.
func TestLoad(t *testing.T) {
	t.Cleanup(func() { current.Store(nil); loaded.Store(false) })
	loader := &imported{}
	load := func(fails bool, id string) {
		t.Helper()
		if err := Load(t.Context(), loader, spoken); (err != nil) != fails || Current().ID != id {
			t.Errorf("by the table %q: %v, want %q, failing %t", Current().ID, err, id, fails)
		}
	}
	loader.err = errors.New("out")
	load(true, "")
	loader.err, loader.id, loader.content = nil, "cit_0", "of a later version"
	load(true, "")
	if Loaded() {
		t.Error("a table that cannot be read counts as known")
	}
	loader.id, loader.content = "", ""
	load(false, "")
	if !Loaded() {
		t.Error("that no table was imported is not known")
	}
	loader.id, loader.content = "cit_1", file(row())
	load(false, "cit_1")
	first := Current()
	load(false, "cit_1")
	if Current() != first {
		t.Error("a table that is the same is another one")
	}
	loader.id, loader.content = "cit_2", "of a later version"
	load(true, "cit_1")
	loader.err = errors.New("out")
	load(true, "cit_1")
	loader.err, loader.id, loader.content = nil, "", ""
	load(false, "")
	if Current().File != builtIn {
		t.Error("without an imported table it is not the one that is built in")
	}
}

// Who keeps the table is told of each change, and of nothing else.
func TestKeep(t *testing.T) {
	t.Cleanup(func() { current.Store(nil); loaded.Store(false) })
	ctx, stop := context.WithCancel(t.Context())
	told := 0
	Keep(ctx, &imported{id: "cit_1", content: file(row())}, spoken, slog.New(slog.DiscardHandler),
		func() { told++; stop() })
	if told != 1 || Current().ID != "cit_1" {
		t.Errorf("told %d times, by %q", told, Current().ID)
	}
	Keep(ctx, &imported{err: errors.New("out")}, spoken, slog.New(slog.DiscardHandler), func() { told++ })
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	loaded.Store(false)
	ctx, stop = context.WithCancel(t.Context())
	Keep(ctx, &imported{id: "cit_1", content: file(row())}, spoken, slog.New(slog.DiscardHandler),
		func() { told++; stop() })
	if told != 2 {
		t.Error("it is not told when the table that counts is known for the first time")
	}
}
