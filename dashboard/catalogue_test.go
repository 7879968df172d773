package dashboard_test

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	saopaulo "emissor/fiscal/saopaulo/rules"
	"emissor/nfse"
	"emissor/test/testkit"
)

// serviceForm is a form of a service as a person fills it in.
func serviceForm(pairs ...string) url.Values {
	values := form("name", "Consulta", "description", "Consulta médica", "municipality_code", "3550308",
		"default_amount_cents", "1.234,56", "national_tax_code", "04.01.01", "iss_rate", "2,01", "active", "on")
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return values
}

var versionForm = regexp.MustCompile(`name="version" value="([^"]*)"`)

func (p page) version(t *testing.T) string {
	t.Helper()
	found := versionForm.FindStringSubmatch(p.body)
	if found == nil {
		t.Fatalf("there is no version in the page\n%s", p.body)
	}
	return found[1]
}

// entries counts those of the audit log of a user about a subject.
func (s *site) entries(t *testing.T, action, userID string) string {
	t.Helper()
	return s.Text(t, `SELECT count(*) FROM audit_log WHERE action = $1 AND actor_kind = 'user' AND actor_id = $2`,
		action, userID)
}

func TestServices_CreateAndChange(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.get(t, s.at("/catalogue/services")).expect(t, http.StatusOK, "Nenhum serviço ainda",
		"Aqui ficam os serviços")
	editor.get(t, s.at("/catalogue/services/new")).expect(t, http.StatusOK, "Código de tributação nacional")
	editor.post(t, s.at("/catalogue/services"), serviceForm()).expect(t, http.StatusSeeOther)
	editor.get(t, s.at("/catalogue/services")).expect(t, http.StatusOK, "Serviço criado.", "Consulta", "040101",
		"R$\u00a01.234,56", "classificação IBS/CBS", "Expira")
	id := s.Text(t, `SELECT id FROM services`)
	// By the API it is the same one.
	answer := s.Call(t, http.MethodGet, "/v1/services/"+id, s.TestKey, nil).Expect(t, http.StatusOK)
	if answer.Text("national_tax_code") != "040101" || answer.JSON["iss_rate"] != 2.01 {
		t.Errorf("the API has %s", answer.Raw)
	}
	address := s.at("/catalogue/services/" + id)
	shown := editor.get(t, address).expect(t, http.StatusOK, `value="1234,56"`, "São Paulo/SP", "expira em")
	editor.post(t, address, serviceForm("name", "Retorno", "active", "", "version", shown.version(t))).
		expect(t, http.StatusSeeOther)
	editor.get(t, s.at("/catalogue/services")).expect(t, http.StatusOK, "Retorno", "inativo")
	if s.entries(t, "service.create", editor.id) != "1" || s.entries(t, "service.set", editor.id) != "1" {
		t.Error("the audit log does not say who did it")
	}
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	viewer.get(t, address).expect(t, http.StatusOK, `<fieldset class="whole" disabled>`)
}

func TestServices_WrongFields(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	refused := editor.post(t, s.at("/catalogue/services"), serviceForm("name", "C", "default_amount_cents", "muito",
		"national_tax_code", "0401", "municipality_code", "Campinas", "iss_rate", "6", "municipal_tax_code", "x",
		"municipal_taxation", "X", "description", "ab"))
	refused.expect(t, http.StatusUnprocessableEntity, `value="muito"`, "de 2 a 80 caracteres", "Campinas/SP",
		`value="municipality_code=3509502"`, `value="national_tax_code=040101"`)
	for _, field := range []string{"name", "description", "municipality_code", "default_amount_cents",
		"national_tax_code", "municipal_tax_code", "municipal_taxation", "iss_rate"} {
		if !strings.Contains(refused.body, `href="#`+field+`"`) || !strings.Contains(refused.body,
			`aria-describedby="`+field+`-problem"`) {
			t.Errorf("%s is not named", field)
		}
	}
	if s.Text(t, `SELECT count(*) FROM services`) != "0" {
		t.Error("something was kept")
	}
	// What was found is put into the form, and what was typed stays.
	editor.post(t, s.at("/catalogue/services"), serviceForm("find", "municipality_code", "municipality_code",
		"sao paulo", "name", "Aula")).expect(t, http.StatusOK, `value="municipality_code=3550308"`, `value="Aula"`)
	editor.post(t, s.at("/catalogue/services"), serviceForm("set", "national_tax_code=080101", "name", "Aula")).
		expect(t, http.StatusOK, `value="080101"`, `value="Aula"`)
}

