package workflows_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/workflows"
)

// newEnvironment runs workflows with time skipping, and logs to the test.
func newEnvironment(t *testing.T) *testsuite.TestWorkflowEnvironment {
	output := &testOutput{to: t.Output()}
	t.Cleanup(output.end)
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.NewTextHandler(output, nil))))
	environment := suite.NewTestWorkflowEnvironment()
	environment.SetTestTimeout(time.Minute) // a busy machine is slow, not wrong
	return environment
}

// testOutput is a test's until that ends. The SDK may say afterwards that a local activity
// which was left behind has come to its end.
type testOutput struct {
	mu sync.Mutex
	to io.Writer
}

func (o *testOutput) Write(line []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(line)
}

func (o *testOutput) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to = io.Discard
}

// steps is a note's activities as a test wants them; time is skipped.
type steps struct {
	begin   func() (workflows.NoteState, error)
	verify  func() (workflows.MunicipalityAnswer, error)
	settled func(signal func()) // something that happens while the simulation is settled
	wakeUp  time.Duration       // when a cancellation is signalled; 0 is never
	// how somebody wakes the note up after each time that it is read; nil is never
	everyLook func(signal func())
	live      live // the way of a live note
	done      []string
}

func (s *steps) run(t *testing.T) (result workflows.NoteResult, took time.Duration, err error) {
	t.Helper()
	environment := newEnvironment(t)
	environment.RegisterWorkflowWithOptions(workflows.Note, workflow.RegisterOptions{Name: workflows.NoteType})
	signal := func() { environment.SignalWorkflow(workflows.CancelSignal, nil) }
	settle := func(name string, status nfse.Status) {
		environment.RegisterActivityWithOptions(func(context.Context, string) (workflows.NoteState, error) {
			s.done = append(s.done, name)
			if name == workflows.ActivitySettleSimulation && s.settled != nil {
				s.settled(signal)
			}
			return workflows.NoteState{Status: status}, nil
		}, activity.RegisterOptions{Name: name})
	}
	environment.RegisterActivityWithOptions(func(context.Context,
		string) (workflows.NoteState, error) {
		if s.everyLook != nil {
			s.everyLook(signal)
		}
		return s.begin()
	},
		activity.RegisterOptions{Name: workflows.ActivityBeginNote})
	environment.RegisterActivityWithOptions(func(context.Context,
		string) (workflows.MunicipalityAnswer, error) {
		return s.verify()
	},
		activity.RegisterOptions{Name: workflows.ActivityVerifyMunicipality})
	settle(workflows.ActivityKeepDeclaredMunicipality, nfse.StatusProcessing)
	settle(workflows.ActivityRejectMunicipality, nfse.StatusRejected)
	settle(workflows.ActivitySettleSimulation, nfse.StatusIssued)
	settle(workflows.ActivityCancelUnsent, nfse.StatusCancelled)
	settle(workflows.ActivityCancelSimulation, nfse.StatusCancelled)
	s.live.register(environment, func(name string) { s.done = append(s.done, name) })
	if s.wakeUp > 0 {
		environment.RegisterDelayedCallback(signal, s.wakeUp)
	}

	started := environment.Now()
	environment.ExecuteWorkflow(workflows.NoteType, workflows.NoteInput{NoteID: "nfse_x"})
	took = environment.Now().Sub(started)
	if err := environment.GetWorkflowError(); err != nil {
		return result, took, err
	}
	return result, took, environment.GetWorkflowResult(&result)
}

func state(s workflows.NoteState) func() (workflows.NoteState, error) {
	return func() (workflows.NoteState, error) { return s, nil }
}

func TestNote_Ended(t *testing.T) {
	for _, status := range []nfse.Status{nfse.StatusIssued, nfse.StatusRejected, nfse.StatusCancelled} {
		s := steps{begin: state(workflows.NoteState{Status: status})}
		result, _, err := s.run(t)
		if err != nil || result.Status != status || len(s.done) != 0 {
			t.Errorf("%s: %v %v %v", status, result, s.done, err)
		}
	}
}

func TestNote_SlowScenario(t *testing.T) {
	s := steps{begin: state(workflows.NoteState{Status: nfse.StatusProcessing, Wait: 30 * time.Second})}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || took < 30*time.Second {
		t.Errorf("%v after %s, %v", result, took, err)
	}
}

// A database that is out for hours delays a note and fails nothing.
func TestNote_DatabaseOut(t *testing.T) {
	attempts := 0
	s := steps{begin: func() (workflows.NoteState, error) {
		if attempts++; attempts < 500 {
			return workflows.NoteState{}, errors.New("the database did not answer")
		}
		return workflows.NoteState{Status: nfse.StatusProcessing}, nil
	}}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || took < 3*time.Hour {
		t.Errorf("%v after %d attempts and %s, %v", result, attempts, took, err)
	}
}

