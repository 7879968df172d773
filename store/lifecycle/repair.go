package lifecycle

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// SiblingHold is a refused note behind which others of its company wait.
type SiblingHold struct {
	nfse.IssuerKey
	Code      string `json:"code"` // by which it is refused
	Note      string `json:"note"`
	Reference string `json:"reference"`
	Held      bool   `json:"held"` // it waits for a person; else its refusal is doubted
}

// siblingHoldsOf is a subquery: the refused notes that may hold a note of the table notes,
// in any environment. One that holds others waits for none: two would wait for each other. What
// is refused of one day of competence may be taken of a later one, as registers are consulted as of
// it: so notes of later days do not wait, and the first of them that is refused takes the place.
const siblingHoldsOf = `(SELECT jsonb_agg(jsonb_build_object('authority', b.authority, 'production', b.production,
		'tax_id', b.tax_id, 'code', b.code, 'note', b.note_id, 'reference', r.reference,
		'held', r.held_reason IS NOT NULL))
	FROM refusal_brakes b JOIN notes r ON r.id = b.note_id AND r.status = 'processing'
	WHERE b.organization_id = notes.organization_id AND b.service_id IN ('', notes.service_id)
		AND r.competence >= notes.competence
		AND NOT EXISTS (SELECT FROM refusal_brakes own WHERE own.note_id = notes.id))`

// HeldBySibling returns why a note waits behind a refused one of the same issuer, and whether for a person,
// as that one does; none where it does not.
func (n LiveNote) HeldBySibling(profile nfse.FiscalProfile) (why fact.Fact, held bool) {
	at := slices.IndexFunc(n.SiblingHolds, func(b SiblingHold) bool {
		return b.IssuerKey == profile.IssuerKey() && !(b.Held && profile.RejectRefused)
	})
	if at < 0 {
		return fact.Fact{}, false
	}
	hold := n.SiblingHolds[at]
	return fact.HeldBySibling.With("note", hold.Reference, "code", hold.Code), hold.Held
}

// WaitBehind records, once, that a note waits behind one whose refusal is doubted. It is not held, as
// nobody need do anything, and yet the time that it takes is not the service's.
func (s *Store) WaitBehind(ctx context.Context, noteID string, why fact.Fact) error {
	_, err := s.db.Exec(ctx, `
		WITH waits AS (
			UPDATE notes SET held_since = now() WHERE id = $1 AND held_since IS NULL AND status IN ('queued', 'processing')
			RETURNING id
		)
		INSERT INTO note_steps (note_id, fact) SELECT id, $2::jsonb FROM waits`, noteID, fact.Waits.With("why", why))
	return err
}

// learnRegistration keeps whether the municipal registration is sent, once a document was issued
// after an automatic correction.
func learnRegistration(ctx context.Context, tx *sqlx.Tx, e *exchanges.Exchange) error {
	for _, made := range e.AutoFixes {
		if made.AutoFix != fiscal.SendRegistration && made.AutoFix != fiscal.OmitRegistration {
			continue
		}
		_, err := tx.ExecContext(ctx, `
			INSERT INTO learned_registrations (organization_id, authority, production, tax_id, sent, code)
			VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (organization_id, authority, production, tax_id)
				DO UPDATE SET sent = EXCLUDED.sent, code = EXCLUDED.code, learned_at = now()`,
			e.Profile.OrganizationID, e.Profile.Authority, e.Profile.Production, e.Profile.TaxID,
			made.AutoFix == fiscal.SendRegistration, made.Code)
		if err != nil {
			return err
		}
	}
	return nil
}

