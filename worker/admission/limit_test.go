package admission

import (
	"testing"
	"time"
)

// clock tells limits the time.
type clock struct{ time.Time }

// work answers tasks one after the other, so many of them, with that latency, while
// somebody waits for a permit.
func (c *clock) work(l *limit, tasks int, latency time.Duration) {
	for range tasks {
		c.Time = c.Add(windowLength / windowTasks)
		l.reached = true
		l.took(latency, c.Time)
	}
}

// bottleneck is the latency of an engine that completes so many tasks a second, no matter how many it is given: the
// others wait.
func bottleneck(perSecond, open int) time.Duration {
	return max(20*time.Millisecond, time.Duration(open)*time.Second/time.Duration(perSecond))
}

func TestLimit_GrowsWhileAnswersAreFast(t *testing.T) {
	l, c := newLimit(DefaultLatency), &clock{time.Now()}
	c.work(l, 100*windowTasks, 20*time.Millisecond)
	if l.now() != maxLimit {
		t.Errorf("the limit is %d", l.now())
	}
}

func TestLimit_StaysWhereNobodyWaits(t *testing.T) {
	l, c := newLimit(DefaultLatency), &clock{time.Now()}
	for range 100 * windowTasks {
		c.Time = c.Add(windowLength / windowTasks)
		l.took(time.Millisecond, c.Time)
	}
	if l.now() != firstLimit {
		t.Errorf("the limit is %d", l.now())
	}
}

func TestLimit_ShrinksToTheLeast(t *testing.T) {
	l, c := newLimit(DefaultLatency), &clock{time.Now()}
	c.work(l, 10*windowTasks, 10*time.Millisecond)
	c.work(l, 9*windowTasks, time.Second)
	if l.now() != minLimit {
		t.Errorf("the limit is %d", l.now())
	}
	c.work(l, 10*windowTasks, 10*time.Millisecond)
	if l.now() <= minLimit+5 {
		t.Errorf("when the engine is back the limit is %d", l.now())
	}
}

// Processes that share one engine come to share it evenly, whenever they came, and
// together give it about what it brings on in good time.
func TestLimit_ManyProcesses(t *testing.T) {
	const perSecond = 60
	c := &clock{time.Now()}
	var limits []*limit
	for range 4 {
		limits = append(limits, newLimit(DefaultLatency))
	}
	limits[0].value = maxLimit
	together := func() (open int) {
		for _, l := range limits {
			open += l.now()
		}
		return open
	}
	var opened, rounds int
	for round := range 400 {
		for _, l := range limits {
			c.work(l, windowTasks, bottleneck(perSecond, together()))
		}
		if round >= 200 {
			opened, rounds = opened+together(), rounds+1
		}
	}
	if mean := opened / rounds; mean < 9 || mean > 27 {
		t.Errorf("%d are open together; %d are brought on in good time", mean, int(perSecond*DefaultLatency.Seconds()))
	}
	for i, l := range limits {
		if l.now() > 9 {
			t.Errorf("process %d may open %d of %d", i, l.now(), together())
		}
	}
}
