package notes

import (
	"context"

	"emissor/store/companies"
)

// Erased replaces a name or another text.
const Erased = "apagado a pedido do titular"

// Used is what an organization has made use of.
type Used struct {
	Works      bool `db:"works"`
	Events     bool `db:"events"`
	Keys       bool `db:"keys"`       // or endpoints
	Restricted bool `db:"restricted"` // its live notes go to an authority's test system
}

// UsedBy reads what an organization has made use of, in either environment.
func (s *Store) UsedBy(ctx context.Context, organizationID string) (used Used, err error) {
	err = s.db.GetContext(ctx, &used, `SELECT
		EXISTS (SELECT FROM works WHERE organization_id = $1) AS works,
		EXISTS (SELECT FROM cultural_events WHERE organization_id = $1) AS events,
		EXISTS (SELECT FROM api_keys WHERE organization_id = $1)
			OR EXISTS (SELECT FROM webhook_endpoints WHERE organization_id = $1 AND deleted_at IS NULL) AS keys,
		EXISTS (SELECT FROM fiscal_profiles p WHERE organization_id = $1 AND NOT `+companies.OfProduction+`)
			AS restricted`,
		organizationID)
	return used, err
}
