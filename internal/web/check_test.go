package web

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestCheck_IsRememberedForASecond(t *testing.T) {
	var asked atomic.Int64
	out := errors.New("out")
	var says error
	check := NewCheck(func(context.Context) error { asked.Add(1); return says })
	moment := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { return moment }
	for _, step := range []struct {
		after    time.Duration
		says     error
		expected error
		asked    int64
	}{
		{0, nil, nil, 1},
		{999 * time.Millisecond, out, nil, 1},
		{time.Millisecond, out, out, 2},
		{500 * time.Millisecond, nil, out, 2},
		{500 * time.Millisecond, nil, nil, 3},
	} {
		moment, says = moment.Add(step.after), step.says
		if err := check.Ask(now); err != step.expected || asked.Load() != step.asked {
			t.Errorf("%v after %d questions, expected %v after %d", err, asked.Load(), step.expected, step.asked)
		}
	}

	moment = moment.Add(time.Hour)
	var crowd sync.WaitGroup
	for range 100 {
		crowd.Go(func() { _ = check.Ask(now) })
	}
	crowd.Wait()
	if asked.Load() != 4 {
		t.Errorf("a crowd asked %d times", asked.Load()-3)
	}
}
