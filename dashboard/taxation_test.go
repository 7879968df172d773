package dashboard_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/test/testkit"
)

// What is withheld of a service is typed, kept, warned about, and changed only by who saw it.
func TestTaxation_Service(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	service := s.NewService(t, s.TestKey)
	editor.get(t, s.at("/catalogue/services/"+service)).expect(t, http.StatusOK, "/taxation?", "Tributação e retenções")
	address := s.at("/catalogue/services/" + service + "/taxation")
	typed := form("irrf", "1,5", "pis", "0,65", "cofins", "3", "csll", "1", "inss", "11", "inss-base", "60",
		"version", editor.get(t, address).version(t))
	typed.Set("municipal_code", "001")
	for _, wrong := range [][2]string{{"irrf", "x"}, {"inss", ""}, {"cofins", "100"}, {"municipal_code", "1.1"},
		{"municipal_code", "٣"}, {"municipal_code", "12345678901"}} {
		changed := maps.Clone(typed)
		changed.Set(wrong[0], wrong[1])
		editor.post(t, address, changed).expect(t, http.StatusUnprocessableEntity)
	}
	editor.post(t, address, typed).expect(t, http.StatusSeeOther)
	editor.get(t, address).expect(t, http.StatusOK, append(untilContributionsEnd("PIS e COFINS acabam"),
		"Tributação salva.", `value="0,65"`, `value="001"`, "Só se retém INSS de cessão")...)
	kept, err := s.Store.Catalogues.ServiceTaxation(t.Context(), nfse.Scope{OrganizationID: s.Organization.ID}, service)
	want := nfse.Withholding{IRRF: 1_50, PIS: 65, COFINS: 3_00, CSLL: 1_00, INSS: 11_00, INSSBase: 60_00}
	if err != nil || kept.Withholding == nil || *kept.Withholding != want || kept.MunicipalCode != "001" {
		t.Fatalf("kept is %+v, %v", kept, err)
	}
	editor.post(t, address, form("version", typed.Get("version"))).expect(t, http.StatusConflict,
		"Outra pessoa mudou isto")
	editor.post(t, address, form("version", editor.get(t, address).version(t))).expect(t, http.StatusSeeOther)
	if s.Count(t, `SELECT count(*) FROM service_taxations`) != 0 || s.entries(t, "service.tax", editor.id) != "2" {
		t.Error("it was not taken away, or not recorded")
	}
}

func TestTaxation_Customer(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	customer := s.Call(t, http.MethodPost, "/v1/customers", s.TestKey,
		testkit.Body{"document": "33444555000181", "name": "Cliente SA"}).Text("id")
	address := s.at("/catalogue/customers/" + customer + "/taxation")
	own := nfse.Withholding{IRRF: 1_20, CSLL: 1_00}
	for _, step := range []struct {
		fields []string
		want   nfse.CustomerTaxation
		says   string
	}{
		{[]string{"withholds", "never"}, nfse.CustomerTaxation{Withholds: nfse.WithholdsNothing}, "Tributação salva."},
		{[]string{"withholds", "own", "irrf", "1,2", "csll", "1", "simples_taker", "on"}, nfse.CustomerTaxation{
			Withholds: nfse.WithholdsItsOwn, Withholding: &own, Simples: true},
			"Tomador do Simples Nacional não retém"},
		{[]string{"irrf", "1,2"}, nfse.CustomerTaxation{}, "Tributação salva."},
	} {
		typed := form(append(step.fields, "version", editor.get(t, address).version(t))...)
		editor.post(t, address, typed).expect(t, http.StatusSeeOther)
		editor.get(t, address).expect(t, http.StatusOK, step.says)
		kept, err := s.Store.Catalogues.CustomerTaxation(t.Context(), nfse.Scope{OrganizationID: s.Organization.ID},
			customer)
		if err != nil || nfse.VersionOf(kept) != nfse.VersionOf(step.want) {
			t.Errorf("kept is %+v, %v, expected %+v", kept, err, step.want)
		}
	}
	editor.post(t, address, form("withholds", "x")).expect(t, http.StatusUnprocessableEntity, "Escolha uma das opções.")
}

