package main

import (
	"context"
	"errors"
	"log/slog"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"

	"emissor/nfse"
	"emissor/workflows"
)

// sampleSize is of how many the histories are read.
const sampleSize = 25

// history is what a workflow left in the engine.
type history struct {
	events, tasks int
	attempts      int // of activities that ended
}

// histories reads what so many workflows left in the engine, each under one of
// these ids; of those that do not exist, nothing.
func histories(ctx context.Context, ids ...string) (sum history, err error) {
	engine, err := dialEngine(slog.New(slog.DiscardHandler))
	if err != nil {
		return sum, err
	}
	defer engine.Close()
	for _, id := range ids {
		events := engine.GetWorkflowHistory(ctx, id, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			event, err := events.Next()
			var missing *serviceerror.NotFound
			if errors.As(err, &missing) {
				break
			}
			if err != nil {
				return sum, err
			}
			sum.events++
			sum.attempts += int(event.GetActivityTaskStartedEventAttributes().GetAttempt())
			if event.GetEventType() == enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED {
				sum.tasks++
			}
		}
	}
	return sum, nil
}

// sample returns the ids of the workflows of some notes and of what followed them,
// and how many notes those are.
func (i *installation) sample(ctx context.Context) (ids []string, notes int, err error) {
	var chosen []struct {
		ID             string
		OrganizationID string `db:"organization_id"`
		Livemode       bool
		Reference      string
	}
	if err := i.database.SQL.SelectContext(ctx, &chosen, `SELECT id, organization_id, livemode, reference FROM notes
		ORDER BY id DESC LIMIT $1`, sampleSize); err != nil {
		return nil, 0, err
	}
	for _, note := range chosen {
		scope := nfse.Scope{OrganizationID: note.OrganizationID, Livemode: note.Livemode}
		ids = append(ids, workflows.NoteID(scope, note.Reference))
		var deliveries []string
		if err := i.database.SQL.SelectContext(ctx, &deliveries, `SELECT deliveries.id FROM deliveries
			JOIN events ON events.id = event_id WHERE note_id = $1`, note.ID); err != nil {
			return nil, 0, err
		}
		ids = append(ids, deliveries...)
	}
	return ids, len(chosen), nil
}
