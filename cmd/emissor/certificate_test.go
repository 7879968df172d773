package main

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/hex"
	"encoding/pem"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/company"
	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/test/testkit"
)

const (
	issuerTaxID nfse.TaxID = "11222333000181"
	pfxPassword string     = "senhação"
)

// write puts content into a file of the test and returns its path.
func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(file, content, 0o600))
	return file
}

// pfxFile writes a bundle as the file that an organization sends.
func pfxFile(t *testing.T, bundle *certificate.Bundle) string {
	t.Helper()
	return write(t, "certificado.pfx", certificatetest.PFX(t, bundle, pfxPassword))
}

// certificateCase is an organization that is about to get a certificate.
type certificateCase struct {
	database     *testkit.Database
	settings     settings
	organization string
	chain        certificatetest.Chain
	password     string // file
}

func newCertificateCase(t *testing.T) certificateCase {
	t.Helper()
	database := testkit.NewDatabase(t)
	organization, err := database.Changes().Access.CreateOrganization(t.Context(), "Clínica Exemplo")
	must(t, err)
	chain := certificatetest.NewChain(t)
	return certificateCase{
		database: database, organization: organization.ID,
		settings: withKeyset(t, settingsOf(database).withoutTemporal()).
			with("EMISSOR_CERTIFICATE_ROOTS", rootFile(t, chain)),
		chain: chain, password: write(t, "password", []byte(pfxPassword+"\r\n")),
	}
}

