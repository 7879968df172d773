package store

import (
	"context"
	"strings"
)

// notesByReference stands in queries for the table by which a reference names a note. Until the database has its
// new form it is that of the notes, as note_references has not all of those of before.
const notesByReference = `/* note_references */`

// named fills in notesByReference.
func (s *Store) named(ctx context.Context, query string) (string, error) {
	contracted, err := s.contracted(ctx)
	if !contracted {
		return namedOfBefore(query), err
	}
	return strings.ReplaceAll(query, notesByReference, `note_references`), err
}

// namedOfBefore fills in notesByReference as in the form of before.
func namedOfBefore(query string) string {
	return strings.ReplaceAll(query, notesByReference,
		`(SELECT organization_id, livemode, reference, id AS note_id, payload_hash, payload_version FROM notes)`)
}

// dropReferenceKeys removes from the parts of the notes the key of their references, which a table of its own has for
// all of them.
func (s *Store) dropReferenceKeys(ctx context.Context) error {
	var statements []string
	err := s.db.SelectContext(ctx, &statements, `
		SELECT coalesce((SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
				FROM pg_constraint WHERE conindid = indexrelid AND contype = 'u'),
			format('DROP INDEX %s', indexrelid::regclass))
		FROM pg_index JOIN parts ON parts.part = indrelid
		WHERE parts.name = 'notes' AND indisunique
			AND pg_get_indexdef(indexrelid) LIKE '%(organization_id, livemode, reference)'`)
	for _, statement := range statements {
		if err == nil {
			err = s.untilLocked(ctx, statement)
		}
	}
	return err
}
