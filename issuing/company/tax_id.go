package company

import (
	"context"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store"
)

// Holder is whom a certificate must name to sign for the issuer of a profile.
func Holder(profile nfse.FiscalProfile) fiscal.Holder {
	by, _ := authorityOf(profile) // an unknown one signs nothing
	return fiscal.Holder{TaxID: profile.TaxID, Exact: by.ExactHolder || profile.ExactCertificate}
}

// ClaimTaxID makes the organization of a profile the owner of its issuer, if it is the first
// that showed a certificate of it whose chain leads to a root.
func ClaimTaxID(ctx context.Context, db *store.Store, by *store.Changes, profile nfse.FiscalProfile) error {
	certificates, err := db.Certificates(ctx, profile.OrganizationID)
	if err != nil {
		return err
	}
	for _, one := range certificates {
		if one.ChainVerified && Holder(profile).Is(one.TaxID) && one.State(time.Now()) == store.CertificateUsable {
			return by.ClaimTaxID(ctx, profile.OrganizationID, profile.IssuerKey())
		}
	}
	return nil
}

// SetProfile stores an organization's profile, in place of the one before. Where a certificate
// shows that the issuer is the organization's, it claims the issuer.
func SetProfile(ctx context.Context, db *store.Store, by *store.Changes, profile nfse.FiscalProfile) error {
	if err := ClaimTaxID(ctx, db, by, profile); err != nil {
		return err
	}
	return by.SetFiscalProfile(ctx, profile)
}

// ReplaceProfile does the same with a profile that was made from an earlier one, whose
// nfse.VersionOf is given: see store.Changes.ReplaceFiscalProfile.
func ReplaceProfile(ctx context.Context, db *store.Store, by *store.Changes, profile nfse.FiscalProfile,
	version string) error {
	if err := ClaimTaxID(ctx, db, by, profile); err != nil {
		return err
	}
	return by.ReplaceFiscalProfile(ctx, profile, version)
}
