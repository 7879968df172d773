package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
)

// Acceptance is what the 202 answer says of a note.
type Acceptance struct {
	ID             string      `db:"id"`
	Status         nfse.Status `db:"status"`
	Livemode       bool        `db:"livemode"`
	Reference      string      `db:"reference"`
	CustomerID     string      `db:"customer_id"`
	PayloadHash    []byte      `db:"payload_hash"`
	PayloadVersion int         `db:"payload_version"`
}

const acceptanceColumns = `id, status, livemode, reference, customer_id, payload_hash, payload_version`

// Replay finds the note that this reference already names. It is the answer to
// the same request, and a conflict with a different one. ok is false when the
// reference is new.
func (s *Store) Replay(ctx context.Context, scope nfse.Scope, issuance nfse.Issuance) (found Acceptance, ok bool, err error) {
	err = s.db.GetContext(ctx, &found, `SELECT `+acceptanceColumns+` FROM notes
		WHERE organization_id = $1 AND livemode = $2 AND reference = $3`,
		scope.OrganizationID, scope.Livemode, issuance.Reference)
	if errors.Is(err, sql.ErrNoRows) {
		return Acceptance{}, false, nil
	}
	if err != nil {
		return Acceptance{}, false, err
	}
	hash, err := issuance.PayloadHash(found.PayloadVersion)
	if err != nil {
		return Acceptance{}, false, err
	}
	if !bytes.Equal(hash, found.PayloadHash) {
		return Acceptance{}, false, nfse.NewError(nfse.CodeIdempotencyConflict, "reference",
			"this reference already names the note %s, created from a different request: a new charge needs a new reference", found.ID)
	}
	return found, true, nil
}

// NewNote is an issuance that was checked in full and may be accepted.
type NewNote struct {
	nfse.Issuance
	Key                      nfse.APIKey
	RequestID                string
	Service                  nfse.ServiceSnapshot
	Customer                 nfse.CustomerSnapshot // its e-mail is filled in from the record
	Municipality             nfse.NoteMunicipality
	MunicipalityCheckPending bool
}

// AcceptNote commits, in one transaction, the customer if new, the note in
// queued and its outbox row: from here on the note will be done. Where another
// request with the same reference was faster, created is false and the answer
// is what Replay says of it.
func (s *Store) AcceptNote(ctx context.Context, note NewNote) (accepted Acceptance, created bool, err error) {
	for {
		err = s.inTransaction(ctx, func(tx *sqlx.Tx) error {
			accepted, err = insertNote(ctx, tx, note)
			return err
		})
		if !errors.Is(err, errLostRace) {
			return accepted, err == nil, err
		}
		accepted, ok, err := s.Replay(ctx, note.Key.Scope, note.Issuance)
		if ok || err != nil {
			return accepted, false, err
		}
		// The race was for the customer, by a note of another reference: the record is there now.
	}
}

// errLostRace: another transaction inserted the same reference or customer.
var errLostRace = errors.New("store: lost a race")

func insertNote(ctx context.Context, tx *sqlx.Tx, note NewNote) (Acceptance, error) {
	var accepted Acceptance
	hash, err := note.PayloadHash(nfse.PayloadVersion)
	if err != nil {
		return accepted, err
	}
	service, err := nfse.Marshal(note.Service)
	if err != nil {
		return accepted, err
	}
	customer, err := nfse.Marshal(note.Customer)
	if err != nil {
		return accepted, err
	}
	var scenario *string
	if note.Scenario != "" {
		scenario = (*string)(&note.Scenario)
	}
	address := note.Customer.Address
	err = tx.GetContext(ctx, &accepted, `
		WITH known_customer AS (
			SELECT id, email FROM customers WHERE organization_id = $1 AND livemode = $2 AND tax_id = $3
		), new_customer AS (
			INSERT INTO customers (id, organization_id, livemode, tax_id, name, municipality_code,
				municipality_declared, street_type, street, number, district, zip_code, complement)
			SELECT $4, $1, $2, $3, $5, $6, $7, $8, $9, $10, $11, $12, $13
			WHERE NOT EXISTS (SELECT FROM known_customer)
			ON CONFLICT (organization_id, livemode, tax_id) DO NOTHING
			RETURNING id, email
		), customer AS (
			SELECT * FROM known_customer UNION ALL SELECT * FROM new_customer
		), note AS (
			INSERT INTO notes (id, organization_id, livemode, reference, payload_hash, payload_version,
				api_key_id, request_id, email_customer, register_ledger, confirm_municipal_operation,
				scenario, customer_id, service_id, amount_cents, iss_withheld, service, customer,
				municipality_code, municipality_source, municipality_verified, municipality_check_pending)
			SELECT $14, $1, $2, $15, $16, $17,
				$18, $19, $20, $21, $22,
				$23, customer.id, $24, $25, $26, $27, $28::jsonb || jsonb_build_object('email', customer.email),
				$6, $29, $30, $31
			FROM customer
			ON CONFLICT (organization_id, livemode, reference) DO NOTHING
			RETURNING `+acceptanceColumns+`
		), start AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
			SELECT 'note', id, $1, $2, $15 FROM note
		)
		SELECT `+acceptanceColumns+` FROM note`,
		note.Key.OrganizationID, note.Key.Livemode, note.Customer.TaxID,
		nfse.NewID(nfse.PrefixCustomer), note.Customer.Name, note.Municipality.Code,
		note.Municipality.Source == nfse.MunicipalityFromCaller, address.StreetType, address.Street, address.Number,
		address.District, address.ZipCode, address.Complement,
		nfse.NewID(nfse.PrefixNote), note.Reference, hash, nfse.PayloadVersion,
		note.Key.ID, note.RequestID, note.Key.EmailCustomer, note.Key.RegisterLedger, note.Key.ConfirmMunicipalOperation,
		scenario, note.Service.ID, note.AmountCents, note.ISSWithheld, string(service), string(customer),
		note.Municipality.Source, note.Municipality.Verified, note.MunicipalityCheckPending)
	if errors.Is(err, sql.ErrNoRows) {
		return accepted, errLostRace
	}
	return accepted, err
}
