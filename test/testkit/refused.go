package testkit

import "testing"

// RefuseByTerm makes a note one of production that was issued 40 days ago, and that its city
// has refused to cancel.
func (d *Database) RefuseByTerm(t testing.TB, id string) {
	t.Helper()
	d.Exec(t, `UPDATE notes SET status = 'issued', issued_at = now() - interval '40 days',
		authority_issued_at = now() - interval '40 days', access_key = 'KEY', cancellation_status = 'refused',
		cancellation_reason_code = '1', cancellation_reason_text = 'emitida com erro', cancellation_requested_at =
			now(),
		cancellation_resolved_at = now(), cancellation_request_id = 'req_x',
		cancellation_refusal = '{"code": "E0822", "message": "prazo", "explanation": "", "action": ""}'
		WHERE id = $1`, id)
	d.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, disposition, rejection, request_id, access_key, xml, issued_at)
		VALUES ($1, 'cancel', 'rejected', 'national', true, '11222333000181', '3304557', 1, 41, '{}', 'term_over',
			'{"code": "E0822"}', 'req_x', NULL, NULL, NULL),
			($1, 'issue', 'accepted', 'national', true, '11222333000181', '3304557', 1, 41, '{}', NULL, NULL, NULL,
			'KEY', '', now())`, id)
	d.Exec(t, `INSERT INTO city_cancellation_terms (authority, production, municipality_code, refused_days, refused_at)
		VALUES ('national', true, '3304557', 35, now())`)
}
