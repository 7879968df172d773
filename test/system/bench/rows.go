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
}

// growthRow is measured only when it is named: it needs a disk, and hours.
const growthRow = "growth"

// rows are in the order in which they are measured: what leaves runs open comes
// late.
var rows = []row{
	{"empty", (*bench).measureEmpty},
	{"backlog", (*bench).measureBacklogs},
	{"webhook", (*bench).measureWebhooks},
	{"live", (*bench).measureLive},
	{"companies", (*bench).measureCompanies},
	{"doubt", (*bench).measureDoubt},
	{"steady", (*bench).measureSteady},
	{"apart", (*bench).measureApart},
	{"cost", (*bench).measureCosts},
	{"storage", (*bench).measureStorage},
	{"city", (*bench).measureCity},
	{"accept", (*bench).measureAccepts},
	{"fairness", (*bench).measureFairness},
	{"reads", (*bench).measureReads},
	{growthRow, (*bench).measureGrowth},
	{"dashboard", (*bench).measureDashboard},
	{"scrapes", (*bench).measureScrapes},
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
		return slices.DeleteFunc(slices.Clone(rows), func(row row) bool { return row.name == growthRow })
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row row) bool { return !slices.Contains(o.rows, row.name) })
}
