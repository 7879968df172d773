package dashboard_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
)

// foundBySearch is the JSON answer of a search.
type foundBySearch struct {
	Said   string
	Groups []struct {
		Title   string
		Results []struct{ Text, Detail, URL string }
	}
}

// texts are what was found in a group.
func (f foundBySearch) texts(title string) (all []string) {
	for _, group := range f.Groups {
		for _, one := range group.Results {
			if group.Title == title {
				all = append(all, one.Text)
			}
		}
	}
	return all
}

func (p *person) searches(t *testing.T, address, words string) (found foundBySearch) {
	t.Helper()
	answer := p.send(t, http.MethodGet, address+"&q="+url.QueryEscape(words), http.Header{"Accept": {"application/json"}},
		"", nil).expect(t, http.StatusOK)
	must(t, json.Unmarshal([]byte(answer.body), &found))
	return found
}

// The search finds notes by reference, part of it, number and customer, and customers and services
// by words: of the page's own organization and environment only.
func TestSearch_Records(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	id := s.noteOf(t, s.TestKey, "Contrato-77")
	s.Call(t, http.MethodPost, "/v1/customers", s.TestKey, testkit.Body{"document": "11144477735",
		"name": "Joaquim D'Ávila"})
	s.noteOf(t, s.LiveKey, "Contrato-77-vivo")
	other, otherKey, _ := s.NewOrganization(t, "Vizinha")
	s.noteOf(t, otherKey, "Contrato-77-vizinho")
	s.Exec(t, `UPDATE notes SET status = 'issued', issued_at = now(), processing_at = now(),
		authority_issued_at = now(), authority_number = '4242' WHERE id = $1`, id)
	for words, expected := range map[string]map[string][]string{
		"Contrato-77":  {"Notas": {"NFS-e nº 4242 · Contrato-77"}},
		"trato-7":      {"Notas": {"NFS-e nº 4242 · Contrato-77"}},
		"4242":         {"Notas": {"NFS-e nº 4242 · Contrato-77"}},
		id:             {"Notas": {"NFS-e nº 4242 · Contrato-77"}},
		"maria silva":  {"Notas": {"NFS-e nº 4242 · Contrato-77"}, "Clientes": {"Maria da Silva"}},
		"avila JOA":    {"Clientes": {"Joaquim D'Ávila"}},
		"111.444":      {"Clientes": {"Joaquim D'Ávila"}},
		"consulta méd": {"Serviços": {"Consulta"}},
		"notas":        {"Ir para": {"Notas", "Notas recebidas"}},
		"FECHAMENTO":   {"Ir para": {"Fechamento do mês"}},
		"operacao":     {}, "emitir": {}, "vizinh": {}, "vivo": {}, "%%%": {}, "' & '": {}, "m": {},
		strings.Repeat("x", 5000): {},
	} {
		found := viewer.searches(t, s.at("/search"), words)
		for _, title := range []string{"Fazer", "Ir para", "Notas", "Clientes", "Serviços"} {
			if texts := found.texts(title); !slices.Equal(texts, expected[title]) && words != "m" {
				t.Errorf("%.20q finds %q of %s, expected %q", words, texts, title, expected[title])
			}
		}
		for _, group := range found.Groups {
			for _, one := range group.Results {
				viewer.get(t, one.URL).expect(t, http.StatusOK)
			}
		}
	}
	neighbour := s.signedIn(t, "neighbour@example.com", other.ID, nfse.RoleOwner)
	if texts := neighbour.searches(t, s.of("/search", other.ID, "test"), "contrato").texts("Notas"); !slices.Equal(texts,
		[]string{"Contrato-77-vizinho"}) {
		t.Errorf("another finds %q", texts)
	}
	neighbour.get(t, s.at("/search")).expect(t, http.StatusNotFound)
	viewer.get(t, s.at("/search")+"&q=trato-77").expect(t, http.StatusOK, "Contrato-77", "Maria da Silva", "R$\u00a0150,00",
		"1 resultado", s.escaped("/notes/"+id))
	viewer.get(t, s.at("/search")+"&q=zzz").expect(t, http.StatusOK, "Nada encontrado")
	viewer.reads(t, s.at("/search")+"&q=invoices", "en").has(t, "Go to", "Invoices received")
}

// escaped is an address as a page has it.
func (s *site) escaped(path string) string { return strings.ReplaceAll(s.at(path), "&", "&amp;") }

