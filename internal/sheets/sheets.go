// Package sheets writes workbooks for spreadsheets (XLSX), row by row: a sheet of many rows is not kept in memory.
// Texts are texts, no matter what they look like, and amounts are numbers.
package sheets

import (
	"io"

	"github.com/xuri/excelize/v2"
)

// Cents is an amount in cents; the cell is a number with two decimals.
type Cents int64

// Book is a workbook that is being written.
type Book struct {
	file   *excelize.File
	sheet  *excelize.StreamWriter
	row    int
	sheets int
	amount int // styles
	bold   int
}

// New begins a workbook.
func New() (*Book, error) {
	b := &Book{file: excelize.NewFile()}
	var err error
	format := "#,##0.00"
	if b.amount, err = b.file.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
		return nil, err
	}
	b.bold, err = b.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	return b, err
}

// Sheet begins a sheet with the names of its columns. Its name has at most 31 characters.
func (b *Book) Sheet(name string, columns ...string) error {
	if err := b.flush(); err != nil {
		return err
	}
	if b.sheets == 0 {
		if err := b.file.SetSheetName("Sheet1", name); err != nil {
			return err
		}
	} else if _, err := b.file.NewSheet(name); err != nil {
		return err
	}
	var err error
	if b.sheet, err = b.file.NewStreamWriter(name); err != nil {
		return err
	}
	if err := b.sheet.SetColWidth(1, max(1, len(columns)), 18); err != nil {
		return err
	}
	b.sheets, b.row = b.sheets+1, 0
	cells := make([]any, len(columns))
	for i, column := range columns {
		cells[i] = excelize.Cell{StyleID: b.bold, Value: column}
	}
	return b.write(cells)
}

// Row adds a row to the sheet. A cell is a string, an int64, or Cents; nil is an empty one.
func (b *Book) Row(cells ...any) error {
	for i, cell := range cells {
		switch value := cell.(type) {
		case Cents:
			cells[i] = excelize.Cell{StyleID: b.amount, Value: float64(value) / 100}
		case *int64:
			cells[i] = nil
			if value != nil {
				cells[i] = excelize.Cell{StyleID: b.amount, Value: float64(*value) / 100}
			}
		}
	}
	return b.write(cells)
}

func (b *Book) write(cells []any) error {
	b.row++
	cell, err := excelize.CoordinatesToCellName(1, b.row)
	if err != nil {
		return err
	}
	return b.sheet.SetRow(cell, cells)
}

func (b *Book) flush() error {
	if b.sheet == nil {
		return nil
	}
	return b.sheet.Flush()
}

// Write writes the workbook, which ends it.
func (b *Book) Write(w io.Writer) error {
	if err := b.flush(); err != nil {
		return err
	}
	return b.file.Write(w)
}

// Close removes what was kept on disk meanwhile.
func (b *Book) Close() error { return b.file.Close() }
