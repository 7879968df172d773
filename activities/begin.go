package activities

import (
	"context"
	"log/slog"
	"time"

	"emissor/fiscal"
	"emissor/internal/metrics"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/lifecycle"
	"emissor/workflows"
)

// Notes are the activities that change the state of a note in the database.
type Notes struct {
	Store   *store.Store
	Metrics *metrics.Metrics
	Logger  *slog.Logger
	Slow    time.Duration // how long the sandbox scenario `slow` stays in processing

	Simulation fiscal.Canceller // the simulated authority of the test environment

	// Waits is called for a run that from now on waits for an authority or a receiver.
	Waits func(runID string)
}

// BeginNote returns the state of a note. A queued one is moved to processing, unless the
// next step ends it.
func (a *Notes) BeginNote(ctx context.Context, noteID string) (workflows.NoteState, error) {
	state, err := a.Store.Lifecycle.NoteState(ctx, noteID)
	if err == nil && state.Status == nfse.StatusQueued && !state.EndsAtOnce() {
		state, err = a.Store.Lifecycle.BeginNote(ctx, noteID)
	}
	if err != nil {
		return workflows.NoteState{}, Failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	result := workflows.NoteState{
		Status:                   state.Status,
		Livemode:                 state.Livemode,
		MunicipalityCheckPending: state.MunicipalityCheckPending,
		CancellationPending:      state.CancellationPending,
		Analysis:                 state.Analysis,
		Sent:                     state.Sent,
		ExternalEvents:           state.ExternalEvents,
	}
	if state.Scenario == nfse.ScenarioSlow {
		result.Wait = max(0, a.Slow-state.InProcess)
	}
	return result, nil
}

// report returns the state in which a step left its note, and counts a note that it ended
// without an authority.
func (a *Notes) report(ctx context.Context, noteID string, settled lifecycle.Settled,
	err error) (workflows.NoteState, error) {
	return a.ReportEnd(ctx, noteID, settled, metrics.End{Authority: metrics.NoAuthority}, err)
}

// ReportEnd is report of a note that came to its end in a certain way.
func (a *Notes) ReportEnd(ctx context.Context, noteID string, settled lifecycle.Settled, end metrics.End,
	err error) (workflows.NoteState, error) {
	if err != nil {
		return workflows.NoteState{}, Failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	if settled.Ended {
		a.Metrics.Settled(settled.Note, end)
	}
	if settled.Replaced != nil {
		a.Metrics.Settled(*settled.Replaced, end)
		a.Logger.InfoContext(ctx, "note replaced", "note_id", settled.Replaced.ID, "by", noteID,
			"organization_id", settled.OrganizationID)
	}
	if settled.Changed {
		a.Logger.InfoContext(ctx, "note settled", "note_id", noteID, "status", settled.Note.Status,
			"organization_id", settled.OrganizationID, "request_id", settled.RequestID)
	}
	return workflows.NoteState{
		Status:              settled.Note.Status,
		Livemode:            settled.Note.Livemode,
		CancellationPending: settled.Note.CancellationToDo(),
		Deliveries:          settled.Deliveries,
	}, nil
}
