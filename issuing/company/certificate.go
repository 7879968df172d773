package company

import (
	"context"
	"errors"

	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/companies"
)

// AddCertificate seals a certificate that was checked, for its organization and its
// id, and stores it: nothing of its key is stored unsealed. One whose chain was verified,
// and that names the issuer of the organization's profile, claims the issuer for it.
func AddCertificate(
	ctx context.Context, db *store.Store, by *store.Changes, sealer *seal.Sealer, organizationID string,
	bundle *certificate.Bundle, chainVerified bool,
) (companies.Certificate, error) {
	taxID, err := bundle.TaxID()
	if err != nil {
		return companies.Certificate{}, err
	}
	id, err := db.Companies.CertificateID(ctx, organizationID, bundle.Fingerprint())
	if err != nil {
		return companies.Certificate{}, err
	}
	content, err := bundle.Marshal()
	if err != nil {
		return companies.Certificate{}, err
	}
	defer clear(content)
	sealed, err := sealer.Seal(content, organizationID, id)
	if err != nil {
		return companies.Certificate{}, err
	}
	if chainVerified {
		// Before the certificate is added: that wakes up the notes that wait for both.
		if err := claimShown(ctx, db, by, organizationID, taxID); err != nil {
			return companies.Certificate{}, err
		}
	}
	leaf := bundle.Leaf
	return by.Companies.AddCertificate(ctx, companies.Certificate{
		ID: id, OrganizationID: organizationID, TaxID: taxID, ChainVerified: chainVerified,
		Subject: leaf.Subject.CommonName, Issuer: leaf.Issuer.CommonName, Serial: leaf.SerialNumber.Text(16),
		Fingerprint: bundle.Fingerprint(), Sealed: sealed,
		NotBefore: nfse.Timestamp{Time: leaf.NotBefore}, NotAfter: nfse.Timestamp{Time: leaf.NotAfter},
	})
}

// claimShown claims the issuer of an organization's profile, if a certificate of this tax id
// shows it. Without a profile it is claimed when one is set.
func claimShown(
	ctx context.Context, db *store.Store, by *store.Changes, organizationID string, named nfse.TaxID,
) error {
	profile, err := db.Companies.FiscalProfile(ctx, organizationID)
	switch {
	case errors.Is(err, companies.ErrNoFiscalProfile):
		return nil
	case err != nil:
		return err
	}
	return claimPeriods(ctx, by, profile, func(of fiscal.Holder) bool { return of.Is(named) })
}

// Certificates lists the certificates of an organization, or, with an empty one, of all,
// newest first, and says which are of another issuer or establishment than the organization's profile.
func Certificates(ctx context.Context, db *store.Store, organizationID string) ([]companies.Certificate, error) {
	certificates, err := db.Companies.Certificates(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	profiles, err := profilesOf(ctx, db, organizationID)
	for i, one := range certificates {
		profile, has := profiles[one.OrganizationID]
		certificates[i].OtherIssuer = has && !Holder(profile).Is(one.TaxID)
		certificates[i].OtherEstablishment = has && !certificates[i].OtherIssuer && one.TaxID != profile.TaxID
	}
	return certificates, err
}

// profilesOf are the profiles of an organization as they hold today, or, with an empty one, of all, by
// organization.
func profilesOf(ctx context.Context, db *store.Store, organizationID string) (map[string]nfse.FiscalProfile, error) {
	var all []nfse.FiscalProfile
	var err error
	if organizationID == "" {
		all, err = db.Companies.FiscalProfiles(ctx)
	} else {
		all = make([]nfse.FiscalProfile, 1)
		if all[0], err = db.Companies.FiscalProfile(ctx, organizationID); errors.Is(err, companies.ErrNoFiscalProfile) {
			return nil, nil
		}
	}
	profiles := map[string]nfse.FiscalProfile{}
	for _, profile := range all {
		profiles[profile.OrganizationID] = Present(profile)
	}
	return profiles, err
}
