package audit

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/postgres"
)

// Author is who changes something: each change of a room's Changes records in the
// audit log what it did, in the transaction that does it: a change without its
// entry cannot be committed, and none is made without an actor. What the
// processes do by themselves are methods of each room's Store.
type Author struct {
	db    *postgres.DB
	Actor nfse.Actor
}

// NewAuthor is the author of changes in a database.
func NewAuthor(db *postgres.DB, actor nfse.Actor) Author { return Author{db, actor} }

// UserID is the person who makes the changes; nil where it is a key or a command.
func (a *Author) UserID() *string {
	if a.Actor.Kind != nfse.ActorUser {
		return nil
	}
	return &a.Actor.ID
}

// Change runs do in one transaction, which also adds what do returns to the audit
// log. After a lost deadlock do runs again.
func (a *Author) Change(ctx context.Context, do func(*sqlx.Tx) ([]Record, error)) error {
	return postgres.RetriedDeadlock(ctx, func() error {
		return a.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
			records, err := do(tx)
			if err != nil {
				return err
			}
			return a.Record(ctx, tx, records)
		})
	})
}

// ChangeOne is change for a single subject.
func (a *Author) ChangeOne(ctx context.Context, do func(*sqlx.Tx) (Record, error)) error {
	return a.Change(ctx, func(tx *sqlx.Tx) ([]Record, error) {
		record, err := do(tx)
		return []Record{record}, err
	})
}

// Record is what a change records of itself. Before and After hold neither
// secrets nor personal data; what is not recorded is nil.
type Record struct {
	ID             string  `json:"id"`
	OrganizationID *string `json:"organization_id"`
	Livemode       *bool   `json:"livemode"`
	Action         Action  `json:"action"`
	SubjectID      string  `json:"subject_id"`
	Before         any     `json:"before"`
	After          any     `json:"after"`
}

// OfOrganization places a record in an organization.
func (r Record) OfOrganization(id string) Record {
	r.OrganizationID = &id
	return r
}

// Of places a record in an organization and an environment.
func (r Record) Of(scope nfse.Scope) Record {
	r.Livemode = &scope.Livemode
	return r.OfOrganization(scope.OrganizationID)
}

// Record adds records to the audit log. The schema refuses an empty actor.
func (a *Author) Record(ctx context.Context, tx *sqlx.Tx, records []Record) error {
	for batch := range slices.Chunk(records, BatchRows) { // none when nothing was changed
		if err := a.recordBatch(ctx, tx, batch); err != nil {
			return err
		}
	}
	return nil
}

// BatchRows is how many rows go into one statement where there may be many.
const BatchRows = 1000

func (a *Author) recordBatch(ctx context.Context, tx *sqlx.Tx, records []Record) error {
	for i := range records {
		records[i].ID = nfse.NewID(nfse.PrefixAuditEntry)
	}
	encoded, err := nfse.Marshal(records)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO audit_log (id, organization_id, livemode, actor_kind, actor_id, actor_from, request_id,
			action, subject_id, before, after)
		SELECT id, organization_id, livemode, $1, $2, $3, $4, action, subject_id, before, after
		FROM jsonb_to_recordset($5::jsonb) AS record (id text, organization_id text, livemode boolean,
			action text, subject_id text, before jsonb, after jsonb)`,
		a.Actor.Kind, a.Actor.ID, a.Actor.From, a.Actor.RequestID, string(encoded))
	return err
}
