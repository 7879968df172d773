package main

import "strings"

// growthYears is over how long the filled notes are spread.
const growthYears = 4

// documentsOneIn says of how many filled notes one has its document.
const documentsOneIn = 50

// bodySQL is the body of an id of a moment in milliseconds, as nfse.NewID makes it: its first ten characters are
// the time, the eleventh says that the rest is random; here it is a number.
func bodySQL(at, number string) string {
	var time []string
	for digit := 9; digit >= 0; digit-- {
		time = append(time, `substr('0123456789abcdefghjkmnpqrstvwxyz', (`+at+` >> `+
			[]string{"0", "5", "10", "15", "20", "25", "30", "35", "40", "45"}[digit]+` & 31)::int + 1, 1)`)
	}
	return strings.Join(time, " || ") + ` || 'e' || lpad(to_hex(` + number + `), 15, '0')`
}

// growthScopes are the live environments that share the tables: the first is the organization that is
// looked at and has four of five notes; the others are made here.
var growthScopes = []string{
	`CREATE TABLE growth_scopes (place integer PRIMARY KEY, organization_id text COLLATE "C", key_id text COLLATE "C",
		service_id text COLLATE "C", endpoint_id text COLLATE "C", distribution_id text COLLATE "C")`,
	`INSERT INTO organizations (id, name)
		SELECT 'org_' || ` + hexID("place") + `, 'Clínica ' || place FROM generate_series(1, 20) place`,
	`INSERT INTO api_keys (id, organization_id, livemode, label, hash, email_customer, register_ledger,
			confirm_municipal_operation)
		SELECT 'key_' || ` + hexID("place") + `, 'org_' || ` + hexID("place") + `, true, 'ERP',
			sha256(place::text::bytea), true, true, false FROM generate_series(1, 20) place`,
	`INSERT INTO services (id, organization_id, livemode, name, description, municipality_code, default_amount_cents,
			national_tax_code, active)
		SELECT 'srv_' || ` + hexID("place") + `, 'org_' || ` + hexID("place") + `, true, 'Suporte',
			'Suporte técnico em informática', '3304557', 15000, '010701', true FROM generate_series(1, 20) place`,
	`INSERT INTO growth_scopes
		SELECT 0, k.organization_id, k.id, s.id FROM api_keys k JOIN services s USING (organization_id, livemode)
		WHERE k.livemode AND k.organization_id = current_setting('fill.organization')
		UNION ALL
		SELECT place, 'org_' || ` + hexID("place") + `, 'key_' || ` + hexID("place") + `,
			'srv_' || ` + hexID("place") + ` FROM generate_series(1, 20) place`,
	`UPDATE growth_scopes SET endpoint_id = 'whe_' || ` + hexID("place") + `,
		distribution_id = 'dst_' || ` + hexID("place"),
	`INSERT INTO webhook_endpoints (id, organization_id, livemode, url, secret)
		SELECT endpoint_id, organization_id, true, 'https://example.com/' || place, '' FROM growth_scopes
		WHERE place > 0`, // what the organization issues here is delivered nowhere
	`INSERT INTO distributions (id, authority, production, tax_id, tells_of_all, succeeded_at, notes_since)
		SELECT distribution_id, 'national', false, lpad(place::text, 14, '9'), true, now(), now() FROM growth_scopes`,
	filledCPF,
}

