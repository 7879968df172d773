package dashboard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/frame"
	"emissor/internal/cnpj"
	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/test/testkit"
)

// onRecord puts a customer with all that a note needs on record.
func (s *site) onRecord(t *testing.T, key, document, name string) (id string) {
	t.Helper()
	return s.Call(t, http.MethodPost, "/v1/customers", key, testkit.Body{"document": document, "name": name,
		"municipality_code": "3550308", "address": testkit.Body{"zip_code": "01310-100", "street": "Rua do Cadastro",
			"number": "9", "district": "Centro"}}).Text("id")
}

var shownReference = regexp.MustCompile(`name="reference" type="text" value="(painel-[0-9a-z]{26})"`)

// A customer is found by any words of the name, the value is the service's, and the reference is made
// with the form: three requests issue a note, and sending it twice issues once.
func TestIssue_Conversation(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	maria := s.onRecord(t, s.TestKey, "52998224725", "Maria da Silva")
	joao := s.onRecord(t, s.TestKey, "11144477735", "João da Silva Souza")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	shown := editor.get(t, s.at("/notes/new")).expect(t, http.StatusOK, `name="amount_cents" type="text" value="150,00"`,
		"Maria da Silva · 529.982.247-25")
	reference := shownReference.FindStringSubmatch(shown.body)
	if reference == nil {
		t.Fatalf("no reference is made\n%s", shown.body)
	}
	sent := form("reference", reference[1], "service", service, "customer_words", "da silva", "scenario", "authorized")
	editor.post(t, s.at("/notes"), sent).expect(t, http.StatusUnprocessableEntity, "Há mais de um tomador",
		`value="customer=`+maria+`"`, `value="customer=`+joao+`"`)
	sent.Set("customer_words", "ninguém")
	editor.post(t, s.at("/notes"), sent).expect(t, http.StatusUnprocessableEntity, "Nenhum tomador do cadastro foi")
	sent.Set("customer_words", "souza joao")
	review := editor.post(t, s.at("/notes"), sent).expect(t, http.StatusOK, "<dd>João da Silva Souza</dd>", "R$\u00a0150,00")
	confirmed := review.reviewed(t)
	for range 2 {
		editor.post(t, s.at("/notes"), confirmed).expect(t, http.StatusSeeOther)
	}
	if found := s.Count(t, `SELECT count(*) FROM notes WHERE customer_id = $1 AND amount_cents = 15000`, joao); found != 1 {
		t.Errorf("%d notes were issued", found)
	}
	// A suggestion, which has the tax id, is one customer however many have the name.
	sent.Set("customer_words", "Maria da Silva · 529.982.247-25")
	sent.Set("reference", "")
	sent.Set("amount_cents", "1250.5")
	editor.issues(t, s.at("/notes"), sent).expect(t, http.StatusSeeOther)
	if found := s.Count(t, `SELECT count(*) FROM notes WHERE customer_id = $1 AND amount_cents = 125050
		AND reference LIKE 'painel-%'`, maria); found != 1 {
		t.Errorf("%d notes were issued", found)
	}
}

// Buttons find and choose, keep what was typed, and a choice takes the place of what was typed in full.
func TestIssue_ChooseCustomer(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	maria := s.onRecord(t, s.TestKey, "52998224725", "Maria da Silva")
	lacking := s.Call(t, http.MethodPost, "/v1/customers", s.TestKey,
		testkit.Body{"document": "11144477735", "name": "Ana"}).Text("id")
	other := s.newTenantCustomer(t)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	sent := issueForm(service, "pedido-1")
	sent.Set("customer_words", "silva")
	sent.Set("find", "customer_words")
	editor.post(t, s.at("/notes"), sent).expect(t, http.StatusOK, `value="customer=`+maria+`"`, `value="1.234,56"`,
		`value="pedido-1"`)
	sent.Del("find")
	sent.Set("set", "customer="+maria)
	chosen := editor.post(t, s.at("/notes"), sent).expect(t, http.StatusOK, `value="`+maria+`"`, "Maria da Silva",
		`value="1.234,56"`)
	if strings.Contains(chosen.body, `id="tax_id"`) {
		t.Error("another customer can be typed beside the one that is chosen")
	}
	sent.Set("set", "customer=")
	editor.post(t, s.at("/notes"), sent).expect(t, http.StatusOK, `id="tax_id"`)
	editor.get(t, s.at("/notes/new")+"&customer="+maria).expect(t, http.StatusOK, "<strong>Maria da Silva</strong>")
	editor.get(t, s.at("/notes/new")+"&customer="+lacking).expect(t, http.StatusOK, "Completar o cadastro")
	// One of another organization is nobody.
	if body := editor.get(t, s.at("/notes/new")+"&customer="+other).body; strings.Contains(body, "De outra empresa") {
		t.Error("a customer of another organization is shown")
	}
	sent.Del("set")
	sent.Set("customer_words", "outra empresa")
	sent.Set("find", "customer_words")
	editor.post(t, s.at("/notes"), sent).expect(t, http.StatusOK, "Nenhum tomador do cadastro tem")
}

