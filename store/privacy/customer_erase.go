package privacy

import (
	"context"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/archive"
	"emissor/store/audit"
	"emissor/store/companies"
	"emissor/store/notes"
	"emissor/store/postgres"
	"emissor/store/received"
)

// Erasure is what may be erased of a taker or a supplier, and what the law requires to be kept.
type Erasure struct {
	Customers []ErasedCustomer `json:"customers"`
	Stays     []StayingNote    `json:"stays"`
	// WaitingLines are lines of spreadsheets that have not become notes yet; they end.
	WaitingLines int `json:"waiting_lines"`
	// ReceivedErased are notes received that the tax id has issued and that the law lets go, and ReceivedStay
	// those that it does not: they are the issuer's fiscal documents, and the organization's proof.
	ReceivedErased int `json:"notes_received_erased"`
	ReceivedStay   int `json:"notes_received_stay"`
	// InArchive are documents that are erased here at once, and in the archive by the workers; until then it has them.
	InArchive int `json:"documents_in_archive"`
}

// ErasedCustomer is a customer's row and what becomes of its notes.
type ErasedCustomer struct {
	ID string `json:"id"`
	nfse.Scope
	NotesErased int `json:"notes_erased"` // their rows stay, with nothing personal in them
	NotesStay   int `json:"notes_stay"`
	// TaxIDStays says that the tax id is kept, as notes that stay are found by it.
	TaxIDStays bool `json:"document_stays"`
}

// StayingNote is a note whose fiscal document the law requires to be kept. Only copies are
// erased: the content of its events, attempts at webhooks, problems with e-mail, the
// customer's e-mail address, answers of the authority that were not understood.
type StayingNote struct {
	ID        string         `db:"id" json:"id"`
	Reference string         `db:"reference" json:"reference"`
	Status    nfse.Status    `db:"status" json:"status"`
	Until     nfse.Timestamp `db:"until" json:"until"`
}

// erasable is a note of a customer who is to be erased.
type erasable struct {
	StayingNote
	Stays    bool `db:"stays"`
	Moving   bool `db:"moving"`
	Archived bool `db:"archived"` // its document is in the archive
}

// fiscalUntil is until when a note's document must be kept.
var fiscalUntil = fmt.Sprintf(`date_trunc('year', coalesce(cancelled_at, issued_at, rejected_at, created_at),
	'America/Sao_Paulo') + interval '%d years'`, postgres.FiscalYears+1)

// EraseCustomer erases of a tax id in an organization what need not be kept by law;
// without really, it only returns what that is. Notes on their way have to end first.
// An erasure that was interrupted is finished by calling it again.
func (c *Changes) EraseCustomer(ctx context.Context, organizationID string, taxID nfse.TaxID,
	really bool) (erasure Erasure, err error) {
	erasure.Stays = []StayingNote{}
	customers, err := c.store.customersOf(ctx, organizationID, taxID)
	if err == nil {
		err = c.store.countElsewhere(ctx, organizationID, taxID, &erasure)
	}
	if err != nil {
		return erasure, err
	}
	if len(customers) == 0 { // only spreadsheets and notes received may name the tax id
		switch {
		case erasure.WaitingLines+erasure.ReceivedErased+erasure.ReceivedStay == 0:
			return erasure, errNoCustomer
		case !really:
			return erasure, nil
		}
		return erasure, c.eraseWithoutRow(ctx, organizationID, taxID, erasure)
	}
	for _, customer := range customers {
		one := ErasedCustomer{ID: customer.ID, Scope: customer.Scope}
		err := c.store.eachNoteOf(ctx, customer, func(ids []string) error {
			rows, err := readErasable(ctx, c.store.db, ids)
			for _, note := range rows {
				switch {
				case note.Moving:
					return onItsWay(note.ID, "nothing was erased")
				case note.Stays:
					one.NotesStay++
					erasure.Stays = append(erasure.Stays, note.StayingNote)
				default:
					one.NotesErased++
					if note.Archived {
						erasure.InArchive++
					}
				}
			}
			return err
		})
		if err != nil {
			return erasure, err
		}
		one.TaxIDStays = one.NotesStay > 0
		erasure.Customers = append(erasure.Customers, one)
	}
	if !really {
		return erasure, nil
	}
	for i, customer := range customers {
		if err := c.eraseCustomer(ctx, customer, erasure.Customers[i]); err != nil {
			return erasure, err
		}
	}
	return erasure, nil
}

