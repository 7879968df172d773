package store

import (
	"context"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
)

// CityTable is an imported table of the cities that issue by servers of their own.
type CityTable struct {
	ID           string         `db:"id" json:"id"`
	SourceName   string         `db:"source_name" json:"source_name"`
	SourceSHA256 string         `db:"source_sha256" json:"source_sha256"` // in hexadecimal
	Content      string         `db:"content" json:"-"`                   // of the file
	ImportedAt   nfse.Timestamp `db:"imported_at" json:"imported_at"`
}

// ImportCityTable adds a table, which takes the place of the one before, and wakes up the notes that
// wait, as they may wait for a city. The caller has read it: what cannot be read must not get here.
func (c *Changes) ImportCityTable(ctx context.Context, table CityTable) error {
	return c.change(ctx, func(tx *sqlx.Tx) ([]auditRecord, error) {
		table.ID = nfse.NewID(nfse.PrefixCityTable)
		_, err := tx.ExecContext(ctx, `
			INSERT INTO city_tables (id, source_name, source_sha256, content) VALUES ($1, $2, $3, $4)`,
			table.ID, table.SourceName, table.SourceSHA256, table.Content)
		if err != nil {
			return nil, err
		}
		record := auditRecord{Action: AuditCityImport, SubjectID: table.ID,
			After: map[string]any{"source_name": table.SourceName, "source_sha256": table.SourceSHA256}}
		return []auditRecord{record}, resumeAllHeld(ctx, tx)
	})
}

// LastCityTable is the table that was imported last; one without an id where none was.
func (s *Store) LastCityTable(ctx context.Context) (table CityTable, err error) {
	err = s.get(ctx, &table, `
		SELECT id, source_name, source_sha256, content, imported_at FROM city_tables ORDER BY id DESC LIMIT 1`)
	return table, noRow(err, nil)
}

// CityTable implements cities.Loader: the id and the content of the table that was imported last.
func (s *Store) CityTable(ctx context.Context) (id, content string, err error) {
	table, err := s.LastCityTable(ctx)
	return table.ID, table.Content, err
}

// CityTables lists all imported tables, the last first.
func (s *Store) CityTables(ctx context.Context) ([]CityTable, error) {
	all := []CityTable{}
	err := s.db.SelectContext(ctx, &all, `
		SELECT id, source_name, source_sha256, content, imported_at FROM city_tables ORDER BY id DESC`)
	return all, err
}

// Company is an organization whose fiscal profile names an authority.
type Company struct {
	OrganizationID string `db:"organization_id" json:"organization_id"`
	Name           string `db:"name" json:"name"`
	Authority      string `db:"authority" json:"authority"`
}

// Companies lists the organizations that issue by any of these authorities, by their names.
func (s *Store) Companies(ctx context.Context, authorities []string) ([]Company, error) {
	companies := []Company{}
	err := s.db.SelectContext(ctx, &companies, `
		SELECT p.organization_id, o.name, p.authority
		FROM fiscal_profiles p JOIN organizations o ON o.id = p.organization_id
		WHERE p.authority = ANY($1) ORDER BY p.authority, o.name, p.organization_id`, pq.Array(authorities))
	return companies, err
}

// NotesUnderWay are live notes that have not ended, or whose cancellation has not.
type NotesUnderWay struct {
	Authority string `db:"authority" json:"authority"`
	Notes     int    `db:"notes" json:"notes"`
	InDoubt   int    `db:"in_doubt" json:"in_doubt"` // of which it is not known what became of a sending
}

// NotesUnderWay counts, for each of these authorities, the notes whose number or document is of it, and
// those without a number of companies that issue by it on some day. One that has none is left out.
func (s *Store) NotesUnderWay(ctx context.Context, authorities []string) ([]NotesUnderWay, error) {
	counted := []NotesUnderWay{}
	err := s.db.SelectContext(ctx, &counted, `
		WITH living AS (
			SELECT id, organization_id FROM notes
			WHERE livemode AND (status IN ('queued', 'processing') OR `+cancellationToDo+`)
		), numbered AS (
			SELECT l.id, e.authority, bool_or(e.state = 'in_doubt' OR e.ambiguous) AS doubtful
			FROM living l JOIN fiscal_exchanges e ON e.note_id = l.id
			WHERE e.state NOT IN ('number_conflict', 'unused', 'spent')
			GROUP BY l.id, e.authority
		), of AS (
			SELECT id, authority, doubtful FROM numbered
			UNION ALL
			SELECT l.id, p.authority, false FROM living l JOIN `+issuingProfiles+` p USING (organization_id)
			WHERE NOT EXISTS (SELECT FROM numbered WHERE numbered.id = l.id)
		)
		SELECT authority, count(*) AS notes, count(*) FILTER (WHERE doubtful) AS in_doubt FROM of
		WHERE authority = ANY($1) GROUP BY authority ORDER BY authority`, pq.Array(authorities))
	return counted, err
}
