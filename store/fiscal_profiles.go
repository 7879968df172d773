package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
)

// ErrNoFiscalProfile says that an organization's live notes cannot be issued
// yet: nobody has said how.
var ErrNoFiscalProfile = errors.New("the organization has no fiscal profile: set one with `emissor fiscal-profile set`")

// SetFiscalProfile puts an organization's profile on record, in the place of the
// one before, and wakes up its notes that wait.
func (s *Store) SetFiscalProfile(ctx context.Context, profile nfse.FiscalProfile) error {
	content, err := json.Marshal(profile)
	if err != nil {
		return err
	}
	return s.resuming(ctx, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO fiscal_profiles (organization_id, authority, profile) VALUES ($1, $2, $3::jsonb)
			ON CONFLICT (organization_id) DO UPDATE SET
				authority = EXCLUDED.authority, profile = EXCLUDED.profile, updated_at = now()`,
			profile.OrganizationID, profile.Authority, string(content))
		if err != nil {
			return err
		}
		return resumeHeld(ctx, tx, profile.OrganizationID)
	})
}

// FiscalProfile reads an organization's profile, or returns ErrNoFiscalProfile.
func (s *Store) FiscalProfile(ctx context.Context, organizationID string) (profile nfse.FiscalProfile, err error) {
	var content []byte
	err = s.get(ctx, &content, `SELECT profile FROM fiscal_profiles WHERE organization_id = $1`,
		organizationID)
	if errors.Is(err, sql.ErrNoRows) {
		return profile, ErrNoFiscalProfile
	}
	if err != nil {
		return profile, err
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
