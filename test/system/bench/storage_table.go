package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// stored are the bytes of a table with all its partitions.
type stored struct {
	table   int64 // with what is stored apart from its rows (TOAST)
	indexes int64
}

func (s stored) all() int64 { return s.table + s.indexes }

// storage is what so many notes of a kind left, by table.
type storage struct {
	name        string
	notes       int
	rejected    int      // of all that were issued for it: their rows are smaller
	most        int      // bytes a note may leave for ever
	dropped     []string // tables that lie in parts which are dropped as wholes: nothing of them stays
	ended, kept map[string]stored
}

// tables are the sizes of all tables of the database, vacuumed.
func (i *installation) tables(ctx context.Context) (map[string]stored, error) {
	if _, err := i.database.SQL.ExecContext(ctx, `VACUUM ANALYZE`); err != nil {
		return nil, err
	}
	var all []struct {
		Name           string
		Bytes, Indexes int64
	}
	err := i.database.SQL.SelectContext(ctx, &all, `
		SELECT coalesce(pg_partition_root(c.oid), c.oid)::regclass::text AS name,
			sum(pg_table_size(c.oid))::bigint AS bytes, sum(pg_indexes_size(c.oid))::bigint AS indexes
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
		GROUP BY 1`)
	sizes := map[string]stored{}
	for _, one := range all {
		sizes[one.Name] = stored{one.Bytes, one.Indexes}
	}
	return sizes, err
}

// grown are the tables that have become larger, or smaller.
func grown(before, after map[string]stored) map[string]stored {
	tables := map[string]stored{}
	for name, now := range after {
		then := before[name]
		if change := (stored{now.table - then.table, now.indexes - then.indexes}); change != (stored{}) {
			tables[name] = change
		}
	}
	return tables
}

// sum is what all tables have grown.
func sum(tables map[string]stored) (all stored) {
	for _, one := range tables {
		all.table += one.table
		all.indexes += one.indexes
	}
	return all
}

// addStorage adds a table of what notes left, and shows its sums.
func (r *report) addStorage(s storage) {
	r.storage = append(r.storage, s)
	fmt.Fprintf(os.Stderr, "  storage of a %s: %.0f bytes at its end, %.0f for ever\n", s.name,
		s.perNote(sum(s.ended).all()), s.perNote(sum(s.kept).all()))
}

func (s storage) perNote(bytes int64) float64 { return float64(bytes) / float64(s.notes) }

// writeStorage writes what notes left, by table, the largest first.
func writeStorage(w io.Writer, all []storage) {
	for _, s := range all {
		fmt.Fprintf(w, "\n| bytes of a %s, of %d | at its end: table | indexes | for ever: table | indexes |\n", s.name,
			s.notes)
		fmt.Fprintln(w, "|---|---:|---:|---:|---:|")
		both := maps.Clone(s.ended)
		for name := range s.kept {
			both[name] = s.ended[name]
		}
		names := slices.SortedFunc(maps.Keys(both), func(a, b string) int {
			return int(s.ended[b].all()+s.kept[b].all()) - int(s.ended[a].all()+s.kept[a].all())
		})
		for _, name := range names {
			s.writeLine(w, name, s.ended[name], s.kept[name])
		}
		ended, kept := sum(s.ended), sum(s.kept)
		s.writeLine(w, "**all**", ended, kept)
		fmt.Fprintf(w, "\nA %s: %.0f bytes at its end, %.0f for ever; at most %d for ever is the aim: %s.\n", s.name,
			s.perNote(ended.all()), s.perNote(kept.all()), s.most, verdict(s.perNote(kept.all()) <= float64(s.most)))
		if len(s.dropped) > 0 {
			fmt.Fprintf(w, "Parts of these are dropped as wholes, with all that is in them: %s.\n",
				strings.Join(s.dropped, ", "))
		}
		if s.rejected > 0 {
			fmt.Fprintf(w, "Of its %d notes %d were not issued.\n", 2*s.notes, s.rejected)
		}
	}
}

func (s storage) writeLine(w io.Writer, name string, ended, kept stored) {
	fmt.Fprintf(w, "| %s | %.0f | %.0f | %.0f | %.0f |\n", name, s.perNote(ended.table), s.perNote(ended.indexes),
		s.perNote(kept.table), s.perNote(kept.indexes))
}
