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
	Wait                     time.Duration // before a simulation ends
}

// MunicipalityAnswer is what the late check of a municipality found.
type MunicipalityAnswer string

// The answers of the late check. That no service answered is an error of the
// activity, which is tried again.
const (
	MunicipalitySettled  MunicipalityAnswer = "settled"  // it agreed, or nobody knows better
	MunicipalityConflict MunicipalityAnswer = "conflict" // the zip code is in another municipality
)

// Note brings one note to its end. It begins by reading where the note stands,
// so any run, however started, does only what is left to do.
func Note(ctx workflow.Context, input NoteInput) (NoteResult, error) {
	standing, err := step(ctx, "queued → processing", BeginNote, input.NoteID)
	if err != nil || standing.Status.Terminal() {
		return NoteResult{standing.Status}, err
	}
	if standing.MunicipalityCheckPending {
		conflict, err := municipalityConflicts(ctx, input, standing.Livemode)
		if err != nil {
			return NoteResult{standing.Status}, err
		}
		if conflict {
			standing, err = step(ctx, "processing → rejected: the zip code is in another municipality", RejectMunicipality, input.NoteID)
			return NoteResult{standing.Status}, err
		}
	}
	if standing.Livemode {
		// dispatch starts no live note while there is no authority: coming here is a bug.
		return NoteResult{standing.Status}, temporal.NewNonRetryableApplicationError("there is no authority for live notes", "no_authority", nil)
	}
	return simulate(ctx, input, standing)
}

// simulate is the test environment's way to an end: nothing leaves the process.
func simulate(ctx workflow.Context, input NoteInput, standing Standing) (NoteResult, error) {
	if standing.Wait > 0 {
		timer := workflow.NewTimerWithOptions(ctx, standing.Wait, workflow.TimerOptions{
			Summary: fmt.Sprintf("the slow scenario stays in processing for %s", standing.Wait.Round(time.Second)),
		})
		if err := timer.Get(ctx, nil); err != nil {
			return NoteResult{standing.Status}, err
		}
	}
	settled, err := step(ctx, "processing → issued or rejected, as the scenario says", SettleSimulation, input.NoteID)
	return NoteResult{settled.Status}, err
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
