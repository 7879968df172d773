package doctor

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"emissor/fiscal/authorities"
	"emissor/fiscal/mtls"
	"emissor/internal/municipality"
	"emissor/nfse/fact"
)

// How far the clock here may be from an authority's. Of a few seconds authorities make nothing; from half a
// minute on there is an alarm, and what is dated ahead is refused (E0008).
const (
	slight = 5 * time.Second
	grave  = 30 * time.Second
)

// clocks are by how much the clock here is ahead of each authority's, the most that was seen.
type clocks struct {
	mutex sync.Mutex
	ahead map[string]time.Duration
}

func newClocks() *clocks { return &clocks{ahead: map[string]time.Duration{}} }

// watch notes the Date of each answer of an authority to a request with the context.
func (c *clocks) watch(ctx context.Context, authority string) context.Context {
	return mtls.WithClock(ctx, func(ahead time.Duration) {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if most, seen := c.ahead[authority]; !seen || ahead.Abs() > most.Abs() {
			c.ahead[authority] = ahead
		}
	})
}

// clock compares the clock here with each authority's that has answered.
func (d *Doctor) clock() (found []Finding) {
	d.clocks.mutex.Lock()
	defer d.clocks.mutex.Unlock()
	for _, name := range slices.Sorted(maps.Keys(d.clocks.ahead)) {
		found = append(found, compared(called(name), d.clocks.ahead[name]))
	}
	switch {
	case len(found) > 0:
		return found
	case d.Authorities == nil:
		return []Finding{skipped(Clock, fact.DoctorElsewhere.Fact())}
	}
	return []Finding{skipped(Clock, fact.DoctorClockUnknown.Fact())}
}

func compared(authority fact.Fact, ahead time.Duration) Finding {
	seconds := int(ahead.Abs().Seconds())
	seen := fact.DoctorClockAhead.With("authority", authority, "seconds", seconds)
	if ahead < 0 {
		seen = fact.DoctorClockBehind.With("authority", authority, "seconds", seconds)
	}
	switch {
	case ahead.Abs() > grave:
		return problem(Clock, seen, fact.DoctorDoClock.Fact())
	case ahead.Abs() > slight:
		return warning(Clock, seen, fact.DoctorDoClock.Fact())
	}
	return good(Clock, fact.DoctorClockGood.With("authority", authority))
}

// called is an authority's name for people.
func called(authority string) fact.Fact {
	by, known := authorities.Named(authority)
	switch {
	case !known:
		return fact.InWords(authority)
	case by.Municipality == "":
		return fact.WhereByNational.With("name", authority)
	}
	city, _ := municipality.Find(by.Municipality)
	return fact.WhereByCity.With("city", city.String(), "name", authority)
}
