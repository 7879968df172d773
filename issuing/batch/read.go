package batch

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// The bounds of a file.
const (
	MaxBytes = 5 << 20
	MaxLines = 10_000 // of notes, without the head

	maxColumns = 64
)

// FileProblem is why a file cannot be read at all.
type FileProblem string

// The problems of files.
const (
	FileUnreadable FileProblem = "unreadable" // neither CSV nor XLSX, or damaged
	FileTooLarge   FileProblem = "too_large"  // beyond MaxBytes, or a workbook beyond its bounds
	FileTooLong    FileProblem = "too_long"   // more lines than MaxLines, or more columns than it may have
	FileEmpty      FileProblem = "empty"      // no line below the head
	FileNoHead     FileProblem = "no_head"    // its first line names no column that is needed
)

// Error implements error, for logs.
func (p FileProblem) Error() string { return "batch: the file is " + string(p) }

// row is a line of a file as it was read.
type row struct {
	line    int // of the file, the head being 1, as spreadsheets number it
	cells   []string
	formula []bool // of the cells that have one
	number  []bool // of the cells that a workbook keeps as a number: with a decimal point, days counted
}

func (r row) blank() bool {
	return !slices.ContainsFunc(r.cells, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

func (r row) hasFormula(column int) bool { return column < len(r.formula) && r.formula[column] }

func (r row) isNumber(column int) bool { return column < len(r.number) && r.number[column] }

// read reads a file of either kind.
func read(ctx context.Context, content []byte) (rows []row, err error) {
	if len(content) > MaxBytes {
		return nil, FileTooLarge
	}
	if bytes.HasPrefix(content, []byte("PK\x03\x04")) {
		return readXLSX(ctx, content)
	}
	return readCSV(content)
}

// readCSV reads UTF-8, with or without its mark, or else Windows-1252, separated as the head is.
func readCSV(content []byte) (rows []row, err error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if bytes.IndexByte(content, 0) >= 0 {
		return nil, FileUnreadable
	}
	if !utf8.Valid(content) {
		if content, err = charmap.Windows1252.NewDecoder().Bytes(content); err != nil {
			return nil, FileUnreadable
		}
	}
	reader := csv.NewReader(bytes.NewReader(content))
	reader.Comma, reader.FieldsPerRecord, reader.LazyQuotes = separator(content), -1, true
	for within := 0; ; { // lines that go on within cells
		cells, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return nil, FileUnreadable
		case len(cells) > maxColumns:
			return nil, FileTooLong
		}
		line, _ := reader.FieldPos(0)
		one := row{line: line - within, cells: cells, formula: make([]bool, len(cells))}
		for i, cell := range cells {
			within += strings.Count(cell, "\n")
			one.formula[i] = strings.HasPrefix(strings.TrimSpace(cell), "=")
		}
		if !one.blank() {
			rows = append(rows, one)
		}
		if len(rows) > MaxLines+1 {
			return nil, FileTooLong
		}
	}
}

// separator is the one that the first line has most of.
func separator(content []byte) rune {
	head, _, _ := bytes.Cut(content, []byte("\n"))
	best, most := ';', 0
	for _, candidate := range ";,\t" {
		if n := bytes.Count(head, []byte(string(candidate))); n > most {
			best, most = candidate, n
		}
	}
	return best
}
