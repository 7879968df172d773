package activities

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"emissor/internal/metrics"
	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/internal/trace"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/batches"
	"emissor/store/postgres"
	"emissor/workflows"
)

// Batches accept the lines of spreadsheets.
type Batches struct {
	Store     *store.Store
	Catalogue *catalogue.Catalogue
	Metrics   *metrics.Metrics
	Logger    *slog.Logger
}

const (
	linesInStep = 50               // lines that one attempt accepts at most
	stepTime    = time.Minute      // after which it begins none
	lineTime    = 30 * time.Second // that one line may take: its zip code is looked up
	lineTries   = 8                // attempts that fail on our side, after which a line is given up
)

// linePauses are the pauses of a line after attempts that failed on our side.
var linePauses = retry.Backoff{Initial: 2 * time.Second, Max: 5 * time.Minute}

// AcceptLines accepts the next lines of a spreadsheet, each by itself: one that cannot become a
// note says why in its row, and the next goes on. A line that was accepted before is known by
// its reference.
func (a *Batches) AcceptLines(ctx context.Context, batchID string) (step workflows.BatchStep, err error) {
	defer Heartbeat(ctx)()
	batch, err := a.Store.Batches.AcceptedBatch(ctx, batchID)
	if err != nil {
		return step, Failure(ctx, a.Logger, err)
	}
	lines, err := a.Store.Batches.WaitingLines(ctx, batchID, linesInStep)
	if err != nil {
		return step, Failure(ctx, a.Logger, err)
	}
	began := time.Now()
	for _, line := range lines {
		if Stopping(ctx) || time.Since(began) > stepTime {
			break
		}
		if err := a.acceptLine(ctx, batch, line); err != nil {
			return step, Failure(ctx, a.Logger, err)
		}
	}
	step.Done, step.Wait, err = a.Store.Batches.MoveBatch(ctx, batchID)
	return step, Failure(ctx, a.Logger, err)
}

// acceptLine makes a note of a line, or records in its row why not. An error is the database's:
// it is of no line.
func (a *Batches) acceptLine(ctx context.Context, batch batches.AcceptedBatch, line batches.WaitingLine) error {
	if waits, err := a.Store.Batches.LineWaits(ctx, batch.ID, line.Line); err != nil || !waits {
		return err
	}
	var noteID string
	within, cancel := context.WithTimeout(trace.Apart(ctx), lineTime) // each note has a trace of its own
	defer cancel()
	err := panics.Caught(func() (err error) {
		noteID, err = a.issue(within, batch, line)
		return err
	})
	var known *nfse.Error
	switch {
	case err == nil:
		return a.Store.Batches.EndLine(ctx, batch.ID, line.Line, noteID)
	case errors.As(err, &known) && !known.Retryable:
		return a.Store.Batches.FailLine(ctx, batch.ID, line.Line, known.Code, known.Field)
	case known == nil && postgres.IsUnavailable(err) && !postgres.TookTooLong(err) && within.Err() == nil:
		return err
	}
	a.Metrics.RowFailed(LoopBatches)
	a.Logger.ErrorContext(ctx, "a line of a spreadsheet could not be accepted", "batch_id", batch.ID, "line", line.Line,
		"attempt", line.Failures+1, "error", err)
	if line.Failures+1 < lineTries {
		return a.Store.Batches.DelayLine(ctx, batch.ID, line.Line, linePauses.After(line.Failures+1))
	}
	code, field := nfse.CodeInternal, ""
	if known != nil {
		code, field = known.Code, known.Field
	}
	return a.Store.Batches.FailLine(ctx, batch.ID, line.Line, code, field)
}

// issue accepts the note of a line, as the form does, by the person who accepted the spreadsheet.
func (a *Batches) issue(ctx context.Context, batch batches.AcceptedBatch, line batches.WaitingLine) (string, error) {
	var issuance nfse.Issuance
	if err := json.Unmarshal(line.Request, &issuance); err != nil {
		return "", err
	}
	asked := a.Catalogue.Asked(batch.AcceptedAt.Time)
	note, known, err := asked.Draft(ctx, batch.Scope, batch.Defaults, batch.RequestID, issuance, nfse.NoteDetails{})
	if err != nil {
		return "", err
	}
	if known != nil {
		return known.ID, nil
	}
	accepted, _, err := a.Store.By(batch.Actor()).Lifecycle.AcceptNote(ctx, note)
	return accepted.ID, err
}
