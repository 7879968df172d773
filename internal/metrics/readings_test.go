package metrics_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"emissor/internal/metrics"
	"emissor/store/operate"
)

// However long the database takes to count what waits, a scrape does not wait for it, and what it shows is some
// seconds old at most.
func TestDatabase_ScrapeDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := metrics.New()
		keep := m.RegisterDatabase(func(ctx context.Context) (gauges operate.Gauges, err error) {
			time.Sleep(1500 * time.Millisecond)
			return gauges, ctx.Err()
		}, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		defer time.Sleep(time.Minute) // until the last reading has ended
		defer stop()
		go keep(ctx)
		scrape(t, m) // the first one waits
		for range 100 {
			time.Sleep(1234 * time.Millisecond)
			before := time.Now()
			series := scrape(t, m)
			if took := time.Since(before); took > 20*time.Millisecond {
				t.Fatalf("a scrape took %s", took)
			}
			expect(t, series, "emissor_database_up 1")
			if age := value(t, series, "emissor_database_read_age_seconds"); age > 8 {
				t.Errorf("what is shown is %v seconds old", age)
			}
		}
	})
}

// What is read in a moment is shown as it is.
func TestDatabase_ReadAtTheScrape(t *testing.T) {
	m := metrics.New()
	var open atomic.Int64
	m.RegisterDatabase(func(context.Context) (operate.Gauges, error) {
		return operate.Gauges{OpenDeliveries: open.Add(1)}, nil
	}, slog.New(slog.DiscardHandler))
	expect(t, scrape(t, m), "emissor_deliveries_open 1")
	expect(t, scrape(t, m), "emissor_deliveries_open 2")
}

// What was known is not shown once the database does not answer: neither when it says so, nor when it hangs, nor when
// reading panics.
func TestDatabase_OldIsUnknown(t *testing.T) {
	for name, read := range map[string]func(context.Context) error{
		"fails":  func(context.Context) error { return errors.New("out") },
		"hangs":  func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"panics": func(context.Context) error { panic("a bug") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := metrics.New()
				var broken atomic.Bool
				keep := m.RegisterDatabase(func(ctx context.Context) (gauges operate.Gauges, err error) {
					if broken.Load() {
						err = read(ctx)
					}
					return gauges, err
				}, slog.New(slog.DiscardHandler))
				ctx, stop := context.WithCancel(t.Context())
				defer time.Sleep(time.Minute) // until the last reading has ended
				defer stop()
				go keep(ctx)
				expect(t, scrape(t, m), "emissor_database_up 1", "emissor_deliveries_open 0")
				broken.Store(true)
				time.Sleep(10 * time.Second)
				series := scrape(t, m)
				expect(t, series, "emissor_database_up 0")
				for _, line := range series {
					if line == "emissor_deliveries_open 0" {
						t.Error("it is shown that no delivery waits")
					}
				}
				broken.Store(false)
				time.Sleep(10 * time.Second)
				expect(t, scrape(t, m), "emissor_database_up 1", "emissor_deliveries_open 0")
			})
		})
	}
}

// value returns the value of a series without labels.
func value(t *testing.T, series []string, name string) float64 {
	t.Helper()
	for _, line := range series {
		if text, found := strings.CutPrefix(line, name+" "); found {
			number, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			return number
		}
	}
	t.Fatalf("there is no %s", name)
	return 0
}
