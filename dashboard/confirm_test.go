package dashboard_test

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/nfse"
)

// namedActs are the acts that are asked about once more: where each is done, and what the
// page that asks calls what it is done to.
var namedActs = map[string]struct {
	path  func(*testing.T, *site) string
	form  url.Values
	names []string
}{
	"/notes/{id}/analysis": {aRefused("/analysis"), form("env", "live"),
		[]string{"Pedir a análise fiscal ao município", "pedido-x",
			"uma só análise fiscal", "Erro na emissão: emitida com erro"}},
	"/notes/{id}/cancel": {aNoteCalled("/cancel"), form("reason_code", "1", "reason_text", "emitida com erro"),
		[]string{"Cancelar a nota", "pedido-x", "Maria da Silva", "R$\u00a0150,00", "Erro na emissão: emitida com erro",
			"É uma simulação"}},
	"/notes/{id}/redrive": {aNoteCalled("/redrive"), form(), []string{"Tentar de novo agora", "pedido-x",
		"nada é enviado duas vezes"}},
	"/integrations/keys/{id}/revoke": {aKey("/revoke"), form(), []string{"Revogar a chave de API", "loja",
		"é recusada, para sempre"}},
	"/integrations/endpoints/{id}/rotate": {anEndpoint("/rotate"), form(), []string{"Gerar novo segredo do endpoint",
		"https://127.0.0.1:9/hook", "Faz um segredo novo"}},
	"/integrations/endpoints/{id}/disable": {anEndpoint("/disable"), form(), []string{"Desativar o endpoint",
		"https://127.0.0.1:9/hook", "é pulado"}},
	"/integrations/endpoints/{id}/remove": {anEndpoint("/remove"), form(), []string{"Remover o endpoint",
		"https://127.0.0.1:9/hook", "para sempre"}},
	"/catalogue/services/{id}/classification/remove": {aClassified("/classification/remove"), form(),
		[]string{"Remover classificação", "Consulta", "esperam quando a autoridade a exige"}},
	"/catalogue/services/{id}/classification/links/{link}/revoke": {aClassificationLink, form(),
		[]string{"Revogar o pedido de classificação", accountant, "deixa de valer"}},
	"/catalogue/works/{id}/close": {aWork("/close"), form(), []string{"Encerrar a obra", "Casa",
		"Nenhuma nota nova"}},
	"/catalogue/events/{id}/close": {anEvent("/close"), form(), []string{"Encerrar o evento", "Show",
		"Nenhuma nota nova"}},
	"/recurring/{id}/end": {aRecurrence("/end"), form(), []string{"Encerrar a recorrência", "Consulta"}},
	"/recurring/{id}/months/{month}/issue": {aRecurrence("/months/2026-01/issue"), form(),
		[]string{"Emitir a nota do mês", "Consulta", "2026-01"}},
	"/company/next-number": {withProfile("/company/next-number"), form("next_number", "500", "seen", "1"),
		[]string{"Mudar o próximo número", "<dt>Série</dt><dd>1</dd>", "<dt>Próximo número da DPS</dt><dd>500</dd>",
			"ficam sem nota"}},
	"/company/certificates/{id}/remove": {aCertificate("/remove"), form(), []string{"Remover o certificado",
		"EMPRESA EXEMPLO", "Remover esquece a chave"}},
	"/company/city-login/remove": {aCityLogin, form(), []string{"Esquecer o usuário e a senha", "Arealva/SP",
		"notas de produção esperam"}},
	"/company/profile": {at("/company/profile"), profileForm("environment", "production"),
		[]string{"Mudar como a empresa emite", "Produção restrita (sem valor fiscal) → Produção", "11.222.333/0001-81",
			"<dt>Série</dt><dd>7</dd>", "documentos fiscais de verdade"}},
	"/people/{id}/role": {ofVersion("/role"), form("role", "owner", "version", "2026-01-01T00:00:00Z"),
		[]string{"Tornar responsável", "@example.com", "Leitura → Responsável", "pode tirar de você"}},
	"/people/{id}/link": {aMember("/people/", "/link"), form(), []string{"Fazer um novo link de acesso",
		"@example.com", "as passkeys de antes deixam de valer"}},
	"/people/invitations/{id}/revoke": {anInvitation, form(), []string{"Revogar o convite", "@example.com",
		"deixa de valer"}},
	"/people/{id}/remove": {aMember("/people/", "/remove"), form(), []string{"Remover a pessoa da organização",
		"@example.com", "o acesso acaba"}},
	"/session/passkeys/{id}/remove": {aPasskey("/remove"), form(), []string{"Remover a passkey", "laptop",
		"Não se desfaz"}},
}

