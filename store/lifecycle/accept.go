package lifecycle

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// Acceptance is what the 202 answer says of a note.
type Acceptance struct {
	ID         string      `db:"id"`
	Status     nfse.Status `db:"status"`
	Livemode   bool        `db:"livemode"`
	Reference  string      `db:"reference"`
	CustomerID string      `db:"customer_id"`
	HasDetails bool        `db:"has_details"` // a person gave more than the request has
}

const acceptanceColumns = `id, status, livemode, reference, customer_id, details IS NOT NULL AS has_details`

const findReference = `SELECT n.*, r.payload_hash, r.payload_version FROM note_references r
	CROSS JOIN LATERAL (SELECT ` + acceptanceColumns + ` FROM notes WHERE id = r.note_id) n
	WHERE r.organization_id = $1 AND r.livemode = $2 AND r.reference = $3`

// Replay finds the note that this reference already names. It is the answer to
// the same request, and a conflict with a different one. ok is false when the
// reference is new.
func (s *Store) Replay(
	ctx context.Context, scope nfse.Scope, issuance nfse.Issuance,
) (found Acceptance, ok bool, err error) {
	var known struct {
		Acceptance
		PayloadHash    []byte `db:"payload_hash"`
		PayloadVersion int    `db:"payload_version"`
	}
	err = s.db.Get(ctx, &known, findReference, scope.OrganizationID, scope.Livemode, issuance.Reference)
	if err != nil {
		return Acceptance{}, false, postgres.NoRow(err, nil)
	}
	hash, err := issuance.PayloadHash(known.PayloadVersion)
	if err != nil {
		return Acceptance{}, false, err
	}
	if !bytes.Equal(hash, known.PayloadHash) {
		return Acceptance{}, false, nfse.NewError(nfse.CodeIdempotencyConflict, "reference",
			"this reference already names the note %s, created from a different request: "+
				"a new charge needs a new reference", known.ID)
	}
	return known.Acceptance, true, nil
}

// SameDetails is idempotency_conflict where the note that a reference names has not the details
// that a person gives now.
func (s *Store) SameDetails(ctx context.Context, scope nfse.Scope, known Acceptance, details nfse.NoteDetails) error {
	if details.None() && !known.HasDetails {
		return nil
	}
	of, err := s.NoteDetails(ctx, scope, known.ID)
	if err != nil || nfse.VersionOf(of) == nfse.VersionOf(details) {
		return err
	}
	return nfse.NewError(nfse.CodeIdempotencyConflict, "reference",
		"this reference already names the note %s, which has other details: a new charge needs a new reference",
		known.ID)
}

// NewNote is an issuance that was checked in full and may be accepted.
type NewNote struct {
	nfse.Issuance
	Key                      nfse.APIKey // without an id where a person issues: then its scope and defaults count
	RequestID                string
	userID                   *string // of who issues by hand
	Service                  nfse.ServiceSnapshot
	Customer                 nfse.CustomerSnapshot // its e-mail is filled in from the record
	Municipality             nfse.NoteMunicipality
	MunicipalityCheckPending bool
	Details                  nfse.NoteDetails // that a person gave in the form
}

// AcceptNote commits, in one transaction, the customer if new, the note in queued and its outbox row: from here on
// the note is sure to end. Where another request with the same reference was faster, created is false and the answer
// is what Replay and SameDetails return.
func (s *Store) AcceptNote(ctx context.Context, note NewNote) (accepted Acceptance, created bool, err error) {
	return s.accept(ctx, note, func(*sqlx.Tx, Acceptance) error { return nil })
}

// AcceptNote is the same for a note that a person issues by hand.
func (c *Changes) AcceptNote(ctx context.Context, note NewNote) (accepted Acceptance, created bool, err error) {
	note.userID = c.UserID()
	return c.store.accept(ctx, note, func(tx *sqlx.Tx, accepted Acceptance) error {
		return c.Record(ctx, tx, []audit.Record{audit.Record{Action: audit.NoteIssue, SubjectID: accepted.ID,
			After: map[string]any{"status": accepted.Status, "amount_cents": note.AmountCents,
				"service_id": note.Service.ID}}.Of(note.Key.Scope)})
	})
}

