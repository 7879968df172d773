package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
)

// fillDashboard fills every table that a page reads: so many notes of thirteen months,
// four of five of them live ones of the organization that is looked at, the others of
// its test environment and of twenty organizations more, with all that follows a note.
func (i *installation) fillDashboard(ctx context.Context, organizationID string, notes int) error {
	transaction, err := i.database.SQL.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = transaction.Rollback() }() // fails once it is committed
	// References to other rows are right, and not checked again; nothing is rolled up twice.
	_, err = transaction.ExecContext(ctx, `SELECT set_config('session_replication_role', 'replica', true),
		set_config('fill.organization', $1, true), set_config('fill.notes', $2, true)`,
		organizationID, strconv.Itoa(notes))
	if err != nil {
		return err
	}
	for _, statement := range slices.Concat(dashboardFill, closingFill, recordsFill) {
		if _, err := transaction.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("fill the tables: %w\n%s", err, statement)
		}
	}
	if err := transaction.Commit(); err != nil {
		return err
	}
	_, err = i.database.SQL.ExecContext(ctx, `VACUUM ANALYZE`)
	return err
}

// hexID is the body of an id, of a number.
func hexID(number string) string { return `lpad(to_hex(` + number + `), 26, '0')` }

// filledCPF makes the function that makes a CPF of nine digits.
const filledCPF = `CREATE FUNCTION filled_cpf(bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
		WITH nine AS (SELECT lpad($1::text, 9, '0') AS digits), ten AS (
			SELECT digits || (SELECT sum(substr(digits, i, 1)::int * (11 - i)) * 10 % 11 % 10
				FROM generate_series(1, 9) i) AS digits FROM nine)
		SELECT digits || (SELECT sum(substr(digits, i, 1)::int * (12 - i)) * 10 % 11 % 10
			FROM generate_series(1, 10) i) FROM ten $$`

