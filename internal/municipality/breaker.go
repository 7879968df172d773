package municipality

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/sony/gobreaker/v2"
)

const (
	failuresToOpen = 5
	openTime       = 30 * time.Second
)

// circuitBreaker is a Service that is not asked for a while after repeated failures,
// so that look-ups do not wait for one that is down. Then a single look-up tries it
// again.
type circuitBreaker struct {
	Service
	breaker *gobreaker.CircuitBreaker[string]
	log     *slog.Logger
}

func newCircuitBreaker(service Service, log *slog.Logger) *circuitBreaker {
	return &circuitBreaker{
		Service: service,
		log:     log,
		breaker: gobreaker.NewCircuitBreaker[string](gobreaker.Settings{
			Name:        service.Name(),
			Timeout:     openTime,
			ReadyToTrip: func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= failuresToOpen },
			// A service that answers is up, even if the answer does not help.
			IsSuccessful: func(err error) bool {
				return err == nil || errors.Is(err, ErrUnknown) || errors.Is(err, errInconclusive)
			},
			// That a caller stopped waiting says nothing about the service.
			IsExcluded: func(err error) bool { return errors.Is(err, context.Canceled) },
			OnStateChange: func(name string, from, to gobreaker.State) {
				log.Warn("zip-code service changed state", "service", name, "from", from.String(), "to", to.String())
			},
		}),
	}
}

// Lookup implements Service.
func (s *circuitBreaker) Lookup(ctx context.Context, zip string) (string, error) {
	return s.breaker.Execute(func() (string, error) {
		code, err := s.Service.Lookup(ctx, zip)
		if err != nil && !errors.Is(err, ErrUnknown) {
			s.log.WarnContext(ctx, "zip-code service gave no usable answer", "service", s.Name(), "error", err)
		}
		return code, err
	})
}
