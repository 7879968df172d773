package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"emissor/fiscal"
	"emissor/nfse"
)

// NoteInput names the note of a run.
type NoteInput struct {
	NoteID string
}

// NoteResult is the state a run left its note in.
type NoteResult struct {
	Status nfse.Status
}

// NoteState is the state of a note when a run begins, or after a step.
type NoteState struct {
	Status                   nfse.Status
	Livemode                 bool
	MunicipalityCheckPending bool
	CancellationPending      bool          // and the city does not decide about it
	Analysis                 bool          `json:",omitempty"` // of it, the city is to be asked for an analysis
	Sent                     bool          // a document may exist at the authority
	Wait                     time.Duration // how long a simulation still takes
	Held                     bool          // a live note that waits for something only a person can give
	Deliveries               []string      `json:",omitempty"` // of the event that this step made
	ExternalEvents           bool          `json:",omitempty"` // something happened outside that was not applied
}

// settled reports whether nothing is left to do.
func (s NoteState) settled() bool {
	return s.Status.Terminal() && !s.CancellationPending && !s.ExternalEvents
}

// maxIterations is how often one run reads its note. A note may wait for months, and be woken
// up any number of times; each time adds some ten events to the history, and the engine
// ends a run that has 51,200.
var maxIterations = 250 // a variable for tests alone

// Note takes one note to a terminal state, and cancels it when that is asked for. It
// reads the note's state before it does anything, so any run, however started, does
// only what is left to do. A signal is only a wake-up: after it the note is read
// again, and the run ends when no signal is left and nothing is pending. A run whose
// history has become long is followed by another, which reads the note too, so that
// signals need not be passed on.
func Note(ctx workflow.Context, input NoteInput) (NoteResult, error) {
	wakeUps := newWakeUps(ctx)
	for iterations := 0; ; iterations++ {
		if tooLong(ctx, iterations) {
			wakeUps.drain()
			return NoteResult{}, workflow.NewContinueAsNewError(ctx, NoteType, input)
		}
		state, err := advance(ctx, input, wakeUps)
		if err != nil {
			return NoteResult{state.Status}, err
		}
		deliverAtOnce(ctx, state.Deliveries)
		if !wakeUps.drain() && state.settled() {
			return NoteResult{state.Status}, nil
		}
	}
}

// tooLong reports whether another run is to go on. Runs older than this limit must replay without it, so each
// iteration has a version of its own.
func tooLong(ctx workflow.Context, iterations int) bool {
	if iterations < maxIterations && !workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
		return false
	}
	return workflow.GetVersion(ctx, fmt.Sprintf("bounded-%d", iterations), workflow.DefaultVersion, 1) == 1
}

// advance does the next thing that is left to do, if any.
func advance(ctx workflow.Context, input NoteInput, wakeUps wakeUps) (NoteState, error) {
	state, err := beginNote(ctx, input.NoteID)
	switch {
	case err != nil || state.settled():
		return state, err
	case state.Status.Terminal() && state.ExternalEvents: // never set in a history from before this step
		return applyExternalEvents(ctx, input.NoteID)
	case state.Status == nfse.StatusIssued && state.Livemode && state.Analysis:
		return exchange(ctx, input.NoteID, fiscal.Analysis, wakeUps)
	case state.Status == nfse.StatusIssued && state.Livemode:
		return exchange(ctx, input.NoteID, fiscal.Cancel, wakeUps)
	case state.Status == nfse.StatusIssued:
		return cancelSimulation(ctx, input.NoteID)
	case state.CancellationPending && !state.Sent:
		return cancelUnsent(ctx, input.NoteID)
	case state.MunicipalityCheckPending:
		conflict, wokenUp, err := municipalityConflicts(ctx, input, state.Livemode, wakeUps)
		if err != nil || wokenUp {
			return state, err
		}
		if conflict {
			return rejectMunicipality(ctx, input.NoteID)
		}
	}
	if state.Livemode {
		return exchange(ctx, input.NoteID, fiscal.Issue, wakeUps)
	}
	return simulate(ctx, input, state, wakeUps)
}

// simulate settles a note of the test environment: nothing is sent to an authority.
func simulate(ctx workflow.Context, input NoteInput, state NoteState, wakeUps wakeUps) (NoteState, error) {
	if state.Wait > 0 {
		summary := fmt.Sprintf("the slow scenario stays in processing for %s", state.Wait.Round(time.Second))
		wokenUp, err := wait(ctx, state.Wait, summary, wakeUps)
		if err != nil || wokenUp {
			return state, err
		}
	}
	return settleSimulation(ctx, input.NoteID)
}

// wait waits for the time to pass, or for a wake-up.
func wait(ctx workflow.Context, duration time.Duration, summary string, wakeUps wakeUps) (wokenUp bool, err error) {
	waiting, stop := workflow.WithCancel(ctx)
	defer stop()
	timer := workflow.NewTimerWithOptions(waiting, duration, workflow.TimerOptions{Summary: summary})
	wokenUp = wakeUps.or(ctx, timer)
	if !wokenUp {
		err = timer.Get(ctx, nil)
	}
	return wokenUp, err
}

// municipalityConflicts repeats the look-up that no service answered when the note
// was accepted. If none answers now either the note goes on as declared. In live it
// may take half an hour, so a wake-up ends it.
func municipalityConflicts(ctx workflow.Context, input NoteInput, livemode bool,
	wakeUps wakeUps) (conflict, wokenUp bool, err error) {
	asking, stop := workflow.WithCancel(ctx)
	defer stop()
	look := verifyMunicipality(asking, input.NoteID, livemode)
	if livemode && wakeUps.or(ctx, look) {
		return false, true, nil
	}
	var answer MunicipalityAnswer
	err = look.Get(ctx, &answer)
	if temporal.IsCanceledError(err) {
		return false, false, err
	}
	if err != nil {
		_, err = keepDeclaredMunicipality(ctx, input.NoteID)
		return false, false, err
	}
	return answer == MunicipalityConflict, false, nil
}
