package dashboard_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"emissor/fiscal/certificate/certificatetest"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
)

// acts are what pages are for: each from its page to what says that it is done. They are
// done without script; a test of the keyboard does some of them once more.
var acts = []struct {
	name string
	do   func(t *testing.T, w *walker)
}{
	{"issue a note by hand", func(t *testing.T, w *walker) {
		w.open(t, w.at("/notes/new"))
		w.do(t, chosen(`#service`, w.service), blank(`#reference`), typed(`#reference`, "a-mao"),
			blank(`#amount_cents`), typed(`#amount_cents`, "1.234,56"))
		w.fillTaker(t)
		w.submit(t, "/notes?", "Revisar a nota")
		w.press(t, `button[name="back"]`)
		w.submit(t, "/notes?", "R$\u00a01.234,56")
		w.submit(t, "/notes?", "Nota recebida")
		w.done(t, `SELECT count(*) FROM notes WHERE reference = 'a-mao' AND amount_cents = 123456`)
	}},
	{"issue again after a rejection", func(t *testing.T, w *walker) {
		w.open(t, w.at("/notes/"+w.rejected))
		w.press(t, `.rejection a.button[href*="from="]`)
		w.submit(t, "/notes?", "Revisar a nota")
		w.submit(t, "/notes?", "Nota recebida")
		w.done(t, `SELECT count(*) FROM notes WHERE reference = 'pedido-recusado-2'`)
	}},
	{"cancel a note", func(t *testing.T, w *walker) {
		w.open(t, w.at("/notes/"+w.issued))
		w.do(t, click(`details:has(#reason_text) summary`), chosen(`#reason_code`, "2"),
			typed(`#reason_text`, "serviço não prestado"))
		w.submit(t, "/cancel?", "pedido-emitido")
		w.submit(t, "/cancel?", "Cancelamento pedido")
		w.Await(t, w.TestKey, w.issued, nfse.StatusCancelled)
	}},
	{"retry a delivery", func(t *testing.T, w *walker) {
		w.Exec(t, `UPDATE deliveries SET status = 'failed' WHERE id = $1`, w.delivered)
		w.open(t, w.at("/integrations/deliveries/"+w.delivered))
		w.submit(t, "/retry?", "outra vez")
	}},
	{"add an endpoint, test it, rotate its secret", func(t *testing.T, w *walker) {
		testkit.Eventually(t, "the notes of the acts before have ended", func() bool { // or it would be told of them
			return w.Count(t, `SELECT count(*) FROM notes WHERE NOT livemode AND status IN ('queued', 'processing')
				AND reference IN ('a-mao', 'pedido-recusado-2')`) == 0
		})
		receiver := testkit.NewReceiver(t, nil)
		w.open(t, w.at("/integrations"))
		w.do(t, click(`details:has(#url) summary`), typed(`#url`, receiver.URL))
		w.submit(t, "/endpoints?", "Aparece só agora")
		w.open(t, w.at("/integrations/endpoints/"+
			w.Text(t, `SELECT id FROM webhook_endpoints WHERE url = $1`, receiver.URL)))
		w.submit(t, "/test?", "A chamada de teste")
		w.submit(t, "/rotate?", receiver.URL)
		w.submit(t, "/rotate?", "Os dois segredos assinam até")
		if calls := len(receiver.Calls()); calls != 1 {
			t.Errorf("the receiver got %d calls", calls)
		}
	}},
	{"revoke a key", func(t *testing.T, w *walker) {
		w.open(t, w.at("/integrations/keys/"+w.aKey))
		w.submit(t, "/revoke?", "Revogar a chave de API")
		w.submit(t, "/revoke?", "Revogada")
	}},
	{"create a service", func(t *testing.T, w *walker) {
		w.open(t, w.at("/catalogue/services/new"))
		w.do(t, typed(`#name`, "Aula"), typed(`#description`, "Aula de violão"),
			typed(`#default_amount_cents`, "80,00"), typed(`#municipality_code`, "sao paulo"))
		w.press(t, `button[name="find"][value="municipality_code"]`)
		w.press(t, `button[value="municipality_code=3550308"]`)
		w.do(t, typed(`#national_tax_code`, "0801"))
		w.press(t, `button[name="find"][value="national_tax_code"]`)
		w.press(t, `button[value="national_tax_code=080101"]`)
		w.submit(t, "/services?", "Serviço criado.")
	}},
	{"classify a service in words", func(t *testing.T, w *walker) {
		w.open(t, w.at("/catalogue/services/"+w.service+"/classification"))
		for _, card := range []string{"card-nbs", "card-cindop", "card-cclasstrib", "indfinal"} {
			w.do(t, click(`.pick > input[name="`+card+`"]`))
		}
		w.press(t, `form[action*="/classification?"] button.primary`)
		w.shows(t, "confira e salve")
		w.submit(t, "/classification?", "Classificação salva.")
		w.done(t, `SELECT count(*) FROM service_classifications WHERE service_id = '`+w.service+`'`)
	}},
	{"ask the accountant, who answers", func(t *testing.T, w *walker) {
		w.open(t, w.at("/catalogue/services/"+w.service+"/classification"))
		w.do(t, typed(`#email`, "outra@example.com"))
		w.submit(t, "/classification/links?", "Envie este link a outra@example.com")
		w.open(t, w.asked)
		w.do(t, click(`.pick > input[name="indfinal"][value="true"]`))
		w.submit(t, "/classify/", "Obrigado!")
		w.done(t, `SELECT count(*) FROM service_classifications WHERE classification ->> 'ind_final' = 'true'`)
	}},
	{"create a customer", func(t *testing.T, w *walker) {
		w.open(t, w.at("/catalogue/customers/new"))
		w.do(t, typed(`#tax_id`, "11.444.777/0001-61"), typed(`#name`, "Padaria"), typed(`#zip_code`, "01310-100"),
			typed(`#street`, "Avenida Paulista"), typed(`#number`, "1"), typed(`#district`, "Bela Vista"))
		w.submit(t, "/customers?", "Tomador criado.")
	}},
	{"change the fiscal profile", func(t *testing.T, w *walker) {
		w.open(t, w.at("/company"))
		w.do(t, chromedp.SetValue(chromedp.CSS(`#tax_federal`), "13,45"))
		w.submit(t, "/profile?", "Perfil fiscal salvo.")
	}},
	{"upload a certificate", func(t *testing.T, w *walker) {
		file := filepath.Join(t.TempDir(), "empresa.pfx")
		issuer := nfse.TaxID(w.Text(t, `SELECT profile ->> 'tax_id' FROM fiscal_profiles`))
		must(t, os.WriteFile(file,
			certificatetest.PFX(t, w.chain.Issue(t, certificatetest.Template(issuer)), "senha"), 0o600))
		w.open(t, w.at("/company/certificates/new"))
		w.do(t, chromedp.SetUploadFiles(chromedp.CSS(`#certificate`), []string{file}), typed(`#password`, "senha"))
		w.submit(t, "/certificates?", "Certificado salvo, cifrado.")
	}},
	{"invite somebody", func(t *testing.T, w *walker) {
		w.open(t, w.at("/people"))
		w.do(t, typed(`#email`, "sem-script@example.com"))
		w.submit(t, "/people/invitations?", "Envie este link a sem-script@example.com")
	}},
	{"change somebody's role", func(t *testing.T, w *walker) {
		id := w.Text(t, `SELECT id FROM users WHERE email = 'colega@example.com'`)
		w.open(t, w.at("/people"))
		w.do(t, chromedp.SetValue(chromedp.CSS(`form[action*="`+id+`/role"] select`), "editor"))
		w.submit(t, id+"/role?", "Papel alterado.")
	}},
	{"switch the environment", func(t *testing.T, w *walker) {
		w.open(t, w.at("/notes"))
		w.do(t, waitFor(`.test-bar`), click(`.environments a[href*="env=live"]`),
			chromedp.WaitNotPresent(chromedp.CSS(`.test-bar`)),
			waitFor(`.environments a[href*="env=live"][aria-current]`))
	}},
	{"download a file for a spreadsheet", func(t *testing.T, w *walker) {
		folder := t.TempDir()
		allow := cdpbrowser.SetDownloadBehaviorBehaviorAllow
		command(t, w.browser, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
			Behavior: allow, DownloadPath: folder})
		w.open(t, w.at("/notes"))
		w.do(t, click(`a[href*="/notes.csv"]`))
		testkit.Eventually(t, "the file is there", func() bool {
			files, _ := filepath.Glob(filepath.Join(folder, "*.csv"))
			if len(files) == 0 {
				return false
			}
			content, err := os.ReadFile(files[0])
			return err == nil && strings.Contains(string(content), "pedido-recusado")
		})
	}},
	{"end another session", func(t *testing.T, w *walker) {
		id := w.Text(t, `SELECT id FROM users WHERE email = 'dona@example.com'`)
		elsewhere := w.stranger(t)
		elsewhere.post(t, w.linkFor(t, nfse.LinkSignIn, id), nil)
		newest := w.Text(t, `SELECT id FROM sessions WHERE user_id = $1 ORDER BY seen_at DESC, id DESC LIMIT 1`, id)
		w.open(t, "/session")
		w.submit(t, newest+"/end", "Sessão encerrada.")
		if answer := elsewhere.get(t, "/session"); answer.outcome() != "asks to sign in" {
			t.Errorf("it is answered %d all the same", answer.status)
		}
	}},
}

