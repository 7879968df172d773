package archive

import (
	"emissor/store/audit"
	"emissor/store/postgres"
)

// Store is this room of the database.
type Store struct{ db *postgres.DB }

// New is the room of a database.
func New(db *postgres.DB) *Store { return &Store{db} }

// Changes are what people and keys may change here; each method records in the audit log what it did, in the
// transaction that does it.
type Changes struct {
	audit.Author
	store *Store
}

// By is what an author may change.
func (s *Store) By(author audit.Author) *Changes { return &Changes{author, s} }
