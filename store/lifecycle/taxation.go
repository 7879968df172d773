package lifecycle

import (
	"context"
	"encoding/json"

	"emissor/nfse"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// TakeTaxation gives a live note that has taken no number what is set at present for its service
// and customer. taken is nil where that has not changed since it was accepted.
func (s *Store) TakeTaxation(ctx context.Context, noteID string) (taken *nfse.Taxation, err error) {
	var content []byte
	err = s.db.Get(ctx, &content, `
		UPDATE notes SET taxation = present.taxation, `+outbox.RequeueLater+`
		FROM (SELECT n.id, (`+notes.PresentTaxationSQL(`n.organization_id`, `n.livemode`, `n.service_id`, `n.customer_id`)+
		`)
			AS taxation FROM notes n WHERE n.id = $1) AS present
		WHERE notes.id = present.id AND notes.taxation IS DISTINCT FROM present.taxation
			AND status IN ('queued', 'processing')
			AND NOT EXISTS (SELECT FROM fiscal_exchanges x WHERE x.note_id = $1 AND x.kind = 'issue'
				AND x.state NOT IN ('number_conflict', 'unused', 'spent'))
		RETURNING coalesce(notes.taxation, '{}')`, noteID)
	if err != nil {
		return nil, postgres.NoRow(err, nil)
	}
	taken = &nfse.Taxation{}
	return taken, json.Unmarshal(content, taken)
}
