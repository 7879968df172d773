package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// result is a row of the table: so many a second, or a time.
type result struct {
	name   string
	rate   float64       // a second; 0: it is a time
	time   time.Duration // the median
	detail string
}

// ratio compares the result with bare workflows: of a rate, how many times theirs
// it is; of a time, how many of them the machine does meanwhile.
func (r result) ratio(bare float64) float64 {
	if r.rate > 0 {
		return r.rate / bare
	}
	return r.time.Seconds() * bare
}

func (r result) figure() string {
	if r.rate > 0 {
		return significant(r.rate) + " / s"
	}
	return milliseconds(r.time)
}

// report is what a run has found.
type report struct {
	machine machine
	closing string // how noisy it was, beside the bare workflows
	bare    []engineReport
	results []result
	costs   []cost
}

// add adds a row, and shows it: the whole table comes only at the end.
func (r *report) add(result result) {
	r.results = append(r.results, result)
	fmt.Fprintf(os.Stderr, "  %s: %s (%s)\n", result.name, result.figure(), result.detail)
}

func (r *report) addBare(measured engineReport) {
	r.bare = append(r.bare, measured)
	fmt.Fprintf(os.Stderr, "  bare: %.1f / s (%s)\n", measured.rate(), percentiles(measured.P50, measured.P99))
}

// bareRate is the median of the bare workflows, and spread how far the others are
// from it, as a share.
func (r *report) bareRate() (median, spread float64) {
	if len(r.bare) == 0 {
		return 0, 0
	}
	var rates []float64
	for _, measured := range r.bare {
		rates = append(rates, measured.rate())
	}
	slices.Sort(rates)
	median = rates[len(rates)/2]
	return median, (rates[len(rates)-1] - rates[0]) / median
}

// write prints the tables, and writes them to a file unless its name is empty.
func (r *report) write(file string) error {
	var text strings.Builder
	r.markdown(&text)
	fmt.Print("\n", text.String())
	if file == "" {
		return nil
	}
	return os.WriteFile(file, []byte(text.String()), 0o644)
}

func (r *report) markdown(w io.Writer) {
	bare, spread := r.bareRate()
	fmt.Fprintf(w, "%s\n\n", r.machine)
	fmt.Fprintf(w, "How noisy the machine was: the bare workflows differ by %.0f %% among themselves; %s.\n\n",
		100*spread, r.closing)
	fmt.Fprintln(w, "| measured | figure | × bare | |")
	fmt.Fprintln(w, "|---|---:|---:|---|")
	var times []string
	for _, measured := range r.bare {
		times = append(times, fmt.Sprintf("%.1f", measured.rate()))
	}
	fmt.Fprintf(w, "| **bare workflow, two activities** | %s / s | 1.0 | %d in flight; beginning, middle, end: %s |\n",
		significant(bare), inFlight, strings.Join(times, ", "))
	for _, result := range r.results {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", result.name, result.figure(), significant(result.ratio(bare)),
			result.detail)
	}
	writeCosts(w, r.costs)
}

// significant prints a number as exactly as it deserves.
func significant(f float64) string {
	switch {
	case f >= 100:
		return fmt.Sprintf("%.0f", f)
	case f >= 10:
		return fmt.Sprintf("%.1f", f)
	default:
		return fmt.Sprintf("%.2f", f)
	}
}

func milliseconds(d time.Duration) string {
	if d >= 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return significant(float64(d.Microseconds())/1000) + " ms"
}

func percentiles(p50, p99 time.Duration) string {
	return fmt.Sprintf("p50 %s, p99 %s", milliseconds(p50), milliseconds(p99))
}
