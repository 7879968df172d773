package batch

import (
	"io"
	"strconv"
	"strings"

	"emissor/internal/xmlread"
)

// sheet is the sheet of a workbook while it is read.
type sheet struct {
	shared []string // texts to which cells refer
	rows   []row
	row    row
	keep   func(bytes int) error // what is kept of its cells

	cell         int // the column of the last one that began, the first being 1
	kind         string
	formula      bool
	content      content
	inRow, inOne bool // a row, a cell
}

// see takes the next step of the sheet. What stands within something else than it should is of a
// damaged file.
func (s *sheet) see(step xmlread.Step) error {
	switch {
	case step.Begins == "row":
		return s.beginRow(step.Attribute("r"))
	case step.Begins == "c":
		return s.beginCell(step)
	case step.Begins == "f":
		s.formula = true
	case step.Ends == "c":
		return s.endCell()
	case step.Ends == "row":
		return s.endRow()
	case step.Ends == "sheetData":
		return io.EOF
	case s.inOne:
		return s.content.see(step)
	}
	return nil
}

// beginRow begins a row, which may leave out its number where it is the next one.
func (s *sheet) beginRow(number string) error {
	line, err := s.row.line+1, error(nil)
	if number != "" {
		line, err = strconv.Atoi(number)
	}
	if err != nil || s.inRow || line <= s.row.line {
		return FileUnreadable
	}
	s.row, s.cell, s.inRow = row{line: line}, 0, true
	return nil
}

// beginCell begins a cell, which may leave out its name where it is the next one.
func (s *sheet) beginCell(cell xmlread.Step) error {
	column := s.cell + 1
	if name := cell.Attribute("r"); name != "" {
		column = columnNamed(name)
	}
	if !s.inRow || s.inOne || column <= s.cell {
		return FileUnreadable
	}
	s.cell, s.kind, s.formula, s.inOne = column, cell.Attribute("t"), false, true
	return nil
}

// columnNamed is the column of a cell called as AB12, the first being 1; 0: it has no such name.
func columnNamed(cell string) (column int) {
	letters := strings.TrimRight(cell, "0123456789")
	if len(letters) > 3 {
		return 0
	}
	for _, letter := range []byte(letters) {
		if letter < 'A' || letter > 'Z' {
			return 0
		}
		column = column*26 + int(letter-'A') + 1
	}
	return column
}

// endCell keeps a cell that has something: others stand wherever a format was chosen.
func (s *sheet) endCell() error {
	s.inOne = false
	value, err := s.value(s.content.take())
	if err != nil || value == "" && !s.formula {
		return err
	}
	if s.cell > maxColumns {
		return FileTooLong
	}
	if err := s.keep(len(value) + cellBytes*max(0, s.cell-len(s.row.cells))); err != nil {
		return err
	}
	for range s.cell - len(s.row.cells) {
		s.row.cells = append(s.row.cells, "")
		s.row.formula, s.row.number = append(s.row.formula, false), append(s.row.number, false)
	}
	last := s.cell - 1
	s.row.cells[last], s.row.formula[last], s.row.number[last] = value, s.formula, s.isNumber()
	return nil
}

func (s *sheet) isNumber() bool { return s.kind == "" || s.kind == "n" }

// value is what a cell of its kind says. A number is written in its shortest form: programs differ
// in how many digits they write of the same one.
func (s *sheet) value(text string) (string, error) {
	switch {
	case s.kind == "s" && text != "":
		number, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || number < 0 || number >= len(s.shared) {
			return "", FileUnreadable
		}
		return s.shared[number], nil
	case s.isNumber():
		if number, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
			return strconv.FormatFloat(number, 'f', -1, 64), nil
		}
	}
	return text, nil
}

// endRow keeps a row that is not blank.
func (s *sheet) endRow() error {
	s.inRow = false
	if s.row.blank() {
		return nil
	}
	if s.rows = append(s.rows, s.row); len(s.rows) > MaxLines+1 || s.row.line > 10*MaxLines {
		return FileTooLong
	}
	return nil
}
