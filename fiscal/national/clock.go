package national

import (
	"errors"
	"time"
)

// brasilia is the time of documents: fixed, whatever the host's zone is.
var brasilia = time.FixedZone("-03:00", -3*60*60)

const (
	momentLayout = "2006-01-02T15:04:05-07:00" // TSDateTimeUTC
	dateLayout   = "2006-01-02"                // TSData
)

// issueMoment is the moment that a document says it is of (dhEmi, dhEvento). The
// authority refuses what is later than its own clock (E0008, E1843), so it lies
// a minute in the past, and twice as far after each rendering that was refused,
// up to 16 minutes. The date in the same zone is that of competence (dCompet),
// which may not be later (E0015).
func issueMoment(at time.Time, renderings int) (time.Time, error) {
	moment := at.Add(-time.Minute << min(max(renderings, 0), 4)).In(brasilia)
	if moment.Year() < 2000 || moment.Year() > 2099 {
		return time.Time{}, errors.New("the date is not in this century")
	}
	return moment, nil
}
