package activities

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"

	"go.temporal.io/sdk/temporal"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/postgres"
)

// Failure turns an error into what the engine and its histories may see. An application
// error stays as it is; the caller's errors are final unless retryable; while the database
// is out the attempt is repeated soon, and after a statement that took too long with growing
// pauses, because the row itself may be the cause; a missing row is final; anything else is
// a bug: logged here, and only named in the history.
func Failure(ctx context.Context, logger *slog.Logger, err error) error {
	var known *nfse.Error
	var ready *temporal.ApplicationError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ready):
		return err
	case errors.As(err, &known) && known.Retryable:
		return temporal.NewApplicationError(known.Message, string(known.Code))
	case errors.As(err, &known):
		return temporal.NewNonRetryableApplicationError(known.Message, string(known.Code), nil)
	case errors.Is(err, sql.ErrNoRows):
		return temporal.NewNonRetryableApplicationError("what the run is about is not on record",
			string(nfse.CodeNoteNotFound), nil)
	case postgres.TookTooLong(err):
		logger.WarnContext(ctx, "the database did not answer an activity in time; it is tried again", "error", err)
		return temporal.NewApplicationError("the database did not answer in time", string(nfse.CodeServiceUnavailable))
	case postgres.IsUnavailable(err):
		logger.WarnContext(ctx, "the database did not answer an activity; it is tried again", "error", err)
		return RetryAfter(string(nfse.CodeServiceUnavailable), "the database did not answer",
			databaseOut.After(attempt(ctx)))
	}
	logger.ErrorContext(ctx, "an activity failed", "error", err)
	return temporal.NewApplicationError("an internal error, see the worker's log", string(nfse.CodeInternal))
}

// AsActionRequired turns the store's errors that an issuer is not shown to be an organization's into
// ActionRequired.
func AsActionRequired(err error) error {
	switch {
	case errors.Is(err, companies.ErrTaxIDNotShown):
		return &ActionRequired{Reason: fact.TaxIDNotShown.Fact()}
	case errors.Is(err, companies.ErrTaxIDOfAnother):
		return &ActionRequired{Reason: fact.TaxIDOfAnother.Fact()}
	}
	return err
}
