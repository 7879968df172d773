package servicecsv

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"emissor/fiscal/national/classification"
)

// maxRows are the most services of a file.
const maxRows = 100_000

// line is a row of the file.
type line struct {
	number    int
	serviceID string
	columns   map[string]int // of the file
	cells     []string
}

// part is a cell by the name of its column; empty where the file has none.
func (l line) part(name string) string {
	if i, ok := l.columns[name]; ok {
		return strings.TrimSpace(l.cells[i])
	}
	return ""
}

// parse reads rows under a row of names, whose cells commas,
// semicolons or tabs separate.
func parse(content []byte) (lines []line, err error) {
	text := strings.TrimPrefix(string(content), "\ufeff")
	header, _, _ := strings.Cut(text, "\n")
	reader := csv.NewReader(strings.NewReader(text))
	for _, separator := range ";\t" {
		if strings.ContainsRune(header, separator) {
			reader.Comma = separator
		}
	}
	names, err := reader.Read()
	if err != nil {
		return nil, errors.New("the file has no line of column names")
	}
	columns, err := columnsOf(names)
	if err != nil {
		return nil, err
	}
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		number, _ := reader.FieldPos(0)
		one := line{number: number, columns: columns, cells: row}
		one.serviceID = one.part("service")
		if lines = append(lines, one); len(lines) > maxRows {
			return nil, fmt.Errorf("the file has more than %d services", maxRows)
		}
	}
	if len(lines) == 0 {
		return nil, errors.New("the file has no service")
	}
	return lines, nil
}

// columnsOf says where each column is. It refuses columns that mean nothing.
func columnsOf(names []string) (map[string]int, error) {
	known := []string{"service"}
	for _, part := range classification.Parts {
		known = append(known, part.Name)
	}
	columns := make(map[string]int, len(names))
	for i, given := range names {
		name := strings.ToLower(strings.TrimSpace(given))
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no column %q; they are %s", given, strings.Join(known, ", "))
		}
		if _, twice := columns[name]; twice {
			return nil, fmt.Errorf("the column %s is there twice", name)
		}
		columns[name] = i
	}
	if _, ok := columns["service"]; !ok {
		return nil, errors.New("there is no column service")
	}
	return columns, nil
}
