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
}
