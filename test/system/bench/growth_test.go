package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/harness"
)

// The row growth works from end to end, with tables that are small: nothing is said about its figures.
func TestGrowth_Small(t *testing.T) {
	stack, err := harness.FindDevstack()
	if err != nil {
		t.Fatal(err)
	}
	programs, err := harness.Built(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{stack: stack, programs: programs, dir: t.TempDir(),
		options: options{quick: true, fill: 1500, notes: 100_000_000}}
	if err := b.measureGrowth(t.Context()); err != nil {
		t.Fatal(err)
	}
	g := b.report.growth[0]
	if len(g.figures) < 15 || g.few != 150 || g.many != 1500 || g.sizes["notes"].table < 500_000 {
		t.Errorf("%+v", g)
	}
	for _, f := range g.figures {
		if f.median[0] <= 0 || f.median[1] <= 0 {
			t.Errorf("%s took %v", f.name, f.median)
		}
	}
	var text strings.Builder
	b.report.markdown(&text)
	for _, part := range []string{"| get a note | ", "| /metrics | ", "| vacuum of the whole database | ", "| notes | ",
		"| 100 million notes, all documents |"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%q is not in\n%s", part, &text)
		}
	}
}

// Filled ids are well-formed, in the order of their time, and of that time.
func TestGrowth_IDs(t *testing.T) {
	stack, err := harness.FindDevstack()
	if err != nil {
		t.Fatal(err)
	}
	database, err := stack.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = database.Drop(context.WithoutCancel(t.Context())) }()
	at := time.Date(2024, time.February, 29, 12, 0, 0, 0, time.UTC)
	var id string
	if err := database.SQL.GetContext(t.Context(), &id, `SELECT 'nfse_' || `+bodySQL("ms", "n")+
		` FROM CAST($1 AS bigint) ms, CAST(20000000 AS bigint) n`, at.UnixMilli()); err != nil {
		t.Fatal(err)
	}
	if !nfse.IsID(nfse.PrefixNote, id) || id < nfse.FirstID(nfse.PrefixNote, at) ||
		id >= nfse.FirstID(nfse.PrefixNote, at.Add(time.Millisecond)) {
		t.Errorf("%s is not an id of %s", id, at)
	}
}

// What takes longer with many notes is marked, and /metrics has an aim of its own.
func TestGrowth_Table(t *testing.T) {
	ms := time.Millisecond
	var text strings.Builder
	writeGrowth(&text, []growth{{few: 10_000, many: 20_000_000, of: 100_000_000, churned: 100,
		figures: []growthFigure{
			{name: "get", median: [2]time.Duration{10 * ms, 12 * ms}},
			{name: "list", median: [2]time.Duration{10 * ms, 13 * ms}},
			{name: "metrics", median: [2]time.Duration{ms, 19 * ms}, most: metricsMost},
		},
		sizes: map[string]stored{"notes": {20_000_000_000, 20_000_000_000}, "note_documents": {2_000_000_000, 0}},
		grown: [2]stored{{1000, 100}, {1000, 300}},
	}})
	for _, line := range []string{
		"| 1.20 | kept |", "| 1.30 | **missed** |", "| 19.00 | at most 20.0 ms: kept |",
		"| bytes that the indexes grew for each of them | 1 | 3 | 3.00 |",
		"| notes | 20.00 | 20.00 | 200 |", "| note_documents | 2.00 | 0.00 | 500 |", "| **all** | 42.0 | | 700 |",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("%q is not in\n%s", line, &text)
		}
	}
}

// The row growth needs a disk and hours: it is measured only when it is named.
func TestRows_GrowthIsNamed(t *testing.T) {
	named := func(o options) (names []string) {
		for _, row := range o.chosen() {
			names = append(names, row.name)
		}
		return names
	}
	all := strings.Join(named(options{}), " ")
	if strings.Contains(all, "growth") || !strings.Contains(all, "storage") {
		t.Errorf("without names: %s", all)
	}
	if one := named(options{rows: []string{"growth"}}); len(one) != 1 {
		t.Errorf("by its name: %s", one)
	}
}
