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
	Authority                string        // whose queue a live note goes to, once it is known
	Held                     bool          // a live note that waits for something only a person can give
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
	nudges := newNudges(ctx)
	for {
		standing, err := advance(ctx, input, nudges)
		if err != nil {
			return NoteResult{standing.Status}, err
		}
		if !nudges.drain() && standing.settled() {
			return NoteResult{standing.Status}, nil
		}
	}
}

// advance does the next thing that is left to do, if any.
func advance(ctx workflow.Context, input NoteInput, nudges nudges) (Standing, error) {
	standing, err := step(ctx, "queued → processing", BeginNote, input.NoteID)
	switch {
	case err != nil || standing.settled():
		return standing, err
	case standing.Status == nfse.StatusIssued && standing.Livemode:
		return cancelLive(ctx, input, standing, nudges)
	case standing.Status == nfse.StatusIssued:
		return step(ctx, "issued → cancelled, if the authority agrees", CancelIssued, input.NoteID)
	case standing.CancellationPending && !standing.Sent:
		return step(ctx, "→ cancelled: nothing was sent", CancelUnsent, input.NoteID)
	case standing.MunicipalityCheckPending:
		conflict, nudged, err := municipalityConflicts(ctx, input, standing.Livemode, nudges)
		if err != nil || nudged {
			return standing, err
		}
		if conflict {
			return step(ctx, "processing → rejected: the zip code is in another municipality", RejectMunicipality, input.NoteID)
		}
	}
	if standing.Livemode {
		return issueLive(ctx, input, nudges)
	}
	return simulate(ctx, input, standing, nudges)
}

// simulate is the test environment's way to an end: nothing leaves the process.
func simulate(ctx workflow.Context, input NoteInput, standing Standing, nudges nudges) (Standing, error) {
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
func wait(ctx workflow.Context, duration time.Duration, summary string, nudges nudges) (nudged bool, err error) {
	waiting, stop := workflow.WithCancel(ctx)
	defer stop()
	timer := workflow.NewTimerWithOptions(waiting, duration, workflow.TimerOptions{Summary: summary})
	nudged = nudges.or(ctx, timer)
	if !nudged {
		err = timer.Get(ctx, nil)
	}
	return nudged, err
}

// municipalityConflicts repeats the look-up that was out when the note was
// accepted. A note whose question stays open goes as declared. In live it may
// take half an hour, so a nudge ends it.
func municipalityConflicts(ctx workflow.Context, input NoteInput, livemode bool, nudges nudges) (conflict, nudged bool, err error) {
	asking, stop := workflow.WithCancel(withMunicipalityLookup(ctx, livemode))
	defer stop()
	var answer MunicipalityAnswer
	look := workflow.ExecuteActivity(asking, VerifyMunicipality, input.NoteID)
	if livemode && nudges.or(ctx, look) {
		return false, true, nil
	}
	err = look.Get(ctx, &answer)
	if temporal.IsCanceledError(err) {
		return false, false, err
	}
	if err != nil {
		_, err = step(ctx, "no zip code service answered: the municipality stays as declared", AcceptAsDeclared, input.NoteID)
		return false, false, err
	}
	return answer == MunicipalityConflict, false, nil
}

// step runs one step on the database, and says where the note stands after it.
func step(ctx workflow.Context, summary, activity, noteID string) (Standing, error) {
	var standing Standing
	err := workflow.ExecuteLocalActivity(withDatabaseStep(ctx, summary), activity, noteID).Get(ctx, &standing)
	return standing, err
}
