package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// output prints what a command found: a table for people, JSON for scripts.
type output struct{ json bool }

func (o *output) flag(command *cobra.Command) *cobra.Command {
	command.Flags().BoolVar(&o.json, "json", false, "print JSON")
	return command
}

// print writes value as JSON, or as the table that rows makes.
func (o *output) print(w io.Writer, value any, header string, rows func(add func(cells ...any))) error {
	if o.json {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	}
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, header)
	rows(func(cells ...any) {
		texts := make([]string, len(cells))
		for i, cell := range cells {
			texts[i] = fmt.Sprint(cell)
		}
		fmt.Fprintln(table, strings.Join(texts, "\t"))
	})
	return table.Flush()
}

// orDash prints a value that may be unset.
func orDash[T any](value *T) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprint(*value)
}
