package dashboard_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/worker"
)

// mostClicksToLive is how many clicks the way from the link to the first live note may take, besides typing.
const mostClicksToLive = 10

// A new company's owner gets from the link of the invitation to a live note that the authority has issued, in few
// clicks, each of which is the next thing on the page. No classification is needed of its service: where one is, its
// questions are as many clicks more as they have answers.
func TestBrowser_FirstLiveNote(t *testing.T) {
	long.Only(t, "goes from an invitation to a live note, and counts the clicks")
	t.Parallel()
	authority, connected := startAuthority(t)
	s := newSiteOf(t, testkit.Options{Worker: true, Authorities: []worker.Authority{connected}},
		func(options *frame.Options) { options.CertificateRoots, options.ClassifiedFrom = authority.Roots(), "" })
	pfx, err := authority.NewPFX(sefin.Subject{TaxID: string(testkit.Issuer)}, "senha")
	must(t, err)
	file := filepath.Join(t.TempDir(), "empresa.pfx")
	must(t, os.WriteFile(file, pfx, 0o600))
	c := &clicker{walker: &walker{site: s, browser: newBrowser(t, s)}}
	company, _, _ := s.NewOrganization(t, "Clínica Nova")
	link, _ := c.invitation(t, "dona@example.com", company.ID, nfse.RoleOwner)

	c.open(t, link)
	c.press(t, `main form button`)
	c.do(t, typed(`#label`, "Notebook"))
	c.press(t, passkeyButton)
	c.press(t, `.card a[href*="/company/certificates/new"]`)
	c.do(t, chromedp.SetUploadFiles(chromedp.CSS(`#certificate`), []string{file}), typed(`#password`, "senha"))
	c.press(t, `form[action*="/company/certificates?"] button.primary`)
	c.do(t, typed(`#municipality_code`, "Rio de Janeiro/RJ"))
	c.tap(t, `input[name="simples"][value="none"]`)
	c.do(t, chosen(`#own_contributions`, "none"), chosen(`#special_regime`, "0"))
	c.press(t, `form[action*="/company/profile?"] button.primary`)
	c.shows(t, "Perfil fiscal salvo.")
	c.do(t, typed(`#name`, "Software"), typed(`#description`, "Desenvolvimento de programa"),
		typed(`#default_amount_cents`, "150,00"), typed(`#municipality_code`, "Rio de Janeiro/RJ"),
		typed(`#national_tax_code`, "010701"))
	c.press(t, `form[action*="/catalogue/services?"] button.primary`)
	c.shows(t, "Serviço criado.")
	c.fillTaker(t)
	c.press(t, `form.issue button.primary`)
	c.press(t, `form[action^="/notes?"] button.primary`)
	c.shows(t, "Nota recebida")
	testkit.Eventually(t, "the note is issued", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE organization_id = $1 AND livemode AND status = 'issued'`,
			company.ID) == 1
	})
	t.Logf("%d clicks of at most %d", c.clicks, mostClicksToLive)
	if c.clicks > mostClicksToLive {
		t.Errorf("it takes %d clicks, and may take %d", c.clicks, mostClicksToLive)
	}
}

// A new service leads on to what comes next: its classification where live notes need one, the note, or the steps where
// others come before it.
func TestFirstNote_LeadsOn(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		from     nfse.Day // of which a classification is needed
		profiled bool
		leadsTo  string
	}{
		"classified": {"2026-01-01", true, `^/catalogue/services/srv_\w+/classification\?`},
		"issued":     {"", true, `^/notes/new\?`},
		"no profile": {"", false, `^/\?`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(o *frame.Options) { o.ClassifiedFrom = one.from })
			if one.profiled {
				s.NewProfile(t, "national")
			}
			owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
			answer := owner.post(t, s.live("/catalogue/services"), serviceForm("env", "live")).
				expect(t, http.StatusSeeOther)
			if to := answer.header.Get("Location"); !regexp.MustCompile(one.leadsTo).MatchString(to) {
				t.Errorf("it leads to %s", to)
			}
		})
	}
}