func (s *Store) accept(ctx context.Context, note NewNote,
	inSameTransaction func(*sqlx.Tx, Acceptance) error) (accepted Acceptance, created bool, err error) {
	for {
		// Rolled back where another was faster, so that its customer is not left behind.
		err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
			if accepted, err = s.insertNote(ctx, tx, note); err != nil {
				return err
			}
			return inSameTransaction(tx, accepted)
		})
		if !errors.Is(err, postgres.ErrLostRace) {
			return accepted, err == nil, err
		}
		accepted, ok, err := s.Replay(ctx, note.Key.Scope, note.Issuance)
		if ok {
			err = s.SameDetails(ctx, note.Key.Scope, accepted, note.Details)
		}
		if ok || err != nil {
			return accepted, false, err
		}
		// The race was for the customer, by a note of another reference: the record is there now.
	}
}

// today is the day of now in Brasília, as nfse.DayOf counts it.
const today = `CAST(now() AT TIME ZONE INTERVAL '-3 hours' AS date)`

func (s *Store) insertNote(ctx context.Context, tx *sqlx.Tx, note NewNote) (accepted Acceptance, err error) {
	parameters, err := note.parameters()
	if err != nil {
		return accepted, err
	}
	parameters["traceparent"] = trace.Parent(ctx)
	bound, args, err := tx.BindNamed(`
		WITH known_customer AS (
			SELECT id, email FROM customers
			WHERE organization_id = :organization_id AND livemode = :livemode AND tax_id = :tax_id
			FOR KEY SHARE -- who is being erased is somebody else afterwards
		), new_customer AS (
			INSERT INTO customers (id, organization_id, livemode, tax_id, name,
				municipality_code, municipality_declared,
				street_type, street, number, district, zip_code, complement)
			SELECT :new_customer_id, :organization_id, :livemode, :tax_id, :name,
				:municipality_code, :municipality_declared,
				:street_type, :street, :number, :district, :zip_code, :complement
			WHERE NOT EXISTS (SELECT FROM known_customer)
			ON CONFLICT (organization_id, livemode, tax_id) DO NOTHING
			RETURNING id, email
		), customer AS (
			SELECT * FROM known_customer UNION ALL SELECT * FROM new_customer
		), shared AS (
			SELECT id FROM service_snapshots
			WHERE organization_id = :organization_id AND digest = :service_digest
		), new_shared AS (
			INSERT INTO service_snapshots (organization_id, digest, service)
			SELECT :organization_id, :service_digest, CAST(:service_shared AS jsonb)
			WHERE NOT EXISTS (SELECT FROM shared)
			ON CONFLICT DO NOTHING -- the next note finds it
		), note AS (
			INSERT INTO notes (id, organization_id, livemode, reference, payload_hash, payload_version,
				api_key_id, user_id, request_id, email_customer, register_ledger, confirm_municipal_operation,
				scenario, customer_id, service_id, amount_cents, competence, iss_withheld, service,
				service_snapshot_id, service_description, customer,
				municipality_code, municipality_source, municipality_verified, municipality_check_pending,
				classification, taxation, details, replaces)
			SELECT :id, :organization_id, :livemode, :reference, :payload_hash, :payload_version,
				nullif(:api_key_id, ''), :user_id, :request_id, :email_customer,
				:register_ledger, :confirm_municipal_operation,
				:scenario, customer.id, :service_id, :amount_cents,
				coalesce(CAST(:competence AS date), `+today+`), :iss_withheld,
				CASE WHEN NOT EXISTS (SELECT FROM shared) THEN CAST(:service AS jsonb) END, (SELECT id FROM shared),
				CASE WHEN EXISTS (SELECT FROM shared) THEN :service_description END,
				CAST(:customer AS jsonb) || jsonb_build_object('email', customer.email),
				:municipality_code, :municipality_source, :municipality_verified, :municipality_check_pending,
				(SELECT classification FROM service_classifications c
				WHERE (c.organization_id, c.livemode, c.service_id) = (:organization_id, :livemode, :service_id)),
				(`+notes.PresentTaxationSQL(`:organization_id`, `:livemode`, `:service_id`, `customer.id`)+`),
				:details, :replaces
			FROM customer
			RETURNING `+acceptanceColumns+`
		), start AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference, traceparent)
			SELECT 'note', id, :organization_id, :livemode, :reference, CAST(:traceparent AS text) FROM note
		)
		SELECT * FROM note`, parameters)
	if err != nil {
		return accepted, err
	}
	err = s.db.Within(ctx, tx, bound).GetContext(ctx, &accepted, args...)
	if errors.Is(err, sql.ErrNoRows) || isReferenceTaken(err) {
		return accepted, postgres.ErrLostRace
	}
	return accepted, err
}

