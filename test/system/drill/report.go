package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// report is what all rounds measured.
type report struct {
	rounds     []round
	figures    []figures
	violations []string
}

func (r *report) add(of round, f figures) {
	r.rounds, r.figures = append(r.rounds, of), append(r.figures, f)
	for _, violation := range f.violations {
		r.violations = append(r.violations, fmt.Sprintf("round %d: %s", of.number, violation))
	}
}

// table is the report as it is printed.
func (r report) table() string {
	var text strings.Builder
	columns := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "ROUND\tLOSS\tTEMPORAL\tACCEPTED\tLOST\tFROM\tFIRST NOTE\tFIRST LIVE\tALL ENDED\tFOUND")
	for n, of := range r.rounds {
		f := r.figures[n]
		fmt.Fprintf(columns, "%d\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", of.number, of.loss, of.engine,
			f.accepted, f.lost, seconds(f.window), seconds(f.firstNote), seconds(f.firstLive), seconds(f.ended),
			f.says())
	}
	_ = columns.Flush() // into memory
	text.WriteString("FROM: how long before the loss the first note was accepted that is lost. " +
		"The other times: from the begin of the way back.\n")
	for n, of := range r.rounds {
		if f := r.figures[n]; of.archived() && of.loss != primaryLost {
			fmt.Fprintf(&text, "round %d: a database of %.1f MB, %.1f MB of WAL a minute at %d notes a second, "+
				"a repository of %.1f MB\n", of.number, mega(f.database), mega(f.wal), notesASecond, mega(f.backup))
		}
	}
	for _, violation := range r.violations {
		fmt.Fprintln(&text, "BROKEN:", violation)
	}
	if len(r.violations) == 0 {
		text.WriteString("Every note that is on record has ended, nothing was issued twice, and what is missing is listed.\n")
	}
	return text.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

func mega(bytes int64) float64 { return float64(bytes) / 1e6 }

// says is what was found, and what became of it.
func (f figures) says() string {
	var words []string
	for _, state := range []string{"taken_over", "left", "missing", "unclear"} {
		if f.found[state] > 0 {
			words = append(words, fmt.Sprint(f.found[state], " ", state))
		}
	}
	if f.byHand > 0 {
		words = append(words, fmt.Sprint(f.byHand, " of them by hand"))
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}