func TestServices_TwoChangeTheSame(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	first := s.signedIn(t, "first@example.com", s.Organization.ID, nfse.RoleEditor)
	second := s.signedIn(t, "second@example.com", s.Organization.ID, nfse.RoleEditor)
	first.post(t, s.at("/catalogue/services"), serviceForm()).expect(t, http.StatusSeeOther)
	address := s.at("/catalogue/services/" + s.Text(t, `SELECT id FROM services`))
	seen := first.get(t, address).version(t)
	first.post(t, address, serviceForm("name", "Exame", "version", seen)).expect(t, http.StatusSeeOther)
	conflict := second.post(t, address, serviceForm("name", "Retorno", "version", seen)).expect(t, http.StatusConflict,
		"Outra pessoa mudou isto", "<dd>Exame</dd>", `value="Retorno"`)
	if name := s.Text(t, `SELECT name FROM services`); name != "Exame" {
		t.Errorf("the name is %s", name)
	}
	second.post(t, address, serviceForm("name", "Retorno", "version", conflict.version(t))).
		expect(t, http.StatusSeeOther)
	// Who makes the same of it is not bothered.
	first.post(t, address, serviceForm("name", "Retorno", "version", seen)).expect(t, http.StatusSeeOther)
}

func TestServices_Pages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	s.NewService(t, s.TestKey)
	s.Exec(t, `INSERT INTO services SELECT (jsonb_populate_record(n, jsonb_build_object('id',
		'srv_' || lpad(i::text, 26, '0'), 'name', 'antigo-' || i))).* FROM services n, generate_series(1, 60) i`)
	first := viewer.get(t, s.at("/catalogue/services")).expect(t, http.StatusOK, "antigo-60<", "antigo-12<")
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(first.body)[1]
	viewer.get(t, strings.ReplaceAll(next, "&amp;", "&")).expect(t, http.StatusOK, "antigo-11<", `rel="prev"`)
}

// Codes are found by words, without accents and in any order, and by their beginning.
func TestServices_CodesByWords(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	for typed, found := range map[string]string{
		"SISTEMAS desenvolvimento analise": "01.01.01 Análise e desenvolvimento de sistemas.",
		"0401":                             "04.01.01 Medicina.",
		"bruxaria":                         "Nenhum código nacional tem essas palavras",
	} {
		search := serviceForm("find", "national_tax_code", "national_tax_code", typed)
		editor.post(t, s.at("/catalogue/services"), search).expect(t, http.StatusOK, found)
	}
}

const usualNBS, usualIndOp, usualClassTrib = "115021000", "100301", "000001"