// growthBatch are the notes $1 to $2 of a table of $4, of which $3 were there before, spread evenly over the
// years up to now. All that a batch adds follows from it.
var growthBatch = `
	CREATE TEMPORARY TABLE batch ON COMMIT DROP AS
	SELECT n, at, ms, ` + bodySQL("ms", "n") + ` AS body, hash, place, organization_id, key_id, service_id, endpoint_id,
		distribution_id, (at AT TIME ZONE 'America/Sao_Paulo')::date AS day,
		CASE WHEN hash % 100 < 93 THEN 'issued' WHEN hash % 100 < 97 THEN 'rejected' ELSE 'cancelled' END AS status,
		hash % 100 NOT BETWEEN 93 AND 96 AS issued, 10000 + hash % 5000 AS amount_cents,
		place * 10000000::bigint + hash / 7 % greatest(1, $4::bigint * CASE place WHEN 0 THEN 80 ELSE 1 END / 2000)
			AS customer
	FROM (SELECT n, at, (extract(epoch FROM at) * 1000)::bigint AS ms, hashint8(n) & 2147483647 AS hash,
			CASE WHEN n % 100 < 80 THEN 0 ELSE 1 + n / 100 % 20 END AS place
		FROM (SELECT n, now() - interval '1 minute'
				- interval '4 years' * (1 - (n - $3::bigint)::float8 / ($4::bigint - $3::bigint)) AS at
			FROM generate_series($1::bigint, $2::bigint) n) moments) numbers
	JOIN growth_scopes USING (place)`

// growthCustomers are one for each twenty notes, in each scope: those above $1 notes up to $2.
var growthCustomers = `
	INSERT INTO customers (id, organization_id, livemode, tax_id, name, email, municipality_code, municipality_declared,
		street, number, district, zip_code)
	SELECT 'cus_' || ` + hexID("place * 10000000::bigint + c") + `, organization_id, true, filled_cpf(200000000 + c),
		(ARRAY['Maria', 'João', 'Ana', 'José', 'Antônia', 'Francisco', 'Adriana', 'Carlos', 'Marcos', 'Paula'])
			[1 + c % 10] || ' da Silva ' || c, 'cliente' || c || '@example.com', '3550308', false, 'Avenida Paulista',
		'1578', 'Bela Vista', '01310100'
	FROM growth_scopes, LATERAL (SELECT CASE place WHEN 0 THEN 80 ELSE 1 END AS share) _,
		LATERAL generate_series(CASE WHEN $1::bigint = 0 THEN 0 ELSE greatest(1, $1::bigint * share / 2000) END,
			greatest(1, $2::bigint * share / 2000) - 1) c`

