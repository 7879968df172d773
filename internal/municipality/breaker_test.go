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

var silentLog = slog.New(slog.NewTextHandler(io.Discard, nil))

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

func TestCircuitBreaker_OpensAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeService{name: "fake", lookup: failing}
		service := newCircuitBreaker(fake, silentLog)
		ask := func() error {
			_, err := service.Lookup(t.Context(), paulista)
			return err
		}

		for range failuresToOpen + 20 {
			if ask() == nil {
				t.Fatal("an answer from nowhere")
			}
		}
		if asked := fake.asked.Load(); asked != failuresToOpen {
			t.Errorf("asked %d times, want %d and then none", asked, failuresToOpen)
		}
		if err := ask(); !errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, ErrUnknown) {
			t.Errorf("open: %v", err)
		}

		// The one try after the pause fails: it opens again.
		time.Sleep(openTime + time.Second)
		for range 3 {
			ask()
		}
		if asked := fake.asked.Load(); asked != failuresToOpen+1 {
			t.Errorf("asked %d times after a pause", asked-failuresToOpen)
		}

		// It succeeds: it closes.
		time.Sleep(openTime + time.Second)
		fake.lookup = knowing(saoPauloCode)
		for range 3 {
			if err := ask(); err != nil {
				t.Errorf("after the pause: %v", err)
			}
		}
	})
}

func TestCircuitBreaker_NoFailure(t *testing.T) {
	for name, err := range map[string]error{
		"unknown":      ErrUnknown,
		"inconclusive": fmt.Errorf("%w: some reason", errInconclusive),
		"cancelled":    fmt.Errorf("asked: %w", context.Canceled),
	} {
		t.Run(name, func(t *testing.T) {
			fake := &fakeService{name: "fake", lookup: func(context.Context, string) (string, error) { return "", err }}
			service := newCircuitBreaker(fake, silentLog)
			for range 10 * failuresToOpen {
				if _, got := service.Lookup(t.Context(), paulista); got != err {
					t.Fatalf("got %v", got)
				}
			}
			if asked := fake.asked.Load(); asked != 10*failuresToOpen {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

func TestCircuitBreaker_FailuresInARow(t *testing.T) {
	fake := &fakeService{name: "fake"}
	service := newCircuitBreaker(fake, silentLog)
	for range 10 {
		fake.lookup = failing
		for range failuresToOpen - 1 {
			service.Lookup(t.Context(), paulista)
		}
		fake.lookup = ignorant
		if _, err := service.Lookup(t.Context(), paulista); !errors.Is(err, ErrUnknown) {
			t.Fatalf("got %v", err)
		}
	}
}

func TestCircuitBreaker_OpenAsksNobody(t *testing.T) {
	var asked atomic.Int32
	for format, service := range newServices(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	})) {
		asked.Store(0)
		breaker := newCircuitBreaker(service, silentLog)
		for range failuresToOpen * 4 {
			if code, err := breaker.Lookup(t.Context(), paulista); err == nil || errors.Is(err, ErrUnknown) {
				t.Errorf("%s: %q, %v", format, code, err)
			}
		}
		if got := asked.Load(); got != failuresToOpen {
			t.Errorf("%s: the server was asked %d times, want %d", format, got, failuresToOpen)
		}
	}
}