// newTenantCustomer is a customer of another organization.
func (s *site) newTenantCustomer(t *testing.T) (id string) {
	t.Helper()
	id = nfse.NewID(nfse.PrefixCustomer)
	s.Exec(t, `INSERT INTO organizations (id, name) VALUES ('org_another', 'Outra')`)
	s.Exec(t, `INSERT INTO customers (id, organization_id, livemode, tax_id, name, municipality_declared)
		VALUES ($1, 'org_another', false, '52998224725', 'De outra empresa', false)`, id)
	return id
}

// A note is repeated as it was asked for: with a reference of its own, and of today.
func TestIssue_Copy(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	sent := issueForm(service, "pedido-1")
	sent.Set("competence", string(nfse.DayOf(time.Now()).Before(1)))
	sent.Set("description", "Consulta de retorno")
	sent.Set("iss_withheld", "on")
	editor.issues(t, s.at("/notes"), sent).expect(t, http.StatusSeeOther)
	id := s.Text(t, `SELECT id FROM notes`)
	editor.get(t, s.at("/notes/"+id)).expect(t, http.StatusOK, "copy="+id)
	copied := editor.get(t, s.at("/notes/new")+"&copy="+id).expect(t, http.StatusOK, `value="1234,56"`,
		"Consulta de retorno</textarea>", `name="iss_withheld" checked`, `name="competence" type="date" value=""`,
		`value="Maria da Silva"`)
	if !shownReference.MatchString(copied.body) {
		t.Error("it has no reference of its own")
	}
}

// The page of a customer has their notes and what they add up to, and leads to the next one.
func TestCustomer_TheirNotes(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	maria := s.onRecord(t, s.TestKey, "52998224725", "Maria da Silva")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.get(t, s.at("/catalogue/customers/"+maria)).expect(t, http.StatusOK, "Ainda não há notas para este tomador",
		"customer="+maria)
	s.Issue(t, s.TestKey, testkit.Body{"reference": "pedido-7", "service_id": service, "amount_cents": 15000,
		"customer_id": maria, "sandbox_scenario": "authorized"})
	editor.get(t, s.at("/catalogue/customers/"+maria)).expect(t, http.StatusOK, "pedido-7", "Notas: 1; emitidas: 0")
}

// standIn is a site whose CEP and CNPJ are answered by a server of the test's own.
func standIn(t *testing.T, answer http.HandlerFunc) *site {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return newSiteOf(t, testkit.Options{}, func(options *frame.Options) {
		service, err := cnpj.New("brasilapi", server.URL)
		must(t, err)
		options.CNPJ = service
		viaCEP, err := municipality.NewViaCEP(server.URL)
		must(t, err)
		options.Resolver = municipality.NewResolver(options.Store.Catalogues, municipality.Options{
			Services: []municipality.Service{viaCEP}, Timeout: time.Minute, Log: testkit.Logger(t)})
	})
}