// growthFill are the statements of a batch. What is stored once is taken from the note that was issued first; ids
// that are numbers are the time and the number of the note.
var growthFill = []string{
	`INSERT INTO notes (id, organization_id, livemode, reference, payload_hash, payload_version, api_key_id, request_id,
			email_customer, register_ledger, confirm_municipal_operation, status, customer_id, service_id, amount_cents,
			iss_withheld, service_snapshot_id, service_description, customer, municipality_code, municipality_source,
			municipality_verified, municipality_check_pending, sent_at, authority_number, verification_code, access_key,
			authority_issued_at, rejection, cancellation_status, cancellation_reason_code, cancellation_requested_at,
			cancellation_resolved_at, created_at, updated_at, processing_at, issued_at, rejected_at, cancelled_at,
			requeue_after, competence, authority_totals)
		SELECT 'nfse_' || body, organization_id, true, 'invoice-' || n, sha256(n::text::bytea), 1, key_id,
			'req_' || body, true, true, false, status, 'cus_' || ` + hexID("customer") + `, service_id, amount_cents,
			false, (SELECT min(id) FROM service_snapshots), 'Suporte técnico em informática',
			jsonb_build_object('document', lpad((customer % 10000000)::text, 11, '0'),
				'name', 'Maria da Silva ' || customer % 10000000, 'address', jsonb_build_object('zip_code', '01310100',
				'street', 'Avenida Paulista', 'number', '1578', 'district', 'Bela Vista')),
			'3550308', 'zip_code', true, false, at, CASE WHEN issued THEN n::text END,
			CASE WHEN issued THEN md5(n::text) END,
			CASE WHEN issued THEN '3304557' || lpad(place::text, 16, '3') || lpad(n::text, 13, '0') ||
				lpad('', 14, '7') END,
			CASE WHEN issued THEN at END,
			CASE WHEN status = 'rejected' THEN jsonb_build_object('source', 'authority', 'code', 'E' || 100 + hash % 30,
				'message', 'Rejeitada', 'explanation', 'Rejected', 'action', 'Correct it and issue another note') END,
			CASE WHEN cancelled THEN 'accepted' END, CASE WHEN cancelled THEN '1' END, CASE WHEN cancelled THEN at END,
			CASE WHEN cancelled THEN at END, at, at, at, CASE WHEN issued THEN at + interval '2 seconds' END,
			CASE WHEN status = 'rejected' THEN at END, CASE WHEN cancelled THEN at END, at + interval '10 minutes',
			(at AT TIME ZONE INTERVAL '-3 hours')::date,
			CASE WHEN issued THEN jsonb_build_object('price_cents', amount_cents, 'total_cents', amount_cents,
				'net_cents', amount_cents - 500, 'iss_cents', 500) END
		FROM (SELECT *, status = 'cancelled' AS cancelled FROM batch ORDER BY batch.n) batch`,
	// Each is a copy of the document of the note that was issued first, however the database keeps it.
	`INSERT INTO note_documents
		SELECT (jsonb_populate_record(model, jsonb_build_object('note_id', 'nfse_' || body, 'created_at', at))).*
		FROM batch, (SELECT model FROM note_documents model LIMIT 1) first
		WHERE issued AND n % 50 = 0 ORDER BY batch.n`,
	`INSERT INTO note_steps (id, note_id, at, fact) OVERRIDING SYSTEM VALUE
		SELECT ms << 20 | (n & 1048575), 'nfse_' || body, at, '{"code": "started_again"}' FROM batch
		WHERE hash % 20 = 0 ORDER BY batch.n`,
	`INSERT INTO fiscal_exchanges (id, note_id, kind, state, authority, production, tax_id, municipality_code, series,
			number, profile_id, message_id, access_key, authority_number, issued_at, xml, created_at, updated_at)
		OVERRIDING SYSTEM VALUE
		SELECT 1000 + n, 'nfse_' || body, 'issue', 'accepted', 'national', false, lpad(place::text, 14, '9'), '3304557',
			1, n, (SELECT min(id) FROM exchange_profiles), 'DPS' || lpad(n::text, 42, '0'), '3304557' ||
			lpad(place::text, 16, '3') || lpad(n::text, 13, '0') || lpad('', 14, '7'), n::text, at, '', at, at
		FROM batch WHERE issued ORDER BY batch.n`,
	`INSERT INTO fiscal_messages (id, exchange_id, message_id, layout, digest, xml, certificate_id, created_at)
		OVERRIDING SYSTEM VALUE
		SELECT 1000 + n, 1000 + n, 'DPS' || lpad(n::text, 42, '0'), '1.01', encode(sha256(n::text::bytea), 'base64'), '',
			'crt_' || ` + hexID("place") + `, at FROM batch WHERE issued ORDER BY batch.n`,
	`INSERT INTO fiscal_calls (id, note_id, what, started_at, ended_at, outcome, status) OVERRIDING SYSTEM VALUE
		SELECT ms << 20 | (n & 1048575), 'nfse_' || body, 'issue', at, at + interval '1 second', 'accepted', 201
		FROM batch ORDER BY batch.n`,
	`INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
		SELECT 'evt_' || body, organization_id, true, 'nfse_' || body, 'nfse.' || status,
			CASE WHEN at > now() - interval '1 year' THEN convert_to('{"id": "evt_' || body || '", "type": "nfse.' ||
				status || '", "data": {}}', 'UTF8') ELSE '' END, at
		FROM batch ORDER BY batch.n`,
	`INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id, status, created_at, resolved_at)
		SELECT 'dlv_' || body, organization_id, true, 'evt_' || body, endpoint_id,
			CASE WHEN hash % 1000 = 2 THEN 'failed' ELSE 'delivered' END, at, at
		FROM batch ORDER BY batch.n`,
	`INSERT INTO delivery_attempts (id, delivery_id, started_at, duration_ms, status, answer) OVERRIDING SYSTEM VALUE
		SELECT ms << 20 | (n & 1048575), 'dlv_' || body, at, 80, 200, 'ok' FROM batch ORDER BY batch.n`,
	`INSERT INTO emails (id, organization_id, livemode, note_id, status, created_at, resolved_at)
		SELECT 'eml_' || body, organization_id, true, 'nfse_' || body, 'sent', at, at
		FROM batch WHERE issued ORDER BY batch.n`,
	`INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents, created_at)
		SELECT 'led_' || body, organization_id, true, 'nfse_' || body, 'issued', amount_cents, at
		FROM batch WHERE issued ORDER BY batch.n`,
	`INSERT INTO distributed_notes (note_id, distribution_id, position, received_at)
		SELECT 'nfse_' || body, distribution_id, n, at FROM batch WHERE issued ORDER BY batch.n`,
	`INSERT INTO audit_log (id, at, organization_id, livemode, actor_kind, actor_id, actor_from, request_id, action,
			subject_id, after)
		SELECT 'aud_' || body, at, organization_id, true, 'key', key_id, '10.0.0.1', 'req_' || body,
			CASE WHEN hash % 50 = 1 THEN 'customer.set' ELSE 'note.cancel' END, 'nfse_' || body, '{"reason_code": "1"}'
		FROM batch ORDER BY batch.n`,
	`INSERT INTO note_references
		SELECT organization_id, true, 'invoice-' || n, 'nfse_' || body, sha256(n::text::bytea), 1
		FROM batch ORDER BY batch.n`,
}

