package companies

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// LearnedRegistration says that notes of a profile send or leave out the municipal registration
// otherwise than it says, as was learned from the authority; none where they do as it says.
func (s *Store) LearnedRegistration(ctx context.Context, profile nfse.FiscalProfile) (fact.Fact, error) {
	var learned struct {
		Sent bool   `db:"sent"`
		Code string `db:"code"`
	}
	err := s.db.Get(ctx, &learned, `SELECT sent, code FROM learned_registrations
		WHERE (organization_id, authority, production, tax_id) = ($1, $2, $3, $4)`, profile.OrganizationID,
		profile.Authority, profile.Production, profile.TaxID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return fact.Fact{}, nil
	case err != nil || learned.Sent == profile.SendMunicipalRegistration || profile.MunicipalRegistration == nil:
		return fact.Fact{}, err
	case learned.Sent:
		return fact.RegistrationSent.With("code", learned.Code), nil
	}
	return fact.RegistrationOmitted.With("code", learned.Code), nil
}

// forgetRegistration ends what was learned, as a person has given another word.
func forgetRegistration(ctx context.Context, tx *sqlx.Tx, before, after nfse.FiscalProfile) error {
	if before.SendMunicipalRegistration == after.SendMunicipalRegistration &&
		before.PlainRegistration() == after.PlainRegistration() {
		return nil
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM learned_registrations WHERE organization_id = $1`, after.OrganizationID)
	return err
}

// LearnedRegistration says whether an issuer's municipal registration is sent.
type LearnedRegistration struct {
	nfse.IssuerKey
	Sent bool `json:"sent"`
}
