package store

import (
	"context"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// LiveNote is a note on its way to an authority, and where one exchange of it
// stands.
type LiveNote struct {
	nfse.Note
	Scope                     nfse.Scope
	ConfirmMunicipalOperation bool
	Classification            *nfse.Classification // nil: the note has taken none
	HeldReason                fact.Fact            // what it waits for that only a person can give
	CancellationRequestID     string               // of the last request to cancel
	Exchange                  *Exchange            // of the kind that was asked for; nil while there is none
}

// LiveNote reads a live note and its current exchange of a kind.
func (s *Store) LiveNote(ctx context.Context, id string, kind fiscal.Kind) (LiveNote, error) {
	exchange, err := s.exchange(ctx, id, kind) // first, so that the note is as new: see SetCompetence
	if err != nil {
		return LiveNote{}, err
	}
	return s.LeasedNote(ctx, id, exchange)
}

// LeasedNote reads the live note of an exchange that was leased.
func (s *Store) LeasedNote(ctx context.Context, id string, leased *Exchange) (LiveNote, error) {
	var row struct {
		noteRow
		Confirm               bool      `db:"confirm_municipal_operation"`
		HeldReason            fact.Fact `db:"held_reason"`
		CancellationRequestID string    `db:"cancellation_request_id"`
		Classification        []byte    `db:"classification"`
	}
	err := s.get(ctx, &row, `SELECT `+noteColumns+`, confirm_municipal_operation, held_reason, classification,
			coalesce(cancellation_request_id, '') AS cancellation_request_id
		FROM notes WHERE id = $1 AND livemode`, id)
	if err != nil {
		return LiveNote{}, err
	}
	live := LiveNote{
		Scope:                     nfse.Scope{OrganizationID: row.OrganizationID, Livemode: true},
		ConfirmMunicipalOperation: row.Confirm, HeldReason: row.HeldReason,
		CancellationRequestID: row.CancellationRequestID, Exchange: leased,
	}
	if live.Classification, err = decodeClassification(row.Classification); err != nil {
		return live, err
	}
	live.Note, err = row.note()
	return live, err
}
