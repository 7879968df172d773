package dashboard_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/webauthn"

	"emissor/nfse"
)

// job is what somebody comes to the dashboard for. It begins on the overview, an operator's on the
// operators' page.
type job struct {
	name string
	who  nfse.Role
	most int // clicks that it may take, besides typing
	do   func(t *testing.T, c *clicker)
}

// jobs are the jobs of all roles: jobs_ROLE_test.go has each role's.
var jobs = slices.Concat(ownerJobs, accountantJobs, developerJobs, operatorJobs)

// clicker does a job in the browser and counts its clicks.
type clicker struct {
	*walker
	clicks int
}

// press clicks on what leads to another page, and waits until it is there.
func (c *clicker) press(t *testing.T, selector string) {
	t.Helper()
	c.clicks++
	c.walker.press(t, selector)
}

// tap clicks on what stays on the page: it opens a part, or chooses.
func (c *clicker) tap(t *testing.T, selector string) {
	t.Helper()
	c.clicks++
	c.do(t, click(selector))
}

// Everybody's jobs, by a browser without script, each within its number of clicks.
func TestBrowser_Jobs(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("make test-long does everybody's jobs and counts the clicks")
	}
	t.Parallel()
	w := newWalker(t)
	for i, who := range append(slices.Clone(nfse.MemberRoles), nfse.RoleOperator) {
		if i > 0 {
			command(t, w.browser, webauthn.Disable, cdp.Empty{})
			command(t, w.browser, webauthn.Enable, webauthn.EnableParams{})
			w.newAuthenticator(t)
		}
		email := string(who) + "@jobs.example.com"
		command(t, w.browser, network.ClearBrowserCookies, cdp.Empty{})
		command(t, w.browser, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: false})
		role := who
		if who == nfse.RoleOperator {
			role = nfse.RoleViewer
		}
		id := w.signUpAs(t, email, role)
		home := w.at("/")
		if who == nfse.RoleOperator {
			w.becomeOperator(t, email)
			home = "/operations"
		}
		command(t, w.browser, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		for _, one := range jobs {
			if one.who != who {
				continue
			}
			t.Run(string(who)+": "+one.name, func(t *testing.T) {
				(&person{site: w.site, id: id}).verifiedAt(t, time.Now())
				w.open(t, home)
				c := &clicker{walker: w}
				one.do(t, c)
				t.Logf("%d clicks of at most %d", c.clicks, one.most)
				if c.clicks > one.most {
					t.Errorf("it takes %d clicks, and may take %d", c.clicks, one.most)
				}
			})
		}
	}
}
