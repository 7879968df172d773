package main

import (
	"reflect"
	"strings"
	"testing"

	"emissor/cmd/emissor/company"
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/fiscal/cities"
	"emissor/fiscal/national"
	"emissor/fiscal/national/cityserver"
	"emissor/fiscal/saopaulo"
	issuing "emissor/issuing/company"
	"emissor/nfse"
)

// The first organization that shows a certificate owns the CNPJ; a second one may not number
// or see anything of it before the operator allows it, and not after it was revoked.
func TestOrganizationCommand_TaxIDs(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	second, err := c.database.Changes().Access.CreateOrganization(t.Context(), "Segunda")
	must(t, err)
	profile := func(organization string, more ...string) []string {
		return append([]string{"fiscal-profile", "set", "--organization", organization, "--document",
			string(issuerTaxID), "--municipality", "3304557", "--simples", "none", "--series", "1", "--environment",
			"restricted", "--tax-federal", "13.45"}, more...)
	}
	file := pfxFile(t, c.chain.Issue(t, certificatetest.Template(issuerTaxID)))
	const waits = "notes of this profile will wait: the issuer's CNPJ or CPF belongs to another"
	fails(t, c.settings, "--document the issuer's CNPJ or CPF is not shown",
		profile(c.organization, "--next-number", "5")...)
	succeeds(t, c.settings, profile(c.organization)...)
	succeeds(t, c.settings, c.add(file)...)
	if set := execute(t, c.settings, profile(c.organization, "--next-number", "5000")...); strings.Contains(set.stderr,
		waits) {
		t.Errorf("the owner is refused: %q", set.stderr)
	}

	first := c.organization
	c.organization = second.ID
	succeeds(t, c.settings, profile(second.ID)...)
	if added := succeeds(t, c.settings, c.add(file)...); !strings.Contains(added, "belongs to another organization") {
		t.Errorf("the second was told\n%s", added)
	}
	if set := execute(t, c.settings, profile(second.ID)...); !strings.Contains(set.stderr, waits) {
		t.Errorf("it is not said that notes wait: %q", set.stderr)
	}
	number := profile(second.ID, "--next-number", "6000")
	fails(t, c.settings, "belongs to another organization", number...)
	issuer := []string{"--organization", second.ID, "--document", "11.222.333/0001-81", "--environment", "restricted"}
	act := func(verb string, more ...string) []string {
		return append(append([]string{"organization", verb}, issuer...), more...)
	}
	allowed := printed[company.PrintedClaim](t, c.settings, act("allow-tax-id")...)
	if allowed.Owner || allowed.Environment != "restricted" || allowed.Authority != "national" {
		t.Errorf("allowed is %+v", allowed)
	}
	succeeds(t, c.settings, number...)
	table := cells(succeeds(t, c.settings, "organization", "tax-ids"))
	for i, row := range [][]string{
		{"DOCUMENT", "AUTHORITY", "ENVIRONMENT", "ORGANIZATION", "IS", "BY"},
		{string(issuerTaxID), "national", "restricted", first, "owner", "certificate"},
		{string(issuerTaxID), "national", "restricted", second.ID, "allowed", "operator"},
	} {
		if len(table) != 3 || !reflect.DeepEqual(table[i][:6], row) {
			t.Fatalf("the list is printed as %q", table)
		}
	}
	succeeds(t, c.settings, act("revoke-tax-id")...)
	fails(t, c.settings, "belongs to another organization", profile(second.ID, "--next-number", "7000")...)
	fails(t, c.settings, "the organization has no claim of this issuer", act("revoke-tax-id")...)
	misused(t, c.settings, "--document", act("allow-tax-id", "--document", "11222333000180")...)
	misused(t, c.settings, "--environment must be", act("allow-tax-id", "--environment", "live")...)
	misused(t, c.settings, "--authority must be", act("allow-tax-id", "--authority", "rio")...)
	fails(t, c.settings, "there is no organization", act("allow-tax-id", "--organization", "org_x")...)
}

// What pages and commands want of a certificate is what the authority itself says.
func TestHolder_AsTheAuthoritySays(t *testing.T) {
	t.Parallel()
	byCountry, err := national.New(national.Options{
		Connection: national.Connection{RestrictedURL: "https://sefin.example.com"}})
	must(t, err)
	byCity, err := saopaulo.New(saopaulo.Options{URL: "https://city.example.com"})
	must(t, err)
	all := []fiscal.Authority{byCountry, byCity}
	for _, name := range cities.Current().Names() {
		city, err := cityserver.New(name, cities.Current(), cityserver.Options{})
		must(t, err)
		all = append(all, city)
	}
	for _, authority := range all {
		for _, exact := range []bool{false, true} {
			profile := nfse.FiscalProfile{Authority: authority.Name(), TaxID: issuerTaxID, ExactCertificate: exact}
			if issuing.Holder(profile) != fiscal.SignerOf(authority, profile) {
				t.Errorf("%s, exact %v: %+v", authority.Name(), exact, issuing.Holder(profile))
			}
		}
	}
	if len(all) != len(authorities.All()) {
		t.Error("an authority is not compared")
	}
}

// The city of São Paulo wants the certificate of the very establishment.
func TestCertificateCommand_Establishment(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	must(t, c.database.Changes().Companies.SetFiscalProfile(t.Context(),
		nfse.FiscalProfile{OrganizationID: c.organization, TaxID: issuerTaxID, Authority: "sao-paulo"}))
	branch := pfxFile(t, c.chain.Issue(t, certificatetest.Template("11222333000262")))
	fails(t, c.settings, "another establishment", c.add(branch)...)
	c.setProfile(t)
	added := succeeds(t, c.settings, c.add(branch)...)
	if !strings.Contains(added, "of another establishment") {
		t.Errorf("it is added without a warning:\n%s", added)
	}
	must(t, c.database.Changes().Companies.SetFiscalProfile(t.Context(),
		nfse.FiscalProfile{OrganizationID: c.organization, TaxID: issuerTaxID, Authority: "sao-paulo"}))
	list := printed[[]company.PrintedCertificate](t, c.settings, "certificate", "list")
	if list[0].State != "of another issuer" {
		t.Errorf("it is listed as %+v", list)
	}
}