// saveRepair records what a decision made of a refusal: the change that is tried, or that others
// wait behind this note.
func (s *Store) saveRepair(ctx context.Context, tx *sqlx.Tx, before *exchanges.Exchange,
	decision fiscal.Decision) error {
	if e := decision.Exchange; len(e.AutoFixes) > len(before.AutoFixes) {
		made := e.AutoFixes[len(e.AutoFixes)-1]
		_, err := tx.ExecContext(ctx, `INSERT INTO note_steps (note_id, fact) VALUES ($1, $2)`, before.NoteID,
			fact.RefusalAutoFixed.With("code", made.Code, "auto_fix", string(made.AutoFix)))
		return err
	}
	if !decision.Exchange.Refused() {
		return nil
	}
	if decision.SiblingHold == fiscal.ScopeNote {
		return s.releaseSiblings(ctx, tx, before.NoteID)
	}
	return saveSiblingHold(ctx, tx, before, decision.Exchange.Rejection.Code, decision.SiblingHold)
}

// saveDoubt records that a refusal is doubted, so that others wait behind this note. What it is refused for
// is a step of it when the doubt begins, and no person is waited for; the time is not the service's.
func (s *Store) saveDoubt(ctx context.Context, tx *sqlx.Tx, before *exchanges.Exchange,
	decision fiscal.Decision) error {
	code := decision.Exchange.DoubtedCode
	if code != before.DoubtedCode {
		_, err := tx.ExecContext(ctx, `
			WITH refused AS (
				UPDATE notes SET refused_at = coalesce(refused_at, now()), held_since = coalesce(held_since, now())
				WHERE id = $1
			)
			INSERT INTO note_steps (note_id, fact) VALUES ($1, $2)`, before.NoteID,
			fact.RefusalDoubted.With("code", code))
		if err != nil {
			return err
		}
	}
	return saveSiblingHold(ctx, tx, before, code, decision.SiblingHold)
}

// saveSiblingHold has the notes of a scope, which is not that of one note, wait behind one that is refused, or behind
// another one that they wait for already.
func saveSiblingHold(
	ctx context.Context, tx *sqlx.Tx, before *exchanges.Exchange, code string, scope fiscal.Scope,
) error {
	_, err := tx.ExecContext(ctx, `
		WITH mine AS (
			SELECT id, organization_id, competence, CASE WHEN $6 THEN service_id ELSE '' END AS service_id
			FROM notes WHERE id = $1
		), others AS (
			DELETE FROM refusal_brakes b USING mine WHERE b.note_id = mine.id AND b.service_id <> mine.service_id
		)
		INSERT INTO refusal_brakes AS b (organization_id, authority, production, tax_id, service_id, note_id, code)
		SELECT organization_id, $2, $3, $4, service_id, id, $5 FROM mine
		ON CONFLICT (organization_id, authority, production, tax_id, service_id) DO UPDATE
			SET note_id = EXCLUDED.note_id, code = EXCLUDED.code, created_at = now()
			WHERE b.note_id = EXCLUDED.note_id
				OR NOT EXISTS (SELECT FROM notes n, mine WHERE n.id = b.note_id AND n.status = 'processing'
					AND n.competence >= mine.competence)`,
		before.NoteID, before.Profile.Authority, before.Profile.Production, before.Profile.TaxID,
		code, scope == fiscal.ScopeService)
	return err
}

// releaseSiblings lets the notes flow that waited behind one. That they wait is read once those that
// begin to (waitForRelease) have done so, as the deletion waits for them. Beyond mostWoken, and where
// one of them cannot be woken up, they look for themselves within the hour: the end of the note must
// not take long, nor depend on others.
func (s *Store) releaseSiblings(ctx context.Context, tx *sqlx.Tx, noteID string) error {
	lifted, err := postgres.Affected(tx.ExecContext(ctx, `DELETE FROM refusal_brakes WHERE note_id = $1`, noteID))
	if err != nil || lifted == 0 {
		return err
	}
	failed, err := postgres.InSavepoint(ctx, tx, func() error { return wakeSiblings(ctx, tx, noteID) })
	switch {
	case err != nil || failed == nil:
		return err
	case postgres.IsOutage(failed):
		return failed
	case s.db.Rows.Failed != nil:
		s.db.Rows.Failed(ctx, postgres.RowFailure{Loop: "notes behind a refused one", RowID: noteID, Failures: 1,
			RetryAfter: time.Now().Add(time.Hour), Err: failed})
	}
	return nil
}