func aNoteCalled(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string {
		t.Helper()
		id := s.note(t)
		s.Exec(t, `UPDATE notes SET reference = 'pedido-x' WHERE id = $1`, id)
		return "/notes/" + id + after
	}
}

// aRefused is a note of production whose city has refused to cancel it by its term.
func aRefused(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string {
		t.Helper()
		id := s.noteOf(t, s.LiveKey, "pedido-x")
		s.RefuseByTerm(t, id)
		return "/notes/" + id + after
	}
}

// ofVersion is a member whose role was changed last at the moment that the form names.
func ofVersion(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string {
		t.Helper()
		path := aMember("/people/", after)(t, s)
		s.Exec(t, `UPDATE memberships SET updated_at = '2026-01-01T00:00:00Z'`)
		return path
	}
}

func aClassified(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string {
		t.Helper()
		id := s.NewService(t, s.TestKey)
		s.Exec(t, `INSERT INTO service_classifications (service_id, organization_id, livemode, classification)
			SELECT id, organization_id, livemode, '{}' FROM services WHERE id = $1`, id)
		return "/catalogue/services/" + id + after
	}
}

// aClassificationLink is a link to classify a service.
func aClassificationLink(t *testing.T, s *site) string {
	t.Helper()
	service := s.NewService(t, s.TestKey)
	link, _ := s.asks(t, s.member(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor), service)
	return "/catalogue/services/" + service + "/classification/links/" + link + "/revoke"
}

// aPasskey is one of the only person on the site.
func aPasskey(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string {
		t.Helper()
		return "/session/passkeys/" + s.Text(t, `SELECT min(id) FROM passkeys`) + after
	}
}

// What is not undone is named, with what it is done to, and asked about on a page without
// script, also right after a passkey was used. Until it is meant, nothing is done.
func TestActs_NamedAndAsked(t *testing.T) {
	t.Parallel()
	tested := slices.Sorted(maps.Keys(namedActs))
	for _, path := range dashboard.NamedActs() {
		if elsewhere := []string{"/oidc/unlink", "/operations/series/release"}; // in tests of their own
		!slices.Contains(tested, path) && !slices.Contains(elsewhere, path) {
			t.Errorf("nothing tests that %s is named", path)
		}
	}
	for path, one := range namedActs {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, nil)
			owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
			owner.addPasskey(t)
			address := s.of(one.path(t, s), s.Organization.ID, one.form.Get("env"))
			done := func() int {
				return s.Count(t, `SELECT count(*) FROM audit_log WHERE actor_id = $1
					AND (action NOT LIKE 'user.%' OR action = 'user.link')`, owner.id)
			}
			asked := owner.post(t, address, one.form).expect(t, http.StatusOK, `<form method="post" action="`+
				html.EscapeString(address), `name="confirmed" value="yes"`, "Voltar sem fazer nada")
			asked.names(t, one.names)
			if strings.Contains(asked.body, "Confirme que é você") || strings.Contains(asked.body, "data-passkey=") {
				t.Error("it asks for the passkey again")
			}
			owner.verifiedAt(t, time.Now().Add(-time.Hour))
			stale := owner.post(t, address, one.form)
			if stale.status == http.StatusForbidden {
				stale.expect(t, http.StatusForbidden, "Confirme que é você", `name="confirmed" value="yes"`)
				stale.names(t, one.names)
			}
			owner.verifiedAt(t, time.Now())
			if entries := done(); entries != 0 {
				t.Fatalf("it was done %d times before it was meant", entries)
			}
			script := owner.send(t, http.MethodPost, address, nil, "application/json", strings.NewReader("{}"))
			if script.status < 400 || done() != 0 {
				t.Errorf("the script is answered %d", script.status)
			}
			sent := maps.Clone(one.form)
			sent.Set("confirmed", "yes")
			if answer := owner.post(t, address, sent); strings.Contains(answer.body, `name="confirmed"`) {
				t.Errorf("what is meant is asked about again\n%s", answer.body)
			}
		})
	}
}

