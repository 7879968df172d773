package activities

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/batches"
)

// Recurring accepts the notes of recurrences.
type Recurring struct {
	Store     *store.Store
	Catalogue *catalogue.Catalogue
	Logger    *slog.Logger
	Now       func() time.Time // nil: time.Now
}

// AcceptRecurring accepts the note of a month, as the form does, in the name of the person who wants
// it. A note that was accepted before is known by its reference. One that is refused, or could not be
// accepted on its day, is not issued later by itself: a person is asked.
func (a *Recurring) AcceptRecurring(ctx context.Context, monthID string) error {
	month, err := a.Store.Batches.DueMonth(ctx, monthID)
	if err != nil || month.Status != batches.RecurringDue {
		return Failure(ctx, a.Logger, err)
	}
	noteID, err := a.accept(ctx, month)
	if err == nil {
		return Failure(ctx, a.Logger, a.Store.Batches.EndMonth(ctx, monthID, noteID))
	}
	var known *nfse.Error
	switch {
	case errors.As(err, &known) && !known.Retryable:
		return Failure(ctx, a.Logger, a.Store.Batches.MissMonth(ctx, monthID, string(known.Code)))
	case a.isOver(month.Day):
		a.Logger.ErrorContext(ctx, "a recurring note could not be accepted on its day", "month_id", monthID, "error", err)
		return Failure(ctx, a.Logger, a.Store.Batches.MissMonth(ctx, monthID, batches.MissedAway))
	}
	return Failure(ctx, a.Logger, err)
}

// errOver says that the day on which a note was to be accepted is over.
var errOver = errors.New("the day of the recurring note is over")

func (a *Recurring) accept(ctx context.Context, month batches.DueMonth) (noteID string, err error) {
	note, known, err := a.Catalogue.Draft(ctx, month.Scope, month.Defaults, month.RequestID, month.Issuance(),
		nfse.NoteDetails{})
	switch {
	case err != nil:
		return "", err
	case known != nil:
		return known.ID, nil
	case a.isOver(month.Day):
		return "", errOver
	}
	accepted, _, err := a.Store.By(month.Actor()).Lifecycle.AcceptNote(ctx, note)
	return accepted.ID, err
}

// isOver reports whether a day has passed in Brasília.
func (a *Recurring) isOver(day nfse.Day) bool {
	now := time.Now
	if a.Now != nil {
		now = a.Now
	}
	return nfse.DayOf(now()) > day
}
