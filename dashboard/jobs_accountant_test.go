package dashboard_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"emissor/nfse"
	"emissor/test/testkit"
)

// accountantJobs are of who closes the month.
var accountantJobs = []job{
	{"totals of the month", nfse.RoleAccountant, 2, func(t *testing.T, c *clicker) {
		c.closing(t)
		c.shows(t, "Totais das notas emitidas")
		c.shows(t, "ISS a recolher")
	}},
	{"the month's documents in one ZIP", nfse.RoleAccountant, 2, func(t *testing.T, c *clicker) {
		c.closing(t)
		c.press(t, `form[action*="/closing/archive?"] button`)
		testkit.Eventually(t, "the ZIP is ready", func() bool {
			return c.Count(t, `SELECT count(*) FROM month_archives WHERE status = 'ready'`) > 0
		})
		c.open(t, c.at("/closing"))
		c.shows(t, "Baixar ZIP")
	}},
	{"agreement of the books", nfse.RoleAccountant, 2, func(t *testing.T, c *clicker) {
		c.closing(t)
		c.press(t, `a.button[href^="/closing/books"]`)
		c.shows(t, "Conferência dos livros")
	}},
	{"cancelled notes of the month", nfse.RoleAccountant, 2, func(t *testing.T, c *clicker) {
		c.closing(t)
		c.press(t, `main a[href*="state=cancelled"]`)
		c.shows(t, "Cancelada")
	}},
	{"see what a received note asks to withhold", nfse.RoleAccountant, 3, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/received"]`)
		c.press(t, `main a.button[href*="env=live"]`)
		c.press(t, `main a.row[href*="`+receivedTestKey+`"]`)
		c.shows(t, "ISS é retido")
	}},
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

// closing opens the month's closing.
func (c *clicker) closing(t *testing.T) {
	t.Helper()
	c.press(t, `nav a[href^="/closing"]`)
}
