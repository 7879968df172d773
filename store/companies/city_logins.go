package companies

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// CityLogin is the user and the password of an organization with the server of its city. It has one at most.
type CityLogin struct {
	ID               string         `db:"id"`
	OrganizationID   string         `db:"organization_id"`
	MunicipalityCode string         `db:"municipality_code"` // whose server it is for
	Sealed           []byte         `db:"sealed"`
	CreatedAt        nfse.Timestamp `db:"created_at"`
}

// AuditedCityLogin is what the audit log says of one.
type AuditedCityLogin struct {
	MunicipalityCode string `json:"municipality_code"`
}

const cityLoginColumns = `id, organization_id, municipality_code, sealed, created_at`

// CityLogin reads the login of an organization with its city; nil where it has none.
func (s *Store) CityLogin(ctx context.Context, organizationID string) (*CityLogin, error) {
	var login CityLogin
	err := s.db.GetContext(ctx, &login, `SELECT `+cityLoginColumns+` FROM city_logins WHERE organization_id = $1`,
		organizationID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &login, err
}

// SetCityLogin puts a login in the place of the one that the organization had, and wakes up its notes that wait.
func (c *Changes) SetCityLogin(ctx context.Context, login CityLogin) (set CityLogin, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		before, err := deleteCityLogin(ctx, tx, login.OrganizationID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return record, err
		}
		err = tx.GetContext(ctx, &set, `INSERT INTO city_logins (id, organization_id, municipality_code, sealed)
			VALUES ($1, $2, $3, $4) RETURNING `+cityLoginColumns,
			login.ID, login.OrganizationID, login.MunicipalityCode, login.Sealed)
		if err != nil {
			return record, err
		}
		return recordOfLogin(audit.CityLoginSet, before, set), outbox.ResumeHeld(ctx, tx, login.OrganizationID)
	})
	return set, err
}

// RemoveCityLogin forgets the login of an organization. Where it has none the error is of nfse.CodeNotFound.
func (c *Changes) RemoveCityLogin(ctx context.Context, organizationID string) (removed CityLogin, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		removed, err = deleteCityLogin(ctx, tx, organizationID)
		return recordOfLogin(audit.CityLoginRemove, removed, CityLogin{}), postgres.NoRow(err,
			nfse.NewError(nfse.CodeNotFound, "organization", "the organization has no login with its city"))
	})
	return removed, err
}

// deleteCityLogin deletes the login that an organization has, or else sql.ErrNoRows, and lets no other set one beside.
func deleteCityLogin(ctx context.Context, tx *sqlx.Tx, organizationID string) (deleted CityLogin, err error) {
	_, err = tx.ExecContext(ctx, `SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, organizationID)
	if err != nil {
		return deleted, err
	}
	err = tx.GetContext(ctx, &deleted, `DELETE FROM city_logins WHERE organization_id = $1 RETURNING `+
		cityLoginColumns, organizationID)
	return deleted, err
}

func recordOfLogin(action audit.Action, before, after CityLogin) audit.Record {
	record := audit.Record{Action: action, SubjectID: cmp.Or(after.OrganizationID, before.OrganizationID)}
	if before.ID != "" {
		record.Before = AuditedCityLogin{before.MunicipalityCode}
	}
	if after.ID != "" {
		record.After = AuditedCityLogin{after.MunicipalityCode}
	}
	return record.OfOrganization(record.SubjectID)
}
