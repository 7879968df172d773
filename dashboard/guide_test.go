package dashboard_test

import (
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"emissor/nfse"
	"emissor/test/testkit"
)

// Somebody who was invited to a new company comes to a test note by the first steps alone: no
// documentation, no API, and, once the passkey is made, no script.
func TestBrowser_FirstTimeOwner(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("make test-long goes from an invitation to a test note")
	}
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	w := &walker{site: s, browser: newBrowser(t, s)}
	c := &clicker{walker: w}
	w.signUp(t, "dona@example.com")
	command(t, w.browser, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	w.open(t, w.at("/"))
	w.shows(t, "Primeiros passos")
	c.press(t, `.steps a[href^="/catalogue/services"]`)
	c.do(t, typed(`#name`, "Aula"), typed(`#description`, "Aula de violão"), typed(`#default_amount_cents`, "80"),
		typed(`#municipality_code`, "sao paulo"), typed(`#national_tax_code`, "080101"))
	c.press(t, `button[name="find"][value="municipality_code"]`)
	c.press(t, `button[value="municipality_code=3550308"]`)
	if shown := w.answer(t, `document.getElementById("municipality_code").value`); shown != "São Paulo/SP" {
		t.Errorf("the city is shown as %q", shown)
	}
	c.press(t, `form[action*="/services?"] button.primary`)
	c.shows(t, "Primeiros passos") // again: the guide goes on
	c.press(t, `.steps a[href^="/notes/new"]`)
	c.fillTaker(t)
	c.press(t, `form.issue button.primary`)
	c.shows(t, "R$\u00a080,00")
	c.press(t, `form[action^="/notes?"] button.primary`)
	w.Await(t, w.TestKey, w.Text(t, `SELECT id FROM notes`), nfse.StatusIssued)
	t.Logf("%d clicks", c.clicks)
	if c.clicks > 7 {
		t.Errorf("it takes %d clicks", c.clicks)
	}
}
