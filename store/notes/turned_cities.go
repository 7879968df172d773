package notes

import (
	"context"

	"emissor/nfse"
	"emissor/store/companies"
)

// TurnedCity is a company that issues by its city, which is on the national system too by now: a person
// decides whether it goes over.
type TurnedCity struct {
	OrganizationID   string         `db:"organization_id"`
	Authority        string         `db:"authority"` // of its fiscal profile
	Production       bool           `db:"production"`
	MunicipalityCode string         `db:"municipality_code"`
	FetchedAt        nfse.Timestamp `db:"fetched_at"`
}

// turnedCities are the fiscal profiles p that name another authority than that of which their city has
// become an adherent, by its parameters m there, and that move to it on no day either.
const turnedCities = `fiscal_profiles p JOIN municipal_parameters m ON m.authority <> p.authority
	AND m.production = ` + companies.OfProduction + ` AND m.municipality_code = p.profile ->> 'municipality_code'
	AND m.city -> 'active' = 'true' AND m.city -> 'aderenteEmissorNacional' = 'true' AND m.doubted_at IS NULL
	AND NOT coalesce(p.profile -> 'moves' @> jsonb_build_array(jsonb_build_object('authority', m.authority)), false)`

// TurnedCities lists the companies whose city is on the national system too, at most limit of them.
func (s *Store) TurnedCities(ctx context.Context, limit int) ([]TurnedCity, error) {
	turned := []TurnedCity{}
	err := s.db.SelectContext(ctx, &turned, `
		SELECT p.organization_id, p.authority, m.production, m.municipality_code, m.fetched_at
		FROM `+turnedCities+` ORDER BY p.organization_id LIMIT $1`, limit)
	return turned, err
}
