package worker_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national"
	"emissor/fiscal/saopaulo"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/long"
	"emissor/test/testkit"
)

// harms are what goes wrong in calls to an authority about some rows: they answer nothing, panic, or hang and ignore
// their context.
type harms struct {
	mu        sync.Mutex
	rows      map[string]testkit.Harm
	met       map[string]int
	corrected chan struct{}
}

func newHarms(t *testing.T) *harms {
	h := &harms{rows: map[string]testkit.Harm{}, met: map[string]int{}, corrected: make(chan struct{})}
	t.Cleanup(h.autoFix)
	return h
}

func (h *harms) add(row string, harm testkit.Harm) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rows[row] = harm
}

func (h *harms) autoFix() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rows != nil {
		close(h.corrected)
	}
	h.rows = nil
}

func (h *harms) times(row string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.met[row]
}

// do does the harm of a row; ok is true when there is none.
func (h *harms) do(row string) (ok bool) {
	h.mu.Lock()
	harm := h.rows[row]
	if harm != "" {
		h.met[row]++
	}
	h.mu.Unlock()
	if harm == "" {
		return true
	}
	_ = harm.Do(h.corrected)
	return false
}

var harmed = fact.InWords("a poison row")

// harmedNational is the national authority, of which some calls do harm.
type harmedNational struct {
	*national.Authority
	*harms
}

// Distribute implements fiscal.Distributor.
func (a harmedNational) Distribute(ctx context.Context, access fiscal.Access, issuer nfse.TaxID,
	after int64) fiscal.Batch {
	if !a.do(string(issuer)) {
		return fiscal.Batch{Outcome: fiscal.BatchFailed, Reason: harmed}
	}
	return a.Authority.Distribute(ctx, access, issuer, after)
}

// AskCity implements fiscal.CityParameters.
func (a harmedNational) AskCity(ctx context.Context, access fiscal.Access, code string) fiscal.CityAnswer {
	if !a.do(code) {
		return fiscal.CityAnswer{Reason: harmed}
	}
	return a.Authority.AskCity(ctx, access, code)
}

// FindAnswer implements fiscal.EventFinder.
func (a harmedNational) FindAnswer(ctx context.Context, access fiscal.Access, issuer nfse.TaxID,
	accessKey string) fiscal.FoundEvent {
	if !a.do(accessKey) {
		return fiscal.FoundEvent{Reason: harmed}
	}
	return a.Authority.FindAnswer(ctx, access, issuer, accessKey)
}

// FindDocument implements fiscal.DocumentFinder.
func (a harmedNational) FindDocument(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	number int64) fiscal.FoundDocument {
	if !a.do(string(issuer.TaxID)) {
		return fiscal.FoundDocument{Answer: fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: harmed}}
	}
	return a.Authority.FindDocument(ctx, access, issuer, number)
}

// harmedSaoPaulo is the city of São Paulo, of which some calls do harm.
type harmedSaoPaulo struct {
	*saopaulo.Authority
	*harms
}

// Send implements fiscal.Authority.
func (a harmedSaoPaulo) Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	if !a.do(request.CorrelationID) {
		return fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Reason: harmed}
	}
	return a.Authority.Send(ctx, access, request)
}

// FindStandings implements fiscal.StandingFinder.
func (a harmedSaoPaulo) FindStandings(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	numbers []string) fiscal.Standings {
	for _, number := range numbers {
		if !a.do(number) {
			return fiscal.Standings{Reason: harmed}
		}
	}
	return a.Authority.FindStandings(ctx, access, issuer, numbers)
}

// longestCall is how long calls may take beside a harm: the others as long as on any machine, what hangs no longer
// than a test can wait for it. Tests of calls that hang are for make test-long, but for the turn of São Paulo: all
// are given up in the same way.
func longestCall(t *testing.T, harm testkit.Harm) time.Duration {
	if harm != testkit.Hangs {
		return time.Minute
	}
	if !strings.HasPrefix(t.Name(), "TestSaoPaulo_PoisonTurn/") {
		long.Only(t, "has a call of each loop hang")
	}
	return hangTime
}

// hangTime is how long a call may take where one hangs: on any machine long enough for the others.
const hangTime = 10 * time.Second

// harm lets the authority of a system do harm from now on. A call to it may take so long.
func harm(t *testing.T, s *testkit.System, callTimeout time.Duration) *harms {
	t.Helper()
	s.Worker.Stop()
	h := newHarms(t)
	switch authority := s.Authorities[0].Authority.(type) {
	case *national.Authority:
		s.Authorities[0].Authority = harmedNational{authority, h}
	case *saopaulo.Authority:
		s.Authorities[0].Authority = harmedSaoPaulo{authority, h}
	default:
		t.Fatalf("%T", authority)
	}
	s.Authorities[0].CallTimeout = callTimeout
	return h
}

// rowsFailed is how many rows a loop could not handle, each time.
func rowsFailed(t *testing.T, s *testkit.System, loop string) (failed float64) {
	t.Helper()
	families, err := s.Metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.Metric {
			if family.GetName() == "emissor_row_failures_total" && metric.Label[0].GetValue() == loop {
				failed += metric.GetCounter().GetValue()
			}
		}
	}
	return failed
}
