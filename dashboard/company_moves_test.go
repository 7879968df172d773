package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

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
	change := func(granted string, rows ...[4]string) url.Values {
		sent := profileForm("municipal_registration", "31000000", "granted_numbers", granted, "version", version)
		for _, row := range rows {
			for i, column := range []string{"moves_from", "moves_authority", "moves_series", "moves_numbers"} {
				sent.Add(column, row[i])
			}
		}
		return sent
	}
	toCity := [4]string{"2099-01-01", "sao-paulo", "50000", "101-110"}
	for _, wrong := range [][][4]string{
		{{"2099-01-01", "", "", ""}},
		{{"", "sao-paulo", "1", ""}},
		{{"2099-01-01", "sao-paulo", "", ""}},
		{{"2099-01-01", "sao-paulo", "1", "um a dez"}},
		{{"2099-01-01", "atlantis", "1", ""}},
		{{"2099-01-01", "sao-paulo", "100000", ""}},
		{{"2099-01-01", "sao-paulo", "1", ""}, {"2099-01-01", "national", "2", ""}},
	} {
		refused := owner.post(t, s.at("/company/profile"), change("", wrong...)).expect(t,
			http.StatusUnprocessableEntity, `href="#moves"`, "Escreva dias distintos")
		for _, row := range wrong { // what was typed is there
			for _, typed := range []string{row[0], row[2], row[3]} {
				if typed != "" && !strings.Contains(refused.body, `value="`+typed+`"`) {
					t.Errorf("%q is lost", typed)
				}
			}
		}
	}
	owner.post(t, s.at("/company/profile"), change("9-1")).expect(t, http.StatusUnprocessableEntity,
		`href="#granted_numbers"`)
	// A passkey that is asked for keeps every row, and so does the question whether it is meant.
	owner.addPasskey(t)
	owner.verifiedAt(t, time.Now().Add(-time.Hour))
	later := [4]string{"2099-07-01", "national", "8", ""}
	owner.post(t, s.at("/company/profile"), change("1-500", later, toCity)).expect(t, http.StatusForbidden,
		`name="moves_from" value="2099-01-01"`, `name="moves_from" value="2099-07-01"`)
	owner.verifiedAt(t, time.Now())
	owner.post(t, s.at("/company/profile"), change("1-500", later, toCity)).expect(t, http.StatusOK,
		"01/01/2099: Prefeitura de São Paulo, série 50000 (101-110); 01/07/2099: Sistema nacional, série 8")
	owner.confirms(t, s.at("/company/profile"), change("1-500", later, toCity)).expect(t, http.StatusSeeOther)
	shown := owner.get(t, s.at("/company")).expect(t, http.StatusOK, `type="date" value="2099-01-01"`,
		`<option value="sao-paulo" selected>`, `value="50000"`, `value="101-110"`, `type="date" value="2099-07-01"`)
	if rows := strings.Count(shown.body, `name="moves_from"`); rows != 3 {
		t.Errorf("there are %d rows, and not an empty one for the next change", rows)
	}
	// A row that is emptied is no change any more.
	version = shown.version(t)
	owner.confirms(t, s.at("/company/profile"), change("1-500", toCity, [4]string{"", "", "8", ""})).
		expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, `value="1-500"`,
		"A série 7 continua da DPS nº 1 (", "on=2099-01-01&amp;org=")
	shown = owner.get(t, s.at("/company")+"&on=2099-01-01").expect(t, http.StatusOK,
		"A série 50000 continua da DPS nº 101 (", "Restam 10 dos números concedidos", `name="on" value="2099-01-01"`)
	address := s.at("/company/next-number")
	version = shown.version(t)
	owner.post(t, address, form("next_number", "5", "seen", "101", "on", "2099-01-01", "version", version)).
		expect(t, http.StatusUnprocessableEntity, `href="#next_number"`)
	owner.confirms(t, address, form("next_number", "105", "seen", "101", "on", "2099-01-01", "version", version)).
		expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")+"&on=2099-06-01").expect(t, http.StatusOK, "A série 50000 continua da DPS nº 105 (")
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "A série 7 continua da DPS nº 1 (")
	profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
	must(t, err)
	if len(profile.Moves) != 1 || profile.Moves[0].Series != 50000 || profile.GrantedNumbers.String() != "1-500" {
		t.Errorf("the profile is %+v", profile)
	}
}
