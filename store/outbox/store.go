package outbox

import (
	"emissor/store/postgres"
)

// Store is this room of the database.
type Store struct{ db *postgres.DB }

// New is the room of a database.
func New(db *postgres.DB) *Store { return &Store{db} }
