package dashboard_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"emissor/nfse"
)

// ownerJobs are of who runs a small company.
var ownerJobs = []job{
	{"issue a note for a known customer", nfse.RoleOwner, 3, func(t *testing.T, c *clicker) {
		c.onRecord(t, c.TestKey, "11144477735", "Joana Prado da Silva")
		c.press(t, `main header a[href^="/notes/new"]`)
		c.do(t, typed(`#customer_words`, "prado joana"), blank(`#amount_cents`), typed(`#amount_cents`, "1250,5"))
		c.press(t, `form.issue button.primary`)
		c.shows(t, "R$\u00a01.250,50")
		c.press(t, `form[action^="/notes?"] button.primary`)
		c.shows(t, "Joana Prado da Silva")
		c.done(t, `SELECT count(*) FROM notes WHERE amount_cents = 125050 AND reference LIKE 'painel-%'`)
	}},
	{"issue the same note once more", nfse.RoleOwner, 4, func(t *testing.T, c *clicker) {
		c.press(t, `a.row[href*="`+c.issued+`"]`)
		c.press(t, `a[href*="copy="]`)
		c.press(t, `form.issue button.primary`)
		c.press(t, `form[action^="/notes?"] button.primary`)
		c.shows(t, "painel-")
	}},
	{"invite the accountant", nfse.RoleOwner, 2, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/people"]`)
		c.do(t, typed(`#email`, "contadora@example.com"),
			chromedp.SetValue(chromedp.CSS(`#role`), string(nfse.RoleAccountant)))
		c.press(t, `form[action*="/people/invitations?"] button.primary`)
		c.shows(t, "contadora@example.com")
	}},
	{"issue notes from a spreadsheet", nfse.RoleOwner, 3, func(t *testing.T, c *clicker) {
		file := filepath.Join(t.TempDir(), "notas.csv")
		must(t, os.WriteFile(file, []byte(sheetHead+sheetLine(c.service, "10")+sheetLine(c.service, "20,50")), 0o600))
		c.press(t, `nav a[href^="/batches"]`)
		c.do(t, chromedp.SetUploadFiles(`#sheet`, []string{file}))
		c.press(t, `form[action^="/batches?"] button.primary`)
		c.press(t, `form[action*="/accept?"] button.primary`)
		c.shows(t, "planilha-")
	}},
}
