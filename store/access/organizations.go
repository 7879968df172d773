package access

import (
	"context"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// CreateOrganization puts an organization on record.
func (c *Changes) CreateOrganization(ctx context.Context, name string) (organization nfse.Organization, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		err := tx.GetContext(ctx, &organization, `
			INSERT INTO organizations (id, name) VALUES ($1, $2)
			RETURNING id, name, created_at`, nfse.NewID(nfse.PrefixOrganization), name)
		// Its name may be a person's, and is found by the id.
		record := audit.Record{Action: audit.OrganizationCreate, SubjectID: organization.ID}
		return record.OfOrganization(organization.ID), err
	})
	return organization, err
}

// RenameOrganization gives an organization another name.
func (c *Changes) RenameOrganization(ctx context.Context, id, name string) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		renamed, err := postgres.Affected(tx.ExecContext(ctx, `UPDATE organizations SET name = $2
			WHERE id = $1 AND name <> $2`, id, name))
		if err != nil || renamed == 0 {
			return nil, err
		}
		// Its name may be a person's, and is found by the id.
		return []audit.Record{audit.Record{Action: audit.OrganizationRename, SubjectID: id}.OfOrganization(id)}, nil
	})
}

// Organization reads one organization.
func (s *Store) Organization(ctx context.Context, id string) (nfse.Organization, error) {
	var organization nfse.Organization
	err := s.db.GetContext(ctx, &organization, `SELECT id, name, created_at FROM organizations WHERE id = $1`, id)
	return organization, postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "organization",
		"there is no organization %q", id))
}

// FirstOrganizations lists the oldest organizations, at most limit of them, and reports
// whether there are more.
func (s *Store) FirstOrganizations(ctx context.Context, limit int) (some []nfse.Organization, more bool, err error) {
	some = []nfse.Organization{}
	err = s.db.SelectContext(ctx, &some, `SELECT id, name, created_at FROM organizations ORDER BY id LIMIT $1`, limit+1)
	some, more = postgres.Cut(some, limit)
	return some, more, err
}

// Organizations lists every organization, oldest first.
func (s *Store) Organizations(ctx context.Context) ([]nfse.Organization, error) {
	organizations := []nfse.Organization{}
	err := s.db.SelectContext(ctx, &organizations, `SELECT id, name, created_at FROM organizations ORDER BY id`)
	return organizations, err
}