// rootFile writes the root of a chain as the file that commands are given.
func rootFile(t *testing.T, chain certificatetest.Chain) string {
	t.Helper()
	return write(t, "roots.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: chain.Root.Raw}))
}

func (c certificateCase) add(file string, more ...string) []string {
	return append([]string{"certificate", "add", file, "--organization", c.organization, "--password-file", c.password},
		more...)
}

func (c certificateCase) setProfile(t *testing.T) {
	t.Helper()
	must(t, c.database.Changes().Companies.SetFiscalProfile(t.Context(),
		nfse.FiscalProfile{OrganizationID: c.organization, TaxID: issuerTaxID, Authority: "national"}))
}

func TestCertificateCommand_Life(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	c.setProfile(t)
	bundle := c.chain.Issue(t, certificatetest.Template(issuerTaxID))
	added := printed[company.PrintedCertificate](t, c.settings.with("EMISSOR_CERTIFICATE_ROOTS", ""),
		c.add(pfxFile(t, bundle), "--roots", rootFile(t, c.chain))...)
	expected := company.PrintedCertificate{
		ID: added.ID, OrganizationID: c.organization, TaxID: issuerTaxID, Subject: bundle.Leaf.Subject.CommonName,
		Issuer: "AC de Teste", Serial: bundle.Leaf.SerialNumber.Text(16),
		Fingerprint: hex.EncodeToString(bundle.Fingerprint()),
		NotBefore:   nfse.Timestamp{Time: bundle.Leaf.NotBefore}, NotAfter: nfse.Timestamp{Time: bundle.Leaf.NotAfter},
		DaysLeft: added.DaysLeft, State: companies.CertificateUsable, CreatedAt: added.CreatedAt,
	}
	if !reflect.DeepEqual(added, expected) || !nfse.IsID(nfse.PrefixCertificate, added.ID) ||
		added.CreatedAt.IsZero() || added.DaysLeft < 363 || added.DaysLeft > 366 {
		t.Errorf("added is\n%+v, expected\n%+v", added, expected)
	}

	// What is kept opens with the keyset, for this organization and this id, and holds what was in the file.
	keyset, err := seal.Open(seal.Source{File: c.settings["EMISSOR_KEYSET_FILE"]})
	must(t, err)
	record, err := c.database.Store.Companies.CertificateByID(t.Context(), added.ID)
	must(t, err)
	content, err := keyset.Unseal(record.Sealed, c.organization, added.ID)
	must(t, err)
	credentials, err := certificate.Parse(added.ID, content, certificate.SigningProgram{})
	if err != nil || !certificatetest.Key().Equal(credentials.Certificate.PrivateKey) ||
		len(credentials.Certificate.Certificate) != 2 {
		t.Errorf("what was sealed opens as %v, %v", credentials, err)
	}
	if strings.Contains(string(record.Sealed), "CERTIFICATE") || strings.Contains(string(record.Sealed), "PRIVATE") {
		t.Error("the certificate is kept as it is")
	}

	for _, args := range [][]string{{"certificate", "list"},
		{"certificate", "list", "--organization", c.organization}} {
		if list := printed[[]company.PrintedCertificate](t, c.settings, args...); len(list) != 1 || list[0].ID != added.ID {
			t.Errorf("%v lists %+v", args, list)
		}
	}
	table := cells(succeeds(t, c.settings, "certificate", "list"))
	if expected := [][]string{
		{"ID", "ORGANIZATION", "DOCUMENT", "SUBJECT", "NOT AFTER", "DAYS LEFT", "STATE", "REASON"},
		{added.ID, c.organization, string(issuerTaxID), added.Subject, added.NotAfter.String(),
			strconv.Itoa(added.DaysLeft), "usable", "-"},
	}; !reflect.DeepEqual(table, expected) {
		t.Errorf("the list is printed as %q", table)
	}

	must(t, c.database.Store.Companies.RefuseCertificate(t.Context(), added.ID, "E1207: revoked"))
	if list := printed[[]company.PrintedCertificate](t, c.settings, "certificate",
		"list"); list[0].State != companies.CertificateRefused || *list[0].Reason != "E1207: revoked" {
		t.Errorf("refused, it is listed as %+v", list)
	}
	removed := printed[company.PrintedCertificate](t, c.settings, "certificate", "remove", added.ID, "--organization",
		c.organization)
	if removed.State != companies.CertificateRemoved || removed.RemovedAt == nil {
		t.Errorf("removed is %+v", removed)
	}
	again := printed[company.PrintedCertificate](t, c.settings, c.add(pfxFile(t, bundle))...)
	if again.ID != added.ID || again.State != companies.CertificateUsable || again.RemovedAt != nil ||
		again.Reason != nil {
		t.Errorf("added again it is %+v", again)
	}
	fails(t, c.settings, "there is no certificate", "certificate", "remove", "crt_x", "--organization", c.organization)
	fails(t, c.settings, "there is no certificate", "certificate", "remove", added.ID, "--organization", "org_x")
}

func TestCertificateCommand_States(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	now := time.Now()
	states := map[string]struct{ begins, ends int }{ // days from now
		"expired": {-400, -35}, "usable": {-5, 10}, "not yet valid": {5, 370},
	}
	for state, days := range states {
		ends := now.Add(time.Duration(days.ends)*24*time.Hour + time.Hour)
		_, err := c.database.Changes().Companies.AddCertificate(t.Context(), companies.Certificate{
			ID: nfse.NewID(nfse.PrefixCertificate), OrganizationID: c.organization, TaxID: issuerTaxID,
			Subject: state, Fingerprint: []byte(state), Sealed: []byte(state),
			NotBefore: nfse.Timestamp{Time: now.AddDate(0, 0, days.begins)}, NotAfter: nfse.Timestamp{Time: ends},
		})
		must(t, err)
	}
	for _, one := range printed[[]company.PrintedCertificate](t, c.settings, "certificate", "list") {
		if one.State != one.Subject || one.DaysLeft != states[one.Subject].ends {
			t.Errorf("listed is %+v", one)
		}
	}
}

func TestCertificateCommand_WithoutFiscalProfile(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	output := succeeds(t, c.settings, c.add(pfxFile(t, c.chain.Issue(t, certificatetest.Template("52998224725"))))...)
	if !strings.Contains(output, "usable") || !strings.Contains(output, "no fiscal profile yet") {
		t.Errorf("the command printed\n%s", output)
	}
}

func TestCertificateCommand_Refused(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	c.setProfile(t)
	good := pfxFile(t, c.chain.Issue(t, certificatetest.Template(issuerTaxID)))
	expired := certificatetest.Template(issuerTaxID)
	expired.NotBefore, expired.NotAfter = time.Now().AddDate(-2, 0, 0), time.Now().AddDate(-1, 0, 0)
	otherRoots := rootFile(t, certificatetest.NewChain(t))
	wrong := write(t, "wrong", []byte("errada\n"))

	fails(t, c.settings, "the certificate expired on", c.add(pfxFile(t, c.chain.Issue(t, expired)))...)
	fails(t, c.settings, "names another company",
		c.add(pfxFile(t, c.chain.Issue(t, certificatetest.Template("12ABC34501DE35"))))...)
	fails(t, c.settings, "does not lead to one of the given roots", c.add(good, "--roots", otherRoots)...)
	fails(t, c.settings, "--roots: the file holds no certificate in PEM", c.add(good, "--roots", wrong)...)
	fails(t, c.settings, "not a PFX", c.add(wrong)...)
	fails(t, c.settings, "no such file", c.add(good+".none")...)
	fails(t, c.settings, "the password is not the file's", c.add(good, "--password-file", wrong)...)
	misused(t, c.settings, "--password-file", c.add(good, "--password-file", wrong+".none")...)
	fails(t, c.settings, "there is no terminal", "certificate", "add", good, "--organization", c.organization)
	fails(t, c.settings, "there is no organization", c.add(good, "--organization", "org_x")...)
	misused(t, c.settings, `required flag(s) "organization" not set`, "certificate", "add", good)
	misused(t, c.settings, "unknown flag: --password", c.add(good, "--password", pfxPassword)...)
	fails(t, c.settings.with("EMISSOR_KEYSET_FILE", ""), "no keyset is configured", c.add(good)...)
	if n := c.database.Count(t, `SELECT count(*) FROM certificates`); n != 0 {
		t.Errorf("%d certificates were added", n)
	}
}

// A certificate whose key is in a token is added once the program has signed with it: nothing of the key is kept.
func TestCertificateCommand_SignerKey(t *testing.T) {
	t.Parallel()
	c := newCertificateCase(t)
	c.setProfile(t)
	bundle := c.chain.Issue(t, certificatetest.Template(issuerTaxID))
	file, token := write(t, "chain.pem", certificatetest.PEM(bundle)), certificatetest.NewToken(t, bundle.Key)
	set := c.settings.with("EMISSOR_SIGNER", certificatetest.SigningProgram(t).Path)
	add := []string{"certificate", "add", file, "--organization", c.organization, "--signer-key", string(token)}

	fails(t, c.settings, "none is set (EMISSOR_SIGNER)", add...)
	for _, wrong := range []string{"sh", file, file + ".none"} {
		fails(t, c.settings.with("EMISSOR_SIGNER", wrong), "EMISSOR_SIGNER must be the absolute path of a program", add...)
	}
	fails(t, set, "the token is[2J not there", append(slices.Clone(add[:len(add)-1]), string(token)+".none")...)
	token.Hold(t, bundle.Key, certificatetest.WithoutPSS)
	fails(t, set, "the token has no PSS", add...)
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	token.Hold(t, stranger, "")
	fails(t, set, "its signature is not of the certificate's key", add...)
	misused(t, set, "password-file", append(add, "--password-file", c.password)...)
	if n := c.database.Count(t, `SELECT count(*) FROM certificates`); n != 0 {
		t.Errorf("%d certificates were added", n)
	}

	token.Hold(t, bundle.Key, "")
	added := printed[company.PrintedCertificate](t, set, add...)
	if added.State != companies.CertificateUsable || added.TaxID != issuerTaxID {
		t.Errorf("added is %+v", added)
	}
	if list := printed[[]company.PrintedCertificate](t, c.settings, "certificate", "list"); len(list) != 1 ||
		list[0].State != companies.CertificateUsable {
		t.Errorf("listed is %+v", list)
	}
	examined := func(settings settings, words string) {
		t.Helper()
		if said := execute(t, settings, "doctor").stdout; !strings.Contains(said, words) {
			t.Errorf("the doctor says\n%s", said)
		}
	}
	examined(set, "The program of EMISSOR_SIGNER signs with the key of the certificate "+added.ID)
	examined(c.settings, "The certificate "+added.ID+" opens, but the program that signs with the certificate's key "+
		"did not sign: none is set")
}

// The program that the dashboard opens files with knows no settings.
func TestCertificateOpen(t *testing.T) {
	t.Parallel()
	issued := certificatetest.NewChain(t).Issue(t, certificatetest.Template(issuerTaxID))
	pfx := certificatetest.PFX(t, issued, "senha")
	bundle, err := certificate.ReadPFXApart(t.Context(), []string{binary, "certificate", "open"}, pfx, "senha")
	if err != nil || !bundle.Leaf.Equal(issued.Leaf) {
		t.Errorf("it opens %v, %v", bundle, err)
	}
}
