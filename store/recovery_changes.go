package store

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
)

// BeginRecovery has every sequence and series of numbers checked before anything more is sent under it, as
// after a restore that is not noticed: a copy of all files of a server is the same server.
func (c *Changes) BeginRecovery(ctx context.Context) (sequences int, err error) {
	err = c.changeOne(ctx, func(tx *sqlx.Tx) (auditRecord, error) {
		for _, statement := range []string{
			`UPDATE checked_database SET name = 'restored'`,
			`UPDATE fiscal_series SET checked_in = 'restored'`,
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return auditRecord{}, err
			}
		}
		var err error
		sequences, err = affected(tx.ExecContext(ctx, `UPDATE fiscal_sequences
			SET checked_in = 'restored', noticed_in = NULL, noticed_at = NULL, checking_until = NULL`))
		return auditRecord{Action: AuditRecoveryBegin, SubjectID: "all", After: map[string]any{"series": sequences}}, err
	})
	return sequences, err
}

// ErrNotUndecided says that no document waits for a person under a number.
var ErrNotUndecided = errors.New("no document waits for a decision under the number")

// LeaveDocument leaves a document that is not on record as it is: its number is never taken here.
func (c *Changes) LeaveDocument(ctx context.Context, organizationID string, series nfse.SeriesKey, number int64) error {
	return c.decide(ctx, AuditRecoveryLeave, organizationID, series, number,
		func(*sqlx.Tx) (RecoveredState, *string, error) { return RecoveredLeft, nil, nil })
}

// ErrNoteCannotTake says that a note cannot take a document over.
var ErrNoteCannotTake = errors.New("the note has ended, is not of the organization, or has sent something under " +
	"another number")

// TakeOverDocument gives a document that is not on record to a note, as a person knows that it is its own. The
// note asks the authority about it, and ends by what it finds: what is another's document stays that.
func (c *Changes) TakeOverDocument(ctx context.Context, organizationID string, series nfse.SeriesKey, number int64,
	noteID string) error {
	return c.decide(ctx, AuditRecoveryTakeOver, organizationID, series, number,
		func(tx *sqlx.Tx) (RecoveredState, *string, error) {
			var note noteOfDocument
			err := tx.GetContext(ctx, &note, `SELECT `+noteOfDocumentColumns+` FROM notes n
				WHERE id = $1 AND organization_id = $2 AND livemode`, noteID, organizationID)
			if err != nil {
				return "", nil, noRow(err, ErrNoteCannotTake)
			}
			taken, err := takeOver(ctx, tx, series, number, note, fiscal.Message{}, "")
			if err == nil && !taken {
				err = ErrNoteCannotTake
			}
			return RecoveredTakenOver, &noteID, err
		})
}

// decide ends that a document waits for a person. With the last one of its series notes go on.
func (c *Changes) decide(ctx context.Context, action AuditAction, organizationID string, series nfse.SeriesKey,
	number int64, how func(*sqlx.Tx) (RecoveredState, *string, error)) error {
	return c.changeOne(ctx, func(tx *sqlx.Tx) (auditRecord, error) {
		if err := checkTaxID(ctx, tx, organizationID, series.IssuerKey); err != nil {
			return auditRecord{}, err
		}
		var registration string
		err := tx.GetContext(ctx, &registration, `SELECT registration FROM recovered_documents
			WHERE `+thisSequence+` AND number = $6 AND `+undecided+` FOR NO KEY UPDATE`,
			sequenceArguments(series, number)...)
		if err != nil {
			return auditRecord{}, noRow(err, ErrNotUndecided)
		}
		state, noteID, err := how(tx)
		if err != nil {
			return auditRecord{}, err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE recovered_documents SET state = $7, note_id = coalesce($8, note_id),
				taker = '', taker_tax_id = '', decided_at = now()
			WHERE `+thisSequence+` AND number = $6`, sequenceArguments(series, number, string(state), noteID)...); err != nil {
			return auditRecord{}, err
		}
		series.Registration = registration
		after := auditSeries(series, "number", number)
		if noteID != nil {
			after["note_id"] = *noteID
		}
		record := auditRecord{Action: action, SubjectID: organizationID, After: after}.ofOrganization(organizationID)
		return record, goOn(ctx, tx, series)
	})
}

// goOn lets notes take numbers of a series again once nothing of it waits for a person.
func goOn(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey) error {
	var waits bool
	err := tx.GetContext(ctx, &waits, `SELECT EXISTS (SELECT FROM recovered_documents WHERE `+thisSequence+` AND `+
		undecided+`)`, sequenceArguments(series)...)
	if err != nil || waits {
		return err
	}
	_, err = tx.ExecContext(ctx, releaseSeries+` AND held_reason IS NOT NULL`, seriesArguments(series)...)
	if err != nil {
		return err
	}
	return endSequenceCheck(ctx, tx, series)
}
