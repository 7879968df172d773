package testkit

import "testing"

// IssuedKey is an access key of the national system, of Issuer in the city of NewProfile.
const IssuedKey = "33045572211222333000181000000000004126119704080465"

// IssuedNationally makes a live note one that the national system has issued in restricted
// production under IssuedKey, with the number 41.
func (d *Database) IssuedNationally(t testing.TB, id string) {
	t.Helper()
	d.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, access_key, xml, issued_at)
		VALUES ($1, 'issue', 'accepted', 'national', false, '11222333000181', '3304557', 1, 41, jsonb_build_object(
			'authority', 'national', 'production', false, 'tax_id', '11222333000181', 'municipality_code', '3304557',
			'simples', 1, 'series', 1), $2, 'x', now())`, id, IssuedKey)
	d.Exec(t, `UPDATE notes SET status = 'issued', issued_at = now(), authority_issued_at = now(), access_key = $2,
		authority_number = '41', processing_at = now() WHERE id = $1`, id, IssuedKey)
	d.Exec(t, `DELETE FROM outbox WHERE subject_id = $1`, id)
}
