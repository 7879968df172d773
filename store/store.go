// Package store keeps everything of Emissor in PostgreSQL; it and its rooms are the only packages that write SQL.
// Each room is a package with a Store, which reads and does what processes do by themselves, and Changes, which are
// what people and keys change. A room imports those below it alone (test/rooms has the order), and what one does in
// the transaction of another is a function that takes the transaction. This package opens them together, migrates,
// and grants.
package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/access"
	"emissor/store/archive"
	"emissor/store/audit"
	"emissor/store/batches"
	"emissor/store/books"
	"emissor/store/catalogues"
	"emissor/store/companies"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
	"emissor/store/mails"
	"emissor/store/notes"
	"emissor/store/numbers"
	"emissor/store/operate"
	"emissor/store/outbox"
	"emissor/store/postgres"
	"emissor/store/privacy"
	"emissor/store/received"
	"emissor/store/webhooks"
)

// Store is the database, room by room.
type Store struct {
	*postgres.DB
	Access     *access.Store
	Archive    *archive.Store
	Audit      *audit.Store
	Batches    *batches.Store
	Books      *books.Store
	Catalogues *catalogues.Store
	Companies  *companies.Store
	Exchanges  *exchanges.Store
	Lifecycle  *lifecycle.Store
	Mails      *mails.Store
	Notes      *notes.Store
	Numbers    *numbers.Store
	Operate    *operate.Store
	Outbox     *outbox.Store
	Privacy    *privacy.Store
	Received   *received.Store
	Webhooks   *webhooks.Store
}

// Open connects, and refuses a server that could lose what it acknowledged.
func Open(ctx context.Context, config postgres.Config) (*Store, error) {
	db, err := postgres.Open(ctx, config)
	if err != nil {
		return nil, err
	}
	return of(db), nil
}

// New makes a store of connections that postgres.Connect opened with the same URL. What it remembers is its own: tests
// use the connections one after the other.
func New(db *sqlx.DB, config postgres.Config) *Store { return of(postgres.New(db, config)) }

func of(db *postgres.DB) *Store {
	return &Store{
		DB:         db,
		Access:     access.New(db),
		Archive:    archive.New(db),
		Audit:      audit.New(db),
		Batches:    batches.New(db),
		Books:      books.New(db),
		Catalogues: catalogues.New(db),
		Companies:  companies.New(db),
		Exchanges:  exchanges.New(db),
		Lifecycle:  lifecycle.New(db),
		Mails:      mails.New(db),
		Notes:      notes.New(db),
		Numbers:    numbers.New(db),
		Operate:    operate.New(db),
		Outbox:     outbox.New(db),
		Privacy:    privacy.New(db),
		Received:   received.New(db),
		Webhooks:   webhooks.New(db),
	}
}

// Changes are what people and keys may change, room by room. Each of their methods records in the audit log what it
// did, in the transaction that does it: a change without its entry cannot be committed, and none is made without an
// actor. What the processes do by themselves are methods of the rooms' Stores.
type Changes struct {
	Access     *access.Changes
	Archive    *archive.Changes
	Audit      *audit.Changes
	Batches    *batches.Changes
	Books      *books.Changes
	Catalogues *catalogues.Changes
	Companies  *companies.Changes
	Lifecycle  *lifecycle.Changes
	Mails      *mails.Changes
	Numbers    *numbers.Changes
	Operate    *operate.Changes
	Privacy    *privacy.Changes
	Received   *received.Changes
	Webhooks   *webhooks.Changes
}

// By returns the changes as made by an actor.
func (s *Store) By(actor nfse.Actor) *Changes {
	author := audit.NewAuthor(s.DB, actor)
	return &Changes{
		Access:     s.Access.By(author),
		Archive:    s.Archive.By(author),
		Audit:      s.Audit.By(author),
		Batches:    s.Batches.By(author),
		Books:      s.Books.By(author),
		Catalogues: s.Catalogues.By(author),
		Companies:  s.Companies.By(author),
		Lifecycle:  s.Lifecycle.By(author),
		Mails:      s.Mails.By(author),
		Numbers:    s.Numbers.By(author),
		Operate:    s.Operate.By(author),
		Privacy:    s.Privacy.By(author),
		Received:   s.Received.By(author),
		Webhooks:   s.Webhooks.By(author),
	}
}
