package dashboard_test

import (
	"net/http"
	"testing"

	"emissor/nfse"
)

// A company says on its page from when another authority issues for it, and which numbers its city
// has granted; each series goes on from a number of its own.
func TestCompany_Moves(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.claim(t, "national", false)
	s.claim(t, "sao-paulo", false)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.post(t, s.at("/company/profile"), profileForm("municipal_registration", "31000000")).
		expect(t, http.StatusSeeOther)
	version := owner.get(t, s.at("/company")).version(t)
	change := func(moves, granted string) map[string][]string {
		return profileForm("municipal_registration", "31000000", "moves", moves, "granted_numbers", granted, "version",
			version)
	}
	for _, wrong := range []string{"2099-01-01", "2099-01-01=atlantis:1", "2099-01-01=sao-paulo:100000",
		"2099-01-01=sao-paulo:1; 2099-01-01=national:2"} {
		owner.post(t, s.at("/company/profile"), change(wrong, "")).expect(t, http.StatusUnprocessableEntity,
			`href="#moves"`, "Escreva dias distintos")
	}
	owner.post(t, s.at("/company/profile"), change("", "9-1")).expect(t, http.StatusUnprocessableEntity,
		`href="#granted_numbers"`)
	const moves = "2099-01-01=sao-paulo:50000:101-110"
	owner.confirms(t, s.at("/company/profile"), change(moves, "1-500")).expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, `value="`+moves+`"`, `value="1-500"`,
		"A série 7 continua da DPS nº 1 (", "on=2099-01-01&amp;org=")
	shown := owner.get(t, s.at("/company")+"&on=2099-01-01").expect(t, http.StatusOK,
		"A série 50000 continua da DPS nº 101 (", "Restam 10 dos números concedidos", `name="on" value="2099-01-01"`)
	address := s.at("/company/next-number")
	version = shown.version(t)
	owner.post(t, address, form("next_number", "5", "seen", "101", "on", "2099-01-01", "version", version)).
		expect(t, http.StatusUnprocessableEntity, `href="#next_number"`)
	owner.confirms(t, address, form("next_number", "105", "seen", "101", "on", "2099-01-01", "version", version)).
		expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")+"&on=2099-06-01").expect(t, http.StatusOK, "A série 50000 continua da DPS nº 105 (")
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "A série 7 continua da DPS nº 1 (")
	profile, err := s.Store.FiscalProfile(t.Context(), s.Organization.ID)
	must(t, err)
	if len(profile.Moves) != 1 || profile.Moves[0].Series != 50000 || profile.GrantedNumbers.String() != "1-500" {
		t.Errorf("the profile is %+v", profile)
	}
}
