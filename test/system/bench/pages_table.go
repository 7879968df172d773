package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// page is what a page of the dashboard takes.
type page struct {
	name  string
	took  *durations
	cpu   time.Duration // of one visit, of the dashboard and of PostgreSQL
	bytes int           // of the last answer
	empty int           // of the same page in an organization that has nothing; 0 where it cannot be asked
}

// addPage adds a row to the table of pages, and shows it.
func (r *report) addPage(p page) {
	r.pages = append(r.pages, p)
	fmt.Fprintf(os.Stderr, "  %s: p50 %s, p95 %s, max %s, CPU %s, %d bytes\n", p.name,
		milliseconds(p.took.at(50)), milliseconds(p.took.at(95)), milliseconds(p.took.at(100)), milliseconds(p.cpu),
		p.bytes)
}

// writePages writes what each page takes.
func writePages(w io.Writer, pages []page) {
	if len(pages) == 0 {
		return
	}
	fmt.Fprintf(w, "\n| page of the dashboard, %d visits | p50, ms | p95, ms | longest, ms | CPU, ms | kB "+
		"| kB without data |\n",
		pages[0].took.count())
	fmt.Fprintln(w, "|---|---:|---:|---:|---:|---:|---:|")
	for _, p := range pages {
		empty := "–"
		if p.empty > 0 {
			empty = kilobytes(p.empty)
		}
		fmt.Fprintf(w, "| %s | %.1f | %.1f | %.1f | %.1f | %s | %s |\n", p.name, asMilliseconds(p.took.at(50)),
			asMilliseconds(p.took.at(95)), asMilliseconds(p.took.at(100)), asMilliseconds(p.cpu), kilobytes(p.bytes),
			empty)
	}
}

func kilobytes(bytes int) string { return fmt.Sprintf("%.1f", float64(bytes)/1000) }
