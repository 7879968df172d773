package nfse

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"time"
)

// Brasilia is the zone in which fiscal days are counted and written. Brazil has had no
// daylight saving time since 2019, so it is fixed and needs no zone database of the host.
var Brasilia = time.FixedZone("-03:00", -3*60*60)

// Day is a day of the calendar in Brasília, as the API prints it: 2026-11-30. Days
// compare as texts. The empty Day is none.
type Day string

// DayOf returns the day of a moment.
func DayOf(at time.Time) Day { return Day(at.In(Brasilia).Format(time.DateOnly)) }

// ParseDay reads a day of this century, as 2026-11-30. The message of its error reads
// after the name of a field.
func ParseDay(text string) (Day, error) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 2000 || day.Year() > 2099 {
		return "", errors.New("must be a day of this century, as 2026-11-30")
	}
	return Day(text), nil
}

// Begin returns the first moment of the day; the zero time when it is none.
func (d Day) Begin() time.Time {
	begin, err := time.ParseInLocation(time.DateOnly, string(d), Brasilia)
	if err != nil {
		return time.Time{}
	}
	return begin
}

// Before returns the day so many days earlier.
func (d Day) Before(days int) Day { return DayOf(d.Begin().AddDate(0, 0, -days)) }

// Scan implements sql.Scanner, for a column of the type date.
func (d *Day) Scan(v any) error {
	day, ok := v.(time.Time)
	if !ok {
		return fmt.Errorf("nfse: cannot read a day from %T", v)
	}
	*d = Day(day.Format(time.DateOnly))
	return nil
}

// Value implements driver.Valuer: the empty Day is null.
func (d Day) Value() (driver.Value, error) {
	if d == "" {
		return nil, nil
	}
	return string(d), nil
}

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