// wakeSiblings wakes up the notes of a company that wait, or waited, behind another.
func wakeSiblings(ctx context.Context, tx *sqlx.Tx, noteID string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM notes
		WHERE organization_id = (SELECT organization_id FROM notes WHERE id = $1) AND held_reason IS NOT NULL
			AND held_reason ->> 'code' IN ('`+string(fact.HeldBySibling)+`', '`+string(fact.RefusedForSettings)+`')
			AND id <> $1
		ORDER BY id LIMIT $2 `+outbox.AskAgain, noteID, mostWoken)
	return err
}

// mostWoken is how many notes one statement wakes up that must not take long.
const mostWoken = 10_000

// waitForRelease makes a note that is to wait behind another first wait for a sibling hold that is being lifted.
// Otherwise the transaction that lifts it would not see the note, nor the note that the hold is lifted.
func waitForRelease(ctx context.Context, tx *sqlx.Tx, noteID string) error {
	_, err := tx.ExecContext(ctx, `SELECT FROM refusal_brakes
		WHERE organization_id = (SELECT organization_id FROM notes WHERE id = $1) AND note_id <> $1
		FOR KEY SHARE`, noteID)
	return err
}

// correctable is a condition: nothing of an exchange exists, and its refusal is corrected, a person's to correct, or
// doubted (fiscal.Exchange.Correctable).
const correctable = `NOT ambiguous AND (state = 'unsigned' AND disposition IN ('needs_person', 'mended')
	OR state = 'signed' AND disposition IS NULL AND rejection ->> 'code' = doubted_code)`

// TakePresent gives a note that its authority certainly refused what is set at present for its company, its service
// and its customer, and reports whether anything has changed since it last took that. If so, the note is signed again
// with what a person has set, without earlier automatic corrections. A note that was corrected and not signed since
// takes the present settings too, as it may wait for what the first change has led to. The lease of its exchange must
// be held, and the profile be of its sequence.
func (s *Store) TakePresent(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease,
	profile nfse.FiscalProfile,
	certificateID string) (changed bool, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		changed, err = takePresent(ctx, tx, e, lease, profile, certificateID)
		return err
	})
	return changed, err
}

func takePresent(ctx context.Context, tx *sqlx.Tx, e *exchanges.Exchange, lease exchanges.Lease,
	profile nfse.FiscalProfile,
	certificateID string) (changed bool, err error) {
	var signedByAnother []bool // none where the exchange moved on; one that is corrected is signed in any case
	err = tx.SelectContext(ctx, &signedByAnother, `
		SELECT coalesce(disposition = 'needs_person' AND (SELECT certificate_id FROM fiscal_messages
			WHERE exchange_id = $1 ORDER BY id DESC LIMIT 1) <> $3, false)
		FROM fiscal_exchanges WHERE id = $1 AND lease_token = $2 AND `+correctable+`
		FOR NO KEY UPDATE`, e.ID, lease.Token, certificateID)
	if err != nil || len(signedByAnother) == 0 {
		return false, err
	}
	noteChanged, err := takePresentOfNote(ctx, tx, e.NoteID)
	if err != nil {
		return false, err
	}
	profile.GrantedNumbers = e.Profile.GrantedNumbers // of another range nothing is sent
	profileChanged := nfse.VersionOf(profile) != nfse.VersionOf(e.Profile)
	if !noteChanged && !profileChanged && !signedByAnother[0] {
		return false, nil
	}
	content, err := nfse.Marshal(profile)
	if err != nil {
		return false, err
	}
	_, err = tx.ExecContext(ctx, `
		WITH taken AS (
			UPDATE fiscal_exchanges SET profile = $2, state = 'unsigned', disposition = 'mended', mends = '[]',
				doubted_code = NULL, doubted_until = NULL, updated_at = now()
			WHERE id = $1
			RETURNING note_id
		)
		INSERT INTO note_steps (note_id, fact) SELECT note_id, $3::jsonb FROM taken`, e.ID, string(content),
		fact.SettingsTaken.With("code", e.Rejection.Code))
	return err == nil, err
}

// UseUpRefusedNumber ends the exchange of a note that its authority certainly refused, as its number is of
// another sequence than the profile's at present: the note takes one of that. The lease of its
// exchange must be held.
func (s *Store) UseUpRefusedNumber(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease) error {
	return s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		spent, err := postgres.Affected(tx.ExecContext(ctx, `
			WITH spent AS (
				UPDATE fiscal_exchanges SET state = 'spent', lease_token = NULL, lease_until = NULL, updated_at = now()
				WHERE id = $1 AND lease_token = $2 AND kind = 'issue' AND `+correctable+`
				RETURNING note_id
			)
			INSERT INTO note_steps (note_id, fact) SELECT note_id, $3::jsonb FROM spent`, e.ID, lease.Token,
			fact.SettingsTaken.With("code", e.Rejection.Code)))
		if err == nil && spent > 0 {
			_, err = takePresentOfNote(ctx, tx, e.NoteID)
		}
		return err
	})
}

// SameSequence reports whether two profiles take their numbers from one sequence.
func SameSequence(a, b nfse.FiscalProfile) bool {
	return a.IssuerKey() == b.IssuerKey() && a.MunicipalityCode == b.MunicipalityCode && a.Series == b.Series
}

// takePresentOfNote gives a note what its service and customer have at present: the codes and the
// rate of the service, its classification, and how they are taxed.
func takePresentOfNote(ctx context.Context, tx *sqlx.Tx, noteID string) (changed bool, err error) {
	var row struct {
		Snapshot       []byte `db:"snapshot"` // of the service, as the note has it
		Classification []byte `db:"classification"`
		Taxation       []byte `db:"taxation"`
		nfse.Service
	}
	err = tx.GetContext(ctx, &row, `
		SELECT `+notes.NoteService+` AS snapshot, coalesce(c.classification, n.classification) AS classification,
			(`+notes.PresentTaxationSQL(`n.organization_id`, `n.livemode`, `n.service_id`, `n.customer_id`)+`) AS taxation,
			s.national_tax_code, s.municipal_tax_code, s.municipal_taxation, s.iss_rate_hundredths
		FROM notes n JOIN services s ON s.id = n.service_id
		LEFT JOIN service_classifications c ON (c.organization_id, c.livemode, c.service_id)
			= (n.organization_id, n.livemode, n.service_id)
		WHERE n.id = $1`, noteID)
	if err != nil {
		return false, err
	}
	var snapshot nfse.ServiceSnapshot
	if err := json.Unmarshal(row.Snapshot, &snapshot); err != nil {
		return false, err
	}
	snapshot.NationalTaxCode, snapshot.MunicipalTaxCode = row.NationalTaxCode, row.MunicipalTaxCode
	snapshot.MunicipalTaxation, snapshot.ISSRate = row.MunicipalTaxation, row.ISSRate
	content, err := nfse.Marshal(snapshot)
	if err != nil {
		return false, err
	}
	rows, err := postgres.Affected(tx.ExecContext(ctx, `
		UPDATE notes SET service = $2::jsonb, service_snapshot_id = NULL, service_description = NULL,
			classification = $3::jsonb, taxation = $4::jsonb, updated_at = now(), `+outbox.RequeueLater+`
		WHERE id = $1 AND status = 'processing' AND (`+notes.NoteService+` IS DISTINCT FROM $2::jsonb
			OR classification IS DISTINCT FROM $3::jsonb OR taxation IS DISTINCT FROM $4::jsonb)`,
		noteID, string(content), textOf(row.Classification), textOf(row.Taxation)))
	return rows > 0, err
}

// textOf is what a column of jsonb takes; nil for null.
func textOf(content []byte) *string {
	if content == nil {
		return nil
	}
	return new(string(content))
}
