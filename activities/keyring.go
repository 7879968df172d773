package activities

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/metrics"
	"emissor/nfse"
	"emissor/seal"
	"emissor/store"
)

// Hold is the error of what cannot go on until a person has done something.
type Hold struct{ Reason string }

// Error implements error. It is in words for an operator, without personal data.
func (h *Hold) Error() string { return h.Reason }

// keyringSize is the most certificates that stay open at once.
const keyringSize = 256

// Keyring opens the certificates of organizations. It keeps opened ones, but
// asks each time which one is usable: what was removed or refused is not served.
type Keyring struct {
	Store   *store.Store
	Sealer  *seal.Sealer
	Metrics *metrics.Metrics

	mu     sync.Mutex
	opened map[string]openedCertificate // by certificate id
}

// openedCertificate is a certificate beside what it was opened from.
type openedCertificate struct {
	sealed      []byte
	credentials *fiscal.Credentials
}

// Open returns the certificate with which an organization issues as this issuer
// at this moment: of the usable ones that open here the one added last. The error
// is a *Hold where there is none; any other is a fault that passes, such as a database
// that is out. No error holds anything of a key.
func (k *Keyring) Open(ctx context.Context, organizationID string, issuer nfse.TaxID, at time.Time) (*fiscal.Credentials, error) {
	k.Metrics.CertificateOpened()
	usable, err := k.Store.UsableCertificates(ctx, organizationID, issuer, at)
	if errors.Is(err, store.ErrNoUsableCertificate) {
		return nil, &Hold{Reason: err.Error()}
	}
	if err != nil {
		return nil, err
	}
	var closed *Hold
	for _, one := range usable {
		credentials, err := k.open(one)
		if err == nil {
			return credentials, nil
		}
		if closed == nil {
			closed = &Hold{Reason: fmt.Sprintf("the certificate %s does not open here: %s", one.ID, err)}
		}
	}
	return nil, closed
}

func (k *Keyring) open(usable store.Certificate) (*fiscal.Credentials, error) {
	if credentials := k.kept(usable); credentials != nil {
		return credentials, nil
	}
	content, err := k.Sealer.Unseal(usable.Sealed, usable.OrganizationID, usable.ID)
	if err != nil {
		return nil, err
	}
	defer clear(content)
	credentials, err := certificate.Parse(usable.ID, content)
	if err != nil {
		return nil, err
	}
	k.keep(usable, credentials)
	return credentials, nil
}

func (k *Keyring) kept(usable store.Certificate) *fiscal.Credentials {
	k.mu.Lock()
	defer k.mu.Unlock()
	if one, found := k.opened[usable.ID]; found && bytes.Equal(one.sealed, usable.Sealed) {
		return one.credentials
	}
	return nil
}

// keep makes room by dropping any one: opening it again is cheap.
func (k *Keyring) keep(usable store.Certificate, credentials *fiscal.Credentials) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.opened == nil {
		k.opened = map[string]openedCertificate{}
	}
	delete(k.opened, usable.ID)
	for id := range k.opened {
		if len(k.opened) < keyringSize {
			break
		}
		delete(k.opened, id)
	}
	k.opened[usable.ID] = openedCertificate{usable.Sealed, credentials}
}
