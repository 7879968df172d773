package dashboard_test

import (
	"testing"

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
}

// closing opens the month's closing.
func (c *clicker) closing(t *testing.T) {
	t.Helper()
	c.press(t, `nav a[href^="/closing"]`)
}