func TestClassification_TypedAndRemoved(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.post(t, s.at("/catalogue/services"), serviceForm()).expect(t, http.StatusSeeOther)
	id := s.Text(t, `SELECT id FROM services`)
	address := s.at("/catalogue/services/" + id + "/classification")
	shown := editor.get(t, address).expect(t, http.StatusOK, "não foi importada", "contador")
	version := shown.version(t)
	parts := form("nbs", usualNBS, "cindop", usualIndOp, "cclasstrib", usualClassTrib, "version", version)
	for field, wrong := range map[string]string{"nbs": "999999998", "cindop": "999999", "cclasstrib": "000999",
		"tp-oper": "x"} {
		changed := maps.Clone(parts)
		changed.Set(field, wrong)
		editor.post(t, address, changed).expect(t, http.StatusUnprocessableEntity, `href="#`+field, `value="`+wrong+`"`)
	}
	if s.Text(t, `SELECT count(*) FROM service_classifications`) != "0" {
		t.Fatal("something wrong was kept")
	}
	editor.post(t, address, parts).expect(t, http.StatusSeeOther)
	editor.get(t, address).expect(t, http.StatusOK, "Classificação salva.", `value="`+usualNBS+`"`)
	editor.get(t, s.at("/catalogue/services")).expect(t, http.StatusOK, "pronto")
	// Another one, of the version before.
	parts.Set("indfinal", "true")
	editor.post(t, address, parts).expect(t, http.StatusConflict, "Outra pessoa mudou isto")
	parts.Set("version", editor.get(t, address).version(t))
	editor.post(t, address, parts).expect(t, http.StatusSeeOther)
	editor.confirms(t, s.at("/catalogue/services/"+id+"/classification/remove"), form()).expect(t, http.StatusSeeOther)
	if s.entries(t, "service.classify", editor.id) != "2" || s.entries(t, "service.unclassify", editor.id) != "1" {
		t.Error("the audit log does not say who did it")
	}
}

// A company of the city of São Paulo classifies by the city's table and layout, which are not
// those of the national system.
func TestClassification_InSaoPaulo(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	registration := "31000000"
	if err := s.Changes().Companies.SetFiscalProfile(t.Context(), nfse.FiscalProfile{
		OrganizationID: s.Organization.ID, Authority: saopaulo.Name, TaxID: "11222333000181",
		MunicipalityCode: "3550308", MunicipalRegistration: &registration, Simples: nfse.SimplesNone, Series: 1,
	}); err != nil {
		t.Fatal(err)
	}
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.post(t, s.at("/catalogue/services"), serviceForm()).expect(t, http.StatusSeeOther)
	address := s.at("/catalogue/services/" + s.Text(t, `SELECT id FROM services`) + "/classification")
	version := editor.get(t, address).version(t)
	parts := form("nbs", usualNBS, "cindop", "030103", "cclasstrib", usualClassTrib, "indfinal", "false", "version",
		version)
	refused := func(words string) {
		t.Helper()
		editor.post(t, address, parts).expect(t, http.StatusUnprocessableEntity, words)
	}
	refused("Este cIndOp não está no Anexo VII, pelo qual a prefeitura confere.")
	parts.Set("cindop", "020101")
	refused("Este cIndOp exige os dados do imóvel")
	parts.Set("cindop", "010101")
	parts.Set("pdif-uf", "100")
	parts.Set("pdif-mun", "100")
	parts.Set("pdif-cbs", "100")
	refused("Não deve ser informado: o leiaute da prefeitura não tem diferimento.")
	parts.Set("nbs", "12")
	refused("Preencha o código NBS, com 9 dígitos.")
	parts.Set("nbs", usualNBS)
	for _, name := range []string{"pdif-uf", "pdif-mun", "pdif-cbs"} {
		parts.Set(name, "")
	}
	editor.post(t, address, parts).expect(t, http.StatusSeeOther)
	editor.get(t, address).expect(t, http.StatusOK, "Classificação salva.", `value="010101"`)
}

// customerForm is a form of a customer as a person fills it in.
func customerForm(pairs ...string) url.Values {
	values := form("tax_id", "529.982.247-25", "name", "Maria da Silva", "zip_code", "01310-100", "street", "Paulista",
		"number", "1578", "district", "Bela Vista", "municipality_code", "")
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return values
}

