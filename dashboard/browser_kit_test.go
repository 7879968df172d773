package dashboard_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"emissor/test/testkit"
)

// browser is Chromium in a test, with an authenticator whose owner is at hand.
type browser struct {
	ctx  context.Context
	base string // address of the dashboard
}

// step is something that is done in a browser, or waited for.
type step = chromedp.Action[chromedp.Void]

// newBrowser starts a browser. Where there is none the test is skipped, and says what
// to install.
func newBrowser(t *testing.T, s *site) *browser {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("Chromium is missing: install it (on Debian: apt-get install chromium), or run dev/setup.sh tests")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.Flag("accept-lang", "pt-BR"), chromedp.WindowSize(1280, 900),
		chromedp.WSURLReadTimeout(time.Minute), chromedp.Env("LD_PRELOAD=")) // its clock stays: dev/date.sh
	allocated, end := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	t.Cleanup(end)
	ctx, end := chromedp.NewContext(allocated)
	t.Cleanup(end)
	b := &browser{ctx, s.base}
	must(t, chromedp.Do(ctx)) // it lives as long as this context
	command(t, b, webauthn.Enable, webauthn.EnableParams{})
	b.newAuthenticator(t)
	return b
}

// newAuthenticator gives the browser another authenticator: each keeps three passkeys.
func (b *browser) newAuthenticator(t *testing.T) {
	t.Helper()
	command(t, b, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
		Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, AutomaticPresenceSimulation: true, IsUserVerified: true,
		},
	})
}

// command sends the browser a command of its protocol.
func command[P, R any](t *testing.T, b *browser, command cdp.Command[P, R], parameters P) {
	t.Helper()
	_, err := chromedp.Call(b.ctx, command, parameters)
	must(t, err)
}

// do does steps one after the other; what takes two minutes fails, and shows what
// the browser shows.
func (b *browser) do(t *testing.T, steps ...step) {
	t.Helper()
	ctx, end := context.WithTimeout(b.ctx, 2*time.Minute)
	defer end()
	if err := chromedp.Do(ctx, steps...); err != nil {
		shown, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
		t.Fatalf("%v; the browser shows %s", err, shown)
	}
}

// answer evaluates a script that answers with a text, or with a promise of one.
func (b *browser) answer(t *testing.T, script string) string {
	t.Helper()
	ctx, end := context.WithTimeout(b.ctx, 2*time.Minute)
	defer end()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
	must(t, err)
	return text
}

func (b *browser) open(t *testing.T, path string) {
	t.Helper()
	b.do(t, chromedp.Navigate(b.base+path))
}

