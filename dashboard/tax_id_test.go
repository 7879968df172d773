package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/dashboard/frame"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
)

// Nothing of a series is shown or set before a certificate has shown whose it is; the first
// organization that shows one owns it, and another needs the operator.
func TestCompany_Withheld(t *testing.T) {
	t.Parallel()
	chain := certificatetest.NewChain(t)
	s := newSite(t, func(options *frame.Options) { options.CertificateRoots = chain.Roots() })
	second, _, _ := s.NewOrganization(t, "Segunda")
	first := s.signedIn(t, "first@example.com", s.Organization.ID, nfse.RoleOwner)
	other := s.signedIn(t, "second@example.com", second.ID, nfse.RoleOwner)
	at := func(path string) string { return s.of(path, second.ID, "test") }
	pfx := func() []byte {
		return certificatetest.PFX(t, chain.Issue(t, certificatetest.Template(issuer)), "x")
	}
	const notShown, ofAnother, shown = "Ainda não foi mostrado", "pertence a outra organização",
		"A série 7 continua da DPS nº"

	// The second has only said which company it is: it is told nothing, and sets nothing.
	other.post(t, at("/company/profile"), profileForm()).expect(t, http.StatusSeeOther)
	expectWithheld := func(words string) {
		t.Helper()
		page := other.get(t, at("/company")).expect(t, http.StatusOK, words)
		if strings.Contains(page.body, shown) || strings.Contains(page.body, "next_number") {
			t.Error("the series is shown")
		}
		other.post(t, at("/company/next-number"), form("next_number", "900", "seen", "1", "version",
			page.version(t))).expect(t, http.StatusNotFound)
	}
	expectWithheld(notShown)
	first.post(t, s.at("/company/profile"), profileForm()).expect(t, http.StatusSeeOther)
	first.get(t, s.at("/company")).expect(t, http.StatusOK, notShown, "Fazer agora")
	first.upload(t, s.at("/company/certificates"), pfx(), "x").expect(t, http.StatusSeeOther)
	first.get(t, s.at("/company")).expect(t, http.StatusOK, shown+" 1 (")
	expectWithheld(notShown) // not even whether somebody has it

	other.upload(t, at("/company/certificates"), pfx(), "x").expect(t, http.StatusSeeOther)
	expectWithheld(ofAnother)
	english := http.Header{"Accept-Language": {"en"}}
	other.send(t, http.MethodGet, at("/company"), english, "", nil).expect(t, http.StatusOK,
		"belongs to another organization", "ask the operators")
	_, err := s.Changes().Companies.AllowTaxID(t.Context(), second.ID, nfse.IssuerKey{Authority: "national",
		TaxID: issuer})
	must(t, err)
	other.get(t, at("/company")).expect(t, http.StatusOK, shown+" 1 (")
	if s.entries(t, "tax_id.claim", first.id) != "1" || s.entries(t, "tax_id.claim", other.id) != "0" {
		t.Error("the audit log does not say who claimed it")
	}
}

// A certificate that was there before the profile claims its issuer when it is set.
func TestCompany_ClaimsByProfile(t *testing.T) {
	t.Parallel()
	chain := certificatetest.NewChain(t)
	s := newSite(t, func(options *frame.Options) { options.CertificateRoots = chain.Roots() })
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	pfx := certificatetest.PFX(t, chain.Issue(t, certificatetest.Template(issuer)), "x")
	owner.upload(t, s.at("/company/certificates"), pfx, "x").expect(t, http.StatusSeeOther)
	owner.post(t, s.at("/company/profile"), profileForm("tax_id", "11.444.777/0001-61")).
		expect(t, http.StatusSeeOther)
	page := owner.get(t, s.at("/company")).expect(t, http.StatusOK, "Ainda não foi mostrado")
	owner.confirms(t, s.at("/company/profile"), profileForm("version", page.version(t))).expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "A série 7 continua da DPS nº 1 (")
}

// Without root certificates nobody can tell whose a certificate is: the page takes none, and
// says so before.
func TestCertificates_NoRoots(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	const words = "não tem certificados-raiz configurados"
	owner.get(t, s.at("/company/certificates/new")).expect(t, http.StatusOK, words)
	pfx := certificatetest.PFX(t, certificatetest.NewChain(t).Issue(t, certificatetest.Template(issuer)), "x")
	owner.upload(t, s.at("/company/certificates"), pfx, "x").expect(t, http.StatusUnprocessableEntity, words,
		`href="#certificate"`)
	if s.Text(t, `SELECT count(*) FROM certificates`) != "0" {
		t.Error("it was kept")
	}
}

// The city of São Paulo wants the certificate of the very establishment; to the national
// system any of the company's will do.
func TestCertificates_Establishment(t *testing.T) {
	t.Parallel()
	chain := certificatetest.NewChain(t)
	s := newSite(t, func(options *frame.Options) { options.CertificateRoots = chain.Roots() })
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	pfx := certificatetest.PFX(t, chain.Issue(t, certificatetest.Template("11222333000262")), "x")
	owner.post(t, s.at("/company/profile"), profileForm("authority", "sao-paulo", "municipal_registration", "31000000",
		"tax_federal", "", "tax_state", "", "tax_municipal", "")).expect(t, http.StatusSeeOther)
	owner.upload(t, s.at("/company/certificates"), pfx, "x").expect(t, http.StatusUnprocessableEntity,
		"de outro estabelecimento")
	page := owner.get(t, s.at("/company"))
	owner.post(t, s.at("/company/profile"), profileForm("authority", "national", "version", page.version(t))).
		expect(t, http.StatusSeeOther)
	owner.upload(t, s.at("/company/certificates"), pfx, "x").expect(t, http.StatusSeeOther)
	page = owner.get(t, s.at("/company")).expect(t, http.StatusOK, "● em uso", "A série 7 continua da DPS nº 1 (")
	owner.post(t, s.at("/company/profile"), profileForm("authority", "sao-paulo", "municipal_registration", "31000000",
		"tax_federal", "", "tax_state", "", "tax_municipal", "", "version", page.version(t))).
		expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "‖ de outro titular", "Ainda não foi mostrado")
}