// Each role is offered what it may do and see, and nothing else.
func TestSearch_Roles(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for role, expected := range map[nfse.Role][]string{
		nfse.RoleViewer: nil, nfse.RoleAccountant: nil, nfse.RoleDeveloper: {"Criar chave de API"},
		nfse.RoleEditor: {"Emitir nota", "Novo tomador", "Novo serviço", "Emitir por planilha"},
		nfse.RoleOwner: {"Emitir nota", "Novo tomador", "Novo serviço", "Emitir por planilha", "Criar chave de API",
			"Enviar certificado A1", "Convidar usuário"},
	} {
		p := s.signedIn(t, string(role)+"@example.com", s.Organization.ID, role)
		found := p.searches(t, s.at("/search"), "")
		if acts := found.texts("Fazer"); !slices.Equal(acts, expected) {
			t.Errorf("%s may %q, expected %q", role, acts, expected)
		}
		for _, group := range found.Groups {
			for _, one := range group.Results {
				if status := p.get(t, one.URL).status; status != http.StatusOK {
					t.Errorf("%s: %s is answered %d", role, one.URL, status)
				}
			}
		}
		if pages := found.texts("Ir para"); slices.Contains(pages, "Operação") ||
			slices.Contains(pages, "Usuários") != (role != nfse.RoleDeveloper) {
			t.Errorf("%s may see %q", role, pages)
		}
	}
	operator := s.signedIn(t, "operator@example.com", "", "")
	if pages := operator.searches(t, s.at("/search"), "operacao").texts("Ir para"); len(pages) != 1 {
		t.Errorf("an operator sees %q", pages)
	}
}

// Stored texts of others are found as texts, and what is long is cut.
func TestSearch_Hostile(t *testing.T) {
	t.Parallel()
	for name, text := range hostileTexts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHostileSite(t, text)
			viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
			for _, words := range []string{"hostile", text[:min(len(text), 150)], text[:3]} {
				address := s.at("/search") + "&q=" + url.QueryEscape(words)
				viewer.get(t, address).expectText(t, address, text)
				found := viewer.searches(t, s.at("/search"), words)
				if words == "hostile" && len(found.texts("Serviços")) == 0 {
					t.Errorf("no service is found: %+v", found)
				}
				for _, group := range found.Groups {
					for _, one := range group.Results {
						if len(one.Text) > 600 || len(one.Detail) > 700 || !strings.HasPrefix(one.URL, "/") ||
							strings.HasPrefix(one.URL, "//") {
							t.Errorf("%.40q leads to %.200q", one.Text, one.URL)
						}
					}
				}
			}
		})
	}
}

// Answers in JSON say what they are, and nobody keeps them; so do refusals.
func TestJSON_IsNotKept(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	asked := http.Header{"Accept": {"application/json"}}
	for name, one := range map[string]struct {
		answer page
		status int
	}{
		"search": {viewer.send(t, http.MethodGet, s.at("/search"), asked, "", nil), http.StatusOK},
		"status": {viewer.get(t, "/status.json"), http.StatusOK},
		"search of a stranger": {s.stranger(t).send(t, http.MethodGet, s.at("/search"), asked, "", nil),
			http.StatusUnauthorized},
		"search elsewhere": {viewer.send(t, http.MethodGet, s.of("/search", "org_x", "test"), asked, "", nil),
			http.StatusNotFound},
		"options of signing in": {s.stranger(t).asJSON(t, "/sign-in/options", nil), http.StatusOK},
		"signing in":            {s.stranger(t).asJSON(t, "/sign-in", nil), http.StatusForbidden},
		"options of confirming": {viewer.asJSON(t, "/confirm/options", nil), http.StatusForbidden},
	} {
		kind, kept := one.answer.header.Get("Content-Type"), one.answer.header.Get("Cache-Control")
		if one.answer.status != one.status || kind != "application/json; charset=utf-8" || kept != "no-store" ||
			one.answer.header.Get("X-Content-Type-Options") != "nosniff" || !json.Valid([]byte(one.answer.body)) {
			t.Errorf("%s: %d, %q, %q, %s", name, one.answer.status, kind, kept, one.answer.body)
		}
	}
}

