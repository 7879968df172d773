package store

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
)

// Changes are what people and keys may change. Each of its methods records in the
// audit log what it did, in the transaction that does it: a change without its
// entry cannot be committed, and none is made without an actor. What the
// processes do by themselves are methods of Store.
type Changes struct {
	store *Store
	actor nfse.Actor
}

// By returns the changes as made by an actor.
func (s *Store) By(actor nfse.Actor) *Changes { return &Changes{store: s, actor: actor} }

// userID is the person who makes the changes; nil where it is a key or a command.
func (c *Changes) userID() *string {
	if c.actor.Kind != nfse.ActorUser {
		return nil
	}
	return &c.actor.ID
}

// change runs do in one transaction, which also adds what do returns to the audit
// log. After a lost deadlock do runs again.
func (c *Changes) change(ctx context.Context, do func(*sqlx.Tx) ([]auditRecord, error)) error {
	return retriedDeadlock(ctx, func() error {
		return c.store.inTransaction(ctx, func(tx *sqlx.Tx) error {
			records, err := do(tx)
			if err != nil {
				return err
			}
			return c.record(ctx, tx, records)
		})
	})
}

// changeOne is change for a single subject.
func (c *Changes) changeOne(ctx context.Context, do func(*sqlx.Tx) (auditRecord, error)) error {
	return c.change(ctx, func(tx *sqlx.Tx) ([]auditRecord, error) {
		record, err := do(tx)
		return []auditRecord{record}, err
	})
}

// auditRecord is what a change records of itself. Before and After hold neither
// secrets nor personal data; what is not recorded is nil.
type auditRecord struct {
	ID             string      `json:"id"`
	OrganizationID *string     `json:"organization_id"`
	Livemode       *bool       `json:"livemode"`
	Action         AuditAction `json:"action"`
	SubjectID      string      `json:"subject_id"`
	Before         any         `json:"before"`
	After          any         `json:"after"`
}

// ofOrganization places a record in an organization.
func (r auditRecord) ofOrganization(id string) auditRecord {
	r.OrganizationID = &id
	return r
}

// of places a record in an organization and an environment.
func (r auditRecord) of(scope nfse.Scope) auditRecord {
	r.Livemode = &scope.Livemode
	return r.ofOrganization(scope.OrganizationID)
}

// record adds records to the audit log. The schema refuses an empty actor.
func (c *Changes) record(ctx context.Context, tx *sqlx.Tx, records []auditRecord) error {
	for batch := range slices.Chunk(records, batchRows) { // none when nothing was changed
		if err := c.recordBatch(ctx, tx, batch); err != nil {
			return err
		}
	}
	return nil
}

// batchRows is how many rows go into one statement where there may be many.
const batchRows = 1000

func (c *Changes) recordBatch(ctx context.Context, tx *sqlx.Tx, records []auditRecord) error {
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
		c.actor.Kind, c.actor.ID, c.actor.From, c.actor.RequestID, string(encoded))
	return err
}
