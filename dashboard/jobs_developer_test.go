package dashboard_test

import (
	"testing"

	"emissor/nfse"
)

// developerJobs are of who integrates.
var developerJobs = []job{
	{"a note by its reference", nfse.RoleDeveloper, 2, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/notes"]`)
		c.do(t, typed(`#q`, "pedido-emitido"))
		c.press(t, `form.filter > button.primary`)
		c.shows(t, c.issuedNumber(t))
	}},
}

// issuedNumber is how the list names the note that was issued.
func (c *clicker) issuedNumber(t *testing.T) string {
	t.Helper()
	return "nº " + c.Text(t, `SELECT authority_number FROM notes WHERE id = $1`, c.issued)
}
