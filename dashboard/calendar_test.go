package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/test/generate"
)

// The calendar is of the company's own regime, in both languages, and names the services that lack
// something on its last day.
func TestCompany_Calendar(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *frame.Options) { o.ClassifiedFrom = "2027-01-01" })
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	page := s.at("/company/calendar")
	viewer.get(t, page).expect(t, http.StatusOK, "preencha antes o perfil fiscal")
	profile := s.NewProfile(t, "national")
	viewer.get(t, s.at("/company")).expect(t, http.StatusOK, "Calendário da lei")
	viewer.get(t, page).expect(t, http.StatusOK, "Não há serviços ativos de produção")

	live, names := nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}, generate.New(2027)
	add := func(classified *nfse.Classification) string {
		t.Helper()
		created, err := s.Store.Catalogues.CreateService(t.Context(), live, nfse.Service{Name: "É " + names.Text(1, 70),
			Description: names.Description(), MunicipalityCode: "3304557", DefaultAmountCents: 100,
			NationalTaxCode: new("010701"), Active: true})
		must(t, err)
		if classified != nil {
			_, err = s.Changes().Catalogues.ClassifyServices(t.Context(), live, []catalogues.ServiceClassification{
				{ServiceID: created.ID, Classification: *classified}})
			must(t, err)
		}
		return created.ID
	}
	good := nfse.Classification{NBS: "115021000", CIndOp: "100301", CST: "000", CClassTrib: "000001"}
	ready := add(&good)
	viewer.get(t, page).expect(t, http.StatusOK, "Nada falta no 1 serviço ativo.")
	bare := add(nil)
	unknown := good
	unknown.NBS = "100000000"
	wrong := add(&unknown)
	regular := viewer.get(t, page).expect(t, http.StatusOK, "01/01/2027", "PIS e COFINS acabam",
		"LC 214/2025, art. 542", "Toda nota destaca IBS e CBS",
		"cobrados além do preço", "03/11/2026", "sem data", "NT 009", "já vale",
		"tabelas de "+format.Date(words.Portuguese, max(nfse.DayOf(time.Now()), "2027-01-01")), "classificação IBS/CBS", "classificação recusada hoje",
		"/catalogue/services/"+bare+"/classification?env=live", "/catalogue/services/"+wrong+"/classification")
	for _, absent := range []string{ready, "As notas do Simples", "emissor rehearse"} {
		if strings.Contains(regular.body, absent) {
			t.Errorf("the page says %q", absent)
		}
	}
	english := http.Header{"Accept-Language": {"en"}}
	viewer.send(t, http.MethodGet, page, english, "", nil).expect(t, http.StatusOK, "The law&#39;s calendar",
		"PIS and COFINS end", "IBS/CBS classification", "no day yet")

	profile.Simples, profile.SimplesRegime = nfse.SimplesME, new(1)
	s.SetProfile(t, profile)
	small := viewer.get(t, page).expect(t, http.StatusOK, "As notas do Simples Nacional também",
		"Resolução CGSN 191/2026", "ainda não está definido para o Simples Nacional")
	for _, absent := range []string{"PIS e COFINS acabam", "o total da nota é maior", "03/11/2026"} {
		if strings.Contains(small.body, absent) {
			t.Errorf("to a company in Simples the page says %q", absent)
		}
	}
	profile.Authority, profile.Simples, profile.SimplesRegime = "sao-paulo", nfse.SimplesNone, nil
	s.SetProfile(t, profile)
	city := viewer.get(t, page).expect(t, http.StatusOK, "PIS e COFINS acabam")
	for _, absent := range []string{"Toda nota destaca", "NT 009", "03/11/2026"} {
		if strings.Contains(city.body, absent) {
			t.Errorf("to a company of the city the page says %q", absent)
		}
	}
	operator := s.signedIn(t, "operator@example.com", "", "")
	operator.get(t, page).expect(t, http.StatusOK, "emissor rehearse")
}
