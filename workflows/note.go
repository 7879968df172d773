package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

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

// Standing is where a note stands when a run begins, or after a step.
type Standing struct {
	Status                   nfse.Status
	Livemode                 bool
	MunicipalityCheckPending bool
	CancellationPending      bool
	Sent                     bool          // a document may exist at the authority
	Wait                     time.Duration // before a simulation ends
}

// settled reports whether nothing is left to do.
func (s Standing) settled() bool { return s.Status.Terminal() && !s.CancellationPending }

// MunicipalityAnswer is what the late check of a municipality found.
type MunicipalityAnswer string

// The answers of the late check. That no service answered is an error of the
// activity, which is tried again.
const (
	MunicipalitySettled  MunicipalityAnswer = "settled"  // it agreed, or nobody knows better
	MunicipalityConflict MunicipalityAnswer = "conflict" // the zip code is in another municipality
)

// Note brings one note to its end, and cancels it when that is asked for. It
// reads where the note stands before it does anything, so any run, however
// started, does only what is left to do. A signal is only a nudge: after it the
// note is read again, and the run ends when none is left and nothing is pending.
func Note(ctx workflow.Context, input NoteInput) (NoteResult, error) {
	nudges := workflow.GetSignalChannel(ctx, CancelSignal)
	for {
		standing, err := advance(ctx, input, nudges)
		if err != nil {
			return NoteResult{standing.Status}, err
		}
		if !drain(nudges) && standing.settled() {
			return NoteResult{standing.Status}, nil
		}
	}
}

// advance does the next thing that is left to do, if any.
func advance(ctx workflow.Context, input NoteInput, nudges workflow.ReceiveChannel) (Standing, error) {
	standing, err := step(ctx, "queued → processing", BeginNote, input.NoteID)
	switch {
	case err != nil || standing.settled():
		return standing, err
	case standing.Status == nfse.StatusIssued:
		return step(ctx, "issued → cancelled, if the authority agrees", CancelIssued, input.NoteID)
	case standing.CancellationPending && !standing.Sent:
		return step(ctx, "→ cancelled: nothing was sent", CancelUnsent, input.NoteID)
	case standing.MunicipalityCheckPending:
		conflict, err := municipalityConflicts(ctx, input, standing.Livemode)
		if err != nil {
			return standing, err
		}
		if conflict {
			return step(ctx, "processing → rejected: the zip code is in another municipality", RejectMunicipality, input.NoteID)
		}
	}
	if standing.Livemode {
		// dispatch starts no live note while there is no authority: coming here is a bug.
		return standing, temporal.NewNonRetryableApplicationError("there is no authority for live notes", "no_authority", nil)
	}
	return simulate(ctx, input, standing, nudges)
}

// simulate is the test environment's way to an end: nothing leaves the process.
func simulate(ctx workflow.Context, input NoteInput, standing Standing, nudges workflow.ReceiveChannel) (Standing, error) {
	if standing.Wait > 0 {
		summary := fmt.Sprintf("the slow scenario stays in processing for %s", standing.Wait.Round(time.Second))
		nudged, err := wait(ctx, standing.Wait, summary, nudges)
		if err != nil || nudged {
			return standing, err
		}
	}
	return step(ctx, "processing → issued or rejected, as the scenario says", SettleSimulation, input.NoteID)
}

// wait waits for the time to pass, or for a nudge.
func wait(ctx workflow.Context, duration time.Duration, summary string, nudges workflow.ReceiveChannel) (nudged bool, err error) {
	waiting, stop := workflow.WithCancel(ctx)
	defer stop()
	timer := workflow.NewTimerWithOptions(waiting, duration, workflow.TimerOptions{Summary: summary})
	workflow.NewSelector(ctx).
		AddFuture(timer, func(f workflow.Future) { err = f.Get(ctx, nil) }).
		AddReceive(nudges, func(workflow.ReceiveChannel, bool) { nudged = true }).
		Select(ctx)
	return nudged, err
}

// drain empties the channel, and says whether there was something in it. What
// is left in it when a run ends would be lost.
func drain(nudges workflow.ReceiveChannel) (nudged bool) {
	for nudges.ReceiveAsync(nil) {
		nudged = true
	}
	return nudged
}

// municipalityConflicts repeats the look-up that was out when the note was
// accepted. A note whose question stays open goes as declared.
func municipalityConflicts(ctx workflow.Context, input NoteInput, livemode bool) (bool, error) {
	var answer MunicipalityAnswer
	err := workflow.ExecuteActivity(withMunicipalityLookup(ctx, livemode), VerifyMunicipality, input.NoteID).Get(ctx, &answer)
	if temporal.IsCanceledError(err) {
		return false, err
	}
	if err != nil {
		_, err = step(ctx, "no zip code service answered: the municipality stays as declared", AcceptAsDeclared, input.NoteID)
		return false, err
	}
	return answer == MunicipalityConflict, nil
}

// step runs one step on the database, and says where the note stands after it.
func step(ctx workflow.Context, summary, activity, noteID string) (Standing, error) {
	var standing Standing
	err := workflow.ExecuteLocalActivity(withDatabaseStep(ctx, summary), activity, noteID).Get(ctx, &standing)
	return standing, err
}