// growthFigures add a batch to the sums, as the roll-ups would have done.
var growthFigures = []string{
	`INSERT INTO note_figures AS f
		SELECT organization_id, true, day, 'state', status, count(*), sum(amount_cents) FROM batch
		GROUP BY 1, 3, 5 ORDER BY 1, 3, 5
		ON CONFLICT (organization_id, livemode, day, kind, name) DO UPDATE
			SET notes = f.notes + excluded.notes, amount_cents = f.amount_cents + excluded.amount_cents`,
	`INSERT INTO note_figures AS f
		SELECT organization_id, true, day, 'time', ceil(ln(2000) / ln(1.2))::int::text, count(*), 0 FROM batch
		WHERE issued GROUP BY 1, 3 ORDER BY 1, 3
		ON CONFLICT (organization_id, livemode, day, kind, name) DO UPDATE SET notes = f.notes + excluded.notes`,
	`INSERT INTO note_figures AS f
		SELECT organization_id, true, day, 'rejection', 'E' || 100 + hash % 30, count(*), 0 FROM batch
		WHERE status = 'rejected' GROUP BY 1, 3, 5 ORDER BY 1, 3, 5
		ON CONFLICT (organization_id, livemode, day, kind, name) DO UPDATE SET notes = f.notes + excluded.notes`,
	`INSERT INTO ledger_days AS f
		SELECT organization_id, day, count(*), sum(amount_cents), 0, 0 FROM batch
		WHERE issued AND day < (now() AT TIME ZONE 'America/Sao_Paulo' - interval '2 hours')::date
		GROUP BY 1, 2 ORDER BY 1, 2
		ON CONFLICT (organization_id, day) DO UPDATE
			SET issued = f.issued + excluded.issued, issued_cents = f.issued_cents + excluded.issued_cents`,
	`INSERT INTO closing_figures AS f
		SELECT organization_id, true, date_trunc('month', (at AT TIME ZONE INTERVAL '-3 hours')::date)::date, status,
			service_id, '3304557', '1:', count(*), 0, sum(amount_cents), sum(amount_cents),
			sum(amount_cents) - 500 * count(*), 500 * count(*), 0, 0, 0, 0, 0, 0
		FROM batch WHERE issued GROUP BY 1, 3, 4, 5 ORDER BY 1, 3, 4, 5
		ON CONFLICT (organization_id, livemode, month, state, service_id, city, regime) DO UPDATE
			SET notes = f.notes + excluded.notes, amount_cents = f.amount_cents + excluded.amount_cents,
				total_cents = f.total_cents + excluded.total_cents, net_cents = f.net_cents + excluded.net_cents,
				iss_cents = f.iss_cents + excluded.iss_cents`,
}
