package dashboard_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"emissor/nfse"
)

// accountantJobs are of who closes the month.
var accountantJobs = []job{
	{"notes of this month", nfse.RoleAccountant, 2, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/notes"]`)
		c.press(t, `.presets a[href*="month="]`)
		c.shows(t, "notas ·")
	}},
	{"cancelled notes", nfse.RoleAccountant, 2, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/notes"]`)
		c.do(t, chromedp.SetValue(chromedp.CSS(`#state`), string(nfse.StatusCancelled)))
		c.press(t, `form.filter > button.primary`)
		c.shows(t, "Nenhuma nota corresponde ao filtro.")
	}},
}
