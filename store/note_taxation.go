package store

import (
	"context"
	"encoding/json"

	"emissor/nfse"
)

// presentTaxation is a subquery: what is set at present for a service and a customer, with the
// open work and event that they refer to (nfse.Taxation); null where nothing is.
func presentTaxation(organization, livemode, service, customer string) string {
	return `SELECT nullif(jsonb_strip_nulls(jsonb_build_object(
			'service', s.taxation, 'customer', c.taxation,
			'work', w.work || jsonb_build_object('id', w.id), 'event', e.event || jsonb_build_object('id', e.id))),
				'{}')
		FROM (SELECT) AS one
		LEFT JOIN service_taxations s ON (s.organization_id, s.livemode, s.service_id)
			= (` + organization + `, ` + livemode + `, ` + service + `)
		LEFT JOIN customer_taxations c ON (c.organization_id, c.livemode, c.customer_id)
			= (` + organization + `, ` + livemode + `, ` + customer + `)
		LEFT JOIN works w ON (w.organization_id, w.livemode, w.id)
			= (` + organization + `, ` + livemode + `, coalesce(c.taxation->>'work_id', s.taxation->>'work_id'))
			AND w.closed_at IS NULL
		LEFT JOIN cultural_events e ON (e.organization_id, e.livemode, e.id)
			= (` + organization + `, ` + livemode + `, s.taxation->>'event_id') AND e.closed_at IS NULL`
}

// TakeTaxation gives a live note that has taken no number what is set at present for its service
// and customer. taken is nil where that has not changed since it was accepted.
func (s *Store) TakeTaxation(ctx context.Context, noteID string) (taken *nfse.Taxation, err error) {
	var content []byte
	err = s.get(ctx, &content, `
		UPDATE notes SET taxation = present.taxation, `+requeueLater+`
		FROM (SELECT n.id, (`+presentTaxation(`n.organization_id`, `n.livemode`, `n.service_id`, `n.customer_id`)+`)
			AS taxation FROM notes n WHERE n.id = $1) AS present
		WHERE notes.id = present.id AND notes.taxation IS DISTINCT FROM present.taxation
			AND status IN ('queued', 'processing')
			AND NOT EXISTS (SELECT FROM fiscal_exchanges x WHERE x.note_id = $1 AND x.kind = 'issue'
				AND x.state NOT IN ('number_conflict', 'unused', 'spent'))
		RETURNING coalesce(notes.taxation, '{}')`, noteID)
	if err != nil {
		return nil, noRow(err, nil)
	}
	taken = &nfse.Taxation{}
	return taken, json.Unmarshal(content, taken)
}
