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
	table := `note_references`
	if !contracted {
		table = `(SELECT organization_id, livemode, reference, id AS note_id, payload_hash, payload_version FROM notes)`
	}
	return strings.ReplaceAll(query, notesByReference, table), err
}
