package municipality

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sony/gobreaker/v2"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// fakeService is a service that a test makes up.
type fakeService struct {
	name   string
	lookup func(ctx context.Context, zip string) (string, error)
	asked  atomic.Int32
}

func (f *fakeService) Name() string { return f.name }

func (f *fakeService) Lookup(ctx context.Context, zip string) (string, error) {
	f.asked.Add(1)
	return f.lookup(ctx, zip)
}

func failing(context.Context, string) (string, error) { return "", errors.New("out of order") }
func ignorant(context.Context, string) (string, error) {
	return "", ErrUnknown
}
func knowing(code string) func(context.Context, string) (string, error) {
	return func(context.Context, string) (string, error) { return code, nil }
}
func silent(ctx context.Context, _ string) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

func TestAFailingServiceRestsAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeService{name: "fake", lookup: failing}
		service := withRest(fake, quiet)
		ask := func() error {
			_, err := service.Lookup(t.Context(), paulista)
			return err
		}

		for range failuresToRest + 20 {
			if ask() == nil {
				t.Fatal("an answer from nowhere")
			}
		}
		if asked := fake.asked.Load(); asked != failuresToRest {
			t.Errorf("asked %d times, want %d and then rest", asked, failuresToRest)
		}
		if err := ask(); !errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, ErrUnknown) {
			t.Errorf("resting: %v", err)
		}

		// The one try after the rest fails: it rests again.
		time.Sleep(restTime + time.Second)
		for range 3 {
			ask()
		}
		if asked := fake.asked.Load(); asked != failuresToRest+1 {
			t.Errorf("asked %d times after a rest", asked-failuresToRest)
		}

		// It succeeds: back to work.
		time.Sleep(restTime + time.Second)
		fake.lookup = knowing(saoPauloCode)
		for range 3 {
			if err := ask(); err != nil {
				t.Errorf("after the rest: %v", err)
			}
		}
	})
}

func TestWhatIsNoFailureOfTheService(t *testing.T) {
	for name, err := range map[string]error{
		"unknown":      ErrUnknown,
		"inconclusive": fmt.Errorf("%w: some reason", errInconclusive),
		"cancelled":    fmt.Errorf("asked: %w", context.Canceled),
	} {
		t.Run(name, func(t *testing.T) {
			fake := &fakeService{name: "fake", lookup: func(context.Context, string) (string, error) { return "", err }}
			service := withRest(fake, quiet)
			for range 10 * failuresToRest {
				if _, got := service.Lookup(t.Context(), paulista); got != err {
					t.Fatalf("got %v", got)
				}
			}
			if asked := fake.asked.Load(); asked != 10*failuresToRest {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

func TestOnlyFailuresInARowMakeAServiceRest(t *testing.T) {
	fake := &fakeService{name: "fake"}
	service := withRest(fake, quiet)
	for range 10 {
		fake.lookup = failing
		for range failuresToRest - 1 {
			service.Lookup(t.Context(), paulista)
		}
		fake.lookup = ignorant
		if _, err := service.Lookup(t.Context(), paulista); !errors.Is(err, ErrUnknown) {
			t.Fatalf("got %v", err)
		}
	}
}

func TestARestingServiceIsLeftAlone(t *testing.T) {
	var asked atomic.Int32
	for format, service := range newServices(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	})) {
		asked.Store(0)
		resting := withRest(service, quiet)
		for range failuresToRest * 4 {
			if code, err := resting.Lookup(t.Context(), paulista); err == nil || errors.Is(err, ErrUnknown) {
				t.Errorf("%s: %q, %v", format, code, err)
			}
		}
		if got := asked.Load(); got != failuresToRest {
			t.Errorf("%s: the server was asked %d times, want %d", format, got, failuresToRest)
		}
	}
}
