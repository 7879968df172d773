package batch

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
)

// Marked is the file as CSV, with a last column of this name that says in words what is wrong with each line: to be
// corrected and sent again. Where so much is wrong that the check gave up, the lines behind have nothing in it.
func (c Checked) Marked(column string, say func(Problem) string) ([]byte, error) {
	wrong := map[int][]string{}
	for _, one := range c.Problems {
		wrong[one.Line] = append(wrong[one.Line], say(one))
	}
	var written bytes.Buffer
	written.WriteString("\ufeff")
	out := csv.NewWriter(&written)
	out.Comma = ';'
	for i, row := range c.rows {
		cells := make([]string, len(c.columns)+1)
		for at := range c.columns {
			cells[at] = plain(c.text(row, at))
		}
		last := len(cells) - 1
		if cells[last] = strings.Join(wrong[row.line], " · "); i == 0 {
			cells[last] = column
		}
		if err := out.Write(cells); err != nil {
			return nil, err
		}
	}
	out.Flush()
	return written.Bytes(), out.Error()
}

// text is a cell as a person would type it: a workbook keeps days and amounts as numbers, and zeros not at all.
func (c Checked) text(row row, at int) string {
	if at >= len(row.cells) {
		return ""
	}
	cell := row.cells[at]
	if !row.isNumber(at) {
		return cell
	}
	switch field := c.columns[at].Field; field {
	case "competence":
		return day(cell, true)
	case "amount_cents":
		if amount, ok := cents(cell, true); ok {
			return fmt.Sprintf("%d,%02d", amount/100, amount%100)
		}
	case "tax_id", "address.zip_code":
		if kept, ok := value(c.columns[at], cell, true); ok && !(field == "tax_id" && ofTwo(cell)) {
			return kept
		}
	}
	return cell
}