// A CEP fills in street, district and city, a CNPJ the company; what was typed stays.
func TestFillIn(t *testing.T) {
	t.Parallel()
	s := standIn(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/ws/80010000"):
			fmt.Fprint(w, `{"cep":"80010-000","logradouro":"Rua XV de Novembro","bairro":"Centro","ibge":"4106902"}`)
		case strings.HasPrefix(r.URL.Path, "/ws/"):
			fmt.Fprint(w, `{"erro": true}`)
		case strings.HasSuffix(r.URL.Path, "/11444777000161"):
			fmt.Fprint(w, `{"razao_social":"PADARIA ALFA LTDA","logradouro":"XV","numero":"10","bairro":"CENTRO",
				"cep":"80010000","codigo_municipio_ibge":4106902,"descricao_situacao_cadastral":"ATIVA",
				"opcao_pelo_simples":true,"opcao_pelo_mei":false}`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	service := s.NewService(t, s.TestKey)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	for _, page := range []struct{ path, prefix string }{{"/notes", "address."}, {"/catalogue/customers", ""}} {
		sent := form("service", service, page.prefix+"zip_code", "80010000", "name", "Digitado", "fill", "zip_code")
		owner.post(t, s.at(page.path), sent).expect(t, http.StatusOK, `value="Rua XV de Novembro"`, `value="Centro"`,
			`value="Curitiba/PR"`, `value="Digitado"`, `value="80010-000"`)
		sent.Set(page.prefix+"zip_code", "99999999")
		owner.post(t, s.at(page.path), sent).expect(t, http.StatusOK, "CEP não encontrado", `value="Digitado"`,
			"Complete o endereço.")
		sent.Set("fill", "tax_id")
		sent.Set("tax_id", "11.444.777/0001-61")
		owner.post(t, s.at(page.path), sent).expect(t, http.StatusOK, `value="PADARIA ALFA LTDA"`, `value="Curitiba/PR"`)
		sent.Set("tax_id", "11.222.333/0001-81")
		owner.post(t, s.at(page.path), sent).expect(t, http.StatusOK, "CNPJ não encontrado na consulta", `value="Digitado"`)
		sent.Set("tax_id", "529.982.247-25")
		owner.post(t, s.at(page.path), sent).expect(t, http.StatusOK, "informe um CNPJ válido")
	}
	// The regime that is on public record is said, and chosen by a person.
	profile := owner.post(t, s.live("/company/profile"), form("env", "live", "tax_id", "11444777000161", "fill", "tax_id",
		"authority", "national")).expect(t, http.StatusOK, `value="Curitiba/PR"`,
		"confira e escolha: ME ou EPP.", `<input type="radio" name="simples" value="me">`)
	if names, _ := profile.preselected(); slices.Contains(names, "simples") {
		t.Error("the regime is chosen before anybody chose it")
	}
	if found := s.Count(t, `SELECT count(*) FROM customers`); found != 0 {
		t.Error("filling in has put somebody on record")
	}
}

// A service that does not answer is said in words, and nothing typed is lost.
func TestFillIn_NotAnswered(t *testing.T) {
	t.Parallel()
	s := standIn(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	sent := form("tax_id", "11444777000161", "name", "Digitado", "fill", "tax_id")
	editor.post(t, s.at("/catalogue/customers"), sent).expect(t, http.StatusOK, "A consulta não está respondendo",
		`value="Digitado"`)
}

// The customer's e-mail that the form asks for is on record before the note is, which takes it.
func TestIssue_EmailOfCustomer(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	service := s.NewService(t, s.LiveKey)
	maria := s.onRecord(t, s.LiveKey, "52998224725", "Maria da Silva")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	sent := form("env", "live", "reference", "r-1", "service", service, "customer", maria, "email_customer", "on",
		"email", "maria")
	owner.post(t, s.live("/notes"), sent).expect(t, http.StatusUnprocessableEntity, "Informe um e-mail válido")
	sent.Set("email", "maria@example.com")
	owner.issues(t, s.live("/notes"), sent).expect(t, http.StatusSeeOther)
	if found := s.Text(t, `SELECT customer ->> 'email' FROM notes`); found != "maria@example.com" {
		t.Errorf("the note is sent to %q", found)
	}
	sent = issueForm(service, "r-2")
	sent.Set("env", "live")
	sent.Set("tax_id", "111.444.777-35")
	sent.Set("email_customer", "on")
	sent.Set("email", "nova@example.com")
	owner.issues(t, s.live("/notes"), sent).expect(t, http.StatusSeeOther)
	if found := s.Text(t, `SELECT email || ' ' || street FROM customers
		WHERE tax_id = '11144477735'`); found != "nova@example.com Avenida Paulista" {
		t.Errorf("the record has %q", found)
	}
}

// The review says what is computed, and where from, as well as what the service still lacks.
func TestReview_Computed(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	service := s.Call(t, http.MethodPost, "/v1/services", s.LiveKey, testkit.Body{"name": "Consulta",
		"description": "Consulta médica", "municipality_code": "3304557", "default_amount_cents": 15000,
		"national_tax_code": "04.01.01", "iss_rate": 5}).Expect(t, http.StatusCreated).Text("id")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	sent := issueForm(service, "r-1")
	sent.Set("env", "live")
	sent.Set("amount_cents", "1.000,00")
	sent.Del("scenario")
	review := owner.post(t, s.live("/notes"), sent)
	review.expect(t, http.StatusOK, "<dt>Total a cobrar do tomador</dt>", "<dt>Valor líquido esperado</dt>",
		"<dt>De onde vem a alíquota</dt>", "Completar o serviço")
}
