package nfse

import (
	"errors"
	"time"
)

// Month is a month of the calendar in Brasília: 2026-11. Months compare as texts.
type Month string

const monthForm = "2006-01"

// ParseMonth reads a month of this century, as 2026-11. The message of its error reads after
// the name of a field.
func ParseMonth(text string) (Month, error) {
	month, err := time.Parse(monthForm, text)
	if err != nil || month.Year() < 2000 || month.Year() > 2099 {
		return "", errors.New("must be a month of this century, as 2026-11")
	}
	return Month(text), nil
}

// MonthBefore is the month before the day's.
func (d Day) MonthBefore() Month {
	begin := d.Begin()
	return Month(time.Date(begin.Year(), begin.Month()-1, 1, 0, 0, 0, 0, Brasilia).Format(monthForm))
}

// MonthOf is the month of a day.
func MonthOf(day Day) Month { return Month(string(day)[:len(monthForm)]) }

// FirstDay is the first day of the month.
func (m Month) FirstDay() Day { return Day(m + "-01") }

// Next is the month after it.
func (m Month) Next() Month { return MonthOf(DayOf(m.FirstDay().Begin().AddDate(0, 1, 0))) }
