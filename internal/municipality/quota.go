package municipality

import (
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"emissor/internal/recent"
	"emissor/nfse"
)

// quota is what one scope may use of the on-line services: a rate of look-ups, and circuit breakers of its own.
// Nothing that a scope sends, such as invented zip codes, uses up what others have or opens their circuit breakers.
type quota struct {
	services []Service
	limiter  *rate.Limiter
	warnings rate.Sometimes
	log      *slog.Logger
}

// allow takes a look-up of the quota, and says whether there was one.
func (s *quota) allow(now time.Time) bool {
	if s.limiter.AllowN(now, 1) {
		return true
	}
	s.warnings.Do(func() {
		s.log.Warn("an organization looks up more zip codes than its quota of the on-line services allows")
	})
	return false
}

// mostQuotas is how many scopes have a quota at once; above it the one that looked up longest ago loses its quota,
// and gets a new one by its next look-up.
const mostQuotas = 10_000

// quotas are the quotas of the scopes that have looked a zip code up in this process.
type quotas struct {
	services []Service
	rate     int
	log      *slog.Logger

	mu    sync.Mutex
	those *recent.Cache[nfse.Scope, *quota]
}

func (s *quotas) of(scope nfse.Scope) *quota {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.those.Get(scope)
	if !ok {
		found = s.make(scope)
		s.those.Put(scope, found)
	}
	return found
}

func (s *quotas) make(scope nfse.Scope) *quota {
	made := &quota{
		limiter:  rate.NewLimiter(rate.Limit(s.rate), BurstSeconds*s.rate),
		warnings: rate.Sometimes{First: 1, Interval: time.Minute},
		log:      s.log.With("organization_id", scope.OrganizationID, "livemode", scope.Livemode),
	}
	if s.rate == 0 {
		made.limiter.SetLimit(rate.Inf)
	}
	for _, service := range s.services {
		made.services = append(made.services, newCircuitBreaker(service, made.log))
	}
	return made
}
