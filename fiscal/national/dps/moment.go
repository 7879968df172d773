package dps

import (
	"errors"
	"time"

	"emissor/nfse"
)

const momentLayout = "2006-01-02T15:04:05-07:00" // TSDateTimeUTC

// declarationMoment returns the moment that a DPS says it was issued (dhEmi): that of
// any message, and no earlier than its day of competence begins, as the authority
// takes no competence of a later day (E0015). A day that has not begun is an error:
// no DPS is dated ahead of this machine's clock.
func declarationMoment(at time.Time, signings int, competence nfse.Day) (time.Time, error) {
	begin := competence.Begin()
	moment, err := messageMoment(at, signings)
	switch {
	case err != nil:
		return time.Time{}, err
	case begin.IsZero():
		return time.Time{}, errors.New("dCompet: not a day")
	case begin.After(at):
		return time.Time{}, errors.New("dCompet: the day has not begun")
	case begin.After(moment):
		return begin, nil
	}
	return moment, nil
}

// messageMoment returns the moment that a message says it is of (dhEmi,
// dhEvento). The authority refuses what is later than its own clock (E0008,
// E1843), so it is a minute in the past, and twice as far after each message
// signed before, up to 16 minutes.
func messageMoment(at time.Time, signings int) (time.Time, error) {
	moment := at.Add(-time.Minute << min(max(signings, 0), 4)).In(nfse.Brasilia)
	if moment.Year() < 2000 || moment.Year() > 2099 {
		return time.Time{}, errors.New("the date is not in this century")
	}
	return moment, nil
}
