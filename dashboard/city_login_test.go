package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
)

// aCityLogin is of a company whose city takes one.
func aCityLogin(t *testing.T, s *site) string {
	t.Helper()
	profile := s.NewProfile(t, "arealva")
	profile.MunicipalityCode = "3503406"
	s.SetProfile(t, profile)
	s.Exec(t, `INSERT INTO city_logins (id, organization_id, municipality_code, sealed) VALUES ('lgn_1', $1, '3503406', '')
		ON CONFLICT DO NOTHING`, s.Organization.ID)
	return "/company/city-login/remove"
}

// The user and the password of a city are typed in once, sealed, and never shown; only where the city's server takes
// some, and for that city alone.
func TestCityLogin(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	profile := s.NewProfile(t, "national")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	address := s.at("/company/city-login")
	lacks := func(shown page, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if strings.Contains(shown.body, text) {
				t.Errorf("it shows %q", text)
			}
		}
	}
	lacks(owner.get(t, s.at("/company")).expect(t, http.StatusOK), "/company/city-login")
	owner.get(t, address).expect(t, http.StatusNotFound)

	profile.Authority, profile.MunicipalityCode = "arealva", "3503406"
	profile.MunicipalRegistration = new("998877")
	s.SetProfile(t, profile)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "/company/city-login")
	lacks(owner.get(t, address).expect(t, http.StatusOK, "Arealva/SP", `type="password"`), "Guardados desde")
	owner.post(t, s.at("/company/city-login/remove"), form()).expect(t, http.StatusNotFound)
	for field, typed := range map[string][]string{
		"user":     {"user", "", "password", "s3nha"},
		"password": {"user", "clinica", "password", " s3nha"},
	} {
		lacks(owner.post(t, address, form(typed...)).expect(t, http.StatusUnprocessableEntity, `href="#`+field+`"`), "s3nha")
	}
	owner.post(t, address, form("user", "clinica", "password", "s3nha")).expect(t, http.StatusSeeOther)
	lacks(owner.get(t, address).expect(t, http.StatusOK, "Guardados desde"), "s3nha", "clinica")
	if all := s.Text(t, `SELECT database_to_xml(true, false, '')`); strings.Contains(all, "s3nha") {
		t.Error("a row has the password")
	}
	profile.MunicipalityCode, profile.Authority = "3504008", "assis"
	s.SetProfile(t, profile)
	lacks(owner.get(t, address).expect(t, http.StatusOK), "Guardados desde")
	profile.MunicipalityCode, profile.Authority = "3503406", "arealva"
	s.SetProfile(t, profile)
	owner.confirms(t, s.at("/company/city-login/remove"), form()).expect(t, http.StatusSeeOther)
	if s.entries(t, "city_login.set", owner.id) != "1" || s.entries(t, "city_login.remove", owner.id) != "1" {
		t.Error("the audit log does not say who did it")
	}
}
