package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// addCost adds a column to the table of costs, and shows what it is about.
func (r *report) addCost(c cost) {
	r.costs = append(r.costs, c)
	fmt.Fprintf(os.Stderr, "  cost of a %s: %.1f ms of CPU, %.1f events, %.1f workflow tasks, %.1f + %.1f commits\n",
		c.name, asMilliseconds(c.total()), c.events, c.tasks, c.commits[emissorDatabase],
		c.commits[temporalDatabase]+c.commits[visibilityDatabase])
}

// total is the CPU time of all processes.
func (c cost) total() (sum time.Duration) {
	for _, used := range c.cpu {
		sum += used
	}
	return sum
}

// writeCosts writes what one of each costs, as a table with a column for each.
func writeCosts(w io.Writer, costs []cost) {
	if len(costs) == 0 {
		return
	}
	line := func(what string, value func(cost) string) {
		cells := []string{what}
		for _, c := range costs {
			cells = append(cells, value(c))
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
	number := func(value func(cost) float64) func(cost) string {
		return func(c cost) string {
			if v := value(c); v >= 0.005 {
				return significant(v)
			}
			return "–"
		}
	}
	fmt.Fprintln(w)
	line("of one", func(c cost) string { return c.name })
	fmt.Fprintf(w, "|---|%s\n", strings.Repeat("---:|", len(costs)))
	line("how many were measured", func(c cost) string { return fmt.Sprint(c.count) })
	line("history events", number(func(c cost) float64 { return c.events }))
	line("workflow tasks", number(func(c cost) float64 { return c.tasks }))
	line("attempts of activities", number(func(c cost) float64 { return c.attempts }))
	line("SQL statements of Emissor", number(func(c cost) float64 { return c.statements }))
	for _, database := range []string{emissorDatabase, temporalDatabase, visibilityDatabase} {
		line("commits that wrote, database "+database, number(func(c cost) float64 { return c.commits[database] }))
	}
	line("kB of WAL, all databases", number(cost.wal))
	for _, database := range []string{emissorDatabase, temporalDatabase, visibilityDatabase} {
		line("kB of WAL, database "+database, number(func(c cost) float64 { return c.kilobytes[database] }))
	}
	for _, database := range []string{emissorDatabase, temporalDatabase, visibilityDatabase} {
		line("kB that database "+database+" grew", number(func(c cost) float64 { return c.grown[database] }))
	}
	for _, database := range []string{temporalDatabase, visibilityDatabase} {
		line("kB that database "+database+" keeps until its retention is over",
			number(func(c cost) float64 { return c.kept[database] }))
	}
	for _, owner := range cpuOwners {
		line("ms of CPU, "+owner, number(func(c cost) float64 { return asMilliseconds(c.cpu[owner]) }))
	}
	line("**ms of CPU, all**", number(func(c cost) float64 { return asMilliseconds(c.total()) }))
	if costs[0].name == bareWorkflow {
		line("its ratio to the bare workflow's", number(func(c cost) float64 {
			return c.total().Seconds() / costs[0].total().Seconds()
		}))
	}
	for _, database := range []string{emissorDatabase, temporalDatabase} {
		line("connections to "+database+", open / at work at once", func(c cost) string {
			return fmt.Sprintf("%d / %d", c.connections[database].Open, c.connections[database].Busy)
		})
	}
}

// wal is how many kilobytes of PostgreSQL's log of changes it leaves, of all databases.
func (c cost) wal() (sum float64) {
	for _, kilobytes := range c.kilobytes {
		sum += kilobytes
	}
	return sum
}

// costAims are what a live note with its webhook may cost above an empty workflow of the same run.
var costAims = []struct {
	what string
	of   func(cost) float64
	most float64
}{
	{"kB of histories", func(c cost) float64 { return c.kept[temporalDatabase] }, 6},
	{"kB of visibility", func(c cost) float64 { return c.kept[visibilityDatabase] }, 2},
	{"kB of WAL", cost.wal, 25},
}

// writeCostAims writes how far a live note with its webhook is above an empty workflow, where both were measured.
func writeCostAims(w io.Writer, costs []cost) {
	named := map[string]cost{}
	for _, c := range costs {
		named[c.name] = c
	}
	note, measured := named[liveWithWebhook]
	workflow, compared := named[emptyWorkflow]
	if !measured || !compared {
		return
	}
	fmt.Fprintf(w, "\n| a %s above an empty workflow | measured | aim | |\n|---|---:|---:|---|\n", liveWithWebhook)
	for _, aim := range costAims {
		above := aim.of(note) - aim.of(workflow)
		fmt.Fprintf(w, "| %s | %.1f | %.0f | %s |\n", aim.what, above, aim.most, verdict(above <= aim.most))
	}
}

// verdict says whether an aim is kept, and is easily seen where it is not.
func verdict(kept bool) string {
	if kept {
		return "kept"
	}
	return "**missed**"
}

func asMilliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
