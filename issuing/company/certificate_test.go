package company_test

import (
	"crypto/sha256"
	"maps"
	"testing"
	"time"

	national "emissor/fiscal/national/rules"
	saopaulo "emissor/fiscal/saopaulo/rules"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/test/testkit"
)

// A certificate of somebody else than the organization's profile names is not usable, and
// listed so; whom it may name beside the issuer is the authority's to say. Where there is no
// profile, nobody knows.
func TestCertificates_OfAnotherIssuer(t *testing.T) {
	database := testkit.NewDatabase(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	for name, taxID := range map[string]nfse.TaxID{
		"own": testkit.Issuer, "branch": "11222333000262", "stranger": "11444777000161",
	} {
		fingerprint := sha256.Sum256([]byte(name))
		_, err := database.Changes().Companies.AddCertificate(t.Context(), companies.Certificate{
			ID: nfse.NewID(nfse.PrefixCertificate), OrganizationID: organization.ID, TaxID: taxID, Subject: name,
			Fingerprint: fingerprint[:], Sealed: []byte("sealed"),
			NotBefore: nfse.Timestamp{Time: time.Now().Add(-time.Hour)},
			NotAfter:  nfse.Timestamp{Time: time.Now().Add(time.Hour)},
		})
		must(t, err)
	}
	const usable, other = companies.CertificateUsable, companies.CertificateOtherIssuer
	expect := func(authority string, exact bool, expected map[string]string) {
		t.Helper()
		if authority != "" {
			must(t, database.Changes().Companies.SetFiscalProfile(t.Context(), nfse.FiscalProfile{
				OrganizationID: organization.ID, Authority: authority, TaxID: testkit.Issuer, ExactCertificate: exact,
			}))
		}
		for _, of := range []string{"", organization.ID} {
			certificates, err := company.Certificates(t.Context(), database.Store, of)
			must(t, err)
			found := map[string]string{}
			for _, one := range certificates {
				found[one.Subject] = one.State(time.Now())
				if one.OtherEstablishment != (authority == national.Name && one.Subject == "branch" && !exact) {
					t.Errorf("by %q: of another establishment is %s: %v", authority, one.Subject,
						one.OtherEstablishment)
				}
			}
			if !maps.Equal(found, expected) {
				t.Errorf("by %q, of %q: %v", authority, of, found)
			}
		}
	}
	expect("", false, map[string]string{"own": usable, "branch": usable, "stranger": usable})
	expect(national.Name, false, map[string]string{"own": usable, "branch": usable, "stranger": other})
	expect(national.Name, true, map[string]string{"own": usable, "branch": other, "stranger": other})
	expect(saopaulo.Name, false, map[string]string{"own": usable, "branch": other, "stranger": other})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
