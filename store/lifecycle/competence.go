package lifecycle

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// RefusedBy returns by which authority, and which of its codes, a live note is refused for what a
// person can put right; empty when it is not.
func (s *Store) RefusedBy(ctx context.Context, scope nfse.Scope, noteID string) (authority, code string, err error) {
	var refusal struct {
		Authority string `db:"authority"`
		Code      string `db:"code"`
	}
	err = s.db.Get(ctx, &refusal, `SELECT e.authority, e.rejection ->> 'code' AS code FROM notes n JOIN `+refusedExchange+
		`
		WHERE n.organization_id = $1 AND n.livemode AND n.livemode = $2 AND n.id = $3`,
		scope.OrganizationID, scope.Livemode, noteID)
	return refusal.Authority, refusal.Code, postgres.NoRow(err, nil)
}

// refusedExchange is the issuance of a note n that waits for a person, where nothing exists
// at the authority.
const refusedExchange = `fiscal_exchanges e ON e.note_id = n.id AND e.kind = 'issue' AND e.state = 'unsigned'
	AND NOT e.ambiguous AND e.disposition = 'needs_person'`

// SetCompetence gives another day of competence to a note that the authority refuses, and wakes it up: it is signed
// again, under the same number. For a note that waits for anything else, or has ended, it is invalid_request.
func (c *Changes) SetCompetence(ctx context.Context, scope nfse.Scope, noteID string, day nfse.Day) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		var before nfse.Day
		err = tx.GetContext(ctx, &before, `
			WITH before AS (
				SELECT e.id AS exchange_id, n.id, n.organization_id, n.livemode, n.reference, n.competence
				FROM notes n JOIN `+refusedExchange+`
				WHERE n.organization_id = $1 AND n.livemode AND n.livemode = $2 AND n.id = $3
					AND n.status = 'processing'
				FOR NO KEY UPDATE
			), corrected AS ( -- by which a message that is being signed of the day before is not kept
				UPDATE fiscal_exchanges SET disposition = 'mended' WHERE id IN (SELECT exchange_id FROM before)
			), note AS (
				UPDATE notes SET competence = $4, updated_at = now(), `+outbox.RequeueLater+`
				WHERE id IN (SELECT id FROM before)
			), step AS (
				INSERT INTO note_steps (note_id, fact, user_id)
				SELECT id, `+postgres.FactSQL(fact.CompetenceChanged, "before", `competence`, "after", `$4::date`)+`, $5
				FROM before
			), wake_up AS (
				INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
				SELECT 'resume', id, organization_id, livemode, reference FROM before
				`+outbox.AskAgain+`
			)
			SELECT competence FROM before`, scope.OrganizationID, scope.Livemode, noteID, day, c.UserID())
		if errors.Is(err, sql.ErrNoRows) {
			err = nfse.Invalid("competence", "may be changed only while the authority refuses the one of the note")
		}
		return audit.Record{Action: audit.NoteCompetence, SubjectID: noteID, Before: map[string]any{"competence": before},
			After: map[string]any{"competence": day}}.Of(scope), err
	})
}
