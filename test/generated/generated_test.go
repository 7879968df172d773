package generated

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"emissor/test/generate"
	"emissor/test/long"
)

// How many requests a run sends.
const (
	usualRequests = 120
	longRequests  = 5000
)

// number is what a variable of the environment says, or a usual number.
func number(t *testing.T, variable string, usual uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	given, err := strconv.ParseUint(text, 10, 64)
	must(t, err)
	return given
}

// Valid requests in every kind of text go through the running system: everything that was accepted ends, is told, and
// can be seen.
func TestGenerated(t *testing.T) {
	t.Parallel()
	usual := uint64(usualRequests)
	if long.Asked() {
		usual = longRequests
	}
	requests := int(number(t, "GENERATE_REQUESTS", usual))
	seed := number(t, "GENERATE_SEED", rand.Uint64())
	t.Logf("GENERATE_SEED=%d GENERATE_REQUESTS=%d repeats this run", seed, requests)
	began := time.Now()
	took := func(what string) { t.Logf("%s: %s", what, time.Since(began).Round(time.Millisecond)) }

	s := newSystem(t)
	took("everything runs")
	callers := make([]*caller, len(s.scopes))
	for i, of := range s.scopes {
		callers[i] = &caller{Generator: generate.New(seed + uint64(i)), system: s, scope: of}
	}
	for i, reference := range generate.Poison() { // each in test and live
		callers[i%2].poison = append(callers[i%2].poison, reference)
		callers[2+(i+1)%2].poison = append(callers[2+(i+1)%2].poison, reference)
	}
	each := func(what string, do func(*testing.T, *caller)) {
		t.Run(what, func(t *testing.T) {
			for _, c := range callers {
				t.Run(c.scope.name, func(t *testing.T) {
					t.Parallel()
					do(t, c)
				})
			}
		})
		took(what)
	}
	each("requests", func(t *testing.T, c *caller) { c.run(t, requests/len(callers)) })
	t.Run("ends", func(t *testing.T) { s.awaitEnds(t) })
	took("ends")
	t.Run("alarms", func(t *testing.T) { s.checkAlarms(t) })
	each("answers", func(t *testing.T, c *caller) { c.checkNotes(t) })
	t.Run("what the city was sent", func(t *testing.T) { s.checkCity(t) })
	each("events", func(t *testing.T, c *caller) { c.checkEvents(t) })
	each("e-mails", func(t *testing.T, c *caller) { c.checkEmails(t) })
	t.Run("the engine's list", func(t *testing.T) { s.checkEngine(t, callers) })
	took("the engine's list")
	t.Run("what the engine has", func(t *testing.T) { s.checkHistories(t, callers) })
	took("what the engine has")
	each("pages", func(t *testing.T, c *caller) { c.checkPages(t) })
}
