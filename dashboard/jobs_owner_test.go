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
