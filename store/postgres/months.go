package postgres

import (
	"math"
	"strings"
	"time"

	"emissor/nfse"
)

// Period is from one moment on, and before another. A zero moment bounds nothing.
type Period struct{ since, until time.Time }

const (
	firstMonths = 2  // that a list is read in: most pages are full after them
	laterMonths = 10 // that it is read in then, before all that is left
)

// Periods are those in which a list is read that lies in parts by months: at first the months where the page
// begins, then those of the year behind them, at last all that is left. A statement is planned for the parts that its
// bounds name, and planning it for those of all years takes longer than reading a page. Together they are the period.
// They begin at its end, or at its beginning where the list is read oldest first.
func (p Period) Periods(oldestFirst bool) (periods []Period) {
	if oldestFirst && p.since.IsZero() {
		return []Period{p}
	}
	at := p.until
	if oldestFirst {
		at = p.since
	} else if at.IsZero() {
		at = time.Now()
	}
	month := time.Date(at.UTC().Year(), at.UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	for _, months := range []int{firstMonths, firstMonths + laterMonths} {
		one := p
		if oldestFirst {
			one.until = month.AddDate(0, months, 0)
			if one.until.After(time.Now()) || !p.until.IsZero() && !one.until.Before(p.until) {
				break
			}
			p.since = one.until
		} else {
			one.since = month.AddDate(0, 1-months, 0)
			if !one.since.After(p.since) {
				break
			}
			p.until = one.since
		}
		periods = append(periods, one)
	}
	return append(periods, p)
}

// InPeriods reads so many rows of a list period by period: the later ones only as far as the rows before are too few.
func InPeriods[T any](periods []Period, rows int, read func(in Period, rows int) ([]T, error)) (all []T, err error) {
	all = []T{}
	for _, in := range periods {
		found, err := read(in, rows-len(all))
		if all = append(all, found...); err != nil || len(all) >= rows {
			return all, err
		}
	}
	return all, nil
}

// RowsInPeriods reads rows with ids from lowest on and before highest, one more than the page has, in the direction of
// the cursor.
func RowsInPeriods[T any](prefix nfse.Prefix, lowest, highest string, cursor Cursor,
	read func(lowest, highest string, rows int) ([]T, error)) ([]T, error) {
	var of Period
	of.since, _ = nfse.TimeOf(prefix, strings.TrimSuffix(lowest, "!"))
	if until, known := nfse.TimeOf(prefix, highest); known {
		of.until = until.Add(time.Millisecond) // the ids of this one are below it as well
	}
	return InPeriods(of.Periods(cursor.Direction() == ""), cursor.Limit+1, func(in Period, rows int) ([]T, error) {
		from, to := in.ids(prefix)
		return read(max(lowest, from), min(highest, to), rows)
	})
}

// ids are the least id of a period, and the least one after it.
func (p Period) ids(prefix nfse.Prefix) (lowest, highest string) {
	lowest, highest = "", "~"
	if !p.since.IsZero() {
		lowest = nfse.FirstID(prefix, p.since)
	}
	if !p.until.IsZero() {
		highest = nfse.FirstID(prefix, p.until)
	}
	return lowest, highest
}

// Numbers are ids for tables with numbers as ids.
func (p Period) Numbers() (lowest, behind int64) {
	behind = math.MaxInt64
	if !p.until.IsZero() {
		behind = FirstNumber(p.until)
	}
	return FirstNumber(p.since), behind
}

// aroundMonth is how far the moment that a row says it was made at may be from that of its id, which another machine
// has made: a month, so that clocks hardly matter.
const aroundMonth = 31 * 24 * time.Hour

// IDsMadeIn bounds the ids of rows that say they were made in a period.
func IDsMadeIn(prefix nfse.Prefix, since, until time.Time) (lowest, highest string) {
	of := Period{since, until}
	if !since.IsZero() {
		of.since = since.Add(-aroundMonth)
	}
	if !until.IsZero() {
		of.until = until.Add(aroundMonth)
	}
	return of.ids(prefix)
}
