package dashboard_test

import (
	"testing"

	"emissor/nfse"
)

// accountantJobs are of who closes the month.
var accountantJobs = []job{
	{"see what a received note asks to withhold", nfse.RoleAccountant, 3, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/received"]`)
		c.press(t, `main a.button[href*="env=live"]`)
		c.press(t, `main a.row[href*="`+receivedTestKey+`"]`)
		c.shows(t, "ISS é retido")
	}},
}
