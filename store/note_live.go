package store

import (
	"context"
	"encoding/json"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// LiveNote is a note on its way to an authority.
type LiveNote struct {
	nfse.Note
	Scope                     nfse.Scope
	ConfirmMunicipalOperation bool
	Classification            *nfse.Classification // nil: the note has taken none
	HeldReason                fact.Fact            // what it waits for that only a person can give
	CancellationRequestID     string               // of the last request to cancel
	Profile                   *nfse.FiscalProfile  // of its organization; nil: it has none

	Open     bool      // there is a current exchange of the kind that was asked for
	Numbered bool      // it has taken a number, now or before
	Exchange *Exchange // as it was read before the note
}

// LiveNote reads a live note for an exchange of a kind, without the exchange. A caller that
// decides by both reads the exchange first: see SetCompetence.
func (s *Store) LiveNote(ctx context.Context, id string, kind fiscal.Kind) (live LiveNote, err error) {
	var row struct {
		noteRow
		Confirm               bool      `db:"confirm_municipal_operation"`
		HeldReason            fact.Fact `db:"held_reason"`
		CancellationRequestID string    `db:"cancellation_request_id"`
		Classification        []byte    `db:"classification"`
		Profile               []byte    `db:"profile"`
		Open                  bool      `db:"open"`
		Numbered              bool      `db:"numbered"`
	}
	err = s.get(ctx, &row, `SELECT `+noteColumns+`, confirm_municipal_operation, held_reason, classification,
			coalesce(cancellation_request_id, '') AS cancellation_request_id,
			(SELECT profile FROM fiscal_profiles p WHERE p.organization_id = notes.organization_id) AS profile,
			EXISTS (SELECT FROM fiscal_exchanges WHERE `+currentExchange+`) AS open,
			EXISTS (SELECT FROM fiscal_exchanges e WHERE e.note_id = $1 AND e.kind = 'issue') AS numbered
		FROM notes WHERE id = $1 AND livemode`, id, kind)
	if err != nil {
		return live, err
	}
	live = LiveNote{
		Scope:                     nfse.Scope{OrganizationID: row.OrganizationID, Livemode: true},
		ConfirmMunicipalOperation: row.Confirm, HeldReason: row.HeldReason,
		CancellationRequestID: row.CancellationRequestID, Open: row.Open, Numbered: row.Numbered,
	}
	if live.Classification, err = decodeClassification(row.Classification); err != nil {
		return live, err
	}
	if row.Profile != nil {
		if err := json.Unmarshal(row.Profile, &live.Profile); err != nil {
			return live, err
		}
	}
	live.Note, err = row.note()
	return live, err
}
