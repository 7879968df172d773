package companies

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/outbox"
)

// AuditTaxID is a CNPJ, or a fact with the last two digits of a CPF.
func AuditTaxID(taxID nfse.TaxID) any {
	if taxID.IsCNPJ() {
		return taxID
	}
	return fact.CPFEnding.With("digits", taxID[max(0, len(taxID)-2):])
}

// Where a claim is from.
const (
	ClaimedByCertificate = "certificate" // the organization showed one
	ClaimedByOperator    = "operator"
)

// TaxIDClaim says that an organization may use the series of an issuer, and ask in its
// name. The owner is the first that showed a certificate of it; the others are allowed by
// the operator.
type TaxIDClaim struct {
	nfse.IssuerKey
	OrganizationID string         `db:"organization_id" json:"organization_id"`
	Owner          bool           `db:"owner" json:"owner"`
	Source         string         `db:"source" json:"source"`
	ClaimedAt      nfse.Timestamp `db:"claimed_at" json:"claimed_at"`
}

// Why nothing of an issuer's series is shown, set, numbered or asked for an organization.
// ErrTaxIDOfAnother is only for an organization that has shown a certificate of the tax id,
// as it tells that another has it.
var (
	ErrTaxIDNotShown  = nfse.InvalidBecause("tax_id", fact.TaxIDNotShown.Fact())
	ErrTaxIDOfAnother = nfse.InvalidBecause("tax_id", fact.TaxIDOfAnother.Fact())
)

const claimColumns = issuerColumns + `, organization_id, owner, source, claimed_at`

// Claimed is whether an organization has a claim of the issuer that the expressions name.
func Claimed(organizationID, authority, production, taxID string) string {
	return `EXISTS (SELECT FROM tax_id_claims k WHERE k.authority = ` + authority +
		` AND k.production = ` + production +
		` AND k.tax_id = ` + taxID + ` AND k.organization_id = ` + organizationID + `)`
}

// CheckTaxID is ErrTaxIDNotShown or ErrTaxIDOfAnother where the organization of a profile
// may not use its issuer.
func (s *Store) CheckTaxID(ctx context.Context, profile nfse.FiscalProfile) error {
	return CheckTaxID(ctx, s.db, profile.OrganizationID, profile.IssuerKey())
}

func CheckTaxID(ctx context.Context, db sqlx.QueryerContext, organizationID string, issuer nfse.IssuerKey) error {
	var standing struct {
		Claimed bool `db:"claimed"`
		Shown   bool `db:"shown"`
	}
	err := sqlx.GetContext(ctx, db, &standing, `SELECT `+Claimed(`$4`, `$1`, `$2`, `$3`)+` AS claimed,
			EXISTS (SELECT FROM certificates WHERE organization_id = $4 AND removed_at IS NULL AND chain_verified
				AND `+holder("tax_id")+` = `+holder("$3::text")+`)
			AND EXISTS (SELECT FROM tax_id_claims WHERE `+ThisIssuer+` AND owner) AS shown`,
		IssuerArguments(issuer, organizationID)...)
	switch {
	case err != nil || standing.Claimed:
		return err
	case standing.Shown:
		return ErrTaxIDOfAnother
	}
	return ErrTaxIDNotShown
}

// TaxIDClaims lists who may use which issuer: the claims of an organization, or, with an
// empty one, all, of each issuer the owner's first.
func (s *Store) TaxIDClaims(ctx context.Context, organizationID string) ([]TaxIDClaim, error) {
	claims := []TaxIDClaim{}
	err := s.db.SelectContext(ctx, &claims, `SELECT `+claimColumns+` FROM tax_id_claims
		WHERE $1 = '' OR organization_id = $1
		ORDER BY `+issuerColumns+`, owner DESC, organization_id`, organizationID)
	return claims, err
}

