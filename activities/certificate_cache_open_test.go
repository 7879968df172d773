package activities_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/internal/metrics"
	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/test/testkit"
)

const issuer nfse.TaxID = "11222333000181"

// ring is a cache of one organization.
type ring struct {
	*activities.CertificateCache
	organization string
	chain        certificatetest.Chain
}

func newRing(t *testing.T) ring {
	t.Helper()
	database := testkit.NewDatabase(t)
	organization, err := database.Changes().Access.CreateOrganization(t.Context(), "Clínica Exemplo")
	must(t, err)
	return ring{
		CertificateCache: activities.NewCertificateCache(database.Store, newSealer(t), metrics.New()),
		organization:     organization.ID, chain: certificatetest.NewChain(t),
	}
}

func newSealer(t *testing.T) *seal.Sealer {
	t.Helper()
	keyset, err := seal.NewKeyset()
	must(t, err)
	sealer, err := seal.New(keyset)
	must(t, err)
	return sealer
}

// add adds a certificate that was sealed for an owner.
func (r ring) add(t *testing.T, owner func(id string) []string) (id string, leaf *x509.Certificate) {
	t.Helper()
	bundle := r.chain.Issue(t, certificatetest.Template(issuer))
	content, err := bundle.Marshal()
	must(t, err)
	id, err = r.Store.Companies.CertificateID(t.Context(), r.organization, bundle.Fingerprint())
	must(t, err)
	sealed, err := r.Sealer.Seal(content, owner(id)...)
	must(t, err)
	_, err = r.Store.By(testkit.Operator).Companies.AddCertificate(t.Context(), companies.Certificate{
		ID: id, OrganizationID: r.organization, TaxID: issuer, Subject: bundle.Leaf.Subject.CommonName,
		Fingerprint: bundle.Fingerprint(),
		Sealed:      sealed, NotBefore: nfse.Timestamp{Time: bundle.Leaf.NotBefore},
		NotAfter: nfse.Timestamp{Time: bundle.Leaf.NotAfter},
	})
	must(t, err)
	return id, bundle.Leaf
}

func (r ring) own(id string) []string { return []string{r.organization, id} }

func (r ring) open(t *testing.T) (*fiscal.Credentials, error) {
	t.Helper()
	return r.Open(t.Context(), r.organization, fiscal.Holder{TaxID: issuer}, time.Now())
}

func (r ring) expectNoneUsable(t *testing.T, why fact.Fact) {
	t.Helper()
	credentials, err := r.open(t)
	var hold *activities.ActionRequired
	if credentials != nil || !errors.As(err, &hold) || !hold.Reason.Equal(fact.NoUsableCertificate.With("why", why)) {
		t.Errorf("opened is %v, %v; expected a hold: %s", credentials, err, why)
	}
}

func (r ring) expectOpens(t *testing.T, opens int) {
	t.Helper()
	answer := httptest.NewRecorder()
	promhttp.HandlerFor(r.Metrics.Registry, promhttp.HandlerOpts{}).ServeHTTP(answer,
		httptest.NewRequest("GET", "/metrics", nil))
	if line := fmt.Sprintf("\nemissor_certificate_opens_total %d\n", opens); !strings.Contains(answer.Body.String(),
		line) {
		t.Errorf("the metrics lack %q", line)
	}
}

func TestCertificateCache_Open(t *testing.T) {
	r := newRing(t)
	id, leaf := r.add(t, r.own)
	credentials, err := r.open(t)
	must(t, err)
	if credentials.ID != id || !credentials.Certificate.Leaf.Equal(leaf) ||
		len(credentials.Certificate.Certificate) != 2 {
		t.Errorf("opened is %v", credentials)
	}
	digest := sha256.Sum256([]byte("document"))
	signature, err := credentials.Certificate.PrivateKey.(crypto.Signer).Sign(rand.Reader, digest[:], crypto.SHA256)
	must(t, err)
	must(t, rsa.VerifyPKCS1v15(leaf.PublicKey.(*rsa.PublicKey), crypto.SHA256, digest[:], signature))

	again, err := r.open(t)
	if err != nil || again != credentials {
		t.Errorf("opened again is another: %v, %v", again, err)
	}
	r.expectOpens(t, 2)
}