// dashboardFill are the statements, in their order. Scope 0 is the live environment
// that is looked at, 1 its test environment; all others follow, live ones even.
var dashboardFill = []string{
	`CREATE TABLE filled_scopes AS
		SELECT place,
			CASE WHEN place < 2 THEN current_setting('fill.organization')
				ELSE 'org_' || ` + hexID("place / 2") + ` END COLLATE "C" AS organization_id,
			place % 2 = 0 AS livemode, CASE place WHEN 0 THEN 100000 ELSE 1000 END AS customers
		FROM generate_series(0, 41) place`,

	filledCPF,
	// What each note is, decided once: when, whose, how it ended. The first ten characters of an id are its time.
	`CREATE TABLE filled AS
		SELECT n, at, s.place, s.organization_id, s.livemode, hash, 'req_' || body AS request_id, body,
			'key_' || ` + hexID("s.place * 1000 + hash % 100") + ` AS key_id,
			s.place * 1000 + (hash / 100) % 490 AS service, -- the last ten have no notes
			s.place * 1000000 + (hash / 7) % (s.customers - 100) AS customer, -- and the last hundred
			CASE WHEN n > numbers.notes * 0.99 AND hash % 2 = 0 THEN 'processing' WHEN hash % 100 < 93 THEN 'issued'
				WHEN hash % 100 < 97 THEN 'rejected' ELSE 'cancelled' END AS status
		FROM (SELECT n, notes, at, hashint8(n) & 2147483647 AS hash,
				CASE WHEN n % 100 < 80 THEN 0 WHEN n % 100 < 85 THEN 1 ELSE 2 + n / 100 % 40 END AS place,
				(SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
					((extract(epoch FROM at) * 1000)::bigint >> 5 * digit & 31)::int + 1, 1), '' ORDER BY digit DESC)
					FROM generate_series(0, 9) digit) || lpad(to_hex(n), 16, '0') AS body
			FROM (SELECT n, notes, now() - interval '395 days' * (1 - n::float8 / notes) AS at
				FROM CAST(current_setting('fill.notes') AS bigint) notes, generate_series(1, notes) n) moments) numbers
		JOIN filled_scopes s USING (place)`,
	`ANALYZE filled, filled_scopes`,

	`INSERT INTO organizations (id, name)
		SELECT DISTINCT organization_id, 'Clínica ' || organization_id FROM filled_scopes WHERE place > 1`,
	`INSERT INTO api_keys (id, organization_id, livemode, label, hash, email_customer, register_ledger,
			confirm_municipal_operation)
		SELECT 'key_' || ` + hexID("place * 1000 + k") + `, organization_id, livemode, 'ERP ' || k,
			sha256((place * 1000 + k)::text::bytea), true, true, false FROM filled_scopes, generate_series(0, 99) k`,
	`INSERT INTO services (id, organization_id, livemode, name, description, municipality_code, default_amount_cents,
			national_tax_code, active, expires_at)
		SELECT 'srv_' || ` + hexID("place * 1000 + k") + `, organization_id, livemode, 'Suporte ' || k,
			'Suporte técnico em informática, inclusive instalação', '3304557', 15000, '010701', true,
			CASE WHEN NOT livemode THEN now() + interval '1 day' END FROM filled_scopes, generate_series(0, 499) k`,
	`INSERT INTO service_classifications (service_id, organization_id, livemode, classification)
		SELECT id, organization_id, livemode,
			'{"c_nbs": "115013000", "c_ind_op": "100301", "cst": "000", "c_class_trib": "000001"}'
		FROM services WHERE livemode ON CONFLICT DO NOTHING`,
	`INSERT INTO customers (id, organization_id, livemode, tax_id, name, email, municipality_code,
			municipality_declared, street, number, district, zip_code)
		SELECT 'cus_' || ` + hexID("place * 1000000 + c") + `, organization_id, livemode, filled_cpf(200000000 + c),
			(ARRAY['Maria', 'João', 'Ana', 'José', 'Antônia', 'Francisco', 'Adriana', 'Carlos', 'Marcos', 'Paula'])
				[1 + c % 10] || ' da Silva ' || c, 'cliente' || c || '@example.com', '3550308', false,
			'Avenida Paulista', '1578', 'Bela Vista', '01310100'
		FROM filled_scopes, generate_series(0, customers - 1) c`,
	`INSERT INTO webhook_endpoints (id, organization_id, livemode, url, secret)
		SELECT 'whe_' || ` + hexID("place * 100 + e") + `, organization_id, livemode, 'https://example.com/' || e, ''
		FROM filled_scopes, generate_series(0, 4) e`,
	`INSERT INTO certificates (id, organization_id, tax_id, subject, issuer, serial, fingerprint, not_before, not_after,
			sealed)
		SELECT 'crt_' || ` + hexID("place * 10 + c") + `, organization_id, '11222333000181', 'Clínica', 'AC', '1',
			sha256((place * 10 + c)::text::bytea), now() - interval '1 year', now() + interval '20 days', '\x00'
		FROM filled_scopes, generate_series(0, 2) c WHERE livemode`,

	`INSERT INTO notes (id, organization_id, livemode, reference, payload_hash, payload_version, api_key_id, request_id,
			email_customer, register_ledger, confirm_municipal_operation, status, scenario, customer_id, service_id,
			amount_cents, iss_withheld, service, customer, municipality_code, municipality_source,
			municipality_verified, municipality_check_pending, sent_at, authority_number, verification_code, access_key,
			authority_issued_at, rejection, cancellation_status, cancellation_reason_code, cancellation_requested_at,
			cancellation_resolved_at, held_reason, held_since, created_at, updated_at, processing_at, issued_at,
			rejected_at, cancelled_at, requeue_after, competence, authority_totals)
		SELECT 'nfse_' || body, organization_id, livemode, 'invoice-' || n, sha256(n::text::bytea), 1, key_id,
			request_id, livemode, livemode, false, status, CASE WHEN NOT livemode THEN 'authorized' END,
			'cus_' || ` + hexID("customer") + `, 'srv_' || ` + hexID("service") + `, 10000 + hash % 5000, false,
			jsonb_build_object('name', 'Suporte', 'description', 'Suporte técnico em informática',
				'national_tax_code', '010701', 'municipality_code', '3304557', 'default_amount_cents', 15000),
			jsonb_build_object('document', lpad((customer % 1000000 * 97)::text, 11, '0'),
				'name', 'Maria da Silva ' || customer % 1000000, 'address', jsonb_build_object('zip_code', '01310100',
				'street', 'Avenida Paulista', 'number', '1578', 'district', 'Bela Vista')),
			'3550308', 'zip_code', true, false, at, CASE WHEN ended THEN n::text END,
			CASE WHEN ended THEN md5(n::text) END,
			CASE WHEN ended AND livemode THEN lpad('', 23, '3') || lpad(n::text, 13, '0') || lpad('', 14, '7') END,
			CASE WHEN ended THEN at END,
			CASE WHEN status = 'rejected' THEN jsonb_build_object('source', 'authority', 'code', 'E' || 100 + hash % 30,
				'message', 'Rejeitada', 'explanation', 'Rejected', 'action', 'Correct it and issue another note') END,
			CASE WHEN cancelled THEN 'accepted' END, CASE WHEN cancelled THEN '1' END, CASE WHEN cancelled THEN at END,
			CASE WHEN cancelled THEN at END, CASE WHEN held THEN '{"code": "no_fiscal_profile"}'::jsonb END,
			CASE WHEN held THEN at END,
			at, at, at, CASE WHEN ended THEN at + interval '2 seconds' END,
			CASE WHEN status = 'rejected' THEN at END, CASE WHEN cancelled THEN at END, at + interval '10 minutes',
			(at AT TIME ZONE 'America/Sao_Paulo')::date,
			CASE WHEN ended THEN jsonb_build_object('price_cents', 10000 + hash % 5000, 'total_cents', 10000 + hash % 5000,
				'net_cents', 9500 + hash % 5000, 'iss_cents', 500) END
		FROM (SELECT *, status IN ('issued', 'cancelled') AS ended, status = 'cancelled' AS cancelled,
			status = 'processing' AND hash % 50 = 0 AND livemode AS held FROM filled ORDER BY n) filled`,
	`INSERT INTO note_documents (note_id, xml, created_at)
		SELECT 'nfse_' || body, 'xml', at FROM filled WHERE status IN ('issued', 'cancelled') ORDER BY filled.n`,
	`INSERT INTO note_steps (note_id, at, fact) SELECT 'nfse_' || body, at, jsonb_build_object('code', 'started_again')
		FROM filled WHERE hash % 20 = 0`,
	`INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code, series,
			number, profile, message_id, access_key, authority_number, issued_at, xml)
		SELECT 'nfse_' || body, 'issue', 'accepted', 'national', false, place::text, '3304557', 1, n, '{}', n::text,
			n::text, n::text, at, ''
		FROM filled WHERE livemode AND status IN ('issued', 'cancelled') ORDER BY filled.n`,
	`INSERT INTO fiscal_calls (note_id, what, started_at, ended_at, outcome, status)
		SELECT 'nfse_' || body, 'issue', at, at + interval '1 second', 'accepted', 201
		FROM filled WHERE livemode AND status <> 'processing' ORDER BY filled.n`,
	`INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
		SELECT 'evt_' || body, organization_id, livemode, 'nfse_' || body, 'nfse.' || status,
			convert_to('{"id": "evt_' || body || '", "type": "nfse.' || status || '", "data": {}}', 'UTF8'), at
		FROM filled WHERE status <> 'processing' ORDER BY filled.n`,

	// The deliveries of the organization that is looked at failed only long ago; those of others fail all the time.
	`INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id, status, created_at, resolved_at)
		SELECT 'dlv_' || body, organization_id, livemode, 'evt_' || body,
			'whe_' || ` + hexID("place * 100 + hash % 4") + `, outcome, at, CASE WHEN outcome <> 'pending' THEN at END
		FROM (SELECT *, CASE WHEN place < 2 AND hash % 200 = 0 AND at < now() - interval '200 days' THEN 'failed'
				WHEN place > 1 AND hash % 5 = 0 THEN 'failed' WHEN place > 1 AND hash % 100 = 1 THEN 'pending'
				WHEN hash % 1000 = 2 THEN 'skipped' ELSE 'delivered' END AS outcome
			FROM filled WHERE status <> 'processing' ORDER BY n) filled`,
	`INSERT INTO delivery_attempts (delivery_id, started_at, duration_ms, status, answer)
		SELECT id, created_at, 80, 200, 'ok' FROM deliveries WHERE status <> 'pending'`,
	`INSERT INTO emails (id, organization_id, livemode, note_id, status, created_at, resolved_at)
		SELECT 'eml_' || body, organization_id, true, 'nfse_' || body,
			CASE WHEN place = 0 AND hash % 500 = 0 AND at < now() - interval '200 days' OR place > 0 AND hash % 4 = 0
				THEN 'failed' ELSE 'sent' END, at, at
		FROM filled WHERE livemode AND status = 'issued' AND hash % 2 = 0 ORDER BY n`,
	`INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents, created_at)
		SELECT 'led_' || body, organization_id, true, 'nfse_' || body, 'issued', 10000 + hash % 5000, at
		FROM filled WHERE livemode AND status IN ('issued', 'cancelled') ORDER BY filled.n`,
	`INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents, created_at)
		SELECT 'led_' || left(body, 10) || 'f' || right(body, 15), organization_id, true, 'nfse_' || body, 'reversed',
			-(10000 + hash % 5000), at FROM filled WHERE livemode AND status = 'cancelled' ORDER BY n`,
	`INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'note', 'nfse_' || body, organization_id, livemode, 'invoice-' || n
		FROM filled WHERE status = 'processing'`,
	`INSERT INTO audit_log (id, at, organization_id, livemode, actor_kind, actor_id, actor_from, request_id, action,
			subject_id, after)
		SELECT 'aud_' || body, at, organization_id, livemode, CASE WHEN person THEN 'user' ELSE 'key' END,
			CASE WHEN person THEN 'usr_' || ` + hexID("hash % 2000") + ` ELSE key_id END, '10.0.0.1', request_id,
			CASE WHEN person THEN 'user.sign_in' WHEN hash % 50 = 1 THEN 'customer.set' ELSE 'note.cancel' END,
			'nfse_' || body, '{"reason_code": "1"}'
		FROM (SELECT *, hash % 10 = 0 AS person FROM filled WHERE n % 4 = 0 ORDER BY n) filled`,
	`INSERT INTO audit_log (id, organization_id, livemode, actor_kind, actor_id, actor_from, request_id, action,
			subject_id)
		SELECT 'aud_' || ` + hexID("7") + `, organization_id, true, 'command', 'root', 'host', '',
			'series.next_number', 'x' FROM filled_scopes WHERE place = 0`, // the first of all, and alone of its action

	`INSERT INTO users (id, email) SELECT 'usr_' || ` + hexID("u") + `, 'pessoa' || u || '@example.com'
		FROM generate_series(0, 1999) u`,
	`INSERT INTO memberships (organization_id, user_id, role)
		SELECT organization_id, 'usr_' || ` + hexID("place * 40 + u") + `, 'editor'
		FROM filled_scopes, generate_series(0, 79) u WHERE livemode`,
	`INSERT INTO sessions (token_hash, id, data, expires_at)
		SELECT md5(s::text), 'ses_' || ` + hexID("s") + `,
			jsonb_build_object('values', jsonb_build_object('user_id', 'usr_' || ` + hexID("s % 2000") + `)),
			now() + interval '1 hour' FROM generate_series(1, 50000) s`,
	`INSERT INTO municipal_parameters (authority, production, municipality_code, failure, failed_at)
		SELECT 'national', false, lpad(m::text, 7, '0'),
			CASE WHEN m % 20 = 0 THEN '{"code": "no_answer_in_time"}'::jsonb END,
			CASE WHEN m % 20 = 0 THEN now() END FROM generate_series(1, 5570) m`,

	// The figures of what is there, counted again as docs/operations/dashboard.md does.
	`INSERT INTO note_figures
		SELECT organization_id, livemode, (created_at AT TIME ZONE 'America/Sao_Paulo')::date, 'state', status,
			count(*), sum(amount_cents)
		FROM notes GROUP BY 1, 2, 3, 5 ON CONFLICT DO NOTHING`,
	`INSERT INTO note_figures
		SELECT organization_id, livemode, (created_at AT TIME ZONE 'America/Sao_Paulo')::date, 'rejection',
			coalesce(rejection ->> 'code', ''), count(*), 0
		FROM notes WHERE status = 'rejected' GROUP BY 1, 2, 3, 5 ON CONFLICT DO NOTHING`,
	`INSERT INTO note_figures
		SELECT organization_id, livemode, (created_at AT TIME ZONE 'America/Sao_Paulo')::date, 'time',
			ceil(ln(greatest(1, extract(epoch FROM issued_at - created_at) * 1000)) / ln(1.2))::int::text, count(*), 0
		FROM notes WHERE issued_at IS NOT NULL GROUP BY 1, 2, 3, 5 ON CONFLICT DO NOTHING`,
}