// The review of a live note shows what will be withheld; where that changes meanwhile, it is shown
// again.
func TestTaxation_Reviewed(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
	must(t, err)
	profile.OwnContributions = &nfse.OwnContributions{CST: "01", PIS: 65, COFINS: 3_00}
	must(t, s.Changes().Companies.SetFiscalProfile(t.Context(), profile))
	service, live := s.NewService(t, s.LiveKey), nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}
	withhold := func(set nfse.Withholding) {
		t.Helper()
		must(t, s.Changes().Catalogues.TaxService(t.Context(), live, service, nfse.ServiceTaxation{Withholding: &set}, ""))
	}
	withhold(nfse.Withholding{IRRF: 1_50, CSLL: 1_00})
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	address := s.of("/notes", s.Organization.ID, "live")
	typed := issueForm(service, "pedido-1")
	typed.Set("env", "live")
	review := editor.post(t, address, typed)
	review.expect(t, http.StatusOK,
		append(untilContributionsEnd("CST 01 · PIS R$"), "<dt>Tributos federais retidos</dt><dd>nenhum</dd>")...)
	typed.Set("tax_id", "33.444.555/0001-81")
	typed.Set("amount_cents", "10.000,00")
	review = editor.post(t, address, typed)
	text := strings.ReplaceAll(review.body, "\u00a0", " ")
	if !strings.Contains(text, "<dd>IRRF R$ 150,00 · CSLL R$ 100,00</dd>") || !strings.Contains(text, "R$ 9.750,00") {
		t.Errorf("the review shows\n%s", text)
	}
	withhold(nfse.Withholding{IRRF: 1_00})
	editor.post(t, address, review.reviewed(t)).expect(t, http.StatusOK, "Algo mudou desde que você revisou")

	// Of a company in Simples Nacional the ISS is withheld at the rate of the month before.
	profile.OwnContributions, profile.Simples, profile.SimplesRegime = nil, nfse.SimplesME, new(1)
	profile.SimplesRates = map[nfse.Month]nfse.Rate{nfse.DayOf(time.Now()).MonthBefore(): 3_00}
	must(t, s.Changes().Companies.SetFiscalProfile(t.Context(), profile))
	typed.Set("iss_withheld", "on")
	text = strings.ReplaceAll(editor.post(t, address, typed).body, "\u00a0", " ")
	if !strings.Contains(text, "R$ 9.700,00") {
		t.Errorf("the review shows\n%s", text)
	}
}

// The company's own contributions and rates of months are typed in its profile.
func TestTaxation_Company(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	shown := owner.get(t, s.at("/company")).expect(t, http.StatusOK, "PIS e COFINS próprios")
	profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
	must(t, err)
	typed := form("authority", profile.Authority, "tax_id", string(profile.TaxID), "municipality_code",
		profile.MunicipalityCode, "simples", "none", "series", "1", "environment", "restricted", "special_regime", "0",
		"own_contributions", "non-cumulative", "version", shown.version(t))
	typed["rates_month"], typed["rates_rate"] = []string{"2026-11", "2026-10", "2026-09"}, []string{"2,5", "2,01", ""}
	wrong := maps.Clone(typed)
	wrong["rates_rate"] = []string{"2,5", "1,5", ""}
	owner.post(t, s.at("/company/profile"), wrong).expect(t, http.StatusUnprocessableEntity,
		"Escreva cada mês como 2026-10", `href="#simples_rates"`, `value="1,5"`)
	owner.post(t, s.at("/company/profile"), typed).expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, `name="rates_month" type="month" value="2026-10"`,
		`name="rates_rate" type="text" value="2,01"`, `value="2026-11"`, `value="2,5"`,
		`<option value="non-cumulative" selected>`)
	profile, err = s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
	if err != nil || profile.OwnContributions == nil || profile.OwnContributions.COFINS != 7_60 ||
		profile.SimplesRates["2026-10"] != 2_01 {
		t.Errorf("the profile is %+v, %v", profile, err)
	}
}

// untilContributionsEnd is what pages of today say as long as there are PIS and COFINS, and nothing from then on.
func untilContributionsEnd(texts ...string) []string {
	if nfse.DayOf(time.Now()) < taxes.EndOfContributions() {
		return texts
	}
	return nil
}
