package main

// closingFill are the statements for a month's closing and its books: the figures, as the maintenance
// of a new month would have counted them, and what the distribution has told of nearly all notes.
var closingFill = []string{
	`INSERT INTO closing_figures
		SELECT organization_id, livemode, date_trunc('month', competence)::date, status, service_id, '3304557',
			'1:', count(*), 0, sum(amount_cents), sum(amount_cents), sum(amount_cents) - 500 * count(*), 500 * count(*),
			0, 0, 0, 0, 0, 0
		FROM notes WHERE issued_at IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ON CONFLICT DO NOTHING`,
	`INSERT INTO distributions (id, authority, production, tax_id, tells_of_all, succeeded_at, notes_since)
		SELECT 'dst_' || ` + hexID("place") + `, 'national', false, place::text, true, now(),
			now() - interval '400 days' FROM filled_scopes WHERE livemode`,
	`INSERT INTO distributed_notes (note_id, distribution_id, position, received_at)
		SELECT 'nfse_' || body, 'dst_' || ` + hexID("place") + `, n, at FROM filled
		WHERE livemode AND status IN ('issued', 'cancelled') AND hash % 10000 > 3 ORDER BY filled.n`,
	`INSERT INTO external_documents (distribution_id, position, access_key, message_id, series, number, digest,
			correlation_id, xml, received_at)
		SELECT 'dst_' || ` + hexID("place") + `, d, lpad(d::text, 36, '0') ||
				to_char(now() - interval '395 days' * d / 2000, 'YYMM') || lpad(d::text, 10, '0'),
			d::text, 70, d, '', '', '', now() - interval '395 days' * d / 2000
		FROM filled_scopes, generate_series(1, 2000) d WHERE livemode`,
}

// recordsFill are the statements for the notes received, the request log, spreadsheets, alerts and the
// status of the authorities. Of notes received there are a fifth as many as notes, nearly all of them of
// the organization that is looked at; a request is on record for each second of a week, at a million notes.
var recordsFill = []string{
	`INSERT INTO received_notes (organization_id, livemode, production, distribution_id, position, access_key, role,
			issuer_tax_id, issuer_name, number, competence, issued_at, service_code, description, place_code, totals,
			amount_cents, iss_withheld_by, iss_cents, federal_cents, xml, xml_hash, received_at, status)
		SELECT organization_id, true, false, 'dst_' || ` + hexID("place") + `, n, lpad(n::text, 50, '0'), 'taker',
			lpad((hash % 3000)::text, 14, '0'), 'Fornecedor ' || hash % 3000 || ' Ltda', n::text, at::date, at, '010701',
			'Hospedagem de sistemas', '3304557', '{}', 10000 + hash % 5000, 1 + (hash % 20 = 0)::int,
			CASE WHEN hash % 20 = 0 THEN 500 END, 0, convert_to(repeat('<nfse/>', 100), 'UTF8'), sha256(n::text::bytea), at,
			CASE WHEN hash % 50 = 0 THEN 'cancelled' ELSE 'issued' END
		FROM filled WHERE livemode AND n % 5 = 0 ORDER BY filled.n`,

	`SELECT add_request_day(day::date) FROM generate_series((now() AT TIME ZONE 'UTC')::date - 7,
		(now() AT TIME ZONE 'UTC')::date, interval '1 day') day`,
	`INSERT INTO api_requests (id, organization_id, livemode, at, api_key_id, method, route, path_id, status,
			microseconds, error_code, error_field, note_id, body_bytes, fields, other_fields)
		SELECT 'req_' || api_request, organization_id, livemode, moment, key_id, 'POST', '/v1/nfse', NULL,
			CASE WHEN hash % 50 = 0 THEN 422 ELSE 202 END, 8000 + hash % 9000,
			CASE WHEN hash % 50 = 0 THEN 'invalid_request' END, CASE WHEN hash % 50 = 0 THEN 'amount_cents' END,
			CASE WHEN hash % 50 <> 0 THEN 'nfse_' || body END, 700,
			'[{"name": "reference", "bytes": 15}, {"name": "amount_cents", "bytes": 5}]', 0
		FROM (SELECT *, (SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
					((extract(epoch FROM moment) * 1000)::bigint >> 5 * digit & 31)::int + 1, 1), '' ORDER BY digit DESC)
					FROM generate_series(0, 9) digit) || lpad(to_hex(n), 16, '0') AS api_request
			FROM (SELECT *, now() - (now() - at) / 60 AS moment FROM filled) filled ORDER BY n) requests`,

	`INSERT INTO batches (id, organization_id, livemode, user_id, digest, status, lines, amount_cents, created_at,
			accepted_at, accepted_by, finished_at)
		SELECT 'bat_' || ` + hexID("place * 1000 + b") + `, organization_id, livemode, 'usr_' || ` + hexID("1") + `,
			md5(place || '/' || b), 'done', 10000, 150000000, now() - make_interval(days => 60 - b), now(), 'usr_', now()
		FROM filled_scopes, generate_series(1, 50) b WHERE place < 4`,

	`INSERT INTO alerts (user_id, alert_key, organization_id, kind, subject_id, raised_at, due_at)
		SELECT 'usr_' || ` + hexID("a % 2000") + `, 'rejection ' || a, organization_id, 'rejection', a::text,
			now() - interval '1 day', now() + interval '1 day'
		FROM filled_scopes, generate_series(1, 100000) a WHERE place = 2`,
	`INSERT INTO authority_hours (authority, production, municipality_code, hour, outcome, power, calls)
		SELECT 'national', false, city, date_trunc('hour', now(), 'UTC') - make_interval(hours => h), 'answered',
			power, 10
		FROM unnest(ARRAY['', '3304557', '3550308', '4106902']) city, generate_series(0, 24 * 90) h,
			generate_series(20, 34) power`,
	`INSERT INTO authority_periods (period)
		SELECT p FROM CAST(extract(epoch FROM now()) / 300 AS bigint) now, generate_series(now - 8 * 288, now) p`,
}
