package dashboard_test

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/test/testkit"
)

var (
	hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)
	reviewForm  = regexp.MustCompile(`(?s)<form method="post" action="/notes[^"]*">(.*?)</form>`)
)

// reviewed is the form that a review sends when somebody says that it is to be issued.
func (p page) reviewed(t *testing.T) url.Values {
	t.Helper()
	shown := reviewForm.FindStringSubmatch(p.expect(t, http.StatusOK, "Voltar e corrigir").body)
	if shown == nil {
		t.Fatalf("there is no form\n%s", p.body)
	}
	sent := url.Values{}
	for _, field := range hiddenField.FindAllStringSubmatch(shown[1], -1) {
		sent.Add(html.UnescapeString(field[1]), html.UnescapeString(field[2]))
	}
	return sent
}

// issues sends the form of a note, and says at its review that it is to be issued.
func (p *person) issues(t *testing.T, address string, form url.Values) page {
	t.Helper()
	return p.post(t, address, p.post(t, address, form).reviewed(t))
}

// However the form is sent, its note is shown first; what was typed stays on the way
// back, and what was reviewed is issued, once.
func TestReview_BeforeIssuing(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	shown := editor.get(t, s.at("/notes/new")).expect(t, http.StatusOK, `<button class="primary">Revisar</button>`)
	if strings.Contains(shown.body, ">Emitir</button>") {
		t.Error("the form issues at once")
	}
	sent := issueForm(service, "pedido-1")
	review := editor.post(t, s.at("/notes"), sent)
	confirmed := review.reviewed(t)
	for field, values := range sent {
		if confirmed.Get(field) != values[0] {
			t.Errorf("the review sends %q as %s, typed was %q", confirmed.Get(field), field, values[0])
		}
	}
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 0 {
		t.Fatal("a note was issued before it was reviewed")
	}
	back := maps.Clone(confirmed)
	back.Set("back", "yes")
	editor.post(t, s.at("/notes"), back).expect(t, http.StatusOK, `value="pedido-1"`, `value="1.234,56"`,
		`value="Maria da Silva"`, `value="Bela Vista"`, `<option value="`+service+`" selected`)
	other := maps.Clone(confirmed)
	other.Set("amount_cents", "1.234,57") // which was not shown
	editor.post(t, s.at("/notes"), other).expect(t, http.StatusOK, "Algo mudou desde que você revisou", "1.234,57")
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 0 {
		t.Fatal("a note was issued that was not reviewed")
	}
	var clicks sync.WaitGroup
	var answers [2]page
	for i := range answers {
		clicks.Go(func() { answers[i] = editor.post(t, s.at("/notes"), confirmed) })
	}
	clicks.Wait()
	for _, answer := range answers {
		answer.expect(t, http.StatusSeeOther)
	}
	editor.post(t, s.at("/notes"), confirmed).expect(t, http.StatusSeeOther)
	if notes := s.Count(t, `SELECT count(*) FROM notes WHERE reference = 'pedido-1'
		AND amount_cents = 123456`); notes != 1 {
		t.Errorf("there are %d notes", notes)
	}
}

// A service that changes meanwhile is shown again, and the note takes what was seen last.
func TestReview_ServiceChangesMeanwhile(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	confirmed := editor.post(t, s.at("/notes"), issueForm(service, "pedido-1")).reviewed(t)
	s.Call(t, http.MethodPatch, "/v1/services/"+service, s.TestKey, testkit.Body{"description": "Outra descrição"}).
		Expect(t, http.StatusOK)
	again := editor.post(t, s.at("/notes"), confirmed).expect(t, http.StatusOK, "Algo mudou desde que você revisou",
		"<dd>Outra descrição</dd>")
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 0 {
		t.Fatal("what was not reviewed was issued")
	}
	editor.post(t, s.at("/notes"), again.reviewed(t)).expect(t, http.StatusSeeOther)
	if found := s.Text(t, `SELECT coalesce(service_description, service ->> 'description') FROM notes`); found != "Outra descrição" {
		t.Errorf("the note says %q", found)
	}
	s.Exec(t, `UPDATE services SET active = false`)
	inactive := editor.post(t, s.at("/notes"), issueForm(service, "pedido-2"))
	inactive.expect(t, http.StatusUnprocessableEntity, "está inativo")
}

