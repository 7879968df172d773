package catalogues

import (
	"context"

	"github.com/jmoiron/sqlx"

	"emissor/store/audit"
	"emissor/store/postgres"
)

// ZipCode returns the remembered answer of an on-line service, empty when there
// is none from the last ninety days, and the municipality of the imported range
// around the zip code, empty when there is none.
func (s *Store) ZipCode(ctx context.Context, zip string) (remembered, ranged string, err error) {
	lookUp, err := s.db.Prepared(ctx, `
		SELECT
			coalesce((SELECT municipality_code FROM zip_codes
				WHERE zip_code = $1 AND fetched_at > now() - interval '90 days'), ''),
			coalesce((SELECT municipality_code FROM (
				SELECT zip_end, municipality_code FROM zip_code_ranges
				WHERE zip_start <= $1 ORDER BY zip_start DESC LIMIT 1) nearest
				WHERE zip_end >= $1), '')`)
	if err != nil {
		return "", "", err
	}
	err = lookUp.QueryRowxContext(ctx, zip).Scan(&remembered, &ranged)
	return remembered, ranged, err
}

// RememberZipCode stores the answer of an on-line service.
func (s *Store) RememberZipCode(ctx context.Context, zip, code string) error {
	_, err := s.db.ExecContext(ctx, `
		INSERT INTO zip_codes (zip_code, municipality_code) VALUES ($1, $2)
		ON CONFLICT (zip_code) DO UPDATE SET municipality_code = EXCLUDED.municipality_code, fetched_at = now()`, zip,
		code)
	return err
}

// ZipCodeRange is a range of zip codes that belongs to one municipality.
type ZipCodeRange struct {
	Start            string `db:"zip_start"` // inclusive, 8 digits
	End              string `db:"zip_end"`   // inclusive
	MunicipalityCode string `db:"municipality_code"`
}

// ReplaceZipCodeRanges replaces all ranges by the imported ones. Imports run one at a time,
// as two would leave a mixture.
func (c *Changes) ReplaceZipCodeRanges(ctx context.Context, ranges []ZipCodeRange) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		if _, err := tx.ExecContext(ctx, `LOCK TABLE zip_code_ranges IN SHARE ROW EXCLUSIVE MODE`); err != nil {
			return record, err
		}
		before, err := postgres.Affected(tx.ExecContext(ctx, `DELETE FROM zip_code_ranges`))
		if err != nil {
			return record, err
		}
		record = audit.Record{Action: audit.ZipCodesImport, SubjectID: "zip_code_ranges",
			Before: map[string]any{"ranges": before}, After: map[string]any{"ranges": len(ranges)}}
		rest := ranges
		const batch = 1000 // rows a statement: PostgreSQL takes 65,535 parameters
		for len(rest) > 0 {
			n := min(batch, len(rest))
			if _, err := tx.NamedExecContext(ctx, `
				INSERT INTO zip_code_ranges (zip_start, zip_end, municipality_code)
				VALUES (:zip_start, :zip_end, :municipality_code)`, rest[:n]); err != nil {
				return record, err
			}
			rest = rest[n:]
		}
		return record, nil
	})
}