// By the keyboard alone: Ctrl-K, words, arrows and Enter; Escape gives the focus back.
func TestBrowser_Palette(t *testing.T) {
	long.Only(t, "searches in a browser")
	t.Parallel()
	w := newWalker(t)
	w.signUp(t, "dona@example.com")
	for _, width := range []int64{1280, 360} {
		w.looks(t, width, "light")
		w.open(t, w.at("/notes"))
		w.do(t, chromedp.Focus(chromedp.CSS(`#q`)))
		w.do(t, chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		w.do(t, waitFor(`#palette[open]`), waitFor(`#palette-option-1`))
		w.fits(t, "palette")
		w.look(t, "palette")
		w.do(t, chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible(chromedp.CSS(`#palette`)), waitFor(`#q:focus`))
		w.do(t, click(`.palette-open`), waitFor(`#palette[open]`), waitFor(`#palette-option-1`))
		w.do(t, typed(`#palette-q`, "pedido"), waitFor(`#palette a[href*="`+w.issued+`"]`))
		if said := w.answer(t, `document.querySelector("#palette [role=status]").textContent`); !strings.Contains(said,
			" resultados") {
			t.Errorf("it is said: %s", said)
		}
		if lost := w.answer(t, `(() => {
			const input = document.getElementById("palette-q");
			const chosen = document.getElementById(input.getAttribute("aria-activedescendant"));
			return chosen && chosen.getAttribute("aria-selected") === "true" && document.activeElement === input
				? "" : document.getElementById("palette").innerHTML;
		})()`); lost != "" {
			t.Errorf("no result is chosen: %s", lost)
		}
		w.do(t, chromedp.KeyEvent(kb.ArrowDown), waitFor(`#palette-option-2[aria-selected=true]`),
			chromedp.KeyEvent(kb.ArrowUp), waitFor(`#palette-option-1[aria-selected=true]`))
		to := w.answer(t, `document.getElementById("palette-option-1").getAttribute("href")`)
		w.do(t, chromedp.KeyEvent("\r"), waitFor(`.timeline`))
		if at := w.answer(t, `location.pathname + location.search`); at != to {
			t.Errorf("Enter leads to %s, expected %s", at, to)
		}
		// Enter before the answer goes to the first result of what was typed.
		w.do(t, chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		w.do(t, waitFor(`#palette[open]`), typed(`#palette-q`, "novo serv\r"))
		w.shows(t, "Novo serviço")
		w.do(t, waitFor(`form[action*="/catalogue/services"]`))
	}
	command(t, w.browser, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	w.open(t, w.at("/notes"))
	w.do(t, click(`.palette-open`), waitFor(`main #q`), typed(`main #q`, "pedido-emitido"), click(`main form button`),
		waitFor(`main a[href*="`+w.issued+`"]`))
}

// A plot's texts have one size at every width, and its numbers are said by pointer and keyboard.
func TestBrowser_Plots(t *testing.T) {
	long.Only(t, "looks at plots in a browser")
	t.Parallel()
	w := newWalker(t)
	w.Exec(t, `INSERT INTO note_figures (organization_id, livemode, day, kind, name, notes, amount_cents)
		VALUES ($1, false, $2, 'state', 'issued', 1, 1234)`, w.Organization.ID, nfse.DayOf(time.Now()).Before(1))
	w.signUp(t, "dona@example.com")
	sizes := map[string]bool{}
	for _, width := range []int64{1280, 768, 360, 320} {
		w.looks(t, width, "light")
		w.open(t, w.at("/"))
		w.fits(t, "overview")
		w.look(t, fmt.Sprintf("plots-%d", width))
		sizes[w.answer(t, `[...new Set([...document.querySelectorAll(".plot text")].map(one => {
			const scale = one.getScreenCTM().a;
			return getComputedStyle(one).fontSize + " x " + scale;
		}))].join()`)] = true
		if out := w.answer(t, `[...document.querySelectorAll(".plot text")].filter(one => {
			const at = one.getBoundingClientRect();
			return at.left < 0 || at.right > innerWidth;
		}).map(one => one.textContent).join()`); out != "" {
			t.Errorf("at %d these are out of view: %s", width, out)
		}
		if over := w.answer(t, `[...document.querySelectorAll(".plot svg")].map(svg => {
			const all = [...svg.querySelectorAll(".day")].map(one => one.getBoundingClientRect());
			return all.some((one, i) => i && one.left < all[i - 1].right + 2) ? "days are on each other" : "";
		}).join("")`); over != "" {
			t.Errorf("at %d %s", width, over)
		}
	}
	if len(sizes) != 1 || sizes[""] {
		t.Errorf("texts have the sizes %v", sizes)
	}
	said := func(name string) string {
		return w.answer(t, `document.querySelector("[data-plot]:has(#plot-`+name+`) [role=status]").textContent`)
	}
	w.do(t, chromedp.Focus(chromedp.CSS(`[data-plot]:has(#plot-money) svg`)))
	today := said("money")
	if !strings.Contains(today, "R$\u00a0300,00") {
		t.Errorf("the last day is said: %s", today)
	}
	w.do(t, chromedp.KeyEvent(kb.ArrowLeft))
	if before := said("money"); before == today || !strings.Contains(before, "Total: R$\u00a012,34") {
		t.Errorf("the day before is said: %s", before)
	}
	w.do(t, chromedp.KeyEvent(kb.End))
	if again := said("money"); again != today {
		t.Errorf("the last day is then said: %s", again)
	}
	var at struct{ X, Y float64 }
	must(t, json.Unmarshal([]byte(w.answer(t, `(() => {
		document.querySelector("[data-plot]:has(#plot-notes)").scrollIntoView();
		const day = document.querySelector("[data-plot]:has(#plot-notes) .of-day:last-of-type").getBoundingClientRect();
		return JSON.stringify({X: day.left + day.width / 2, Y: day.top + day.height / 2});
	})()`)), &at))
	w.do(t, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y))
	if pointed := said("notes"); !strings.Contains(pointed, "Total: 2; Emitida: 1; Rejeitada: 1") {
		t.Errorf("where the pointer is, it is said: %s", pointed)
	}
}
