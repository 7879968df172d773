package company

import (
	"context"

	"emissor/fiscal/certificate"
	"emissor/nfse"
	"emissor/seal"
	"emissor/store"
)

// AddCertificate seals a certificate that was checked, for its organization and its
// id, and puts it on record: nothing of its key is kept unsealed.
func AddCertificate(
	ctx context.Context, db *store.Store, by *store.Changes, sealer *seal.Sealer, organizationID string,
	bundle *certificate.Bundle,
) (store.Certificate, error) {
	taxID, err := bundle.TaxID()
	if err != nil {
		return store.Certificate{}, err
	}
	id, err := db.CertificateID(ctx, organizationID, bundle.Fingerprint())
	if err != nil {
		return store.Certificate{}, err
	}
	content, err := bundle.Marshal()
	if err != nil {
		return store.Certificate{}, err
	}
	defer clear(content)
	sealed, err := sealer.Seal(content, organizationID, id)
	if err != nil {
		return store.Certificate{}, err
	}
	leaf := bundle.Leaf
	return by.AddCertificate(ctx, store.Certificate{
		ID: id, OrganizationID: organizationID, TaxID: taxID,
		Subject: leaf.Subject.CommonName, Issuer: leaf.Issuer.CommonName, Serial: leaf.SerialNumber.Text(16),
		Fingerprint: bundle.Fingerprint(), Sealed: sealed,
		NotBefore: nfse.Timestamp{Time: leaf.NotBefore}, NotAfter: nfse.Timestamp{Time: leaf.NotAfter},
	})
}
