package main

import (
	"slices"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// A profile says from when another authority issues, and which numbers are granted; what no flag names
// stays, and the next number is of the series of a day.
func TestFiscalProfileCommand_Moves(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization := newOrganization(t, database).ID
	set := func(flags ...string) []string {
		return append([]string{"fiscal-profile", "set", "--organization", organization}, flags...)
	}
	succeeds(t, s, set("--document", "11222333000181", "--municipality", "3550308", "--simples", "none",
		"--environment", "restricted", "--series", "900", "--municipal-registration", "31000000")...)
	unreadable := []string{"--move must be DAY=AUTHORITY:SERIES", "--granted-numbers must be the first",
		"--next-number-on must be a day"}
	for why, flags := range map[string][]string{
		"--move must be DAY=AUTHORITY:SERIES":   {"--move", "2099-01-01"},
		"--move from 2099-01-01 on, series":     {"--move", "2099-01-01=national:50000"},
		"--move must be of distinct days":       {"--move", "2099-01-01=national:1", "--move", "2099-01-01=sao-paulo:1"},
		"--granted-numbers must be the first":   {"--granted-numbers", "9-1"},
		"--granted-numbers must be from 1 to":   {"--granted-numbers", "1-9999999999999999"},
		"--next-number-on must be a day":        {"--next-number", "1", "--next-number-on", "tomorrow"},
		"--next-number: must be from 101 to 20": {"--granted-numbers", "101-200", "--next-number", "100"},
	} {
		code := 1
		if slices.Contains(unreadable, why) {
			code = 2
		}
		failsWith(t, code, s, why, set(flags...)...)
	}
	profile := printed[nfse.FiscalProfile](t, s, set("--move", "2099-06-01=national:901", "--move",
		"2099-01-01=sao-paulo:7:101-200", "--granted-numbers", "1-500")...)
	if len(profile.Moves) != 2 || profile.On("2099-01-01").Authority != "sao-paulo" ||
		profile.On("2099-06-01").Series != 901 || profile.GrantedNumbers.Last != 500 {
		t.Errorf("the profile is %+v", profile)
	}
	shown := cells(succeeds(t, s, set()...))
	for _, row := range [][]string{{"move", "2099-01-01=sao-paulo:7:101-200"}, {"move", "2099-06-01=national:901"},
		{"granted-numbers", "1-500"}} {
		if !slices.ContainsFunc(shown, func(found []string) bool { return slices.Equal(found, row) }) {
			t.Errorf("printed without %q: %q", row, shown)
		}
	}
	issuer := nfse.IssuerKey{Authority: "sao-paulo", TaxID: "11222333000181"}
	if err := database.Changes().Companies.ClaimTaxID(t.Context(), organization, issuer); err != nil {
		t.Fatal(err)
	}
	succeeds(t, s, set("--next-number", "150", "--next-number-on", "2099-02-01")...)
	if last := database.Text(t, `SELECT string_agg(authority || ' ' || series || '-' || last_number, ', ')
		FROM fiscal_sequences`); last != "sao-paulo 7-149" {
		t.Errorf("the numbers are %s", last)
	}
	issuer.Authority = "national"
	if err := database.Changes().Companies.ClaimTaxID(t.Context(), organization, issuer); err != nil {
		t.Fatal(err)
	}
	check := []string{"fiscal-profile", "check", "--organization", organization}
	for next, found := range map[string]string{
		"300": "201 of the numbers 1-500 are left", "490": "11 of the numbers 1-500 are left: ask the city for others soon",
	} {
		succeeds(t, s, set("--series", next, "--next-number", next)...)
		if report := execute(t, s, check...); !strings.Contains(report.stdout, found) ||
			!strings.Contains(report.stdout, "national, series "+next) {
			t.Errorf("checked is %s, expected %q", report.stdout, found)
		}
	}
	if report := execute(t, s, append(check, "--on", "2099-06-01")...); !strings.Contains(report.stdout,
		"national, series 901") || strings.Contains(report.stdout, "of the numbers") {
		t.Errorf("checked for a day is %s", report.stdout)
	}
	profile = printed[nfse.FiscalProfile](t, s, set("--move", "none", "--granted-numbers=")...)
	if profile.Moves != nil || profile.GrantedNumbers != nil {
		t.Errorf("without moves it is %+v", profile)
	}
}
