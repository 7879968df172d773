package operate

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/companies"
	"emissor/store/numbers"
	"emissor/store/postgres"
)

// BeginRecovery has every sequence and series of numbers checked before anything more is sent under it, as
// after a restore that is not noticed: a copy of all files of a server is the same server.
func (c *Changes) BeginRecovery(ctx context.Context) (sequences int, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		for _, statement := range []string{
			`UPDATE checked_database SET name = 'restored'`,
			`UPDATE fiscal_series SET checked_in = 'restored'`,
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return audit.Record{}, err
			}
		}
		var err error
		sequences, err = postgres.Affected(tx.ExecContext(ctx, `UPDATE fiscal_sequences
			SET checked_in = 'restored', noticed_in = NULL, noticed_at = NULL, checking_until = NULL`))
		return audit.Record{Action: audit.RecoveryBegin, SubjectID: "all", After: map[string]any{"series": sequences}}, err
	})
	return sequences, err
}

// ErrNotUndecided says that no document waits for a person under a number.
var ErrNotUndecided = errors.New("no document waits for a decision under the number")

// LeaveDocument leaves a document that is not on record as it is: its number is never taken here.
func (c *Changes) LeaveDocument(ctx context.Context, organizationID string, series nfse.SeriesKey, number int64) error {
	return c.decide(ctx, audit.RecoveryLeave, organizationID, series, number,
		func(*sqlx.Tx) (RecoveredState, *string, error) { return RecoveredLeft, nil, nil })
}

// ErrNoteCannotTake says that a note cannot take a document over.
var ErrNoteCannotTake = errors.New("the note has ended, is not of the organization, or has sent something under " +
	"another number")

// TakeOverDocument gives a document that is not on record to a note, as a person knows that it is its own. The
// note asks the authority about it, and ends by what it finds: what is another's document stays that.
func (c *Changes) TakeOverDocument(ctx context.Context, organizationID string, series nfse.SeriesKey, number int64,
	noteID string) error {
	return c.decide(ctx, audit.RecoveryTakeOver, organizationID, series, number,
		func(tx *sqlx.Tx) (RecoveredState, *string, error) {
			var note noteOfDocument
			err := tx.GetContext(ctx, &note, `SELECT `+noteOfDocumentColumns+` FROM notes n
				WHERE id = $1 AND organization_id = $2 AND livemode`, noteID, organizationID)
			if err != nil {
				return "", nil, postgres.NoRow(err, ErrNoteCannotTake)
			}
			taken, err := takeOver(ctx, tx, series, number, note, fiscal.Message{}, "")
			if err == nil && !taken {
				err = ErrNoteCannotTake
			}
			return RecoveredTakenOver, &noteID, err
		})
}

// decide ends that a document waits for a person. With the last one of its series notes go on.
func (c *Changes) decide(ctx context.Context, action audit.Action, organizationID string, series nfse.SeriesKey,
	number int64, how func(*sqlx.Tx) (RecoveredState, *string, error)) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		if err := companies.CheckTaxID(ctx, tx, organizationID, series.IssuerKey); err != nil {
			return audit.Record{}, err
		}
		var registration string
		err := tx.GetContext(ctx, &registration, `SELECT registration FROM recovered_documents
			WHERE `+companies.ThisSequence+` AND number = $6 AND `+numbers.Undecided+` FOR NO KEY UPDATE`,
			companies.SequenceArguments(series, number)...)
		if err != nil {
			return audit.Record{}, postgres.NoRow(err, ErrNotUndecided)
		}
		state, noteID, err := how(tx)
		if err != nil {
			return audit.Record{}, err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE recovered_documents SET state = $7, note_id = coalesce($8, note_id),
				taker = '', taker_tax_id = '', decided_at = now()
			WHERE `+companies.ThisSequence+` AND number = $6`, companies.SequenceArguments(series, number, string(state),
			noteID)...); err != nil {
			return audit.Record{}, err
		}
		series.Registration = registration
		after := companies.AuditSeries(series, "number", number)
		if noteID != nil {
			after["note_id"] = *noteID
		}
		record := audit.Record{Action: action, SubjectID: organizationID, After: after}.OfOrganization(organizationID)
		return record, goOn(ctx, tx, series)
	})
}

// goOn lets notes take numbers of a series again once nothing of it waits for a person.
func goOn(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey) error {
	var waits bool
	err := tx.GetContext(ctx, &waits, `SELECT EXISTS (SELECT FROM recovered_documents WHERE `+companies.ThisSequence+
		` AND `+
		numbers.Undecided+`)`, companies.SequenceArguments(series)...)
	if err != nil || waits {
		return err
	}
	_, err = tx.ExecContext(ctx, numbers.ReleaseSeries+` AND held_reason IS NOT NULL`,
		companies.SeriesArguments(series)...)
	if err != nil {
		return err
	}
	return numbers.EndSequenceCheck(ctx, tx, series)
}