// fillTaker fills in the taker of a note by hand.
func (w *walker) fillTaker(t *testing.T) {
	t.Helper()
	w.do(t, typed(`#tax_id`, "529.982.247-25"), typed(`#name`, "Maria da Silva"),
		typed(`[id="address.zip_code"]`, "01310-100"), typed(`[id="address.street"]`, "Avenida Paulista"),
		typed(`[id="address.number"]`, "1578"), typed(`[id="address.district"]`, "Bela Vista"))
}

// press clicks on what leads to another page, and waits until it is there.
func (w *walker) press(t *testing.T, selector string) {
	t.Helper()
	w.answer(t, `document.documentElement.dataset.before = "yes"`)
	w.do(t, click(selector))
	testkit.Eventually(t, selector+" leads to another page", func() bool {
		state, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](
			`document.documentElement.dataset.before ?? document.readyState`))
		return err == nil && state == "complete"
	})
}

// submit sends the form whose address has this in it, and waits for what the next page says.
func (w *walker) submit(t *testing.T, action, says string) {
	t.Helper()
	w.press(t, `form[method="post"][action*="`+action+`"] button:not([hidden]):not([name])`)
	w.shows(t, says)
}

// done expects that what is counted is one.
func (w *walker) done(t *testing.T, query string) {
	t.Helper()
	if found := w.Count(t, query); found != 1 {
		t.Errorf("%s is %d", query, found)
	}
}

