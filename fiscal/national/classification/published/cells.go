package published

import (
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// collapsed is a cell on one line, with single spaces.
func collapsed(cell string) string { return strings.Join(strings.Fields(cell), " ") }

// padded is a code with the zeros that a number loses; what is no number stays as
// it is.
func padded(cell string, digits int) string {
	if cell == "" || strings.Trim(cell, "0123456789") != "" || len(cell) > digits {
		return cell
	}
	return strings.Repeat("0", digits-len(cell)) + cell
}

// bareNBS is a code of the NBS without its dots.
func bareNBS(cell string) string { return strings.ReplaceAll(cell, ".", "") }

// wholeNBS is one of nine digits; one of fewer is a heading, and empty.
func wholeNBS(cell string) string {
	code := bareNBS(cell)
	if len(code) != 9 {
		return ""
	}
	return code
}

// item is a subitem of the list of LC 116, 01.01, or with a breakdown 99.02.01,
// without its dots. A number may have lost the zero at its beginning; one that has
// lost it at its end (7.1 for 07.10) stays too short, and is refused.
func item(cell string) string {
	first, rest, _ := strings.Cut(cell, ".")
	return padded(first, 2) + strings.ReplaceAll(rest, ".", "")
}

// flag is 0 or 1, also where numbers are written with decimals.
func flag(cell string) string {
	switch cell {
	case "1.0", "S":
		return "1"
	case "0.0":
		return "0"
	}
	return cell
}

// day is a date cell, which holds a number of days, or a date as text.
func day(cell string) string {
	if number, err := strconv.ParseFloat(cell, 64); err == nil {
		if moment, err := excelize.ExcelDateToTime(number, false); err == nil {
			return moment.Format(time.DateOnly)
		}
	}
	if moment, err := time.Parse("02/01/2006", cell); err == nil {
		return moment.Format(time.DateOnly)
	}
	return cell
}
