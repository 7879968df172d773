// Package tsv reads the tables that stand beside code as files: texts, rules, repairs. A table's first line names its
// columns, which are divided by tabs; a line that begins with # is a comment.
package tsv

import "strings"

// Rows returns the rows of a table below its first line. How many cells a row has to have its reader knows.
func Rows(table string) [][]string {
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSuffix(table, "\n"), "\n")[1:] {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return rows
}
