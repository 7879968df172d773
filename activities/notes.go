package activities

import (
	"context"
	"log/slog"
	"time"

	"emissor/fiscal/simulation"
	"emissor/metrics"
	"emissor/nfse"
	"emissor/store"
	"emissor/workflows"
)

// Notes are the steps of a note's life on the database.
type Notes struct {
	Store   *store.Store
	Metrics *metrics.Metrics
	Logger  *slog.Logger
	Slow    time.Duration // how long the sandbox scenario `slow` stays in processing
}

// BeginNote moves a queued note to processing and says where it stands.
func (a *Notes) BeginNote(ctx context.Context, noteID string) (workflows.Standing, error) {
	standing, err := a.Store.BeginNote(ctx, noteID)
	if err != nil {
		return workflows.Standing{}, failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	result := workflows.Standing{
		Status:                   standing.Status,
		Livemode:                 standing.Livemode,
		MunicipalityCheckPending: standing.MunicipalityCheckPending,
		CancellationPending:      standing.CancellationPending,
		Sent:                     standing.Sent,
		Authority:                standing.Authority,
	}
	if standing.Scenario == nfse.ScenarioSlow {
		result.Wait = max(0, a.Slow-standing.InProcess)
	}
	return result, nil
}

// SettleSimulation ends a note of the test environment as its scenario says.
func (a *Notes) SettleSimulation(ctx context.Context, noteID string) (workflows.Standing, error) {
	note, scenario, err := a.Store.NoteToSettle(ctx, noteID)
	if err != nil {
		return workflows.Standing{}, failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	if scenario == nfse.ScenarioRejected {
		settled, err := a.Store.SettleRejected(ctx, noteID, simulation.Reject(note))
		return a.report(ctx, noteID, settled, err)
	}
	authority, xml, err := simulation.Issue(note, nfse.Timestamp{Time: time.Now()})
	if err != nil {
		return workflows.Standing{}, failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	settled, err := a.Store.SettleIssued(ctx, noteID, authority, xml)
	return a.report(ctx, noteID, settled, err)
}

// report says where a step left its note; the step that ended it also counts it.
func (a *Notes) report(ctx context.Context, noteID string, settled store.Settled, err error) (workflows.Standing, error) {
	if err != nil {
		return workflows.Standing{}, failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	if settled.Ended {
		a.Metrics.Settled(settled.Note)
	}
	if settled.Fresh {
		a.Logger.InfoContext(ctx, "note settled", "note_id", noteID, "status", settled.Note.Status,
			"organization_id", settled.OrganizationID, "request_id", settled.RequestID)
	}
	return workflows.Standing{
		Status:              settled.Note.Status,
		Livemode:            settled.Note.Livemode,
		CancellationPending: isCancelling(settled.Note),
	}, nil
}

func isCancelling(note nfse.Note) bool {
	return note.Cancellation != nil && note.Cancellation.Status == nfse.CancellationPending
}
