package published

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"emissor/fiscal/national/classification"
)

// The bounds of a file once unpacked. The largest that is published has 1,522 rows,
// and 43 columns.
const (
	maxUnzipped = 64 << 20 // bytes
	maxRows     = 20_000
	maxColumns  = 128
)

// readWorkbook reads the tables of a workbook, which is known by its sheets.
func readWorkbook(content []byte, only classification.Table) (parts []Part, err error) {
	file, err := excelize.OpenReader(bytes.NewReader(content), excelize.Options{
		RawCellValue:   true, // dates and codes as they are kept, not as a format shows them
		UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: maxUnzipped,
	})
	if err != nil {
		return nil, fmt.Errorf("no workbook (xlsx): %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	find := func(l layout) (sheet, error) {
		name, ok := sheetOf(file, l)
		if !ok {
			return sheet{}, fmt.Errorf("the workbook has no sheet whose name begins with %q",
				strings.TrimSpace(l.sheet))
		}
		return readSheet(file, name)
	}
	for _, one := range workbooks {
		if only != "" {
			if has(one, only) {
				return pick(one, only, find)
			}
			continue
		}
		for _, l := range one {
			if _, ok := sheetOf(file, l); ok {
				return pick(one, only, find)
			}
		}
	}
	return nil, fmt.Errorf("the sheets are of no workbook that is known (%q)", file.GetSheetList())
}

// sheetOf finds the first sheet of a layout.
func sheetOf(file *excelize.File, l layout) (name string, ok bool) {
	for _, name := range file.GetSheetList() {
		if strings.HasPrefix(normal(name), normal(l.sheet)) {
			return name, true
		}
	}
	return "", false
}

// readSheet reads all rows of a sheet. Every cell of a merge has the value of its top left one, regardless of what
// the other cells hold.
func readSheet(file *excelize.File, name string) (read sheet, err error) {
	read.name = name
	rows, err := file.Rows(name)
	if err != nil {
		return read, err
	}
	blank := 0 // rows since the last that was not; thousands may follow the data
	for rows.Next() {
		cells, err := rows.Columns()
		if err != nil {
			return read, errors.Join(err, rows.Close())
		}
		for len(cells) > 0 && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		if len(cells) == 0 {
			blank++
			continue
		}
		if len(cells) > maxColumns || len(read.rows)+blank+1 > maxRows {
			return read, errors.Join(rows.Close(), fmt.Errorf("%s has more than %d rows or %d columns",
				read.title(), maxRows, maxColumns))
		}
		read.rows = append(append(read.rows, make([][]string, blank)...), cells)
		blank = 0
	}
	if err := errors.Join(rows.Error(), rows.Close()); err != nil {
		return read, err
	}
	merges, err := file.GetMergeCells(name)
	if err != nil {
		return read, err
	}
	return read, read.expand(merges)
}

// expand gives every cell of a merge the value of its top left one.
func (s *sheet) expand(merges []excelize.MergeCell) error {
	left := maxRows * maxColumns // cells of merges that do not overlap
	for _, merge := range merges {
		firstColumn, firstRow, err := excelize.CellNameToCoordinates(merge.GetStartAxis())
		if err != nil {
			return err
		}
		lastColumn, lastRow, err := excelize.CellNameToCoordinates(merge.GetEndAxis())
		if err != nil {
			return err
		}
		lastRow, lastColumn = min(lastRow, len(s.rows)), min(lastColumn, maxColumns)
		if firstRow > lastRow || firstColumn > lastColumn {
			continue
		}
		if left -= (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1); left < 0 {
			return fmt.Errorf("%s has merges over one another", s.title())
		}
		value := cellOf(s.rows[firstRow-1], firstColumn-1)
		for row := firstRow - 1; row < lastRow; row++ {
			for len(s.rows[row]) < lastColumn {
				s.rows[row] = append(s.rows[row], "")
			}
			for column := firstColumn - 1; column < lastColumn; column++ {
				s.rows[row][column] = value
			}
		}
	}
	return nil
}
