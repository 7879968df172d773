package notes

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

// MostSavedFilters is how many filters a person may keep in an organization and environment.
const MostSavedFilters = 20

// ErrManyFilters means that a person has as many filters as they may keep.
var ErrManyFilters = errors.New("store: there are as many saved filters as there may be")

// SavedFilter is a filter of the list of notes that a person has kept under a name.
type SavedFilter struct {
	ID    string
	Name  string
	Query map[string]string // the fields of the filter with their values
}

// SavedFilters lists a person's filters of a scope by their names.
func (s *Store) SavedFilters(ctx context.Context, scope nfse.Scope, userID string) ([]SavedFilter, error) {
	var rows []struct {
		ID    string `db:"id"`
		Name  string `db:"name"`
		Query []byte `db:"query"`
	}
	err := s.db.SelectContext(ctx, &rows, `SELECT id, name, query FROM saved_filters
		WHERE user_id = $1 AND organization_id = $2 AND livemode = $3 ORDER BY lower(name), id LIMIT $4`,
		userID, scope.OrganizationID, scope.Livemode, MostSavedFilters)
	if err != nil {
		return nil, err
	}
	filters := make([]SavedFilter, len(rows))
	for i, row := range rows {
		filters[i] = SavedFilter{ID: row.ID, Name: row.Name}
		if err := json.Unmarshal(row.Query, &filters[i].Query); err != nil {
			return nil, err
		}
	}
	return filters, nil
}

// SaveFilter keeps a filter for a person; one of the same name is replaced. It is ErrManyFilters where
// there are as many as there may be. Nobody else sees it, so that the audit log has nothing of it.
func (s *Store) SaveFilter(ctx context.Context, scope nfse.Scope, userID string, filter SavedFilter) error {
	query, err := nfse.Marshal(filter.Query)
	if err != nil {
		return err
	}
	return s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		// The person's row is locked, so that two filters at once are not one too many.
		if _, err := tx.ExecContext(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, userID); err != nil {
			return err
		}
		saved, err := postgres.Affected(tx.ExecContext(ctx, `
			INSERT INTO saved_filters (id, user_id, organization_id, livemode, name, query)
			SELECT $1, $2, $3, $4, $5, $6::jsonb
			WHERE (SELECT count(*) FROM saved_filters WHERE user_id = $2 AND organization_id = $3 AND livemode = $4
				AND name <> $5) < $7
			ON CONFLICT (user_id, organization_id, livemode, name) DO UPDATE SET query = excluded.query`,
			nfse.NewID(nfse.PrefixSavedFilter), userID, scope.OrganizationID, scope.Livemode, filter.Name, string(query),
			MostSavedFilters))
		if err == nil && saved == 0 {
			err = ErrManyFilters
		}
		return err
	})
}

// RemoveFilter removes a person's filter; one that is gone, or of somebody else, is left.
func (s *Store) RemoveFilter(ctx context.Context, scope nfse.Scope, userID, id string) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM saved_filters
		WHERE id = $1 AND user_id = $2 AND organization_id = $3 AND livemode = $4`,
		id, userID, scope.OrganizationID, scope.Livemode)
	return err
}

// EraseFilters removes the saved filters of the organization $1 that may name the taker with the tax id $2:
// by the id, or by a longer word of what is on record of the taker. A filter that is removed for a word
// that many names have is soon made again.
var EraseFilters = `
	DELETE FROM saved_filters f WHERE organization_id = $1 AND (
		regexp_replace(f.name || f.query::text, '[^0-9A-Za-z]', '', 'g') ILIKE '%' || $2 || '%'
		OR EXISTS (SELECT FROM customers c, regexp_split_to_table(` + plainWords(
	`concat_ws(' ', c.name, c.nickname, c.email)`) + `, '[^a-z0-9]+') word
			WHERE c.organization_id = $1 AND c.tax_id = $2 AND length(word) > 2
				AND position(word IN ` + plainWords(`f.name || ' ' || f.query::text`) + `) > 0))`

// plainWords is a text without case and accents.
func plainWords(expression string) string {
	return `lower(translate(` + expression + `, '` + catalogues.Accented + `', '` + catalogues.Unaccented + `'))`
}
