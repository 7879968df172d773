package dps

import (
	"fmt"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
)

// layout is a form that messages are written in. A new one is another value.
type layout struct {
	name         string // in configuration and records
	version      string // attribute versao
	dps          func(*writer, dps)
	cancellation func(*writer, cancellation)
}

// layouts are the layouts that are built, the first being the default.
var layouts = []*layout{&layout101}

// layoutNamed finds a layout that is built.
func layoutNamed(name string) (*layout, error) {
	var built []string
	for _, one := range layouts {
		if one.name == name {
			return one, nil
		}
		built = append(built, one.name)
	}
	return nil, &fiscal.LayoutError{Layout: name, Built: built}
}

// Schedule says which layout is written on which date. The zero Schedule is
// always 1.01.
type Schedule struct {
	changes []layoutChange // in the order of their dates
}

type layoutChange struct {
	date   string // from which it holds, in Brasília; empty always
	layout *layout
}

// ParseSchedule reads the layout of the start and, after commas, others with the
// dates from which they are written: 1.01 or 1.01,nt009@2026-12-01. A layout
// that is not built is an error.
func ParseSchedule(words string) (Schedule, error) {
	var schedule Schedule
	for i, word := range strings.Split(words, ",") {
		name, date, dated := strings.Cut(strings.TrimSpace(word), "@")
		switch {
		case dated != (i > 0):
			return Schedule{}, fmt.Errorf(
				"layouts %q: the first has no date, and every other has one, as in 1.01,NAME@2026-12-01", words)
		case dated:
			if _, err := time.Parse(time.DateOnly, date); err != nil {
				return Schedule{}, fmt.Errorf("layouts %q: %q is no date in the form 2026-12-01", words, date)
			}
			if date <= schedule.changes[i-1].date {
				return Schedule{}, fmt.Errorf("layouts %q: the dates are not in order", words)
			}
		}
		layout, err := layoutNamed(name)
		if err != nil {
			return Schedule{}, err
		}
		schedule.changes = append(schedule.changes, layoutChange{date, layout})
	}
	return schedule, nil
}

// layoutOn returns the layout of a moment.
func (s Schedule) layoutOn(moment time.Time) *layout {
	current, date := layouts[0], string(nfse.DayOf(moment))
	for _, change := range s.changes {
		if change.date <= date {
			current = change.layout
		}
	}
	return current
}
