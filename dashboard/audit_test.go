package dashboard_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"testing"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// Every action says of which environment it was, or of none.
func TestAudit_EnvironmentOfEachAction(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for subject, livemode := range map[string]any{"in-test": false, "in-live": true, "in-none": nil} {
		s.Exec(t, `INSERT INTO audit_log (id, organization_id, livemode, actor_kind, actor_id, actor_from, request_id,
			action, subject_id) VALUES ($1, $2, $3, 'user', 'usr_x', '::1', '', 'note.cancel', $4)`,
			nfse.NewID(nfse.PrefixAuditEntry), s.Organization.ID, livemode, subject)
	}
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	stamp := regexp.MustCompile(`</time>( · [^<]*)?</p>`)
	for language, named := range map[string][2]string{
		"pt-BR": {" · Teste", " · Produção"}, "en": {" · Test", " · Live"},
	} {
		for subject, expected := range map[string]string{"in-test": named[0], "in-live": named[1], "in-none": ""} {
			shown := owner.reads(t, s.at("/audit")+"&subject="+subject, language)
			if found := stamp.FindStringSubmatch(string(shown)); found == nil || found[1] != expected {
				t.Errorf("%s of %s is said to be of %q", subject, language, found)
			}
		}
	}
}

// What was changed is told by names, also of who reads Portuguese.
func TestAudit_FieldsInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.Exec(t, `INSERT INTO audit_log (id, organization_id, actor_kind, actor_id, actor_from, request_id, action,
			subject_id, before, after)
		VALUES ($1, $2, 'user', 'usr_x', '::1', '', 'service.set', 'svc_1',
			jsonb_build_object('default_amount_cents', 100, 'active', true, 'held_reason', $3::jsonb,
				'label', '{"code": "no_fiscal_profile"}'),
			'{"default_amount_cents": 200, "active": false, "changed": ["address", "email"], "new_field": "x1"}')`,
		nfse.NewID(nfse.PrefixAuditEntry), s.Organization.ID, fact.SeriesHeld.With("why", fact.InWords("x2")))
	s.Exec(t, `INSERT INTO audit_log (id, organization_id, actor_kind, actor_id, actor_from, request_id, action,
			subject_id, before) VALUES ($1, $2, 'command', 'root', '::1', '', 'events.rescan', 'dst_1',
			jsonb_build_object('issuer', $3::jsonb))`, nfse.NewID(nfse.PrefixAuditEntry), s.Organization.ID,
		fact.CPFEnding.With("digits", "25"))
	reason, err := json.Marshal(fact.EndpointDisabledInDashboard.Fact())
	must(t, err)
	s.Exec(t, `INSERT INTO audit_log (id, organization_id, actor_kind, actor_id, actor_from, request_id, action,
			subject_id, before, after) VALUES ($1, $2, 'user', 'usr_x', '::1', '', 'webhook.disable', 'whe_1',
			'{"disabled_reason": null}', jsonb_build_object('disabled_reason', $3::jsonb))`,
		nfse.NewID(nfse.PrefixAuditEntry), s.Organization.ID, string(reason))
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	portuguese := owner.reads(t, s.at("/audit"), "pt-BR")
	portuguese.has(t, "<dt>valor padrão em centavos</dt><dd><del>100</del> → <ins>200</ins>",
		"<dt>ativo</dt><dd><del>sim</del> → <ins>não</ins>", "endereço, e-mail", "a série está retida: “x2”;",
		`<dt>nome</dt><dd><del>{"code": "no_fiscal_profile"}</del>`, // a text that looks like a fact
		"<dt><code>new_field</code></dt>", "CPF de final 25",
		"<dt>motivo da desativação</dt><dd><del>-</del> → <ins>desativado no painel</ins></dd>")
	portuguese.hasNot(t, "default_amount_cents", "<dt>active", "address", ">true<", "ending in")
	owner.reads(t, s.at("/audit"), "en").has(t, "<dt>default amount in cents</dt>", "<dt>active</dt><dd><del>yes</del>",
		"the series is held: “x2”;", "CPF ending in 25", "<ins>disabled in the dashboard</ins>")
}

// A city's flag that says no is not shown as a yes.
func TestCompany_FlagsOfTheCity(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.get(t, s.live("/company")).expect(t, http.StatusOK)
	s.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, city, fetched_at)
		SELECT authority, coalesce((profile ->> 'production')::boolean, false), profile ->> 'municipality_code',
			'{"active": true, "aderenteEmissorNacional": false, "situacaoEmissaoPadraoContribuintesRFB": true}', now()
		FROM fiscal_profiles ON CONFLICT (authority, production, municipality_code) DO UPDATE
		SET city = excluded.city, fetched_at = now()`)
	owner.reads(t, s.live("/company"), "pt-BR").has(t, "<dt>Usa o emissor nacional</dt><dd>Não</dd>",
		"<dt>Emissão padrão para quem só tem CNPJ na Receita Federal</dt><dd>Sim</dd>")
}
