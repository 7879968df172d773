package lifecycle

import (
	"context"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/postgres"
)

// noteEnded is what follows the end of a live note, in the transaction of the end, once the event and its deliveries
// are stored: of an issued one the e-mail and the ledger's entry; of one that was cancelled after it was issued the
// entry that reverses that.
func (s *Store) noteEnded(ctx context.Context, tx *sqlx.Tx, eventType nfse.EventType, note nfse.Note) error {
	switch {
	case eventType == nfse.EventIssued:
		return s.emailAndEnter(ctx, tx, note.ID)
	case eventType == nfse.EventCancelled && note.IssuedAt != nil:
		return reverseEntry(ctx, tx, note.ID)
	}
	return nil
}

// cancellationEnded is what follows the end of a request to cancel at an authority: the city's term is learned, and
// where the company has set it so the city is asked for an analysis.
func (s *Store) cancellationEnded(ctx context.Context, tx *sqlx.Tx, e *exchanges.Exchange, settled Settled) (Settled,
	error) {
	if err := learnTerm(ctx, tx, e); err != nil || e.State != fiscal.Rejected || !e.Handling.Analysable() {
		return settled, err
	}
	note, started, err := requestAnalysis(ctx, tx, e.NoteID, e.RequestID, nil, fact.AnalysisRequestedAtOnce.Fact(),
		asksAtOnce)
	if started {
		settled.Note = note
	}
	return settled, err
}

var insertEmailAndEntry = `
	WITH note AS (
		SELECT n.id, n.organization_id, n.livemode, n.amount_cents, n.email_customer, n.register_ledger, c.email
		FROM notes n JOIN customers c ON c.id = n.customer_id
		WHERE n.id = $1 AND n.livemode AND n.status = 'issued'
	), email AS (
		INSERT INTO emails (id, organization_id, livemode, note_id, status, reason, resolved_at)
		SELECT $2, organization_id, livemode, id,
			CASE WHEN email IS NULL THEN 'skipped' ELSE 'pending' END,
			CASE WHEN email IS NULL THEN ` + postgres.FactSQL(fact.EmailWithoutAddress) + ` END,
			CASE WHEN email IS NULL THEN now() END
		FROM note WHERE email_customer
		ON CONFLICT DO NOTHING
		RETURNING id, organization_id, livemode, status
	), start AS (
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, traceparent)
		SELECT 'email', id, organization_id, livemode, $4 FROM email WHERE status = 'pending'
	)
	INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents)
	SELECT $3, organization_id, livemode, id, 'issued', amount_cents FROM note WHERE register_ledger
	ON CONFLICT DO NOTHING`

// emailAndEnter does what the defaults of the note's key ask for: the e-mail to the customer, with the row that starts
// it, and the entry in the ledger. For a customer without an address the e-mail is recorded as skipped. Repeated, it
// changes nothing.
func (s *Store) emailAndEnter(ctx context.Context, tx *sqlx.Tx, noteID string) error {
	_, err := s.db.Within(ctx, tx, insertEmailAndEntry).ExecContext(ctx,
		noteID, nfse.NewID(nfse.PrefixEmail), nfse.NewID(nfse.PrefixLedgerEntry), trace.Parent(ctx))
	return err
}

// reverseEntry adds the entry that reverses the one of the issued note. A note that is not
// in the ledger gets none. Repeated, it changes nothing.
func reverseEntry(ctx context.Context, tx *sqlx.Tx, noteID string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents)
		SELECT $2, organization_id, livemode, note_id, 'reversed', -amount_cents
		FROM ledger_entries WHERE note_id = $1 AND kind = 'issued'
		ON CONFLICT DO NOTHING`,
		noteID, nfse.NewID(nfse.PrefixLedgerEntry))
	return err
}
