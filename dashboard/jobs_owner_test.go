package dashboard_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
)

// ownerJobs are of who runs a small company.
var ownerJobs = []job{
	{"issue a note for a known customer", nfse.RoleOwner, 3, func(t *testing.T, c *clicker) {
		c.onRecord(t, c.TestKey, "11144477735", "Joana Prado da Silva")
		c.press(t, `a.issue-note`)
		c.do(t, typed(`#customer_words`, "prado joana"), chosen(`#service`, c.service),
			blank(`#amount_cents`), typed(`#amount_cents`, "1250,5"))
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
	{"add the certificate", nfse.RoleOwner, 3, func(t *testing.T, c *clicker) {
		file := filepath.Join(t.TempDir(), "empresa.pfx")
		issuer := nfse.TaxID(c.Text(t, `SELECT profile ->> 'tax_id' FROM fiscal_profiles`))
		must(t, os.WriteFile(file,
			certificatetest.PFX(t, c.chain.Issue(t, certificatetest.Template(issuer)), "senha"), 0o600))
		c.press(t, `nav a[href^="/company"]`)
		c.press(t, `a[href*="/company/certificates/new"]`)
		c.do(t, chromedp.SetUploadFiles(chromedp.CSS(`#certificate`), []string{file}), typed(`#password`, "senha"))
		c.press(t, `form[action*="/company/certificates?"] button.primary`)
		c.shows(t, "Certificado salvo, cifrado.")
	}},
	{"invite the accountant", nfse.RoleOwner, 2, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/people"]`)
		c.do(t, typed(`#email`, "contadora@example.com"),
			chromedp.SetValue(chromedp.CSS(`#role`), string(nfse.RoleAccountant)))
		c.press(t, `form[action*="/people/invitations?"] button.primary`)
		c.shows(t, "contadora@example.com")
	}},
	{"see a note issued and take its PDF", nfse.RoleOwner, 3, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/notes"]`)
		c.press(t, `a.row[href*="`+c.issued+`"]`)
		c.shows(t, "Emitida")
		c.do(t, chromedp.WaitVisible(chromedp.CSS(`a[href*="/danfse"]`)))
	}},
	{"mail a note again", nfse.RoleOwner, 2, func(t *testing.T, c *clicker) {
		c.open(t, c.live("/notes/"+c.replaceable))
		c.tap(t, `details:has(#email) summary`)
		c.do(t, chromedp.SetValue(chromedp.CSS(`#email`), "contador@example.com"))
		c.press(t, `form[action*="/email?"] button.primary`)
		c.shows(t, "O e-mail está a caminho.")
	}},
	{"replace a note", nfse.RoleOwner, 4, func(t *testing.T, c *clicker) {
		c.open(t, c.live("/notes/"+c.replaceable))
		c.press(t, `a[href*="/replace"]`)
		c.do(t, chromedp.SetValue(chromedp.CSS(`#reason_code`), "99"),
			chromedp.SetValue(chromedp.CSS(`#reason_text`), "a descrição do serviço estava errada"))
		c.press(t, `form.issue button.primary`)
		c.shows(t, "Outro: a descrição do serviço estava errada")
		c.press(t, `form[action*="/replace?"] button.primary`)
		c.shows(t, "Substitui a nota")
		c.done(t, `SELECT count(*) FROM notes WHERE replaces = '`+c.replaceable+`'`)
	}},
	{"correct a rejection", nfse.RoleOwner, 3, func(t *testing.T, c *clicker) {
		c.open(t, c.at("/notes/"+c.rejected))
		c.press(t, `.rejection a.button[href*="from="]`)
		c.press(t, `form[action^="/notes?"] button.primary`)
		c.press(t, `form[action^="/notes?"] button.primary`)
		c.done(t, `SELECT count(*) FROM notes WHERE reference = 'pedido-recusado-2'`)
	}},
	{"have a note issued every month", nfse.RoleOwner, 3, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/recurring"]`)
		c.press(t, `header a[href^="/recurring/new"]`)
		c.do(t, typed(`#customer_words`, "maria da silva"), chosen(`#service`, c.service), typed(`#day`, "31"))
		c.press(t, `form[action^="/recurring?"] button.primary`)
		c.shows(t, "Recorrência criada.")
		c.done(t, `SELECT count(*) FROM recurrences WHERE day = 31 AND status = 'active' AND id <> '`+c.aRecurrence+`'`)
	}},
	{"issue notes from a spreadsheet", nfse.RoleOwner, 3, func(t *testing.T, c *clicker) {
		file := filepath.Join(t.TempDir(), "notas.csv")
		must(t, os.WriteFile(file, []byte(sheetHead+sheetLine(c.service, "10")+sheetLine(c.service, "20,50")), 0o600))
		c.press(t, `nav a[href^="/batches"]`)
		c.do(t, chromedp.SetUploadFiles(`#sheet`, []string{file}))
		c.press(t, `form[action^="/batches?"] button.primary`)
		c.do(t, chromedp.SetValue(chromedp.CSS(`#month`), month()))
		c.press(t, `form[action*="/accept?"] button.primary`)
		c.shows(t, "planilha-")
	}},
}
