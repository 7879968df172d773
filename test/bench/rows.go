package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// row is a part of the table that can be chosen.
type row struct {
	name string
	run  func(*bench, context.Context) error

	named bool // it is measured only when it is named: it needs a disk, and hours
}

// rows are in the order in which they are measured: what leaves runs open comes
// late.
var rows = []row{
	{name: "empty", run: (*bench).measureEmpty},
	{name: "backlog", run: (*bench).measureBacklogs},
	{name: "webhook", run: (*bench).measureWebhooks},
	{name: "live", run: (*bench).measureLive},
	{name: "doubt", run: (*bench).measureDoubt},
	{name: "steady", run: (*bench).measureSteady},
	{name: "cost", run: (*bench).measureCosts},
	{name: "storage", run: (*bench).measureStorage},
	{name: "city", run: (*bench).measureCity},
	{name: "accept", run: (*bench).measureAccepts},
	{name: "fairness", run: (*bench).measureFairness},
	{name: "reads", run: (*bench).measureReads},
	{name: "dashboard", run: (*bench).measureDashboard},
	{name: "growth", run: (*bench).measureGrowth, named: true},
}

func rowNames() string {
	var names []string
	for _, row := range rows {
		names = append(names, row.name)
	}
	return strings.Join(names, ", ")
}

// checkRows refuses names of rows that do not exist.
func (o options) checkRows() error {
	for _, name := range o.rows {
		if !slices.ContainsFunc(rows, func(row row) bool { return row.name == name }) {
			return fmt.Errorf("there is no row %q; there are %s", name, rowNames())
		}
	}
	return nil
}

// chosen are the rows that the flags name, or all that need not be named.
func (o options) chosen() []row {
	if o.rows == nil {
		return slices.DeleteFunc(slices.Clone(rows), func(row row) bool { return row.named })
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row row) bool { return !slices.Contains(o.rows, row.name) })
}