// Every page's main act, by a browser without script.
func TestBrowser_Acts(t *testing.T) {
	long.Only(t, "does every page's main act")
	t.Parallel()
	w := newWalker(t)
	id := w.signUp(t, "dona@example.com")
	command(t, w.browser, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	for _, act := range acts {
		t.Run(act.name, func(t *testing.T) {
			(&person{site: w.site, id: id}).verifiedAt(t, time.Now())
			act.do(t, w)
		})
	}
}

// Some acts by the keyboard alone: a key moves, types, opens and sends.
func TestBrowser_Keyboard(t *testing.T) {
	long.Only(t, "does acts by the keyboard alone")
	t.Parallel()
	w := newWalker(t)
	w.signUp(t, "dona@example.com")
	w.open(t, w.at("/notes/new"))
	for _, field := range []struct{ id, text string }{
		{"service", "Consulta"}, {"reference", "por-teclado"}, {"amount_cents", "150,00"}, {"tax_id", "529.982.247-25"},
		{"name", "Maria da Silva"}, {"address.zip_code", "01310-100"}, {"address.street", "Avenida Paulista"},
		{"address.number", "1578"}, {"address.district", "Bela Vista"},
	} {
		w.tabTo(t, field.id)
		w.do(t, chromedp.KeyEvent(field.text))
	}
	w.do(t, chromedp.KeyEvent("\r"))
	w.shows(t, "Revisar a nota")
	w.done(t, `SELECT (count(*) = 0)::int FROM notes WHERE reference = 'por-teclado'`) // Enter issues nothing
	w.tabToWhere(t, `document.activeElement.matches("main button.primary")`)
	w.do(t, chromedp.KeyEvent("\r"))
	w.shows(t, "Nota recebida")

	w.open(t, w.at("/people"))
	w.tabTo(t, "email")
	w.do(t, chromedp.KeyEvent("teclado@example.com\r"))
	w.shows(t, "Envie este link a teclado@example.com")

	w.open(t, w.at("/catalogue/customers/new"))
	for _, field := range []struct{ id, text string }{{"tax_id", "11.444.777/0001-61"}, {"name", "Padaria"}} {
		w.tabTo(t, field.id)
		w.do(t, chromedp.KeyEvent(field.text))
	}
	w.do(t, chromedp.KeyEvent("\r"))
	w.shows(t, "Tomador criado.")

	w.open(t, w.at("/notes/"+w.issued))
	w.tabToWhere(t, `document.activeElement.matches("details:has(#reason_text) summary")`)
	w.do(t, chromedp.KeyEvent(" "))
	w.tabTo(t, "reason_code")
	w.do(t, chromedp.KeyEvent("Serviço"))
	w.tabTo(t, "reason_text")
	w.do(t, chromedp.KeyEvent("serviço não prestado\r"))
	w.shows(t, "Voltar sem fazer nada")
	w.tabToWhere(t, `document.activeElement.matches("main button")`)
	w.do(t, chromedp.KeyEvent("\r"))
	w.shows(t, "Cancelamento pedido")
	w.Await(t, w.TestKey, w.issued, nfse.StatusCancelled)
}

// tabTo presses Tab until the field with this id has the focus.
func (w *walker) tabTo(t *testing.T, id string) {
	t.Helper()
	w.tabToWhere(t, `document.activeElement.id === "`+id+`"`)
}

func (w *walker) tabToWhere(t *testing.T, there string) {
	t.Helper()
	for range 80 {
		w.do(t, chromedp.KeyEvent("\t"))
		if w.answer(t, there+` ? "there" : ""`) == "there" {
			return
		}
	}
	t.Fatalf("no Tab leads to where %s", there)
}

// correlation is a table of suggestions as if it had been imported.
type correlation struct{ editions []*classification.Edition }

func (c correlation) Version(context.Context) (string, error) { return "1", nil }

func (c correlation) Imported(context.Context) ([]*classification.Edition, error) {
	return c.editions, nil
}

// suggesting are tables that suggest one classification.
func suggesting(t *testing.T) *classification.Source {
	t.Helper()
	var records []classification.Record
	for range 900 { // a file with fewer rows is taken for a part of it
		records = append(records, classification.Record{"item": "0401", "cNBS": usualNBS,
			"onerous": "S", "abroad": "N", "cIndOp": usualIndOp, "cClassTrib": usualClassTrib})
	}
	edition, err := classification.NewEdition(classification.TableCorrelation, "Annex VIII", "", records)
	must(t, err)
	source := classification.NewSource(correlation{[]*classification.Edition{edition}}, testkit.Logger(t))
	must(t, source.Load(t.Context()))
	return source
}
