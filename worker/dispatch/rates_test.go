package dispatch

import (
	"slices"
	"testing"
	"time"

	"emissor/internal/limit"
	"emissor/nfse"
	"emissor/store/outbox"
)

// What waits while the engine is away does not wait because of its rate.
func TestRates_AboveRate(t *testing.T) {
	const burst = 2
	scope := nfse.Scope{OrganizationID: "org_1"}
	limiter := limit.New[nfse.Scope](1, burst)
	loop := &Loop{Rates: Rates{outbox.StartDelivery: limiter, outbox.StartEmail: nil}}
	now := time.Now()
	if above := loop.aboveRate(now); len(above) != 0 {
		t.Errorf("before anything was started, above their rate are %v", above)
	}
	for range burst {
		limiter.Allow(scope, now)
	}
	expected := []outbox.Backlog{{Kind: outbox.StartDelivery, Scope: scope}}
	if above := loop.aboveRate(now); !slices.Equal(above, expected) {
		t.Errorf("above their rate are %v, expected %v", above, expected)
	}
	loop.engine.failed("it is away")
	if above := loop.aboveRate(now); len(above) != 0 {
		t.Errorf("while the engine is away, above their rate are %v", above)
	}
}
