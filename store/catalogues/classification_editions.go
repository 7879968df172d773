package catalogues

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/outbox"
)

// ClassificationEdition is an imported edition of a table of classification.
type ClassificationEdition struct {
	ID           string          `db:"id" json:"id"`
	Table        string          `db:"table_name" json:"table"`
	Name         string          `db:"edition" json:"edition"`
	ValidFrom    string          `db:"valid_from" json:"valid_from"` // day, as 2026-11-22
	SourceName   string          `db:"source_name" json:"source_name"`
	SourceSHA256 string          `db:"source_sha256" json:"source_sha256"` // in hexadecimal
	Content      json.RawMessage `db:"content" json:"-"`                   // rows of text, by column
	ImportedAt   nfse.Timestamp  `db:"imported_at" json:"imported_at"`
}

// ImportClassification adds editions, all or none, and wakes up the notes that wait, as
// they may wait for these tables.
func (c *Changes) ImportClassification(ctx context.Context, editions []ClassificationEdition) error {
	return c.Change(ctx, func(tx *sqlx.Tx) (records []audit.Record, err error) {
		for _, e := range editions {
			e.ID = nfse.NewID(nfse.PrefixEdition)
			_, err := tx.ExecContext(ctx, `
				INSERT INTO classification_editions (id, table_name, edition, valid_from, source_name, source_sha256,
					content)
				VALUES ($1, $2, $3, $4::date, $5, $6, $7::jsonb)`,
				e.ID, e.Table, e.Name, e.ValidFrom, e.SourceName, e.SourceSHA256, string(e.Content))
			if err != nil {
				return nil, err
			}
			records = append(records, audit.Record{Action: audit.ClassificationImport, SubjectID: e.ID,
				After: map[string]any{"table": e.Table, "edition": e.Name, "valid_from": e.ValidFrom,
					"source_name": e.SourceName, "source_sha256": e.SourceSHA256}})
		}
		return records, outbox.ResumeAllHeld(ctx, tx)
	})
}

// ClassificationEditions lists all editions, in the order of their import.
func (s *Store) ClassificationEditions(ctx context.Context) ([]ClassificationEdition, error) {
	editions := []ClassificationEdition{}
	err := s.db.SelectContext(ctx, &editions, `
		SELECT id, table_name, edition, to_char(valid_from, 'YYYY-MM-DD') AS valid_from, source_name, source_sha256,
			content, imported_at
		FROM classification_editions ORDER BY id`)
	return editions, err
}

// ClassificationVersion names the state of the editions, which are only added: while it
// stays the same, so do they. Two imports at the same time may commit in another order
// than that of their ids, so the newest id alone is not enough.
func (s *Store) ClassificationVersion(ctx context.Context) (version string, err error) {
	err = s.db.Get(ctx, &version, `SELECT concat(count(*), ' ', max(id)) FROM classification_editions`)
	return version, err
}