// isReferenceTaken reports whether another note has the reference.
func isReferenceTaken(err error) bool {
	violation := pq.As(err, pqerror.UniqueViolation)
	return violation != nil && violation.Constraint == "note_references_pkey"
}

// parameters are the note's columns, and those of the customer's record, which is
// made if there is none.
func (n NewNote) parameters() (map[string]any, error) {
	hash, err := n.PayloadHash(nfse.PayloadVersion)
	if err != nil {
		return nil, err
	}
	service, err := nfse.Marshal(n.Service)
	if err != nil {
		return nil, err
	}
	shared, digest, err := notes.SharedService(n.Service)
	if err != nil {
		return nil, err
	}
	customer, err := nfse.Marshal(n.Customer)
	if err != nil {
		return nil, err
	}
	var details *string
	if !n.Details.None() {
		encoded, err := nfse.Marshal(n.Details)
		if err != nil {
			return nil, err
		}
		details = new(string(encoded))
	}
	var replaces *string
	if n.Details.Replaces != nil {
		replaces = &n.Details.Replaces.NoteID
	}
	var scenario *nfse.Scenario
	if n.Scenario != "" {
		scenario = &n.Scenario
	}
	return map[string]any{
		"id":                          nfse.NewID(nfse.PrefixNote),
		"organization_id":             n.Key.OrganizationID,
		"livemode":                    n.Key.Livemode,
		"reference":                   n.Reference,
		"payload_hash":                hash,
		"payload_version":             nfse.PayloadVersion,
		"api_key_id":                  n.Key.ID,
		"user_id":                     n.userID,
		"request_id":                  n.RequestID,
		"email_customer":              n.Key.EmailCustomer,
		"register_ledger":             n.Key.RegisterLedger,
		"confirm_municipal_operation": n.Key.ConfirmMunicipalOperation,
		"scenario":                    scenario,
		"service_id":                  n.Service.ID,
		"amount_cents":                n.AmountCents,
		"competence":                  n.Competence,
		"iss_withheld":                n.ISSWithheld,
		"service":                     string(service),
		"service_shared":              shared,
		"service_digest":              digest,
		"service_description":         n.Service.Description,
		"customer":                    string(customer),
		"details":                     details,
		"replaces":                    replaces,
		"municipality_code":           n.Municipality.Code,
		"municipality_source":         n.Municipality.Source,
		"municipality_verified":       n.Municipality.Verified,
		"municipality_check_pending":  n.MunicipalityCheckPending,

		"new_customer_id":       nfse.NewID(nfse.PrefixCustomer),
		"tax_id":                n.Customer.TaxID,
		"name":                  n.Customer.Name,
		"municipality_declared": n.Municipality.Source == nfse.MunicipalityFromCaller,
		"street_type":           n.Customer.Address.StreetType,
		"street":                n.Customer.Address.Street,
		"number":                n.Customer.Address.Number,
		"district":              n.Customer.Address.District,
		"zip_code":              n.Customer.Address.ZipCode,
		"complement":            n.Customer.Address.Complement,
	}, nil
}