func TestCustomers_CreateAndChange(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.get(t, s.at("/catalogue/customers")).expect(t, http.StatusOK, "Nenhum tomador ainda",
		"Aqui ficam os tomadores")
	editor.get(t, s.at("/catalogue/customers/new")).expect(t, http.StatusOK, "CPF ou CNPJ")
	editor.post(t, s.at("/catalogue/customers"), customerForm("tax_id", "529.982.247-24", "email", "maria",
		"zip_code", "1")).expect(t, http.StatusUnprocessableEntity, `href="#tax_id"`, `href="#email"`,
		`href="#zip_code"`, `value="maria"`)
	editor.post(t, s.at("/catalogue/customers"), customerForm()).expect(t, http.StatusSeeOther)
	editor.get(t, s.at("/catalogue/customers")).expect(t, http.StatusOK, "Tomador criado.", "529.982.247-25")
	id := s.Text(t, `SELECT id FROM customers`)
	// The same document once more changes nothing.
	editor.post(t, s.at("/catalogue/customers"), customerForm("name", "Outra")).expect(t, http.StatusConflict,
		"Já existe um tomador", `value="Outra"`)
	address := s.at("/catalogue/customers/" + id)
	seen := editor.get(t, address).expect(t, http.StatusOK, `value="01310-100"`).version(t)
	// The zip code gave the municipality, and a change elsewhere does not declare it.
	editor.post(t, address, customerForm("name", "Maria Souza", "municipality_code", "3550308", "version", seen)).
		expect(t, http.StatusSeeOther)
	if s.Text(t, `SELECT name || municipality_code || municipality_declared FROM customers`) !=
		"Maria Souza3550308false" {
		t.Error(s.Text(t, `SELECT name || municipality_code || municipality_declared FROM customers`))
	}
	editor.post(t, address, customerForm("name", "Maria Lima", "municipality_code", "3550308", "version", seen)).
		expect(t, http.StatusConflict, "<dd>Maria Souza</dd>", `value="Maria Lima"`)
	now := editor.get(t, address).version(t)
	editor.post(t, address, customerForm("municipality_code", "3304557", "version", now)).
		expect(t, http.StatusUnprocessableEntity, "O CEP é de outro município")
	for search, says := range map[string]string{"52998224725": "Maria Souza", "529.9": "Maria Souza",
		"sou mári": "Maria Souza", "11.222.333/0001-81": "Nenhum tomador", "lima": "Nenhum tomador"} {
		editor.get(t, s.at("/catalogue/customers")+"&q="+url.QueryEscape(search)).expect(t, http.StatusOK, says)
	}
	if s.entries(t, "customer.create", editor.id) != "1" || s.entries(t, "customer.set", editor.id) != "1" {
		t.Error("the audit log does not say who did it")
	}
}

// What is of another organization, or of the other environment, is not found, and a
// form of the other environment is refused.
func TestCatalogue_AnothersRecords(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, key, _ := s.NewOrganization(t, "Escola Vizinha")
	service := s.NewService(t, key)
	customer := s.Call(t, http.MethodPost, "/v1/customers", key, testkit.Body{"document": "52998224725",
		"name": "Vizinho"})
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleOwner)
	for _, path := range []string{"/catalogue/services/" + service, "/catalogue/customers/" + customer.Text("id"),
		"/catalogue/services/" + service + "/classification", "/catalogue/services/%00", "/catalogue/customers/%ff"} {
		editor.get(t, s.at(path)).expect(t, http.StatusNotFound, "não leva a nada")
		editor.post(t, s.at(path), serviceForm("version", "x", "nbs", usualNBS)).expect(t, http.StatusNotFound)
	}
	editor.get(t, s.of("/catalogue/services", other.ID, "test")).expect(t, http.StatusNotFound)
	own := s.NewService(t, s.TestKey)
	editor.get(t, s.of("/catalogue/services/"+own, s.Organization.ID, "live")).expect(t, http.StatusNotFound)
	editor.post(t, s.of("/catalogue/services", s.Organization.ID, "live"), serviceForm()).
		expect(t, http.StatusConflict, "outro ambiente")
}
