package main

import (
	"context"
	"fmt"
)

// filledID is the id of the n-th record that fill makes: well-formed, and in
// order.
func filledID(prefix string, n int) string { return fmt.Sprintf("%s%026x", prefix, n) }

// fillOrganizations adds organizations that share the tables with the two there are.
func (i *installation) fillOrganizations(ctx context.Context) error {
	for _, statement := range []string{
		`INSERT INTO organizations (id, name)
			SELECT 'org_' || lpad(to_hex(n), 26, '0'), 'Clínica ' || n FROM generate_series(1, 8) n`,
		`INSERT INTO api_keys (id, organization_id, livemode, label, hash, email_customer, register_ledger,
				confirm_municipal_operation)
			SELECT 'key_' || lpad(to_hex(n), 26, '0'), 'org_' || lpad(to_hex(n), 26, '0'), false, 'ERP',
				sha256(n::text::bytea), false, false, false FROM generate_series(1, 8) n`,
		`INSERT INTO services (id, organization_id, livemode, name, description, municipality_code,
				default_amount_cents, national_tax_code, active, expires_at)
			SELECT 'srv_' || lpad(to_hex(n), 26, '0'), 'org_' || lpad(to_hex(n), 26, '0'), false, name, description,
				municipality_code, default_amount_cents, national_tax_code, active, expires_at
			FROM generate_series(1, 8) n, (SELECT * FROM services WHERE NOT livemode LIMIT 1) model`,
	} {
		if _, err := i.database.SQL.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// fillNotes adds issued notes, of all organizations in turn, until there are so
// many, and a customer for each ten. References to other rows are right, and not
// checked again.
func (i *installation) fillNotes(ctx context.Context, from, to int) error {
	transaction, err := i.database.SQL.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = transaction.Rollback() }() // fails once it is committed
	if _, err := transaction.ExecContext(ctx, `SET LOCAL session_replication_role = replica`); err != nil {
		return err
	}
	for _, statement := range []string{fillCustomers, fillNotes} {
		if _, err := transaction.ExecContext(ctx, statement, from+1, to); err != nil {
			return fmt.Errorf("fill the tables: %w", err)
		}
	}
	if err := transaction.Commit(); err != nil {
		return err
	}
	_, err = i.database.SQL.ExecContext(ctx, `VACUUM ANALYZE`)
	return err
}

// fillScopes are the test environments of all ten organizations. The second one
// made by command sorts last, and so gets the notes whose number ends in 0.
const fillScopes = `(SELECT row_number() OVER (ORDER BY k.organization_id) % 10 AS place, k.organization_id,
	k.id AS key_id, s.id AS service_id, to_jsonb(s) - 'retired_at' AS service
	FROM api_keys k JOIN services s USING (organization_id, livemode) WHERE NOT k.livemode) scope`

const fillCustomers = `
	INSERT INTO customers (id, organization_id, livemode, tax_id, name, municipality_code, municipality_declared,
		street, number, district, zip_code)
	SELECT 'cus_' || lpad(to_hex(i), 26, '0'), organization_id, false, lpad(i::text, 11, '0'), 'Maria da Silva',
		'3550308', false, 'Avenida Paulista', '1578', 'Bela Vista', '01310100'
	FROM generate_series($1::bigint, $2) i JOIN ` + fillScopes + ` ON place = i % 10
	WHERE i / 10 % 10 = 0`

// The customer of a note is the one of its organization among the hundred around it.
const fillNotes = `
	INSERT INTO notes (id, organization_id, livemode, reference, payload_hash, payload_version, api_key_id,
		request_id, email_customer, register_ledger, confirm_municipal_operation, status, scenario, customer_id,
		service_id, amount_cents, iss_withheld, service, customer, municipality_code, municipality_source,
		municipality_verified, municipality_check_pending, sent_at, authority_number, verification_code,
		authority_issued_at, created_at, updated_at, processing_at, issued_at, requeue_after)
	SELECT 'nfse_' || lpad(to_hex(i), 26, '0'), organization_id, false, 'invoice-' || i, sha256(i::text::bytea), 1,
		key_id, 'req_' || lpad(to_hex(i), 26, '0'), false, false, false, 'issued', 'authorized',
		'cus_' || lpad(to_hex(i - i % 100 + i % 10), 26, '0'), service_id, 15000, false, service,
		jsonb_build_object('document', lpad((i / 10)::text, 11, '0'), 'name', 'Maria da Silva', 'address',
			jsonb_build_object('zip_code', '01310100', 'street', 'Avenida Paulista', 'number', '1578',
				'district', 'Bela Vista')),
		'3550308', 'zip_code', true, false, at, i::text, md5(i::text), at, at, at, at, at, at + interval '10 minutes'
	FROM (SELECT i, now() - make_interval(secs => ($2 - i) / 10.0) AS at
		FROM generate_series($1::bigint, $2) i) numbers
	JOIN ` + fillScopes + ` ON place = i % 10`
