package dashboard_test

import (
	"os"
	"path/filepath"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The pictures of the documentation, of a clinic with a month behind it: make screenshots.
func TestScreenshots(t *testing.T) {
	folder := os.Getenv("SCREENSHOTS")
	if folder == "" {
		t.Skip("make screenshots makes the pictures of the documentation")
	}
	w := newWalker(t)
	w.Exec(t, `UPDATE organizations SET name = 'Clínica Boa Vista' WHERE id = $1`, w.Organization.ID)
	document, err := os.ReadFile("testdata/clinic.xml")
	must(t, err)
	w.Exec(t, `UPDATE note_documents SET xml = $2 WHERE note_id = $1`, w.replaceable, document)
	w.Exec(t, `UPDATE notes SET amount_cents = 18000, authority_number = '154', reference = 'consulta-154',
			customer = jsonb_set(customer, '{name}', '"Maria da Conceição Araújo"'),
			processing_at = created_at + interval '400 ms', issued_at = created_at + interval '1.9 s',
			authority_issued_at = created_at + interval '1.8 s' WHERE id = $1`, w.replaceable)
	w.Exec(t, `INSERT INTO notes SELECT older.* FROM notes n, generate_series(1, 29) day,
		generate_series(1, 4 + day * 7 % 5 - 3 * (extract(isodow FROM now() - make_interval(days => day)) > 5)::int) i,
		LATERAL (SELECT date_trunc('day', now()) - make_interval(days => day, mins => -540 - 41 * i) AS at) accepted,
		jsonb_populate_record(n, jsonb_build_object('id', left(first_id('nfse_', at), -2) || lpad(i::text, 2, '0'),
			'reference', 'consulta-' || day || '-' || i, 'created_at', at, 'competence', at::date,
			'processing_at', at + interval '300 ms', 'issued_at', at + make_interval(secs => 0.9 + day * i % 7 / 3.0),
			'amount_cents', 12000 + 1500 * (day * 3 + i * 5) % 19000)) older WHERE n.id = $1`, w.replaceable)
	must(t, w.workerStore(t).Operate.RollUp(t.Context()))
	w.signUp(t, "dona@example.com")
	for name, address := range map[string]string{
		"dashboard": w.live("/"), "note": w.live("/notes/" + w.replaceable), "company": w.live("/company"),
	} {
		w.looks(t, 1280, "light")
		w.open(t, address)
		picture, err := chromedp.Call(w.ctx, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{})
		must(t, err)
		must(t, os.WriteFile(filepath.Join(folder, name+".png"), picture.Data, 0o644))
	}
}
