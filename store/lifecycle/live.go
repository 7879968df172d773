package lifecycle

import (
	"context"
	"encoding/json"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/notes"
)

// LiveNote is a note on its way to an authority.
type LiveNote struct {
	nfse.Note
	Scope                     nfse.Scope
	ConfirmMunicipalOperation bool
	Classification            *nfse.Classification  // nil: the note has taken none
	Taxation                  nfse.Taxation         // as it was set when the note was accepted
	Details                   nfse.NoteDetails      // that a person gave in the form
	HeldReason                fact.Fact             // what it waits for that only a person can give
	WasHeld                   bool                  // it waits for a person or in doubt of a refusal, or did before
	HeldFor                   time.Duration         // since it began to wait for what it waits for, or did last
	CancellationRequestID     string                // of the last request to cancel
	Profile                   *notes.PresentProfile // of its organization; nil: it has none
	SiblingHolds              []SiblingHold         // of other notes of the company that are refused

	Open     bool                // there is a current exchange of the kind that was asked for
	Numbered bool                // it has taken a number, now or before
	Exchange *exchanges.Exchange // as it was read before the note
}

// LiveNote reads a live note for an exchange of a kind, without the exchange. A caller that
// decides by both reads the exchange first: see SetCompetence.
func (s *Store) LiveNote(ctx context.Context, id string, kind fiscal.Kind) (live LiveNote, err error) {
	var row struct {
		notes.Row
		Confirm               bool      `db:"confirm_municipal_operation"`
		HeldReason            fact.Fact `db:"held_reason"`
		WasHeld               bool      `db:"was_held"`
		HeldSeconds           float64   `db:"held_seconds"`
		CancellationRequestID string    `db:"cancellation_request_id"`
		Classification        []byte    `db:"classification"`
		Taxation              []byte    `db:"taxation"`
		Details               []byte    `db:"details"`
		Profile               []byte    `db:"profile"`
		SiblingHolds          []byte    `db:"sibling_holds"`
		Open                  bool      `db:"open"`
		Numbered              bool      `db:"numbered"`
	}
	err = s.db.Get(ctx, &row, `SELECT `+notes.Columns+`, confirm_municipal_operation, held_reason,
			held_since IS NOT NULL AS was_held, classification,
			coalesce(extract(epoch FROM now() - held_since), 0)::float8 AS held_seconds,
		taxation, details,
			coalesce(cancellation_request_id, '') AS cancellation_request_id,
			`+notes.PresentProfileSQL+` AS profile, `+siblingHoldsOf+` AS sibling_holds,
			EXISTS (SELECT FROM fiscal_exchanges WHERE `+exchanges.CurrentExchange+`) AS open,
			EXISTS (SELECT FROM fiscal_exchanges e WHERE e.note_id = $1 AND e.kind = 'issue') AS numbered
		FROM notes WHERE id = $1 AND livemode`, id, kind)
	if err != nil {
		return live, err
	}
	live = LiveNote{
		Scope:                     nfse.Scope{OrganizationID: row.OrganizationID, Livemode: true},
		ConfirmMunicipalOperation: row.Confirm, HeldReason: row.HeldReason, WasHeld: row.WasHeld,
		HeldFor:               time.Duration(row.HeldSeconds * float64(time.Second)),
		CancellationRequestID: row.CancellationRequestID, Open: row.Open, Numbered: row.Numbered,
	}
	if live.Classification, err = decodeClassification(row.Classification); err != nil {
		return live, err
	}
	for column, into := range map[*[]byte]any{
		&row.Taxation: &live.Taxation, &row.Details: &live.Details, &row.Profile: &live.Profile,
		&row.SiblingHolds: &live.SiblingHolds,
	} {
		if *column == nil {
			continue
		}
		if err := json.Unmarshal(*column, into); err != nil {
			return live, err
		}
	}
	live.Note, err = row.Note()
	return live, err
}

// NoteDetails reads what a person gave in the form for a note of the scope; the zero value where
// nothing was.
func (s *Store) NoteDetails(ctx context.Context, scope nfse.Scope, id string) (details nfse.NoteDetails, err error) {
	var content []byte
	err = s.db.Get(ctx, &content, `SELECT coalesce(details, '{}') FROM notes
		WHERE (organization_id, livemode, id) = ($1, $2, $3)`, scope.OrganizationID, scope.Livemode, id)
	if err != nil {
		return details, err
	}
	return details, json.Unmarshal(content, &details)
}
