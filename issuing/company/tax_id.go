package company

import (
	"context"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/companies"
)

// Holder is whom a certificate must name to sign for the issuer of a profile, as it holds for a day.
func Holder(profile nfse.FiscalProfile) fiscal.Holder {
	by, _ := authorityOf(profile) // an unknown one signs nothing
	return fiscal.Holder{TaxID: profile.TaxID, Exact: by.ExactHolder || profile.ExactCertificate}
}

// ClaimTaxID makes the organization of a profile the owner of its issuer at each of its authorities, if
// it is the first that showed a certificate of it whose chain leads to a root.
func ClaimTaxID(ctx context.Context, db *store.Store, by *store.Changes, profile nfse.FiscalProfile) error {
	certificates, err := db.Companies.Certificates(ctx, profile.OrganizationID)
	if err != nil {
		return err
	}
	return claimPeriods(ctx, by, profile, func(of fiscal.Holder) bool {
		return slices.ContainsFunc(certificates, func(one companies.Certificate) bool {
			return one.ChainVerified && of.Is(one.TaxID) && one.State(time.Now()) == companies.CertificateUsable
		})
	})
}

// claimPeriods claims the issuer at each authority of a profile where it is shown who holds it.
func claimPeriods(
	ctx context.Context, by *store.Changes, profile nfse.FiscalProfile, shown func(fiscal.Holder) bool,
) error {
	var claimed []nfse.IssuerKey
	for _, period := range profile.Periods() {
		issuer := period.IssuerKey()
		if slices.Contains(claimed, issuer) || !shown(Holder(period)) {
			continue
		}
		if err := by.Companies.ClaimTaxID(ctx, profile.OrganizationID, issuer); err != nil {
			return err
		}
		claimed = append(claimed, issuer)
	}
	return nil
}

// SetProfile stores an organization's profile, in place of the one before. Where a certificate
// shows that the issuer is the organization's, it claims the issuer.
func SetProfile(ctx context.Context, db *store.Store, by *store.Changes, profile nfse.FiscalProfile) error {
	if err := ClaimTaxID(ctx, db, by, profile); err != nil {
		return err
	}
	return by.Companies.SetFiscalProfile(ctx, profile)
}

// ReplaceProfile does the same with a profile that was made from an earlier one, whose
// nfse.VersionOf is given: see store.Changes.ReplaceFiscalProfile.
func ReplaceProfile(ctx context.Context, db *store.Store, by *store.Changes, profile nfse.FiscalProfile,
	version string) error {
	if err := ClaimTaxID(ctx, db, by, profile); err != nil {
		return err
	}
	return by.Companies.ReplaceFiscalProfile(ctx, profile, version)
}
