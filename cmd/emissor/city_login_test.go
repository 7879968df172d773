package main

import (
	"strings"
	"testing"

	"emissor/cmd/emissor/company"
	"emissor/nfse"
	"emissor/test/testkit"
)

// A login is set for the city of the profile, whose server takes some; what is printed has neither user nor password.
func TestCityLoginCommand(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	profile := nfse.FiscalProfile{OrganizationID: c.organization, Authority: "arealva", TaxID: testkit.Issuer, Series: 1,
		MunicipalityCode: "3503406", MunicipalRegistration: new("998877")}
	of := []string{"--organization", c.organization}
	set := func(user, password string) []string {
		return append([]string{"city-login", "set", "--user", user, "--password-file",
			write(t, "city.password", []byte(password+"\n"))}, of...)
	}
	fails(t, c.settings, "no fiscal profile", set("clinica", "s3nha")...)
	national := profile
	national.Authority, national.MunicipalityCode = "national", "3304557"
	c.database.SetProfile(t, national)
	fails(t, c.settings, "takes no user and password", set("clinica", "s3nha")...)
	c.database.SetProfile(t, profile)
	misused(t, c.settings, "--user must have", set(" ", "s3nha")...)
	misused(t, c.settings, "--password must have", set("clinica", strings.Repeat("s", 101))...)
	fails(t, c.settings, "has no login", append([]string{"city-login", "remove"}, of...)...)
	for _, args := range [][]string{set("clinica", "s3nha"), append([]string{"city-login", "remove"}, of...)} {
		kept := printed[company.PrintedCityLogin](t, c.settings, args...)
		if kept.OrganizationID != c.organization || kept.MunicipalityCode != "3503406" || kept.CreatedAt.IsZero() {
			t.Errorf("%v: %+v", args[1], kept)
		}
	}
}