// shows waits until the page has this text. A script that a new page cuts off is asked
// again.
func (b *browser) shows(t *testing.T, text string) {
	t.Helper()
	testkit.Eventually(t, "the browser shows "+text, func() bool {
		shown, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body?.innerText ?? ""`))
		return err == nil && strings.Contains(shown, text)
	})
}

func click(selector string) step { return chromedp.Click(chromedp.CSS(selector)) }

func waitFor(selector string) step { return chromedp.WaitVisible(chromedp.CSS(selector)) }

// typed types into an empty field. chromedp.SendKeys would do it too, but reads what the browser writes meanwhile
// (chromedp v0.23.0, query.go: the attributes, without the node's lock).
func typed(selector, text string) step {
	return chromedp.Steps(chromedp.Focus(chromedp.CSS(selector), chromedp.NodeVisible), chromedp.KeyEvent(text))
}

// blank takes out what a field has.
func blank(selector string) step {
	return chromedp.Evaluate[chromedp.Void](
		`document.querySelector(` + strconv.Quote(selector) + `).value = ""; undefined`)
}

// chosen chooses one of a field's options.
func chosen(selector, value string) step { return chromedp.SetValue(chromedp.CSS(selector), value) }

// looks sets the size of the screen, and light or dark.
func (b *browser) looks(t *testing.T, width int64, scheme string) {
	t.Helper()
	command(t, b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 800, DeviceScaleFactor: 1,
	})
	command(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// fits expects that nothing is wider than the screen.
func (b *browser) fits(t *testing.T, name string) {
	t.Helper()
	if wide := b.answer(t, `document.documentElement.scrollWidth <= innerWidth ? "" :
		[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
		.slice(-3).map(e => e.outerHTML.slice(0, 150)).join("\n") ||
		"by " + document.documentElement.scrollWidth`); wide != "" {
		t.Errorf("%s is wider than the screen: %s", name, wide)
	}
}

// otherWords are words of one language that no page of the other one has.
var otherWords = map[string]string{
	"pt-BR": `the|with|and|then|your|from|which|are|was|this|when|check`,
	"en":    `não|uma|para|você|esta|este|quando|nada|até|desde|sem|nenhum|nenhuma`,
}

// speaks expects that a page has only words of its language, but for code and for what
// says that it is in another.
func (b *browser) speaks(t *testing.T, name, language string) {
	t.Helper()
	if found := b.answer(t, `(() => {
		const page = document.body.cloneNode(true);
		page.querySelectorAll("code, pre, script, [lang]").forEach(e => e.remove());
		const all = [page.textContent, ...[...page.querySelectorAll("[title], [aria-label]")].map(e =>
			(e.title || "") + " " + (e.ariaLabel || ""))];
		return all.flatMap(text => text.match(/.{0,40}(?<![\p{L}\p{N}_.@\/-])(`+otherWords[language]+
		`)(?![\p{L}\p{N}_.@\/-]).{0,40}/giu) || []).slice(0, 3).join("\n");
	})()`); found != "" {
		t.Errorf("%s in %s says %s", name, language, found)
	}
}

// headsStay expects that the head of a table stays in view where a page is scrolled, and
// on a phone that its rows are cards.
func (b *browser) headsStay(t *testing.T, name string) {
	t.Helper()
	if found := b.answer(t, `[...document.querySelectorAll("table.cards")].map(table => {
		const row = table.querySelector("tbody tr"), head = table.querySelector("th");
		if (innerWidth < 600) return getComputedStyle(row).display === "block" ? "" : "rows are no cards";
		if (innerWidth < 1200) return "";
		row.scrollIntoView();
		const at = head.getBoundingClientRect().top;
		scrollTo(0, 0);
		return at >= 0 ? "" : "the head of a table is out of view";
	}).join("")`); found != "" {
		t.Errorf("%s: %s", name, found)
	}
}

// axePath is where dev/setup.sh puts axe-core.
const axePath = "../.dev/axe-core/package/axe.min.js"

// look keeps a picture of the whole page, and has axe-core look for what keeps people out, and for
// what is not its best practice.
func (b *browser) look(t *testing.T, name string) {
	t.Helper()
	const folder = "../.dev/screenshots"
	whole, quickly := true, true // a smaller file would take longer than showing the page
	picture, err := chromedp.Call(b.ctx, cdppage.CaptureScreenshot,
		cdppage.CaptureScreenshotParams{CaptureBeyondViewport: &whole, OptimizeForSpeed: &quickly})
	must(t, err)
	must(t, os.MkdirAll(folder, 0o755))
	must(t, os.WriteFile(filepath.Join(folder, name+".png"), picture.Data, 0o644))
	source, err := os.ReadFile(axePath)
	if errors.Is(err, fs.ErrNotExist) {
		t.Log("axe-core is missing, so that nobody looks for barriers: dev/setup.sh tests gets it from npm")
		return
	}
	must(t, err)
	b.do(t, chromedp.Evaluate[chromedp.Void](string(source)))
	if found := b.answer(t, `axe.run(document, {resultTypes: ["violations"],
		rules: {"target-size": {enabled: true}}}).then(found => found.violations.map(one => one.id + ": " +
		one.nodes.slice(0, 3).map(at => at.html + " " + at.failureSummary).join("\n")).join("\n"))`); found != "" {
		t.Errorf("%s: axe-core finds\n%s", name, found)
	}
}
