package published

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"emissor/fiscal/national/classification"
)

// maxFile is more than any of the files has, in bytes.
const maxFile = 32 << 20

// Part is one table of a file.
type Part struct {
	Table   classification.Table
	Records []classification.Record
}

// sheet is a sheet of a workbook, or a whole text, as rows of cells.
type sheet struct {
	name string
	rows [][]string
}

// Read reads the tables of a file, a workbook or text. Only, unless empty, is the
// one that is wanted of it. The error names the sheet and the column that is
// missing.
func Read(file io.Reader, only classification.Table) (parts []Part, content []byte, err error) {
	content, err = io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, nil, err
	}
	if len(content) > maxFile {
		return nil, nil, fmt.Errorf("the file is larger than %d MiB", maxFile>>20)
	}
	if bytes.HasPrefix(content, []byte("PK")) {
		parts, err = readWorkbook(content, only)
	} else {
		parts, err = readText(string(content), only)
	}
	return parts, content, err
}

// readLayout reads one table from its sheet.
func readLayout(l layout, from sheet) (Part, error) {
	part := Part{Table: l.table}
	if len(from.rows) == 0 {
		return part, fmt.Errorf("%s is empty", from.title())
	}
	at, err := l.find(from)
	if err != nil {
		return part, err
	}
	onlyAt := -1
	if l.only != "" {
		onlyAt = named(from.rows[0], l.only)
	}
	for _, row := range from.rows[1:] {
		if onlyAt >= 0 && flag(collapsed(cellOf(row, onlyAt))) != "1" {
			continue
		}
		record := classification.Record{}
		for i, column := range l.columns {
			value := collapsed(cellOf(row, at[i]))
			if column.read != nil {
				value = column.read(value)
			}
			record[column.name] = value
		}
		if key := record[l.key()]; key != "" && strings.Trim(key, "0123456789") == "" {
			part.Records = append(part.Records, record)
		}
	}
	return part, nil
}

// find returns where each column of the layout is; -1 when it is optional and
// not there.
func (l layout) find(from sheet) ([]int, error) {
	headers := make([]string, len(from.rows[0]))
	for i, header := range from.rows[0] {
		headers[i] = normal(header)
	}
	at := make([]int, len(l.columns))
	for i, column := range l.columns {
		at[i] = -1
		for _, header := range column.headers {
			if at[i] = findHeader(headers, normal(header)); at[i] >= 0 {
				break
			}
		}
		if at[i] < 0 && !column.optional {
			return nil, fmt.Errorf("%s has no column %q", from.title(), column.headers[0])
		}
	}
	if l.only != "" && named(from.rows[0], l.only) < 0 {
		return nil, fmt.Errorf("%s has no column %q", from.title(), l.only)
	}
	return at, nil
}

// findHeader finds a header, or else one that begins with it: Local do
// fornecimento a ser identificado ...
func findHeader(headers []string, header string) int {
	if i := slices.Index(headers, header); i >= 0 {
		return i
	}
	const long = 12 // what is shorter is a name of the layout, which must be exact
	if len(header) < long {
		return -1
	}
	return slices.IndexFunc(headers, func(one string) bool { return strings.HasPrefix(one, header) })
}

// named finds a column, or else the last of those that begin so, for several editions.
func named(headers []string, prefix string) int {
	if i := slices.Index(headers, prefix); i >= 0 {
		return i
	}
	for i := len(headers) - 1; i >= 0; i-- {
		if strings.HasPrefix(headers[i], prefix) {
			return i
		}
	}
	return -1
}

func (s sheet) title() string {
	if s.name == "" {
		return "the file"
	}
	return fmt.Sprintf("the sheet %q", s.name)
}

func cellOf(row []string, i int) string {
	if i < 0 || i >= len(row) {
		return ""
	}
	return row[i]
}

// pick reads what is wanted of a workbook whose sheets are found by find.
func pick(of workbook, only classification.Table, find func(layout) (sheet, error)) (parts []Part, err error) {
	for _, l := range of {
		if only != "" && l.table != only {
			continue
		}
		from, err := find(l)
		if err != nil {
			return nil, err
		}
		part, err := readLayout(l, from)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func has(of workbook, table classification.Table) bool {
	return slices.ContainsFunc(of, func(l layout) bool { return l.table == table })
}

// readText reads lines of cells that are separated by tabs, under their names.
func readText(text string, only classification.Table) ([]Part, error) {
	var whole sheet
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		if whole.rows = append(whole.rows, strings.Split(line, "\t")); len(whole.rows) > maxRows {
			return nil, fmt.Errorf("the file has more than %d lines", maxRows)
		}
	}
	if len(whole.rows) == 0 {
		return nil, errors.New("the file is empty")
	}
	find := func(layout) (sheet, error) { return whole, nil }
	for _, one := range texts {
		if only != "" && has(one, only) {
			return pick(one, only, find)
		}
		if _, err := one[0].find(whole); only == "" && err == nil {
			return pick(one, only, find)
		}
	}
	return nil, errors.New("the columns of the file are those of no table; say which with --table")
}