// Every part of the classification that is sent is shown, and one that changes meanwhile is
// shown again.
func TestReview_WholeClassification(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	service := s.NewService(t, s.LiveKey)
	parts := map[string]string{"nbs": "123012200", "cindop": "100301", "cst": "510", "cclasstrib": "510001",
		"indfinal": "true", "cst-reg": "000", "cclasstrib-reg": "000001", "pdif-uf": "41.25", "pdif-mun": "42.25",
		"pdif-cbs": "43.25", "ccredpres": "07", "tp-ente-gov": "4", "tp-oper": "5", "property-registration": "IM-77",
		"property-zip-code": "01310100", "property-street": "Avenida Paulista", "property-number": "1578",
		"property-complement": "Sala 33", "property-district": "Bela Vista"}
	classify := func() map[string]string {
		t.Helper()
		parsed, defect := classification.Parse(func(name string) string { return parts[name] })
		if defect != nil {
			t.Fatal(defect)
		}
		content, err := nfse.Marshal(parsed)
		must(t, err)
		s.Exec(t, `DELETE FROM service_classifications`)
		s.Exec(t, `INSERT INTO service_classifications (service_id, organization_id, livemode, classification)
			SELECT id, organization_id, livemode, $2::jsonb FROM services WHERE id = $1`, service, string(content))
		return classification.PartsOf(parsed)
	}
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	sent := issueForm(service, "pedido-1")
	sent.Set("env", "live")
	shown := classify()
	page := editor.post(t, s.live("/notes"), sent)
	for _, part := range classification.Parts {
		value := shown[part.Name]
		switch {
		case part.Name == "property-cib": // which is there instead of an address
			continue
		case value == "":
			t.Errorf("the test classifies without %s", part.Name)
		case part.Name == "indfinal":
			value = "<dt>Uso ou consumo pessoal (indFinal)</dt><dd>Sim</dd>"
		case strings.HasPrefix(part.Name, "pdif-"):
			value = strings.Replace(value, ".", ",", 1)
		}
		page.names(t, []string{value})
	}
	for part, other := range map[string]string{"ccredpres": "08", "indfinal": "false", "tp-oper": "4",
		"tp-ente-gov": "1", "cclasstrib-reg": "000002", "pdif-cbs": "44.25", "property-number": "1579"} {
		confirmed := page.reviewed(t)
		parts[part] = other
		classify()
		page = editor.post(t, s.live("/notes"), confirmed).expect(t, http.StatusOK, "Algo mudou desde que você revisou")
	}
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 0 {
		t.Fatal("what was not reviewed was issued")
	}
	editor.post(t, s.live("/notes"), page.reviewed(t)).expect(t, http.StatusSeeOther)
}

// shownOf are a value of each field of the form, and how the review shows it.
var shownOf = map[string]struct{ typed, shown string }{
	"reference": {"pedido-7", "pedido-7"}, "amount_cents": {"1.234,56", "R$\u00a01.234,56"},
	"description": {"Só desta nota", "Só desta nota"}, "iss_withheld": {"on", "<dt>ISS retido</dt><dd>Sim</dd>"},
	"service": {"", "<dt>Serviço</dt><dd>Consulta"},
	"competence": {string(nfse.DayOf(time.Now()).Before(3)), "<dt>Competência</dt><dd>" +
		shownDay(nfse.DayOf(time.Now()).Before(3)) + "</dd>"},
	"scenario":            {"slow", "<dt>O que simular</dt><dd>Demorada</dd>"},
	"tax_id":              {"529.982.247-25", "529.982.247-25"},
	"name":                {"Maria da Silva", "<dt>Tomador</dt><dd>Maria da Silva</dd>"},
	"address.zip_code":    {"01310-100", "01310-100"},
	"address.street_type": {"Avenida", "Avenida Paulista"}, "address.street": {"Paulista", "Avenida Paulista"},
	"address.number": {"1578", "1578"}, "address.complement": {"Sala 3", "Sala 3"},
	"address.district":  {"Bela Vista", "Bela Vista"},
	"municipality_code": {"3550308", "<dt>Município do tomador</dt><dd>São Paulo/SP</dd>"},
	"email_customer":    {"on", "<dt>Enviar e-mail ao tomador</dt><dd>maria@example.com</dd>"},
	"email":             {"maria@example.com", "<dt>Enviar e-mail ao tomador</dt><dd>maria@example.com</dd>"},
	"register_ledger":   {"on", "<dt>Registrar em Lançamentos</dt><dd>Sim</dd>"},
	"confirm_municipal_operation": {"on",
		"<dt>Confirmar a operação municipal padrão, onde houver</dt><dd>Sim</dd>"},
}

