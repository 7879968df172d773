package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/test/testkit"
)

// turn has a city say whether it is on the national system.
func (s *site) turn(t *testing.T, municipality string, national bool) {
	t.Helper()
	worker := testkit.OpenStore(t, s.As(testkit.Roles.Worker))
	must(t, worker.Companies.UseProfileCities(t.Context(), "national"))
	must(t, worker.Companies.SaveCity(t.Context(), companies.CityKey{Authority: "national",
		MunicipalityCode: municipality},
		fiscal.City{Active: true, AderenteEmissorNacional: &national}, 0))
}

// A company of a city with a server of its own chooses it, and is told who takes its notes and why; that the
// city turned to the national system is told to it and to operators, and switches nothing.
func TestCompany_OfACity(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.claim(t, "campinas", false)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	inCity := func(pairs ...string) url.Values {
		return profileForm(append([]string{"authority", "campinas", "municipality_code", "3509502", "series", "10001",
			"municipal_registration", "123456"}, pairs...)...)
	}
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "Prefeitura de Campinas",
		"Prefeitura de Campo Grande (ainda não ligada)", "ainda não disponível nesta cidade")
	for field, value := range map[string]string{"municipality_code": "3304557", "municipal_registration": "",
		"series": "10000"} {
		owner.post(t, s.at("/company/profile"), inCity(field, value)).
			expect(t, http.StatusUnprocessableEntity, `href="#`+field+`"`)
	}
	owner.post(t, s.at("/company/profile"), inCity()).expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, `value="campinas" selected`,
		"Quem recebe hoje as notas desta empresa</strong>: Prefeitura de Campinas",
		"Campinas/SP recebe as notas desta empresa em servidor próprio, nas competências a partir de 21/09/2026.")
	s.NewService(t, s.TestKey)
	owner.get(t, s.at("/catalogue/services")).expect(t, http.StatusOK, "código do município (cTribMun), em Tributação")

	overview := s.of("/", s.Organization.ID, "live")
	s.turn(t, "3509502", false)
	calm := owner.get(t, overview).expect(t, http.StatusOK)
	s.turn(t, "3509502", true)
	const decide = "Decida se a empresa passa ao sistema nacional: nada muda sozinho."
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "Prefeitura de Campinas; Sistema nacional", decide)
	owner.get(t, overview).expect(t, http.StatusOK, decide)
	if strings.Contains(calm.body, decide) {
		t.Error("it is told before")
	}
	if profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID); err != nil ||
		profile.Authority != "campinas" {
		t.Errorf("the profile is %+v, %v", profile, err)
	}
	operator := s.signedIn(t, "operator@example.com", "", "")
	operator.get(t, "/operations").expect(t, http.StatusOK, "Municípios que passaram ao sistema nacional",
		"Campinas")
}

// What a city does not do for its notes is said on the note's page before anybody asks; what it issued has
// our DANFSe, and the national page by its key.
func TestNote_OfACity(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	const key = "35095021211222333000181000000000005526111234567890"
	issuedBy := func(city string) string {
		t.Helper()
		id := s.noteOf(t, s.LiveKey, city)
		s.Exec(t, `DELETE FROM outbox`)
		s.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id,
				municipality_code, series, number, profile, access_key, xml, issued_at)
			VALUES ($1, 'issue', 'accepted', $2, true, '11222333000181', '3509502', 10001, 1, jsonb_build_object(
				'authority', $2::text, 'production', true, 'tax_id', '11222333000181'), $3, 'xml', now())`, id, city, key)
		s.Exec(t, `UPDATE notes SET status = 'issued', processing_at = now(), issued_at = now(), authority_number = '55',
			authority_issued_at = now(), access_key = $2 WHERE id = $1`, id, key)
		return s.of("/notes/"+id, s.Organization.ID, "live")
	}
	const notOffered = "Campinas/SP não aceita cancelamentos de programas: cancele a nota no portal da NFS-e do município."
	campinas := issuedBy("campinas")
	shown := editor.get(t, campinas).expect(t, http.StatusOK, notOffered, "Baixar DANFSe",
		"https://www.nfse.gov.br/ConsultaPublica/?tpc=1&amp;chave="+key, "Não se sabe se Campinas/SP substitui notas",
		"O servidor de Campinas/SP não informa cancelamentos feitos por terceiros.", "não são vistos aqui")
	if strings.Contains(shown.body, "/replace") {
		t.Error("it is offered to be replaced")
	}
	s.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id, tells_of_all, succeeded_at)
		VALUES ('dst_1', 'national', true, '11222333000181', true, now())`)
	editor.get(t, campinas).expect(t, http.StatusOK, "Eles são vistos aqui quando o município os compartilha")
	if body := editor.get(t, issuedBy("teresina")).body; strings.Contains(body, "não aceita cancelamentos") {
		t.Error("Teresina takes cancellations")
	}
	if body := editor.get(t, issuedBy("national")).body; strings.Contains(body, "terceiros") ||
		!strings.Contains(body, "/replace") {
		t.Error("the national system tells of everything, and replaces")
	}
}
