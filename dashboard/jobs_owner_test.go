package dashboard_test

import (
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
	{"mend a rejection", nfse.RoleOwner, 3, func(t *testing.T, c *clicker) {
		c.open(t, c.at("/notes/"+c.rejected))
		c.press(t, `.rejection a.button[href*="from="]`)
		c.press(t, `form[action^="/notes?"] button.primary`)
		c.press(t, `form[action^="/notes?"] button.primary`)
		c.done(t, `SELECT count(*) FROM notes WHERE reference = 'pedido-recusado-2'`)
	}},
}