// Of a role and of a profile only what is dangerous is asked about; and who refuses what is
// asked about has changed nothing.
func TestActs_OnlyWhatIsDangerous(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	second := s.member(t, "socia@example.com", s.Organization.ID, nfse.RoleOwner)
	ana := s.member(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	for _, one := range []struct{ id, role, asks string }{
		{ana, "viewer", ""}, {ana, "editor", ""}, {ana, "owner", "Tornar responsável"}, {second, "viewer", ""},
		{owner.id, "owner", ""}, {owner.id, "editor", "Deixar de ser responsável"},
	} {
		sent := form("role", one.role, "version", versionOf(t, owner.get(t, s.at("/people")).body, one.id))
		if one.asks == "" {
			owner.post(t, s.at("/people/"+one.id+"/role"), sent).expect(t, http.StatusSeeOther)
			continue
		}
		owner.post(t, s.at("/people/"+one.id+"/role"), sent).expect(t, http.StatusOK, one.asks)
		if s.Count(t, `SELECT count(*) FROM memberships WHERE user_id = $1 AND role = $2`, one.id, one.role) != 0 {
			t.Errorf("%s was done before it was meant", one.asks)
		}
		owner.confirms(t, s.at("/people/"+one.id+"/role"), sent).expect(t, http.StatusSeeOther)
		s.Exec(t, `UPDATE memberships SET role = 'owner' WHERE user_id = $1`, owner.id)
	}

	for _, one := range []struct{ field, value, asks string }{
		{"series", "7", ""}, // the first profile, in restricted production
		{"tax_federal", "11", ""},
		{"series", "8", "<dt>Série</dt><dd>7 → 8</dd>"},
		{"tax_id", "11.444.777/0001-61", "11.222.333/0001-81 → 11.444.777/0001-61"},
		{"environment", "production", "Produção restrita (sem valor fiscal) → Produção"},
		{"simples_regime", "", ""},
		{"environment", "restricted", "não têm valor fiscal"},
	} {
		shown := owner.get(t, s.at("/company"))
		sent := profileForm("version", shown.version(t))
		if profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID); err == nil {
			environment := map[bool]string{true: "production", false: "restricted"}[profile.Production]
			sent = profileForm("version", shown.version(t), "tax_id", string(profile.TaxID), "series",
				strconv.Itoa(profile.Series), "environment", environment)
		}
		sent.Set(one.field, one.value)
		if one.asks == "" {
			owner.post(t, s.at("/company/profile"), sent).expect(t, http.StatusSeeOther)
			continue
		}
		owner.post(t, s.at("/company/profile"), sent).expect(t, http.StatusOK, "Mudar como a empresa emite").
			names(t, []string{one.asks})
		if again := owner.get(t, s.at("/company")).version(t); again != shown.version(t) {
			t.Errorf("%s was changed before it was meant", one.field)
		}
		owner.confirms(t, s.at("/company/profile"), sent).expect(t, http.StatusSeeOther)
	}
}

// A series that is withheld is neither named nor set, whether it is meant or not.
func TestActs_WithheldSeries(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.post(t, s.at("/company/profile"), profileForm()).expect(t, http.StatusSeeOther)
	version := owner.get(t, s.at("/company")).expect(t, http.StatusOK, "Ainda não foi mostrado").version(t)
	for _, meant := range []string{"", "yes"} {
		owner.post(t, s.at("/company/next-number"), form("next_number", "900", "seen", "1", "version", version,
			"confirmed", meant)).expect(t, http.StatusNotFound)
	}
}

// names expects these texts, as they are read.
func (p page) names(t *testing.T, texts []string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(html.UnescapeString(p.body), text) {
			t.Errorf("%q is not in the page\n%s", text, p.body)
		}
	}
}

// A button in the colour of danger leads to an act that is asked about.
func TestActs_EveryDangerousButtonAsks(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	named := dashboard.NamedActs()
	for _, route := range dashboard.Routes(s.pages) {
		if route.Confirmed != slices.Contains(named, route.Path) {
			t.Errorf("%s %s asks: %t, and is named: %t", route.Method, route.Path, route.Confirmed, !route.Confirmed)
		}
		for _, ending := range []string{"/cancel", "/redrive", "/revoke", "/rotate", "/disable", "/remove", "/unlink",
			"/next-number", "/role", "{id}/link", "/company/profile"} {
			if strings.HasSuffix(route.Path, ending) && !route.Confirmed &&
				route.Path != "/notes/filters/{id}/remove" { // one's own, which nothing depends on

				t.Errorf("%s is done without asking", route.Path)
			}
		}
	}
}