func TestNote_MunicipalityCheckLive(t *testing.T) {
	attempts := 0
	s := steps{
		begin: state(workflows.NoteState{Status: nfse.StatusProcessing, Livemode: true,
			MunicipalityCheckPending: true}),
		verify: func() (workflows.MunicipalityAnswer, error) {
			attempts++
			return "", errors.New("out")
		},
	}
	_, took, err := s.run(t)
	expected := append([]string{workflows.ActivityKeepDeclaredMunicipality}, byBoth...)
	if !slices.Equal(s.done, expected) {
		t.Errorf("after the look-ups came %v", s.done)
	}
	if attempts < 10 || took < 28*time.Minute || took > 31*time.Minute {
		t.Errorf("%d attempts in %s", attempts, took)
	}
	if err != nil {
		t.Error(err)
	}
}

func TestNote_MunicipalityCheckTest(t *testing.T) {
	attempts := 0
	s := steps{
		begin: state(workflows.NoteState{Status: nfse.StatusProcessing, MunicipalityCheckPending: true}),
		verify: func() (workflows.MunicipalityAnswer, error) {
			attempts++
			return "", errors.New("out")
		},
	}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued || attempts != 1 {
		t.Errorf("%v after %d attempts, %v", result, attempts, err)
	}
}

func TestNote_MunicipalityConflict(t *testing.T) {
	s := steps{
		begin:  state(workflows.NoteState{Status: nfse.StatusProcessing, MunicipalityCheckPending: true}),
		verify: func() (workflows.MunicipalityAnswer, error) { return workflows.MunicipalityConflict, nil },
	}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusRejected || len(s.done) != 1 {
		t.Errorf("%v %v %v", result, s.done, err)
	}
}

// readings are what the note's row says, one reading after the other; the last
// one stays.
func readings(all ...workflows.NoteState) func() (workflows.NoteState, error) {
	return func() (workflows.NoteState, error) {
		state := all[0]
		if len(all) > 1 {
			all = all[1:]
		}
		return state, nil
	}
}

func TestNote_WakeUpEndsSlowScenario(t *testing.T) {
	s := steps{
		begin: readings(
			workflows.NoteState{Status: nfse.StatusProcessing, Wait: time.Hour},
			workflows.NoteState{Status: nfse.StatusProcessing, Wait: 50 * time.Minute, CancellationPending: true},
		),
		wakeUp: 10 * time.Minute,
	}
	result, took, err := s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || took > 11*time.Minute || len(s.done) != 1 {
		t.Errorf("%v after %s by %v, %v", result, took, s.done, err)
	}
}

// A wakeUp without a reason (a request that came to nothing) changes nothing but
// a reading.
func TestNote_WakeUpForNothing(t *testing.T) {
	s := steps{begin: readings(workflows.NoteState{Status: nfse.StatusProcessing, Wait: time.Hour}),
		wakeUp: time.Minute}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusIssued {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}

// A cancellation that arrives while the note is being issued is not lost with
// the run: the note is read again before it ends.
func TestNote_WakeUpRacesTheEnd(t *testing.T) {
	s := steps{
		begin: readings(
			workflows.NoteState{Status: nfse.StatusProcessing},
			workflows.NoteState{Status: nfse.StatusIssued, CancellationPending: true},
			workflows.NoteState{Status: nfse.StatusCancelled},
		),
		settled: func(signal func()) { signal() },
	}
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || len(s.done) != 2 ||
		s.done[1] != workflows.ActivityCancelSimulation {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}

// What may exist is not cancelled on our own: the outcome comes first.
func TestNote_SentIsSettledBeforeCancelled(t *testing.T) {
	s := steps{begin: readings(
		workflows.NoteState{Status: nfse.StatusProcessing, CancellationPending: true, Sent: true},
		workflows.NoteState{Status: nfse.StatusIssued, CancellationPending: true},
	)}
	s.settled = func(signal func()) { signal() }
	result, _, err := s.run(t)
	if err != nil || result.Status != nfse.StatusCancelled || s.done[0] != workflows.ActivitySettleSimulation ||
		s.done[1] != workflows.ActivityCancelSimulation {
		t.Errorf("%v by %v, %v", result, s.done, err)
	}
}

// A note that waits for months is read as often as it is woken up, by runs of which none
// grows: each reads it a few hundred times, and another goes on.
func TestNote_WokenUpForMonths(t *testing.T) {
	wakeUps := 3_000
	if long.Asked() {
		wakeUps = 60_000
	}
	looks, runs := 0, 0
	s := steps{
		begin: state(liveProcessing),
		live: live{atOnce: func() (workflows.ExchangeResult, error) {
			if looks++; looks < wakeUps {
				return held, nil
			}
			return ended(fiscal.Issue), nil
		}},
		everyLook: func(signal func()) {
			if looks < wakeUps-1 {
				signal()
			}
		},
	}
	for {
		before := looks
		runs++
		result, _, err := s.run(t)
		s.done = nil
		if looks-before > 300 {
			t.Fatalf("one run looked %d times", looks-before)
		}
		var next *workflow.ContinueAsNewError
		if errors.As(err, &next) && next.WorkflowType.Name == workflows.NoteType {
			continue
		}
		if err != nil || result.Status != nfse.StatusIssued || looks != wakeUps {
			t.Fatalf("%v after %d looks in %d runs, %v", result, looks, runs, err)
		}
		break
	}
	t.Logf("%d runs", runs)
}
