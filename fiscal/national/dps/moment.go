package dps

import (
	"errors"
	"time"
)

// brasilia is the time of messages: fixed, whatever the host's zone is.
var brasilia = time.FixedZone("-03:00", -3*60*60)

const (
	momentLayout = "2006-01-02T15:04:05-07:00" // TSDateTimeUTC
	dateLayout   = "2006-01-02"                // TSData
)

// Competence returns the day of competence (dCompet) of a declaration that is
// signed at a moment, after so many signings, as 2026-11-22.
func Competence(at time.Time, signings int) string {
	moment, err := messageMoment(at, signings)
	if err != nil {
		moment = at.In(brasilia) // signing says what is wrong
	}
	return moment.Format(dateLayout)
}

// messageMoment returns the moment that a message says it is of (dhEmi,
// dhEvento). The authority refuses what is later than its own clock (E0008,
// E1843), so it lies a minute in the past, and twice as far after each message
// signed before, up to 16 minutes. The date in the same zone is that of
// competence (dCompet), which may not be later (E0015).
func messageMoment(at time.Time, signings int) (time.Time, error) {
	moment := at.Add(-time.Minute << min(max(signings, 0), 4)).In(brasilia)
	if moment.Year() < 2000 || moment.Year() > 2099 {
		return time.Time{}, errors.New("the date is not in this century")
	}
	return moment, nil
}
