package numbers

import (
	"context"

	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/companies"
)

// TakenNumber is a number of a series that a note of ours has taken.
type TakenNumber struct {
	Number   int64        `db:"number"`
	NoteID   string       `db:"note_id"`
	State    fiscal.State `db:"state"`
	Document *string      `db:"authority_number"` // the number of its document, where it is known
}

const takenNumbers = `SELECT number, note_id, state, authority_number FROM fiscal_exchanges
	WHERE kind = 'issue' AND ` + companies.ThisSequence + ` `

// OpenNumbers are the numbers of a profile's series whose exchanges have not ended, lowest
// first, at most most of them.
func (s *Store) OpenNumbers(ctx context.Context, profile nfse.FiscalProfile, most int) ([]TakenNumber, error) {
	return s.takenNumbers(ctx, profile.SeriesKey(), `AND state IN ('unsigned', 'signed', 'in_doubt')
		AND note_id IN (SELECT id FROM notes WHERE organization_id = $6 AND livemode AND status = 'processing')
		ORDER BY number LIMIT $7`, profile.OrganizationID, most)
}

// TakenNumbers are those among the numbers of a series that notes of ours have taken, lowest
// first.
func (s *Store) TakenNumbers(ctx context.Context, series nfse.SeriesKey, numbers []int64) ([]TakenNumber, error) {
	return s.takenNumbers(ctx, series, `AND number = ANY ($6) ORDER BY number`, pq.Int64Array(numbers))
}

func (s *Store) takenNumbers(ctx context.Context, series nfse.SeriesKey, which string,
	more ...any) (taken []TakenNumber, err error) {
	err = s.db.SelectContext(ctx, &taken, takenNumbers+which, companies.SequenceArguments(series, more...)...)
	return taken, err
}
