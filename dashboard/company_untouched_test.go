package dashboard_test

import (
	"html"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"emissor/nfse"
)

var (
	inputTag  = regexp.MustCompile(`<input [^>]*>`)
	attribute = regexp.MustCompile(` (name|value|type)="([^"]*)"`)
)

// sent is what a browser sends of the form with this action when nothing in it is touched.
func (p page) sent(t *testing.T, action string) url.Values {
	t.Helper()
	values := url.Values{}
	for _, form := range postForm.FindAllString(p.body, -1) {
		if !strings.Contains(form, ` action="`+action) {
			continue
		}
		for _, tag := range inputTag.FindAllString(form, -1) {
			is := map[string]string{}
			for _, pair := range attribute.FindAllStringSubmatch(tag, -1) {
				is[pair[1]] = html.UnescapeString(pair[2])
			}
			ticked := is["type"] == "checkbox" || is["type"] == "radio"
			if is["name"] == "" || ticked && !strings.Contains(tag, " checked") {
				continue
			}
			if _, has := is["value"]; ticked && !has {
				is["value"] = "on"
			}
			values.Add(is["name"], is["value"])
		}
		for _, found := range choiceField.FindAllStringSubmatch(form, -1) {
			options := anOption.FindAllStringSubmatch(found[2], -1)
			chosen := slices.IndexFunc(options, func(one []string) bool { return one[2] != "" })
			values.Add(found[1], html.UnescapeString(options[max(0, chosen)][1]))
		}
		return values
	}
	t.Fatalf("the page has no form that goes to %s", action)
	return nil
}

// Who saves the form of a profile and has touched nothing in it changes nothing, in both languages: not what is folded
// away, what the regime hides, or what no other company has.
func TestCompany_SavedUntouched(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	for name, profile := range map[string]nfse.FiscalProfile{
		"all that an ME may have": {Authority: "national", MunicipalityCode: "3304557", Simples: nfse.SimplesME,
			SimplesRegime: new(2), SpecialRegime: 6, Series: 7, MunicipalRegistration: text("31.000/000-0"),
			SendMunicipalRegistration: true, ApproximateTaxes: nfse.ApproximateTaxes{Simples: 605},
			InactiveMunicipalities: []string{"3106200", "4106902"}, IgnoreMunicipalParameters: true,
			ExactCertificate: true, CompetenceDaysBack: new(0), RejectRefused: true,
			CancellationAnalysis: nfse.RequestAnalysis, GrantedNumbers: &nfse.NumberRange{First: 1, Last: 500},
			SimplesRates: map[nfse.Month]nfse.Rate{"2026-10": 201, "2026-11": 250, "2026-12": 500},
			Moves: []nfse.Move{{From: "2024-01-01", Authority: "national", Series: 8},
				{From: "2099-01-01", Authority: "national", Series: 9,
					GrantedNumbers: &nfse.NumberRange{First: 10, Last: 20}}}},
		"letters of São Paulo": {Authority: "sao-paulo", MunicipalityCode: "3550308", Simples: nfse.SimplesNone,
			Series: 3, MunicipalRegistration: text("31000000"), TaxationInside: "M", TaxationOutside: "N",
			ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345, Municipal: 290},
			Moves:            []nfse.Move{{From: "2026-01-01", Authority: "national", Series: 2}}},
		"contributions of its own, and rates of another regime": {Authority: "national", MunicipalityCode: "3304557",
			Simples: nfse.SimplesNone, Series: 3, OwnContributions: &nfse.OwnContributions{CST: "02", PIS: 65, COFINS: 400},
			ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345, State: 5, Municipal: 290},
			SimplesRates:     map[nfse.Month]nfse.Rate{"2026-10": 201}},
		"not by the system that follows from its city": {Authority: "national", MunicipalityCode: "3509502",
			Simples: nfse.SimplesNone, Series: 3, ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, nil)
			owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
			profile.OrganizationID, profile.TaxID = s.Organization.ID, issuer
			if profile.CompetenceDaysBack == nil { // the form says what is none
				profile.CompetenceDaysBack = new(profile.DaysBack())
			}
			profile.CancellationAnalysis = profile.Analyses()
			if profile.InactiveMunicipalities == nil {
				profile.InactiveMunicipalities = []string{}
			}
			s.SetProfile(t, profile)
			for _, language := range []string{"pt-BR", "en"} {
				form := owner.send(t, http.MethodGet, s.at("/company"), http.Header{"Accept-Language": {language}}, "", nil).
					sent(t, "/company/profile")
				owner.post(t, s.at("/company/profile"), form).expect(t, http.StatusSeeOther)
				now, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
				if err != nil || !reflect.DeepEqual(now, profile) {
					t.Errorf("%s: it became\n%+v, %v\nand was\n%+v", language, now, err, profile)
				}
			}
		})
	}
}
