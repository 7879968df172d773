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

	after int // how many times bare workflows had been measured
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
	noise   noise
	bare    []engineReport
	results []result
	costs   []cost
	pages   []page
	storage []storage
	growth  []growth

	compared []comparison
}

// add adds a row, and shows it: the whole table comes only at the end.
func (r *report) add(result result) {
	result.after = len(r.bare)
	r.results = append(r.results, result)
	fmt.Fprintf(os.Stderr, "  %s: %s (%s)\n", result.name, result.figure(), result.detail)
}

func (r *report) addBare(measured engineReport) {
	r.bare = append(r.bare, measured)
	fmt.Fprintf(os.Stderr, "  bare: %.1f / s (%s)\n", measured.rate(), percentiles(measured.P50, measured.P99))
}

// bareRates returns the rates of the bare workflows, in order.
func (r *report) bareRates() (rates []float64) {
	for _, measured := range r.bare {
		rates = append(rates, measured.rate())
	}
	return rates
}

// bareNear is the rate of bare workflows just before and after a result.
func (r *report) bareNear(result result) float64 {
	rates := r.bareRates()
	near := rates[max(0, result.after-1):min(len(rates), result.after+1)]
	sum := 0.0
	for _, rate := range near {
		sum += rate
	}
	return sum / float64(max(1, len(near)))
}

// medianAndSpread are of the bare workflows: the rate in the middle, and how far
// apart the others are, as a share of it.
func (r *report) medianAndSpread() (median, spread float64) {
	rates := slices.Sorted(slices.Values(r.bareRates()))
	if len(rates) == 0 {
		return 0, 0
	}
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
	fmt.Fprintf(w, "%s\n\n", r.machine)
	if len(r.compared) > 0 {
		fmt.Fprintf(w, "How noisy the machine was: %s.\n", r.noise)
		writeCompared(w, r.compared)
		return
	}
	median, spread := r.medianAndSpread()
	fmt.Fprintf(w, "How noisy the machine was: the bare workflows differ by %.0f %% among themselves; %s.\n\n",
		100*spread, r.noise)
	fmt.Fprintln(w, "| measured | figure | × bare | |")
	fmt.Fprintln(w, "|---|---:|---:|---|")
	var rates []string
	for _, rate := range r.bareRates() {
		rates = append(rates, significant(rate))
	}
	fmt.Fprintf(w, "| **bare workflow, two activities** | %s / s | 1.0 | %d in flight; one after the other: %s |\n",
		significant(median), inFlight, strings.Join(rates, ", "))
	for _, result := range r.results {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", result.name, result.figure(),
			significant(result.ratio(r.bareNear(result))), result.detail)
	}
	writeCosts(w, r.costs)
	writeCostAims(w, r.costs)
	writePages(w, r.pages)
	writeStorage(w, r.storage)
	writeGrowth(w, r.growth)
}

// significant prints a number with the fewer decimals the larger it is.
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
