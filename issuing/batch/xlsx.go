package batch

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"

	"github.com/xuri/excelize/v2"
)

// maxUnpacked bounds a workbook once unpacked: 10,000 lines take about 10 MB.
const maxUnpacked = 48 << 20

// readXLSX reads the first sheet of a workbook. It is unpacked only as far as the bound, whatever
// its parts say of their sizes.
func readXLSX(content []byte) (rows []row, err error) {
	if err := checkUnpacked(content); err != nil {
		return nil, err
	}
	file, err := excelize.OpenReader(bytes.NewReader(content), excelize.Options{
		RawCellValue:   true, // days and numbers as they are kept, not as a format shows them
		UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxUnpacked,
	})
	if err != nil {
		return nil, FileUnreadable
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sheets := file.GetSheetList()
	if len(sheets) == 0 {
		return nil, FileUnreadable
	}
	lines, err := file.Rows(sheets[0])
	if err != nil {
		return nil, FileUnreadable
	}
	defer lines.Close()
	for line := 1; lines.Next(); line++ {
		if line > 10*MaxLines { // blank ones, for the most part
			return nil, FileTooLong
		}
		cells, err := lines.Columns()
		if err != nil {
			return nil, FileUnreadable
		}
		if len(cells) > maxColumns {
			return nil, FileTooLong
		}
		one := row{line: line, cells: cells}
		if !one.blank() {
			rows = append(rows, one)
		}
		if len(rows) > MaxLines+1 {
			return nil, FileTooLong
		}
	}
	if lines.Error() != nil {
		return nil, FileUnreadable
	}
	return rows, findKinds(file, sheets[0], rows)
}

// findKinds marks the cells that have a formula, whose values may be old or missing, and those that
// are numbers.
func findKinds(file *excelize.File, sheet string, rows []row) error {
	for i := range rows {
		rows[i].formula, rows[i].number = make([]bool, maxColumns), make([]bool, maxColumns)
		for column := range rows[0].cells { // only those that have a head
			name, err := excelize.CoordinatesToCellName(column+1, rows[i].line)
			if err != nil {
				return FileUnreadable
			}
			formula, err := file.GetCellFormula(sheet, name)
			if err != nil {
				return FileUnreadable
			}
			kind, err := file.GetCellType(sheet, name)
			if err != nil {
				return FileUnreadable
			}
			rows[i].formula[column] = formula != "" || kind == excelize.CellTypeFormula
			rows[i].number[column] = kind == excelize.CellTypeUnset || kind == excelize.CellTypeNumber
		}
	}
	return nil
}

// checkUnpacked unpacks every part of a workbook without keeping it, as far as the bound.
func checkUnpacked(content []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return FileUnreadable
	}
	left := int64(maxUnpacked)
	for _, part := range archive.File {
		reader, err := part.Open()
		if err != nil {
			return FileUnreadable
		}
		n, err := io.Copy(io.Discard, io.LimitReader(reader, left+1))
		reader.Close()
		if left -= n; left < 0 {
			return FileTooLarge
		}
		if err != nil {
			return FileUnreadable
		}
	}
	return nil
}

// writeXLSX makes a workbook of one sheet, all of whose cells are texts.
func writeXLSX(rows [][]string) ([]byte, error) {
	file := excelize.NewFile()
	defer file.Close()
	sheet := file.GetSheetName(0)
	for i, cells := range rows {
		for column, cell := range cells {
			name, err := excelize.CoordinatesToCellName(column+1, i+1)
			if err != nil {
				return nil, err
			}
			if err := file.SetCellStr(sheet, name, cell); err != nil {
				return nil, err
			}
		}
	}
	var written bytes.Buffer
	err := file.Write(&written)
	return written.Bytes(), err
}
