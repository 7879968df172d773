package published

import (
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// collapsed is a cell on one line, with single spaces.
func collapsed(cell string) string { return strings.Join(strings.Fields(cell), " ") }

// padded is a code with the zeros that a number loses, and without the dots that
// some write; what is no number stays as it is.
func padded(cell string, digits int) string {
	plain := strings.ReplaceAll(cell, ".", "")
	if plain == "" || strings.Trim(plain, "0123456789") != "" || len(plain) > digits {
		return cell
	}
	return strings.Repeat("0", digits-len(plain)) + plain
}

// wholeNBS is a code of the NBS; one of fewer digits is a heading, and empty.
func wholeNBS(cell string) string {
	plain := strings.ReplaceAll(cell, ".", "")
	if len(plain) != 9 {
		return ""
	}
	return plain
}

// item is a subitem of the list of LC 116, 01.01, or with a breakdown 99.02.01,
// without its dots.
func item(cell string) string {
	if cell == "" {
		return ""
	}
	parts := strings.Split(cell, ".")
	for i, part := range parts {
		parts[i] = padded(part, 2)
	}
	return strings.Join(parts, "")
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
