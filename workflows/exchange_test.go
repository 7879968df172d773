package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/workflows"
)

// live is what becomes of attempts at a live note's exchange, as a test wants it: at once,
// and at the authority's queue. Nil is that the first attempt queues it, and the next
// settles it.
type live struct {
	atOnce func() (workflows.ExchangeResult, error)
	queue  func(context.Context) (workflows.ExchangeResult, error)
}

var (
	queued    = workflows.ExchangeResult{Queued: true, Authority: "scripted"}
	byBoth    = []string{workflows.ActivityExchangeAtOnce, workflows.ActivityExchange}
	atOnce    = byBoth[:1]
	heldState = workflows.NoteState{Status: nfse.StatusProcessing, Livemode: true, Held: true}
	held      = workflows.ExchangeResult{State: heldState}
)

// ended is what an attempt that settles an exchange of a kind says.
func ended(kind fiscal.Kind) workflows.ExchangeResult {
	state := workflows.NoteState{Status: nfse.StatusIssued, Livemode: true}
	if kind == fiscal.Cancel {
		state.Status = nfse.StatusCancelled
	}
	return workflows.ExchangeResult{State: state}
}

func (l live) register(environment *testsuite.TestWorkflowEnvironment, done func(string)) {
	register := func(name string, function any) {
		environment.RegisterActivityWithOptions(function, activity.RegisterOptions{Name: name})
	}
	register(workflows.ActivityExchangeAtOnce, func(_ context.Context,
		input workflows.ExchangeInput) (workflows.ExchangeResult, error) {
		done(workflows.ActivityExchangeAtOnce)
		if input.Authority != "" {
			return workflows.ExchangeResult{}, fmt.Errorf("a first attempt is on the queue of %s", input.Authority)
		}
		if l.atOnce != nil {
			return l.atOnce()
		}
		return queued, nil
	})
	register(workflows.ActivityExchange, func(ctx context.Context,
		input workflows.ExchangeInput) (workflows.ExchangeResult, error) {
		done(workflows.ActivityExchange)
		if input.Authority != queued.Authority {
			return workflows.ExchangeResult{}, fmt.Errorf("it is on the queue of %q", input.Authority)
		}
		if l.queue != nil {
			return l.queue(ctx)
		}
		return ended(input.Kind), nil
	})
}

var liveProcessing = workflows.NoteState{Status: nfse.StatusProcessing, Livemode: true}

func TestNote_LiveExchange(t *testing.T) {
	for name, c := range map[string]struct {
		first    func() (workflows.ExchangeResult, error)
		expected []string
		took     time.Duration
	}{
		"settled at once": {
			first:    func() (workflows.ExchangeResult, error) { return ended(fiscal.Issue), nil },
			expected: atOnce,
		},
		"not called": {expected: byBoth},
		"not answered": {
			first: func() (workflows.ExchangeResult, error) {
				later := queued
				later.RetryAfter = time.Minute
				return later, nil
			},
			expected: byBoth,
			took:     time.Minute,
		},
	} {
		s := steps{begin: state(workflows.NoteState{Status: nfse.StatusQueued, Livemode: true}),
			live: live{atOnce: c.first}}
		result, took, err := s.run(t)
		if err != nil || result.Status != nfse.StatusIssued || !slices.Equal(s.done, c.expected) || took != c.took {
			t.Errorf("%s: %v by %v in %s, %v", name, result, s.done, took, err)
		}
	}
}

// A first attempt that fails on our side is made again, until it says how the note stands.
func TestNote_FirstAttemptFails(t *testing.T) {
	attempts := 0
	s := steps{begin: state(liveProcessing), live: live{atOnce: func() (workflows.ExchangeResult, error) {
		if attempts++; attempts < 20 {
			return workflows.ExchangeResult{}, errors.New("the database did not answer")
		}
		return ended(fiscal.Issue), nil
	}}}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || attempts != 20 {
		t.Errorf("%v after %d attempts, %v", result, attempts, err)
	}
}

// An attempt that is cut off with its worker is made again soon, however many there were before it: the engine's own
// pauses would double, and the tenth be of eight minutes.
func TestNote_AttemptsAreCutOff(t *testing.T) {
	attempts := 0
	way := live{queue: func(context.Context) (workflows.ExchangeResult, error) {
		if attempts++; attempts < 10 {
			return workflows.ExchangeResult{}, temporal.NewHeartbeatTimeoutError()
		}
		return ended(fiscal.Issue), nil
	}}
	s := steps{begin: state(liveProcessing), live: way}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || attempts != 10 || took != 9*5*time.Second {
		t.Errorf("%v after %d attempts in %s, %v", result, attempts, took, err)
	}
}

