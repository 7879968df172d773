package dashboard_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
	"emissor/test/testkit"
)

// A new company begins with its certificate: the page says whose it is and until when, and the form has its CNPJ.
// City and option of Simples then say by which system it issues, and nothing of it is chosen for a person.
func TestCompany_CertificateFirst(t *testing.T) {
	t.Parallel()
	chain := certificatetest.NewChain(t)
	s := newSite(t, func(options *frame.Options) { options.CertificateRoots = chain.Roots() })
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	first := regexp.MustCompile(`(?s)<ol class="list">.*?</ol>`).FindString(
		owner.get(t, s.at("/company")).expect(t, http.StatusOK, "Comece por ele", "preencher à mão").body)
	if certificate := strings.Index(first, "/company/certificates/new"); certificate < 0 ||
		certificate > strings.Index(first, `href="/company?`) {
		t.Errorf("the certificate is not the first step: %s", first)
	}
	template := certificatetest.Template(issuer)
	owner.upload(t, s.at("/company/certificates"), certificatetest.PFX(t, chain.Issue(t, template), "x"), "x").
		expect(t, http.StatusSeeOther)
	shown := owner.get(t, s.at("/company")).expect(t, http.StatusOK, "<strong>EMPRESA EXEMPLO LTDA</strong>",
		"CNPJ 11.222.333/0001-81. Válido até "+format.Day(words.Portuguese, nfse.Timestamp{Time: template.NotAfter})+".",
		"Agora diga a cidade e o Simples", `value="11.222.333/0001-81"`)
	names, _ := shown.preselected()
	if strings.Contains(shown.body, "preencher à mão") || strings.Contains(strings.Join(names, " "), "simples") {
		t.Errorf("the form has %v chosen, or is folded away", names)
	}

	inCity := func(pairs ...string) url.Values {
		return profileForm(append([]string{"authority", "", "municipality_code", "São Paulo/SP", "tax_federal", "",
			"tax_municipal", ""}, pairs...)...)
	}
	const needed = "Inscrição municipal (esta cidade a exige)"
	owner.post(t, s.at("/company/profile"), inCity("simples", "", "set", "municipality_code=3550308")).
		expect(t, http.StatusOK, "Em São Paulo/SP, quem emite as notas depende do Simples Nacional:",
			"<li>Não optante: Prefeitura de São Paulo</li>", "<li>MEI: Sistema nacional</li>", needed)
	owner.post(t, s.at("/company/profile"), inCity()).expect(t, http.StatusUnprocessableEntity,
		"Quem recebe hoje as notas desta empresa</strong>: Prefeitura de São Paulo", needed,
		`href="#municipal_registration"`, `name="simples" value="none" checked`)
	// In Simples the same company issues by the national system.
	refused := owner.post(t, s.at("/company/profile"), inCity("simples", "me")).expect(t,
		http.StatusUnprocessableEntity, "desta empresa</strong>: Sistema nacional", `href="#simples_regime"`)
	if strings.Contains(refused.body, needed) {
		t.Error("the national system asks for the city's registration")
	}
	owner.post(t, s.at("/company/profile"), inCity("municipal_registration", "31000000")).
		expect(t, http.StatusSeeOther)
	saved := owner.get(t, s.at("/company")).expect(t, http.StatusOK, `value="sao-paulo" selected`)
	// A company that moves issues by what follows from its new city.
	owner.post(t, s.at("/company/profile"), inCity("authority", "sao-paulo", "municipality_code", "4106902",
		"municipal_registration", "31000000", "tax_federal", "13,45", "version", saved.version(t))).
		expect(t, http.StatusSeeOther)
	if profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID); err != nil ||
		profile.Authority != "national" || profile.MunicipalityCode != "4106902" {
		t.Errorf("the profile is %+v, %v", profile, err)
	}
}

// A new company from nothing to a profile by which it issues, without script: the certificate, its city, its
// option of Simples. Each page is looked at, large and small, light and dark.
func TestBrowser_NewCompany(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("make test-long goes from the certificate to a fiscal profile, and counts the clicks")
	}
	t.Parallel()
	chain := certificatetest.NewChain(t)
	s := newSiteOf(t, testkit.Options{}, func(options *frame.Options) { options.CertificateRoots = chain.Roots() })
	w := &walker{site: s, browser: newBrowser(t, s)}
	c := &clicker{walker: w}
	w.signUp(t, "dona@example.com")
	script := func(disabled bool) {
		command(t, w.browser, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: disabled})
	}
	script(true)
	look := func(name string) {
		t.Helper()
		script(false) // for axe-core alone: the page is here already
		defer script(true)
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 1280} {
				w.looks(t, width, scheme)
				w.fits(t, name)
				w.speaks(t, name, "pt-BR")
				w.look(t, "new-company-"+name+"-"+scheme+map[int64]string{360: "-360", 1280: "-1280"}[width])
			}
		}
	}
	file := filepath.Join(t.TempDir(), "empresa.pfx")
	must(t, os.WriteFile(file, certificatetest.PFX(t, chain.Issue(t, certificatetest.Template(issuer)), "senha"), 0o600))
	w.open(t, w.live("/company"))
	look("nothing")
	w.open(t, w.live("/"))
	c.press(t, `.steps a[href^="/company/certificates/new"]`)
	look("certificate")
	c.do(t, chromedp.SetUploadFiles(chromedp.CSS(`#certificate`), []string{file}), typed(`#password`, "senha"))
	c.press(t, `form[action*="/company/certificates?"] button.primary`)
	c.shows(t, "EMPRESA EXEMPLO LTDA")
	look("read")
	c.do(t, typed(`#municipality_code`, "sao paulo"))
	c.press(t, `button[name="find"][value="municipality_code"]`)
	look("cities")
	c.press(t, `button[value="municipality_code=3550308"]`)
	c.shows(t, "depende do Simples Nacional")
	look("city")
	c.tap(t, `input[name="simples"][value="none"]`)
	c.do(t, chosen(`#own_contributions`, "none"), chosen(`#special_regime`, "0"))
	look("chosen")
	c.press(t, `form[action*="/company/profile?"] button.primary`)
	c.shows(t, "Corrija")
	look("refused")
	c.do(t, typed(`#municipal_registration`, "31000000"))
	c.press(t, `form[action*="/company/profile?"] button.primary`)
	c.shows(t, "Perfil fiscal salvo.")
	c.shows(t, "Novo serviço") // the next step
	w.open(t, w.live("/company"))
	look("saved")
	w.do(t, chromedp.Evaluate[chromedp.Void](
		`document.querySelectorAll("details").forEach(e => e.open = true); undefined`))
	look("unfolded")
	t.Logf("%d clicks", c.clicks)
	if c.clicks > 7 { // the one of the refusal among them
		t.Errorf("it takes %d clicks", c.clicks)
	}
	if c.Count(t, `SELECT count(*) FROM fiscal_profiles WHERE profile ->> 'authority' = 'sao-paulo'`) != 1 {
		t.Error("the company does not issue by its city")
	}
}
