package store

import (
	"context"

	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/nfse"
)

// TakenNumber is a number of a series that a note of ours has taken.
type TakenNumber struct {
	Number   int64        `db:"number"`
	NoteID   string       `db:"note_id"`
	State    fiscal.State `db:"state"`
	Document *string      `db:"authority_number"` // the number of what was made of it, where it is known
}

const takenNumbers = `SELECT e.number, e.note_id, e.state, e.authority_number FROM fiscal_exchanges e
	WHERE e.kind = 'issue'
		AND (e.authority, e.production, e.issuer, e.municipality_code, e.series) = ($1, $2, $3, $4, $5) `

// OpenNumbers are the numbers of a profile's series of which it is not known yet what
// becomes of them, lowest first, at most so many.
func (s *Store) OpenNumbers(ctx context.Context, profile nfse.FiscalProfile, most int) ([]TakenNumber, error) {
	return s.takenNumbers(ctx, profile, `AND e.state IN ('unsigned', 'signed', 'in_doubt')
		AND e.note_id IN (SELECT id FROM notes WHERE organization_id = $6 AND livemode AND status = 'processing')
		ORDER BY e.number LIMIT $7`, profile.OrganizationID, most)
}

// TakenNumbers are those of the numbers of a profile's series that notes of ours have
// taken, lowest first.
func (s *Store) TakenNumbers(ctx context.Context, profile nfse.FiscalProfile, numbers []int64) ([]TakenNumber, error) {
	return s.takenNumbers(ctx, profile, `AND e.number = ANY ($6) ORDER BY e.number`, pq.Int64Array(numbers))
}

func (s *Store) takenNumbers(ctx context.Context, profile nfse.FiscalProfile, which string,
	more ...any) (taken []TakenNumber, err error) {
	arguments := append([]any{profile.Authority, profile.Production, string(profile.TaxID), profile.MunicipalityCode,
		profile.Series}, more...)
	err = s.db.SelectContext(ctx, &taken, takenNumbers+which, arguments...)
	return taken, err
}