// countElsewhere counts where an organization has a tax id beside its customers.
func (s *Store) countElsewhere(ctx context.Context, organizationID string, taxID nfse.TaxID, into *Erasure) error {
	return s.db.QueryRowxContext(ctx, `
		SELECT (SELECT count(*) FROM batch_lines l JOIN batches b ON b.id = l.batch_id
				WHERE b.organization_id = $1 AND l.tax_id = $2),
			count(*) FILTER (WHERE `+received.ReceivedLongAgo+`), count(*) FILTER (WHERE NOT `+received.ReceivedLongAgo+`)
		FROM received_notes o WHERE o.organization_id = $1 AND o.issuer_tax_id = $2`, organizationID, taxID).
		Scan(&into.WaitingLines, &into.ReceivedErased, &into.ReceivedStay)
}

// eraseWithoutRow erases a tax id of which the organization has no customer.
func (c *Changes) eraseWithoutRow(ctx context.Context, organizationID string, taxID nfse.TaxID, counted Erasure) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		return audit.Record{Action: audit.CustomerErase, SubjectID: organizationID, After: map[string]any{
			"lines_erased": counted.WaitingLines, "notes_received_erased": counted.ReceivedErased,
		}}.OfOrganization(organizationID), eraseElsewhere(ctx, tx, organizationID, taxID)
	})
}

// eraseElsewhere erases what the organization has of a tax id beside its customers and their notes.
func eraseElsewhere(ctx context.Context, tx *sqlx.Tx, organizationID string, taxID nfse.TaxID) error {
	for _, statement := range slices.Concat(eraseUnlinked, received.EraseReceived) {
		if _, err := tx.ExecContext(ctx, statement, organizationID, taxID); err != nil {
			return err
		}
	}
	return nil
}

func onItsWay(noteID, soFar string) error {
	return nfse.NewError(nfse.CodeInvalidRequest, "", "the note %s or an event of it is on its way: %s; "+
		"ask again once it has ended", noteID, soFar)
}

func readErasable(ctx context.Context, db sqlx.QueryerContext, ids []string) (rows []erasable, err error) {
	err = sqlx.SelectContext(ctx, db, &rows, `
		SELECT id, reference, status, `+fiscalUntil+` AS until, livemode AND `+fiscalUntil+` > now() AS stays,
			status IN ('queued', 'processing') OR cancellation_status IS NOT DISTINCT FROM 'pending'
				OR EXISTS (SELECT FROM events e JOIN deliveries d ON d.event_id = e.id
					WHERE e.note_id = notes.id AND d.status = 'pending') AS moving,
			EXISTS (SELECT FROM note_documents x WHERE x.note_id = notes.id AND x.segment_id IS NOT NULL)
				OR EXISTS (SELECT FROM archive_erasures a WHERE a.note_id = notes.id) AS archived
		FROM notes WHERE id = ANY($1) ORDER BY id`, pq.Array(ids))
	return rows, err
}