// Nothing is issued that the review does not show: every field of the form is there, and
// what the note takes from records.
func TestReview_ShowsEverything(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	var customer string
	for environment, key := range map[string]string{"test": s.TestKey, "live": s.LiveKey} {
		service := s.NewService(t, key)
		customer = s.Call(t, http.MethodPost, "/v1/customers", key, testkit.Body{"document": "52998224725",
			"name": "Maria da Silva", "email": "maria@example.com", "municipality_code": "3550308",
			"address": testkit.Body{"zip_code": "01310-100", "street": "Rua do Cadastro", "number": "9",
				"district": "Centro"}}).Text("id")
		sent := url.Values{"env": {environment}}
		for _, field := range dashboard.IssueFields {
			one, known := shownOf[field]
			if slices.Contains(dashboard.DetailFields, field) {
				continue // see TestReview_ShowsDetails
			}
			if !known && !slices.Contains([]string{"service_words", "customer", "customer_words", "filled", "from"}, field) {
				t.Errorf("the field %s has no line in shownOf: the review is to show it", field)
			}
			sent.Set(field, one.typed)
		}
		sent.Set("service", service)
		page := editor.post(t, s.of("/notes", s.Organization.ID, environment), sent).expect(t, http.StatusOK)
		for field, one := range shownOf {
			live := field == "email_customer" || field == "email" || field == "register_ledger" || field == "confirm_municipal_operation"
			if field == "scenario" && environment == "live" || live && environment == "test" {
				continue
			}
			page.names(t, []string{one.shown})
		}
		page.names(t, []string{"<dt>Emitente</dt><dd>" + s.Organization.Name, "<dt>Município do serviço</dt>"})
		onRecord := url.Values{"env": {environment}, "reference": {"r"}, "service": {service}, "amount_cents": {"1"},
			"customer": {customer}, "scenario": {"authorized"}}
		editor.post(t, s.of("/notes", s.Organization.ID, environment), onRecord).expect(t, http.StatusOK,
			"<dd>Maria da Silva</dd>", "Rua do Cadastro, 9, Centro, 01310-100")
	}
}

// What a note is worth is said as the profile has it, and not by the name of the environment.
func TestReview_FiscalValue(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	services := map[string]string{"test": s.NewService(t, s.TestKey), "live": s.NewService(t, s.LiveKey)}
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	const real = "Esta nota terá valor fiscal."
	says := func(environment, expected string) {
		t.Helper()
		sent := issueForm(services[environment], "pedido-1")
		sent.Set("env", environment)
		for _, page := range []page{
			editor.get(t, s.of("/notes/new", s.Organization.ID, environment)),
			editor.post(t, s.of("/notes", s.Organization.ID, environment), sent),
		} {
			page.expect(t, http.StatusOK, expected)
			if expected != real && strings.Contains(page.body, real) {
				t.Errorf("%s is said to be a real document", environment)
			}
		}
	}
	says("test", "É uma simulação")
	says("live", "não tem perfil fiscal: a nota espera")
	for _, authority := range []string{"national", "sao-paulo"} {
		profile := s.NewProfile(t, authority)
		says("live", "e não tem valor fiscal")
		profile.Production = true
		must(t, s.Changes().Companies.SetFiscalProfile(t.Context(), profile))
		says("live", real)
	}
	says("test", "É uma simulação")
}
