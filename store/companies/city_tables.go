package companies

import (
	"context"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
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
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		table.ID = nfse.NewID(nfse.PrefixCityTable)
		_, err := tx.ExecContext(ctx, `
			INSERT INTO city_tables (id, source_name, source_sha256, content) VALUES ($1, $2, $3, $4)`,
			table.ID, table.SourceName, table.SourceSHA256, table.Content)
		if err != nil {
			return nil, err
		}
		record := audit.Record{Action: audit.CityImport, SubjectID: table.ID,
			After: map[string]any{"source_name": table.SourceName, "source_sha256": table.SourceSHA256}}
		return []audit.Record{record}, outbox.ResumeAllHeld(ctx, tx)
	})
}

// LastCityTable is the table that was imported last; one without an id where none was.
func (s *Store) LastCityTable(ctx context.Context) (table CityTable, err error) {
	err = s.db.Get(ctx, &table, `
		SELECT id, source_name, source_sha256, content, imported_at FROM city_tables ORDER BY id DESC LIMIT 1`)
	return table, postgres.NoRow(err, nil)
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
