package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// writeGrowth writes how what was measured depends on the number of notes, and what as many as were named take.
func writeGrowth(w io.Writer, all []growth) {
	for _, g := range all {
		fmt.Fprintf(w, "\n| median | %s notes | %s notes | ratio | at most %.1f, or as named |\n", thousands(g.few),
			thousands(g.many), mostGrowth)
		fmt.Fprintln(w, "|---|---:|---:|---:|---|")
		for _, f := range g.figures {
			aim := ""
			if f.most > 0 {
				aim = "at most " + milliseconds(f.most) + ": "
			}
			fmt.Fprintf(w, "| %s | %s | %s | %.2f | %s%s |\n", f.name, milliseconds(f.median[0]),
				milliseconds(f.median[1]), f.ratio(), aim, verdict(f.kept()))
		}
		g.writeDay(w)
		g.writeSizes(w)
	}
}

// writeDay writes what a day of churn left.
func (g growth) writeDay(w io.Writer) {
	fmt.Fprintf(w, "\n| after a day of churn, %d notes | %s notes | %s notes | ratio |\n|---|---:|---:|---:|\n",
		g.churned, thousands(g.few), thousands(g.many))
	fmt.Fprintf(w, "| vacuum of the whole database | %s | %s | – |\n", milliseconds(g.vacuum[0]),
		milliseconds(g.vacuum[1]))
	line := func(what string, of func(stored) int64) {
		perNote := [2]float64{}
		for phase := range perNote {
			perNote[phase] = float64(of(g.grown[phase])) / float64(g.churned)
		}
		fmt.Fprintf(w, "| bytes that %s grew for each of them | %.0f | %.0f | %.2f |\n", what, perNote[0], perNote[1],
			perNote[1]/max(1, perNote[0]))
	}
	line("the tables", func(s stored) int64 { return s.table })
	line("the indexes", func(s stored) int64 { return s.indexes })
}

// writeSizes writes the tables' sizes and the arithmetic: rows and indexes grow with the notes, and documents by how
// many were left out.
func (g growth) writeSizes(w io.Writer) {
	fmt.Fprintf(w, "\n| GB of %s notes, documents for one in %d | table | indexes | %s notes, all documents |\n",
		thousands(g.many), documentsOneIn, thousands(g.of))
	fmt.Fprintln(w, "|---|---:|---:|---:|")
	names := slices.SortedFunc(maps.Keys(g.sizes), func(a, b string) int {
		return int(g.sizes[b].all()>>10) - int(g.sizes[a].all()>>10)
	})
	const gigabyte = 1e9
	var all, atMost float64
	for _, name := range names {
		size := g.sizes[name]
		full := float64(size.all()) / float64(g.many) * float64(g.of) / gigabyte
		if name == "note_documents" {
			full *= documentsOneIn
		}
		all, atMost = all+float64(size.all())/gigabyte, atMost+full
		if size.all() >= 10*int64(g.many) { // bytes a note
			fmt.Fprintf(w, "| %s | %.2f | %.2f | %.0f |\n", name, float64(size.table)/gigabyte,
				float64(size.indexes)/gigabyte, full)
		}
	}
	fmt.Fprintf(w, "| **all** | %.1f | | %.0f |\n", all, atMost)
}
