package activities

import (
	"bytes"
	"context"
	"errors"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/internal/metrics"
	"emissor/internal/recent"
	"emissor/internal/seal"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/companies"
)

// cacheSize is the most certificates that stay open at once, of 14 kB each. Opening one takes half a millisecond.
const cacheSize = 5000

// CertificateCache opens the certificates of organizations. It keeps opened ones, but
// asks each time which one is usable: what was removed or refused is not served.
type CertificateCache struct {
	Store   *store.Store
	Sealer  *seal.Sealer
	Metrics *metrics.Metrics
	Signer  certificate.SigningProgram // signs with keys that are kept elsewhere

	opened *recent.Cache[string, openedCertificate] // by certificate id
	signed *Slots                                   // of keys that are kept elsewhere, by certificate id
}

// signingSlots is how many attempts of this process sign by one key at once that is kept elsewhere, where a signature
// may take seconds, or never end.
const signingSlots = 4

// NewCertificateCache makes the certificates of a process, none of them opened.
func NewCertificateCache(db *store.Store, sealer *seal.Sealer, metrics *metrics.Metrics) *CertificateCache {
	return &CertificateCache{Store: db, Sealer: sealer, Metrics: metrics,
		opened: recent.NewCache[string, openedCertificate](cacheSize), signed: NewSlots(signingSlots)}
}

// openedCertificate is a certificate, with what it was opened from.
type openedCertificate struct {
	sealed      []byte
	credentials *fiscal.Credentials
}

// Open returns the certificate of a holder with which an organization issues at this
// moment: of the usable ones that open here the one added last. The error
// is a *ActionRequired where there is none; any other is temporary, such as a database that is
// out. No error holds anything of a key.
func (c *CertificateCache) Open(ctx context.Context, organizationID string, of fiscal.Holder,
	at time.Time) (*fiscal.Credentials, error) {
	c.Metrics.CertificateOpened()
	usable, err := c.Store.Companies.UsableCertificates(ctx, organizationID, of, at)
	var none *companies.NoUsableCertificate
	if errors.As(err, &none) {
		return nil, &ActionRequired{Reason: none.Reason}
	}
	if err != nil {
		return nil, err
	}
	var closed *ActionRequired
	for _, one := range usable {
		credentials, err := c.open(one)
		if err == nil {
			return credentials, nil
		}
		if closed == nil {
			closed = doesNotOpen(one, err)
		}
	}
	return nil, closed
}

func doesNotOpen(one companies.Certificate, err error) *ActionRequired {
	return &ActionRequired{Reason: fact.CertificateDoesNotOpen.With("certificate", one.ID,
		"why", fact.OfError(err))}
}

func (c *CertificateCache) open(usable companies.Certificate) (*fiscal.Credentials, error) {
	if credentials := c.kept(usable); credentials != nil {
		return credentials, nil
	}
	content, err := c.Sealer.Unseal(usable.Sealed, usable.OrganizationID, usable.ID)
	if err != nil {
		return nil, err
	}
	defer clear(content)
	credentials, err := certificate.Parse(usable.ID, content, c.Signer)
	if err != nil {
		return nil, err
	}
	c.opened.Put(usable.ID, openedCertificate{usable.Sealed, credentials})
	return credentials, nil
}

func (c *CertificateCache) kept(usable companies.Certificate) *fiscal.Credentials {
	if one, found := c.opened.Get(usable.ID); found && bytes.Equal(one.sealed, usable.Sealed) {
		return one.credentials
	}
	return nil
}

// Access is on whose behalf the authority of a profile is asked with a certificate: see company.Access. The error is as
// of Open.
func (c *CertificateCache) Access(ctx context.Context, profile nfse.FiscalProfile, credentials *fiscal.Credentials) (
	fiscal.Access, error) {
	access, err := company.Access(ctx, c.Store, c.Sealer, profile, credentials)
	var closed company.ErrLoginClosed
	if errors.As(err, &closed) {
		return access, &ActionRequired{Reason: closed.Reason}
	}
	return access, err
}

// TakeSlot takes a slot for an attempt that signs by a certificate whose key is kept elsewhere. Where all are taken it
// is RetryLater, with growing pauses: what waits for one token is not to use up the rate of the authority's queue.
func (c *CertificateCache) TakeSlot(ctx context.Context, id string) (free func(), err error) {
	if !c.signed.take(id) {
		return nil, RetryLater{Code: "signing", Reason: "other notes are signed by the same key", NotFailed: true,
			After: busyTarget.After(attempt(ctx))}
	}
	return func() { c.signed.free(id) }, nil
}

// mayUse is ActionRequired where the issuer of a profile is not shown to be its
// organization's: then nothing of its series is shown, taken or asked for.
func (c *CertificateCache) mayUse(ctx context.Context, profile nfse.FiscalProfile) error {
	return AsActionRequired(c.Store.Companies.CheckTaxID(ctx, profile))
}
