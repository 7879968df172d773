// Package tsv reads the tables that stand beside code as files: texts, rules, repairs. A table's first line names its
// columns, which are divided by tabs; a line that begins with # is a comment.
package tsv

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

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

// Must returns the rows of a table that is compiled in, each of as many cells as the first line has, and none of them
// empty. It panics where that is not so: every table that is read so is read by a test.
func Must(tables fs.FS, file string) [][]string {
	table, err := fs.ReadFile(tables, file)
	if err != nil {
		panic(err)
	}
	columns, _, _ := strings.Cut(string(table), "\n")
	rows := Rows(string(table))
	for _, row := range rows {
		if len(row) != strings.Count(columns, "\t")+1 || slices.Contains(row, "") {
			panic(fmt.Sprintf("%s: the row %q has other cells than %q", file, row, columns))
		}
	}
	return rows
}

// Files returns the names of the tables that are compiled in.
func Files(tables fs.FS) []string {
	files, err := fs.Glob(tables, "*.tsv")
	if err != nil {
		panic(err)
	}
	return files
}
