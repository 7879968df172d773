package notes

import (
	"context"

	"github.com/lib/pq"

	"emissor/store/companies"
)

// NotesUnderWay counts, for each of these authorities, the notes whose number or document is of it, and
// those without a number of companies that issue by it on some day. One that has none is left out.
func (s *Store) NotesUnderWay(ctx context.Context, authorities []string) ([]companies.NotesUnderWay, error) {
	counted := []companies.NotesUnderWay{}
	err := s.db.SelectContext(ctx, &counted, `
		WITH living AS (
			SELECT id, organization_id FROM notes
			WHERE livemode AND (status IN ('queued', 'processing') OR `+CancellationToDo+`)
		), numbered AS (
			SELECT l.id, e.authority, bool_or(e.state = 'in_doubt' OR e.ambiguous) AS doubtful
			FROM living l JOIN fiscal_exchanges e ON e.note_id = l.id
			WHERE e.state NOT IN ('number_conflict', 'unused', 'spent')
			GROUP BY l.id, e.authority
		), of AS (
			SELECT id, authority, doubtful FROM numbered
			UNION ALL
			SELECT l.id, p.authority, false FROM living l JOIN `+companies.IssuingProfiles+` p USING (organization_id)
			WHERE NOT EXISTS (SELECT FROM numbered WHERE numbered.id = l.id)
		)
		SELECT authority, count(*) AS notes, count(*) FILTER (WHERE doubtful) AS in_doubt FROM of
		WHERE authority = ANY($1) GROUP BY authority ORDER BY authority`, pq.Array(authorities))
	return counted, err
}

// CancellationToDo holds for a note whose cancellation needs something to be done here.
const CancellationToDo = `(cancellation_status IS NOT DISTINCT FROM 'pending' AND analysis IS DISTINCT FROM 'pending')`