// The authority is tried again when each failure says. (Here at most ten times:
// the test framework bounds what the engine does not.)
func TestNote_AuthorityIsTriedUntilItAnswers(t *testing.T) {
	attempts := 0
	way := live{queue: func(context.Context) (workflows.ExchangeResult, error) {
		if attempts++; attempts < 10 {
			return workflows.ExchangeResult{}, temporal.NewApplicationErrorWithOptions("no answer", "unknown",
				temporal.ApplicationErrorOptions{NextRetryDelay: 15 * time.Minute})
		}
		return ended(fiscal.Issue), nil
	}}
	s := steps{begin: state(liveProcessing), live: way}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || took != 9*15*time.Minute {
		t.Errorf("%v after %d attempts in %s, %v", result, attempts, took, err)
	}
}

// An attempt that ends nothing has the note looked at again.
func TestNote_LookedAtAgain(t *testing.T) {
	attempts := 0
	way := live{queue: func(context.Context) (workflows.ExchangeResult, error) {
		if attempts++; attempts == 1 {
			return workflows.ExchangeResult{State: liveProcessing}, nil
		}
		return ended(fiscal.Issue), nil
	}}
	s := steps{begin: state(liveProcessing), live: way}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || !slices.Equal(s.done, slices.Concat(byBoth, byBoth)) {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}

// A note that misses something looks again every hour, wherever it was found
// missing, or after the pause that is given, and goes on as soon as it is woken up.
func TestNote_Held(t *testing.T) {
	after := func(looks int) func() workflows.ExchangeResult {
		return func() workflows.ExchangeResult {
			if looks--; looks >= 0 {
				return held
			}
			return ended(fiscal.Issue)
		}
	}
	first, atQueue := after(3), after(3)
	for name, way := range map[string]live{
		"at once":      {atOnce: func() (workflows.ExchangeResult, error) { return first(), nil }},
		"at the queue": {queue: func(context.Context) (workflows.ExchangeResult, error) { return atQueue(), nil }},
	} {
		s := steps{begin: state(liveProcessing), live: way}
		result, took, err := s.run(t)
		if err != nil || result.Status != nfse.StatusIssued || took < 3*time.Hour || took > 3*time.Hour+time.Minute {
			t.Errorf("%s: %v after %s, %v", name, result, took, err)
		}
	}
	soon := after(1)
	s := steps{begin: state(liveProcessing), live: live{atOnce: func() (workflows.ExchangeResult, error) {
		result := soon()
		result.RetryAfter = 30 * time.Second
		return result, nil
	}}}
	if result, took, err := s.run(t); err != nil || result.Status != nfse.StatusIssued || took < 30*time.Second ||
		took > time.Minute {
		t.Errorf("where its pause is given: %v after %s, %v", result, took, err)
	}
	once := after(1)
	s = steps{begin: state(liveProcessing), wakeUp: 10 * time.Minute,
		live: live{atOnce: func() (workflows.ExchangeResult, error) { return once(), nil }}}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || took > 11*time.Minute {
		t.Errorf("woken up: %v after %s, %v", result, took, err)
	}
}

// A cancellation ends the wait for the next attempt, and the half hour of the
// late check.
func TestNote_WakeUpEndsLiveWaits(t *testing.T) {
	cancelling := liveProcessing
	cancelling.CancellationPending = true
	checking := liveProcessing
	checking.MunicipalityCheckPending = true
	s := steps{begin: readings(liveProcessing, cancelling), wakeUp: 20 * time.Minute,
		live: live{queue: func(context.Context) (workflows.ExchangeResult, error) {
			return workflows.ExchangeResult{}, temporal.NewApplicationErrorWithOptions("refused", "not_delivered",
				temporal.ApplicationErrorOptions{NextRetryDelay: 15 * time.Minute})
		}}}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || took > 21*time.Minute {
		t.Errorf("%v after %s, %v", result, took, err)
	}
	s = steps{begin: readings(checking, cancelling), wakeUp: 5 * time.Minute,
		verify: func() (workflows.MunicipalityAnswer, error) { return "", errors.New("out") }}
	result, took, err = s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || took > 6*time.Minute {
		t.Errorf("%v after %s, %v", result, took, err)
	}
}

// A live note is cancelled by its authority, never by the simulation.
func TestNote_LiveCancellation(t *testing.T) {
	s := steps{begin: state(workflows.NoteState{Status: nfse.StatusIssued, Livemode: true, CancellationPending: true})}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || !slices.Equal(s.done, byBoth) {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}
