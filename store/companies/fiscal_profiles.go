package companies

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

type auditedProfile struct {
	nfse.FiscalProfile
	TaxID any `json:"tax_id"` // in the place of the profile's
}

// auditProfile is a profile without what names a person.
func auditProfile(p nfse.FiscalProfile) auditedProfile {
	if !p.TaxID.IsCNPJ() && p.MunicipalRegistration != nil {
		p.MunicipalRegistration = new("given")
	}
	return auditedProfile{p, AuditTaxID(p.TaxID)}
}

// ErrNoFiscalProfile says that an organization's live notes cannot be issued
// before it has a fiscal profile.
var ErrNoFiscalProfile = errors.New(fact.NoFiscalProfile.Fact().English())

// SetFiscalProfile puts an organization's profile on record, in the place of the
// one before, and wakes up its notes that wait.
func (c *Changes) SetFiscalProfile(ctx context.Context, profile nfse.FiscalProfile) error {
	return c.setFiscalProfile(ctx, profile, "")
}

// ReplaceFiscalProfile does the same where the profile on record still has a version
// (nfse.VersionOf, or NoFiscalProfile); else it is ErrChanged.
func (c *Changes) ReplaceFiscalProfile(ctx context.Context, profile nfse.FiscalProfile, version string) error {
	return c.setFiscalProfile(ctx, profile, version)
}

// NoFiscalProfile is the version where there is no profile.
const NoFiscalProfile = "none"

// setFiscalProfile sets a profile where the one on record has this version, else it is ErrChanged. An empty version
// replaces any profile.
func (c *Changes) setFiscalProfile(ctx context.Context, profile nfse.FiscalProfile, version string) error {
	content, err := json.Marshal(profile)
	if err != nil {
		return err
	}
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		record = audit.Record{Action: audit.FiscalProfileSet, SubjectID: profile.OrganizationID,
			After: auditProfile(profile)}.OfOrganization(profile.OrganizationID)
		// There is no row to lock before the first profile, so the organization's is locked.
		if _, err := tx.ExecContext(ctx, `SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`,
			profile.OrganizationID); err != nil {
			return record, err
		}
		before, err := DecodeProfile(func(target any) error {
			return tx.GetContext(ctx, target, `SELECT profile FROM fiscal_profiles WHERE organization_id = $1
				FOR NO KEY UPDATE`, profile.OrganizationID)
		})
		current := NoFiscalProfile
		switch {
		case err == nil:
			record.Before = auditProfile(before)
			current = nfse.VersionOf(before)
		case !errors.Is(err, ErrNoFiscalProfile):
			return record, err
		}
		if version != "" && version != current {
			return record, postgres.ErrChanged
		}
		if err := forgetRegistration(ctx, tx, before, profile); err != nil {
			return record, err
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO fiscal_profiles (organization_id, authority, profile) VALUES ($1, $2, $3::jsonb)
			ON CONFLICT (organization_id) DO UPDATE SET
				authority = EXCLUDED.authority, profile = EXCLUDED.profile,
				environment_changed_at = CASE
					WHEN fiscal_profiles.profile ->> 'production' IS NOT DISTINCT FROM EXCLUDED.profile ->> 'production'
					THEN fiscal_profiles.environment_changed_at ELSE now() END`,
			profile.OrganizationID, profile.Authority, string(content))
		if err != nil {
			return record, err
		}
		return record, outbox.ResumeHeld(ctx, tx, profile.OrganizationID)
	})
}

// FiscalProfile reads an organization's profile, or returns ErrNoFiscalProfile.
func (s *Store) FiscalProfile(ctx context.Context, organizationID string) (profile nfse.FiscalProfile, err error) {
	return DecodeProfile(func(target any) error {
		return s.db.Get(ctx, target, `SELECT profile FROM fiscal_profiles WHERE organization_id = $1`, organizationID)
	})
}

// EnvironmentChanged reports whether an organization's profile was changed between production
// and restricted production since a moment, so that notes from then on may be of both.
func (s *Store) EnvironmentChanged(
	ctx context.Context, organizationID string, since time.Time,
) (changed bool, err error) {
	err = s.db.Get(ctx, &changed, `SELECT EXISTS (SELECT FROM fiscal_profiles WHERE organization_id = $1
		AND environment_changed_at >= $2)`, organizationID, since)
	return changed, err
}

func DecodeProfile(get func(target any) error) (profile nfse.FiscalProfile, err error) {
	var content []byte
	err = get(&content)
	if err != nil {
		return profile, postgres.NoRow(err, ErrNoFiscalProfile)
	}
	return profile, json.Unmarshal(content, &profile)
}

// FiscalProfiles lists the profile of every organization that has one, oldest
// organization first.
func (s *Store) FiscalProfiles(ctx context.Context) ([]nfse.FiscalProfile, error) {
	var contents [][]byte
	err := s.db.SelectContext(ctx, &contents, `SELECT profile FROM fiscal_profiles ORDER BY organization_id`)
	profiles := make([]nfse.FiscalProfile, len(contents))
	for i, content := range contents {
		err = errors.Join(err, json.Unmarshal(content, &profiles[i]))
	}
	return profiles, err
}