// What is kept open is never served in the place of what is on record.
func TestCertificateCache_RemovedOrRefused(t *testing.T) {
	r := newRing(t)
	r.expectNoneUsable(t, fact.CertificateMissing.Fact())
	first, _ := r.add(t, r.own)
	second, _ := r.add(t, r.own)
	opens := func(expected string) {
		t.Helper()
		if credentials, err := r.open(t); err != nil || credentials.ID != expected {
			t.Errorf("opened is %v, %v; expected %s", credentials, err, expected)
		}
	}
	opens(second)
	must(t, r.Store.Companies.RefuseCertificate(t.Context(), second, "E1207"))
	opens(first)
	_, err := r.Store.By(testkit.Operator).Companies.RemoveCertificate(t.Context(), r.organization, first)
	must(t, err)
	r.expectNoneUsable(t, fact.CertificateRefused.With("certificate", second, "code", "E1207"))
	late := time.Now().AddDate(2, 0, 0)
	third, _ := r.add(t, r.own)
	opens(third)
	if _, err := r.Open(t.Context(), r.organization, fiscal.Holder{TaxID: issuer}, late); !errors.As(err,
		new(*activities.ActionRequired)) || !strings.Contains(err.Error(), "expired on") {
		t.Errorf("in two years it is answered %v", err)
	}
	r.expectOpens(t, 6)
}

// What does not open is for an operator to correct: the note waits, and does not fail.
func TestCertificateCache_CannotBeUnsealed(t *testing.T) {
	r := newRing(t)
	id, _ := r.add(t, func(id string) []string { return []string{"org_other", id} })
	for sealer, words := range map[*seal.Sealer]string{r.Sealer: "does not open", {}: seal.ErrNoKeyset.Error(),
		newSealer(t): "does not open"} {
		r.Sealer = sealer
		credentials, err := r.open(t)
		if err == nil || credentials != nil || !errors.As(err, new(*activities.ActionRequired)) ||
			!strings.Contains(err.Error(), words) || !strings.Contains(err.Error(), id) {
			t.Errorf("opened is %v, %v", credentials, err)
		}
	}
}

// A certificate that is added again is sealed again: perhaps with a chain that
// was missing.
func TestCertificateCache_AddedAgain(t *testing.T) {
	r := newRing(t)
	id, _ := r.add(t, r.own)
	before, err := r.open(t)
	must(t, err)
	record, err := r.Store.Companies.CertificateByID(t.Context(), id)
	must(t, err)
	content, err := r.Sealer.Unseal(record.Sealed, r.own(id)...)
	must(t, err)
	record.Sealed, err = r.Sealer.Seal(content, r.own(id)...)
	must(t, err)
	_, err = r.Store.By(testkit.Operator).Companies.AddCertificate(t.Context(), record)
	must(t, err)
	if after, err := r.open(t); err != nil || after == before || after.ID != id {
		t.Errorf("opened is %v, %v", after, err)
	}
}

// Nobody gets the certificate of another, however many workers ask at once.
func TestCertificateCache_ManyOrganizations(t *testing.T) {
	r := newRing(t)
	const organizations = 20
	rings := make([]ring, organizations)
	ids := make([]string, organizations)
	for i := range rings {
		organization, err := r.Store.By(testkit.Operator).Access.CreateOrganization(t.Context(), "Clínica Exemplo")
		must(t, err)
		rings[i] = r
		rings[i].organization = organization.ID
		ids[i], _ = rings[i].add(t, rings[i].own)
	}
	for range 2 { // the second time they are open already
		var workers sync.WaitGroup
		for worker := range 4 {
			workers.Go(func() {
				for i := worker; i < organizations; i += 4 {
					if credentials, err := rings[i].open(t); err != nil || credentials.ID != ids[i] {
						t.Errorf("opened is %v, %v; expected %s", credentials, err, ids[i])
					}
				}
			})
		}
		workers.Wait()
	}
	r.expectOpens(t, 2*organizations)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
