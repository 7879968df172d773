package workflows_test

import (
	"context"
	"errors"
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

// live is a live note's activities as a test wants them; nil ones go well.
type live struct {
	atOnce   func() workflows.Issuance // nil is not registered: the attempt fails
	open     func() (workflows.NoteState, error)
	sign     func() (workflows.NoteState, error)
	transmit func(context.Context) (workflows.Transmission, error)
	settle   func() (workflows.NoteState, error)
}

var issuing = []string{
	workflows.ActivityNumberNote, workflows.ActivitySign, workflows.ActivityTransmit, workflows.ActivitySettle,
}

func (l live) register(environment *testsuite.TestWorkflowEnvironment, done func(string)) {
	processing := workflows.NoteState{Status: nfse.StatusProcessing, Livemode: true, Authority: "scripted"}
	cancelling := workflows.NoteState{Status: nfse.StatusIssued, Livemode: true, CancellationPending: true,
		Authority: "scripted"}
	step := func(name string, scripted func() (workflows.NoteState, error),
		otherwise workflows.NoteState) (workflows.NoteState, error) {
		done(name)
		if scripted != nil {
			return scripted()
		}
		return otherwise, nil
	}
	register := func(name string, function any) {
		environment.RegisterActivityWithOptions(function, activity.RegisterOptions{Name: name})
	}
	if l.atOnce != nil {
		register(workflows.ActivityIssueAtOnce, func(context.Context, string) (workflows.Issuance, error) {
			done(workflows.ActivityIssueAtOnce)
			return l.atOnce(), nil
		})
	}
	register(workflows.ActivityNumberNote, func(context.Context, string) (workflows.NoteState, error) {
		return step(workflows.ActivityNumberNote, l.open, processing)
	})
	register(workflows.ActivityOpenCancellation, func(context.Context, string) (workflows.NoteState, error) {
		return step(workflows.ActivityOpenCancellation, l.open, cancelling)
	})
	register(workflows.ActivitySign, func(_ context.Context,
		input workflows.ExchangeInput) (workflows.NoteState, error) {
		if input.Kind == fiscal.Cancel {
			return step(workflows.ActivitySign, l.sign, cancelling)
		}
		return step(workflows.ActivitySign, l.sign, processing)
	})
	register(workflows.ActivitySettle, func(_ context.Context,
		input workflows.ExchangeInput) (workflows.NoteState, error) {
		if input.Kind == fiscal.Cancel {
			return step(workflows.ActivitySettle, l.settle,
				workflows.NoteState{Status: nfse.StatusCancelled, Livemode: true})
		}
		return step(workflows.ActivitySettle, l.settle, workflows.NoteState{Status: nfse.StatusIssued, Livemode: true})
	})
	register(workflows.ActivityTransmit, func(ctx context.Context,
		input workflows.ExchangeInput) (workflows.Transmission, error) {
		done(workflows.ActivityTransmit)
		if l.transmit != nil {
			return l.transmit(ctx)
		}
		return workflows.Transmission{Settled: true}, nil
	})
}

var liveProcessing = workflows.NoteState{Status: nfse.StatusProcessing, Livemode: true}

func TestNote_LiveExchange(t *testing.T) {
	s := steps{begin: state(liveProcessing)}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || !slices.Equal(s.done, issuing) {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}

// A queued note whose authority answers in time is done in one step. One that is not
// goes the longer way, and is sent on when the first attempt says.
func TestNote_LiveAtOnce(t *testing.T) {
	queued := workflows.NoteState{Status: nfse.StatusQueued, Livemode: true}
	for name, c := range map[string]struct {
		first    func() workflows.Issuance
		expected []string
		took     time.Duration
	}{
		"settled": {
			first: func() workflows.Issuance {
				return workflows.Issuance{State: workflows.NoteState{Status: nfse.StatusIssued, Livemode: true}}
			},
			expected: []string{workflows.ActivityIssueAtOnce},
		},
		"not answered": {
			first: func() workflows.Issuance {
				return workflows.Issuance{Transmission: workflows.Transmission{Queued: true, RetryAfter: time.Minute}}
			},
			expected: append([]string{workflows.ActivityIssueAtOnce}, issuing...),
			took:     time.Minute,
		},
		"failed": {expected: issuing},
	} {
		s := steps{begin: state(queued), live: live{atOnce: c.first}}
		result, took, err := s.run(t)
		if err != nil || result.Status != nfse.StatusIssued || !slices.Equal(s.done, c.expected) || took != c.took {
			t.Errorf("%s: %v by %v in %s, %v", name, result, s.done, took, err)
		}
	}
}

// The authority is tried again when each failure says. (Here at most ten times:
// the test framework bounds what the engine does not.)
func TestNote_TransmissionIsTriedUntilItEnds(t *testing.T) {
	attempts := 0
	way := live{transmit: func(context.Context) (workflows.Transmission, error) {
		if attempts++; attempts < 10 {
			return workflows.Transmission{}, temporal.NewApplicationErrorWithOptions("no answer", "unknown",
				temporal.ApplicationErrorOptions{NextRetryDelay: 15 * time.Minute})
		}
		return workflows.Transmission{Settled: true}, nil
	}}
	s := steps{begin: state(liveProcessing), live: way}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || took != 9*15*time.Minute {
		t.Errorf("%v after %d attempts in %s, %v", result, attempts, took, err)
	}
}

// A document that must be numbered or signed anew goes through the same steps
// again.
func TestNote_AnotherNumberOrSignature(t *testing.T) {
	transmissions := 0
	way := live{transmit: func(context.Context) (workflows.Transmission, error) {
		transmissions++
		return workflows.Transmission{Settled: transmissions > 1}, nil
	}}
	s := steps{begin: state(liveProcessing), live: way}
	result, _, err := s.run(t)
	if expected := slices.Concat(issuing[:3], issuing); err != nil || result.Status != nfse.StatusIssued ||
		!slices.Equal(s.done, expected) {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}

// A note that misses something looks again every hour, wherever it was found
// missing, and goes on as soon as it is woken up.
func TestNote_Held(t *testing.T) {
	held := workflows.NoteState{Status: nfse.StatusProcessing, Livemode: true, Authority: "scripted", Held: true}
	free := held
	free.Held = false
	first := func() func() (workflows.NoteState, error) { return readings(held, held, held, free) }
	transmissions := 0
	for name, way := range map[string]live{
		"before the number": {open: first()},
		"at the signature":  {sign: first()},
		"at the authority": {transmit: func(context.Context) (workflows.Transmission, error) {
			transmissions++
			return workflows.Transmission{Held: transmissions <= 3, Settled: transmissions > 3}, nil
		}},
	} {
		s := steps{begin: state(liveProcessing), live: way}
		result, took, err := s.run(t)
		if err != nil || result.Status != nfse.StatusIssued || took < 3*time.Hour || took > 3*time.Hour+time.Minute {
			t.Errorf("%s: %v after %s, %v", name, result, took, err)
		}
	}
	s := steps{begin: state(liveProcessing), live: live{open: readings(held, free)}, wakeUp: 10 * time.Minute}
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
		live: live{transmit: func(context.Context) (workflows.Transmission, error) {
			return workflows.Transmission{}, temporal.NewApplicationErrorWithOptions("refused", "not_delivered",
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
	s := steps{begin: state(workflows.NoteState{Status: nfse.StatusIssued, Livemode: true, CancellationPending: true,
		Authority: "scripted"})}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || !slices.Equal(s.done, []string{
		workflows.ActivityOpenCancellation, workflows.ActivityTransmit, workflows.ActivitySettle}) {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}