// eraseCustomer erases a customer's notes in batches, and then its row. Each batch
// is an entry of the audit log.
func (c *Changes) eraseCustomer(ctx context.Context, customer RecordedCustomer, outcome ErasedCustomer) error {
	err := c.store.eachNoteOf(ctx, customer, func(ids []string) error {
		return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
			rows, err := readErasable(ctx, tx, ids)
			var all, whole []string
			for _, note := range rows {
				if note.Moving { // it has moved since they were listed
					return audit.Record{}, onItsWay(note.ID, "what was erased before it stays so")
				}
				all = append(all, note.ID)
				if !note.Stays {
					whole = append(whole, note.ID)
				}
			}
			for _, statement := range eraseCopies {
				if err == nil {
					_, err = tx.ExecContext(ctx, statement, pq.Array(all))
				}
			}
			for _, statement := range eraseNotes {
				if err == nil {
					_, err = tx.ExecContext(ctx, statement, pq.Array(whole))
				}
			}
			if err == nil {
				_, err = tx.ExecContext(ctx, eraseSnapshots, pq.Array(whole), nfse.NobodysTaxID(customer.ID), notes.Erased)
			}
			return audit.Record{Action: audit.CustomerErase, SubjectID: customer.ID, After: map[string]any{
				"notes_erased": len(whole), "notes_whose_copies_were_erased": len(all) - len(whole),
			}}.Of(customer.Scope), err
		})
	})
	if err != nil {
		return err
	}
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		if err := eraseElsewhere(ctx, tx, customer.OrganizationID, customer.TaxID); err != nil {
			return audit.Record{}, err
		}
		taxID := customer.TaxID
		if !outcome.TaxIDStays {
			if err := noNewNotes(ctx, tx, customer); err != nil {
				return audit.Record{}, err
			}
			taxID = nfse.NobodysTaxID(customer.ID)
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE customers SET tax_id = $2, name = $3, nickname = NULL, email = NULL, municipality_code = NULL,
				municipality_declared = false, street_type = NULL, street = NULL, number = NULL, district = NULL,
				zip_code = NULL, complement = NULL, updated_at = now()
			WHERE id = $1`, customer.ID, taxID, notes.Erased)
		return audit.Record{Action: audit.CustomerErase, SubjectID: customer.ID, After: map[string]any{
			"record_erased": true, "document_stays": outcome.TaxIDStays,
		}}.Of(customer.Scope), err
	})
}

// noNewNotes is an error where a note was accepted after the customer's notes were read:
// it would be missed. It locks the customer's row, so that no further one is accepted.
func noNewNotes(ctx context.Context, tx *sqlx.Tx, customer RecordedCustomer) error {
	const recent = 5000
	if _, err := tx.ExecContext(ctx, `SELECT FROM customers WHERE id = $1 FOR UPDATE`, customer.ID); err != nil {
		return err
	}
	var ids []string
	err := tx.SelectContext(ctx, &ids, `
		SELECT id FROM (
			SELECT id, customer_id, customer FROM notes WHERE organization_id = $1 AND livemode = $2
			ORDER BY id DESC LIMIT $3
		) recent WHERE customer_id = $4 AND customer ->> 'document' = $5 LIMIT 1`,
		customer.OrganizationID, customer.Livemode, recent, customer.ID, customer.TaxID)
	if err == nil && len(ids) > 0 {
		err = onItsWay(ids[0], "what was erased before it stays so")
	}
	return err
}

// eraseCopies erase copies of the content of the notes $1, and records of sending them.
var eraseCopies = []string{
	// Nobody can download the ZIPs of their months any more. These may have gigabytes, which clearArchives
	// removes piece by piece.
	`UPDATE month_archives SET status = 'removed' WHERE status <> 'removed'
		AND (organization_id, livemode, month) IN (SELECT organization_id, livemode,
			date_trunc('month', competence)::date FROM notes WHERE id = ANY($1))`,
	`DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT d.id FROM deliveries d
		JOIN events e ON e.id = d.event_id WHERE e.note_id = ANY($1))`,
	`UPDATE events SET payload = '', payload_digest = NULL WHERE note_id = ANY($1)`,
	`UPDATE emails SET last_problem = NULL WHERE note_id = ANY($1)`,
	`UPDATE emails SET last_problem = NULL, address = NULL WHERE copy_of = ANY($1)`,
	`UPDATE fiscal_calls SET body = NULL WHERE note_id = ANY($1) AND body IS NOT NULL`,
	// The e-mail address is in no document: it was copied from the customer at acceptance.
	`UPDATE notes SET customer = customer || '{"email": null}' WHERE id = ANY($1)
		AND customer -> 'email' <> 'null'`,
}

// eraseNotes erase what else names or describes the taker of the notes $1.
var eraseNotes = []string{
	archive.EraseDocuments,
	`UPDATE external_events SET content = '', reason_text = NULL WHERE note_id = ANY($1)`,
	`UPDATE external_documents SET xml = '' WHERE note_id = ANY($1)`,
	`UPDATE fiscal_messages SET xml = '', embedded = false WHERE exchange_id IN (
		SELECT id FROM fiscal_exchanges WHERE note_id = ANY($1))`,
	`UPDATE fiscal_exchanges SET xml = CASE WHEN xml IS NOT NULL THEN ''::bytea END,
		rejection = rejection - 'reason' || jsonb_build_object('message', '') WHERE note_id = ANY($1)`,
}

// eraseLines ends the lines of spreadsheets of the organization $1 that wait and name the tax id $2: they become no
// notes. Accepting a spreadsheet meanwhile replaces its lines. The statement waits for the old ones, which are gone
// then, and so it is executed twice: the second time it sees the new ones.
const eraseLines = `UPDATE batch_lines l SET status = 'failed', code = 'customer_erased', field = '', request = NULL,
		tax_id = NULL
	FROM batches b WHERE b.id = l.batch_id AND b.organization_id = $1 AND l.tax_id = $2`

// endRecurrences ends the recurrences of the customers of the organization $1 with the tax id $2, and
// leaveMonths what waits of their months.
const (
	customersErased = `(SELECT id FROM customers WHERE organization_id = $1 AND tax_id = $2)`

	endRecurrences = `UPDATE recurrences SET status = 'ended', ended_at = coalesce(ended_at, now()), description = NULL
		WHERE organization_id = $1 AND customer_id IN ` + customersErased
	leaveMonths = `UPDATE recurring_months SET description = NULL,
			status = CASE WHEN status IN ('due', 'missed') THEN 'left' ELSE status END
		WHERE organization_id = $1 AND recurrence_id IN (
			SELECT id FROM recurrences WHERE organization_id = $1 AND customer_id IN ` + customersErased + `)`
)

// eraseUnlinked erase what was distributed to the issuer of the organization $1, belongs to
// no known note, names the tax id $2, and need not be kept by law any more; and filters that name the taker.
var eraseUnlinked = []string{
	eraseLines, eraseLines,
	notes.EraseFilters,
	endRecurrences,
	leaveMonths,
	eraseRecovered,
	eraseClassificationLinks,
	`UPDATE external_events o SET content = '', reason_text = NULL
		WHERE ` + unlinked + ` AND position(convert_to($2, 'UTF8') IN o.content) > 0`,
	`UPDATE external_documents o SET xml = ''
		WHERE ` + unlinked + ` AND position(convert_to($2, 'UTF8') IN o.xml) > 0`,
}

// eraseRecovered erases the taker with the tax id $2 from documents of the organization $1 that are not on record, and
// about which nobody has decided.
var eraseRecovered = `UPDATE recovered_documents o SET taker = '', taker_tax_id = ''
	WHERE o.taker_tax_id = $2 AND ` + companies.Claimed(`$1`, `o.authority`, `o.production`, `o.tax_id`)

// eraseClassificationLinks erases who was asked to classify services of the organization $1, where that is the address
// of a customer with the tax id $2, as an accountant may be.
const eraseClassificationLinks = `DELETE FROM classification_links WHERE organization_id = $1 AND email IN (
	SELECT lower(email) FROM customers WHERE organization_id = $1 AND tax_id = $2)`

var unlinked = fmt.Sprintf(`o.note_id IS NULL AND o.distribution_id IN (SELECT d.id FROM distributions d
		JOIN %s p ON p.authority = d.authority AND p.profile ->> 'tax_id' = d.tax_id
		WHERE p.organization_id = $1)
	AND %s`, companies.IssuingProfiles, received.ReceivedLongAgo)

// eraseSnapshots erases the taker from the rows of the notes $1. The customer's tax id in
// them becomes $2.
const eraseSnapshots = `
	UPDATE notes SET service = service || jsonb_build_object('description', $3::text),
		service_description = CASE WHEN service_description IS NOT NULL THEN $3::text END,
		customer = jsonb_build_object('document', $2::text, 'name', $3::text, 'email', NULL, 'municipality_code', NULL,
			'address', '{}'::jsonb),
		details = NULL, taxation = NULL,
		rejection = rejection - 'reason' || jsonb_build_object('message', $3::text),
		cancellation_refusal = cancellation_refusal - 'reason' || jsonb_build_object('message', $3::text),
		cancellation_reason_text = CASE WHEN cancellation_reason_text IS NOT NULL THEN $3::text END,
		replacement_text = CASE WHEN replacement_text IS NOT NULL THEN $3::text END
	WHERE id = ANY($1)`