// ClaimTaxID makes an organization that showed a certificate of an issuer its owner, unless
// it has one.
func (c *Changes) ClaimTaxID(ctx context.Context, organizationID string, issuer nfse.IssuerKey) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		// Two organizations that show one at the same time wait for each other.
		if err := lockIssuer(ctx, tx, issuer); err != nil {
			return nil, err
		}
		var claim TaxIDClaim
		err := tx.GetContext(ctx, &claim, `
			INSERT INTO tax_id_claims AS mine (`+claimKey+`, owner, source)
			SELECT $1, $2, $3, $4, true, $5
			WHERE NOT EXISTS (SELECT FROM tax_id_claims WHERE `+ThisIssuer+` AND owner)
			ON CONFLICT (`+claimKey+`)
				DO UPDATE SET owner = true, source = EXCLUDED.source, claimed_at = now()
			RETURNING `+claimColumns,
			IssuerArguments(issuer, organizationID, ClaimedByCertificate)...)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil
		}
		record := audit.Record{Action: audit.TaxIDClaim, SubjectID: organizationID, After: auditClaim(claim)}
		return []audit.Record{record.OfOrganization(organizationID)}, err
	})
}

// lockIssuer lets one transaction at a time change who may use an issuer.
func lockIssuer(ctx context.Context, tx *sqlx.Tx, issuer nfse.IssuerKey) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('emissor tax id ' || $1, 0))`,
		fmt.Sprint(issuer.Authority, issuer.Production, issuer.TaxID))
	return err
}

// AllowTaxID lets an organization use an issuer, beside its owner or before there is one,
// and wakes up its notes that wait.
func (c *Changes) AllowTaxID(ctx context.Context, organizationID string, issuer nfse.IssuerKey,
) (claim TaxIDClaim, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		record = audit.Record{Action: audit.TaxIDAllow, SubjectID: organizationID}.OfOrganization(organizationID)
		if err := lockIssuer(ctx, tx, issuer); err != nil {
			return record, err
		}
		var before []TaxIDClaim
		if err := tx.SelectContext(ctx, &before, `SELECT `+claimColumns+` FROM tax_id_claims WHERE `+thisClaim,
			IssuerArguments(issuer, organizationID)...); err != nil {
			return record, err
		}
		for _, one := range before {
			record.Before = auditClaim(one)
		}
		err = tx.GetContext(ctx, &claim, `
			INSERT INTO tax_id_claims AS mine (`+claimKey+`, owner, source)
			VALUES ($1, $2, $3, $4, false, $5)
			ON CONFLICT (`+claimKey+`) DO UPDATE SET source =
				CASE WHEN mine.owner THEN mine.source ELSE EXCLUDED.source END
			RETURNING `+claimColumns,
			IssuerArguments(issuer, organizationID, ClaimedByOperator)...)
		if err != nil {
			return record, err
		}
		record.After = auditClaim(claim)
		return record, outbox.ResumeHeld(ctx, tx, organizationID)
	})
	return claim, err
}

const (
	claimKey  = issuerColumns + `, organization_id`
	thisClaim = `(` + claimKey + `) = ($1, $2, $3, $4)`
)

// RevokeTaxID takes the use of an issuer from an organization. Where that was the owner,
// the next organization that shows a certificate of the issuer becomes its owner.
func (c *Changes) RevokeTaxID(ctx context.Context, organizationID string, issuer nfse.IssuerKey,
) (claim TaxIDClaim, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		err := tx.GetContext(ctx, &claim, `DELETE FROM tax_id_claims WHERE `+thisClaim+` RETURNING `+claimColumns,
			IssuerArguments(issuer, organizationID)...)
		if errors.Is(err, sql.ErrNoRows) {
			err = nfse.NewError(nfse.CodeNotFound, "tax_id", "the organization has no claim of this issuer: "+
				"`emissor organization tax-ids` lists what there is")
		}
		return audit.Record{Action: audit.TaxIDRevoke, SubjectID: organizationID,
			Before: auditClaim(claim)}.OfOrganization(organizationID), err
	})
	return claim, err
}

type auditedClaim struct {
	Authority  string `json:"authority"`
	Production bool   `json:"production"`
	TaxID      any    `json:"tax_id"`
	Owner      bool   `json:"owner"`
	Source     string `json:"source"`
}

func auditClaim(c TaxIDClaim) auditedClaim {
	return auditedClaim{c.Authority, c.Production, AuditTaxID(c.TaxID), c.Owner, c.Source}
}
