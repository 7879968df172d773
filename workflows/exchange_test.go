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

	"emissor/nfse"
	"emissor/workflows"
)

// live is a live note's activities as a test wants them; nil ones go well.
type live struct {
	number   func() (workflows.Standing, error)
	sign     func() (workflows.Standing, error)
	transmit func(context.Context) (workflows.Transmission, error)
	settle   func() (workflows.Standing, error)
	cancel   func() (workflows.Standing, error)
}

var wayOfALiveNote = []string{workflows.NumberNote, workflows.SignDocument, workflows.Transmit, workflows.SettleDocument}

func (l live) register(environment *testsuite.TestWorkflowEnvironment, done func(string)) {
	processing := workflows.Standing{Status: nfse.StatusProcessing, Livemode: true, Authority: "scripted"}
	step := func(name string, do func() (workflows.Standing, error), otherwise workflows.Standing) {
		environment.RegisterActivityWithOptions(func(context.Context, string) (workflows.Standing, error) {
			done(name)
			if do != nil {
				return do()
			}
			return otherwise, nil
		}, activity.RegisterOptions{Name: name})
	}
	step(workflows.NumberNote, l.number, processing)
	step(workflows.SignDocument, l.sign, processing)
	step(workflows.SettleDocument, l.settle, workflows.Standing{Status: nfse.StatusIssued, Livemode: true})
	step(workflows.CancelAtAuthority, l.cancel, workflows.Standing{Status: nfse.StatusCancelled, Livemode: true})
	environment.RegisterActivityWithOptions(func(ctx context.Context, _ string) (workflows.Transmission, error) {
		done(workflows.Transmit)
		if l.transmit != nil {
			return l.transmit(ctx)
		}
		return workflows.Transmission{Settled: true}, nil
	}, activity.RegisterOptions{Name: workflows.Transmit})
}

var liveProcessing = workflows.Standing{Status: nfse.StatusProcessing, Livemode: true}

func TestTheWayOfALiveNote(t *testing.T) {
	s := steps{begin: standing(liveProcessing)}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || !slices.Equal(s.done, wayOfALiveNote) {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}

// The authority is tried again when each failure says. (Here at most ten times:
// the test framework bounds what the engine does not.)
func TestATransmissionIsTriedUntilItEnds(t *testing.T) {
	attempts := 0
	s := steps{begin: standing(liveProcessing), live: live{transmit: func(context.Context) (workflows.Transmission, error) {
		if attempts++; attempts < 10 {
			return workflows.Transmission{}, temporal.NewApplicationErrorWithOptions("no answer", "unknown", temporal.ApplicationErrorOptions{NextRetryDelay: 15 * time.Minute})
		}
		return workflows.Transmission{Settled: true}, nil
	}}}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || took != 9*15*time.Minute {
		t.Errorf("%v after %d attempts in %s, %v", result, attempts, took, err)
	}
}

// A document that must be numbered or signed anew goes through the same steps
// again.
func TestAnotherNumberOrSignature(t *testing.T) {
	transmissions := 0
	s := steps{begin: standing(liveProcessing), live: live{transmit: func(context.Context) (workflows.Transmission, error) {
		transmissions++
		return workflows.Transmission{Settled: transmissions > 1}, nil
	}}}
	result, _, err := s.run(t)
	if expected := slices.Concat(wayOfALiveNote[:3], wayOfALiveNote); err != nil || result.Status != nfse.StatusIssued || !slices.Equal(s.done, expected) {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}

// A note that misses something looks again every hour, wherever it was found
// missing, and goes on as soon as it is nudged.
func TestAHeldNoteWaits(t *testing.T) {
	held := workflows.Standing{Status: nfse.StatusProcessing, Livemode: true, Authority: "scripted", Held: true}
	free := held
	free.Held = false
	first := func() func() (workflows.Standing, error) { return readings(held, held, held, free) }
	transmissions := 0
	for name, way := range map[string]live{
		"before the number": {number: first()},
		"at the signature":  {sign: first()},
		"at the authority": {transmit: func(context.Context) (workflows.Transmission, error) {
			transmissions++
			return workflows.Transmission{Held: transmissions <= 3, Settled: transmissions > 3}, nil
		}},
	} {
		s := steps{begin: standing(liveProcessing), live: way}
		result, took, err := s.run(t)
		if err != nil || result.Status != nfse.StatusIssued || took < 3*time.Hour || took > 3*time.Hour+time.Minute {
			t.Errorf("%s: %v after %s, %v", name, result, took, err)
		}
	}
	s := steps{begin: standing(liveProcessing), live: live{number: readings(held, free)}, nudge: 10 * time.Minute}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || took > 11*time.Minute {
		t.Errorf("nudged: %v after %s, %v", result, took, err)
	}
}

// A cancellation ends the wait for the next attempt, and the half hour of the
// late check.
func TestANudgeEndsTheWaitsOfALiveNote(t *testing.T) {
	cancelling := liveProcessing
	cancelling.CancellationPending = true
	checking := liveProcessing
	checking.MunicipalityCheckPending = true
	s := steps{begin: readings(liveProcessing, cancelling), nudge: 20 * time.Minute, live: live{transmit: func(context.Context) (workflows.Transmission, error) {
		return workflows.Transmission{}, temporal.NewApplicationErrorWithOptions("refused", "not_delivered", temporal.ApplicationErrorOptions{NextRetryDelay: 15 * time.Minute})
	}}}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || took > 21*time.Minute {
		t.Errorf("%v after %s, %v", result, took, err)
	}
	s = steps{begin: readings(checking, cancelling), nudge: 5 * time.Minute, verify: func() (workflows.MunicipalityAnswer, error) { return "", errors.New("out") }}
	result, took, err = s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || took > 6*time.Minute {
		t.Errorf("%v after %s, %v", result, took, err)
	}
}

// A live note is cancelled by its authority, never by the simulation.
func TestALiveNoteIsCancelledByItsAuthority(t *testing.T) {
	s := steps{begin: standing(workflows.Standing{Status: nfse.StatusIssued, Livemode: true, CancellationPending: true, Authority: "scripted"})}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || !slices.Equal(s.done, []string{workflows.CancelAtAuthority}) {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}
