package companies

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

type AuditedCertificate struct {
	TaxID       any             `json:"tax_id"`
	Serial      string          `json:"serial"`
	Fingerprint string          `json:"fingerprint"` // SHA-256, in hexadecimal
	NotBefore   nfse.Timestamp  `json:"not_before"`
	NotAfter    nfse.Timestamp  `json:"not_after"`
	RefusedAt   *nfse.Timestamp `json:"refused_at"`
	RemovedAt   *nfse.Timestamp `json:"removed_at"`

	ChainVerified bool `json:"chain_verified"`
}

func auditCertificate(c Certificate) AuditedCertificate {
	return AuditedCertificate{AuditTaxID(c.TaxID), c.Serial, hex.EncodeToString(c.Fingerprint), c.NotBefore, c.NotAfter,
		c.RefusedAt, c.RemovedAt, c.ChainVerified}
}

// Certificate is an organization's certificate on record.
type Certificate struct {
	ID             string          `db:"id"`
	OrganizationID string          `db:"organization_id"`
	TaxID          nfse.TaxID      `db:"tax_id"`  // that it names
	Subject        string          `db:"subject"` // its common name
	Issuer         string          `db:"issuer"`  // common name of who issued it
	Serial         string          `db:"serial"`
	Fingerprint    []byte          `db:"fingerprint"` // SHA-256
	NotBefore      nfse.Timestamp  `db:"not_before"`
	NotAfter       nfse.Timestamp  `db:"not_after"`
	Sealed         []byte          `db:"sealed"`     // key and chain; empty once removed
	CreatedAt      nfse.Timestamp  `db:"created_at"` // when it was added, the last time
	RemovedAt      *nfse.Timestamp `db:"removed_at"`
	WarnedDays     *int            `db:"warned_days"`    // the last warning that was given of its end
	RefusedAt      *nfse.Timestamp `db:"refused_at"`     // by the authority
	RefusedReason  *string         `db:"refused_reason"` // the authority's code
	ChainVerified  bool            `db:"chain_verified"` // its chain led to a root when it was added
	WorkedAt       *nfse.Timestamp `db:"worked_at"`      // about when an authority last answered a question with it
	ShutOutAt      *nfse.Timestamp `db:"shut_out_at"`    // when one last refused a question asked with it (401, 403)

	// OtherIssuer says that the organization's fiscal profile names somebody else. It is not
	// on record: the authority defines for whom a certificate signs.
	OtherIssuer bool `db:"-"`
	// OtherEstablishment says that it signs for the profile's establishment and is of another
	// one of the company: whether an authority takes that is not settled.
	OtherEstablishment bool `db:"-"`
}

// The states of a certificate.
const (
	CertificateUsable      = "usable"
	CertificateOtherIssuer = "of another issuer" // than the organization's fiscal profile names
	CertificateNotYetValid = "not yet valid"
	CertificateExpired     = "expired"
	CertificateRefused     = "refused" // by the authority
	CertificateRemoved     = "removed" // by an operator
)

// State says whether a certificate can be used at a moment, and if not, why.
func (c Certificate) State(at time.Time) string {
	switch {
	case c.RemovedAt != nil:
		return CertificateRemoved
	case c.RefusedAt != nil:
		return CertificateRefused
	case c.OtherIssuer:
		return CertificateOtherIssuer
	case at.Before(c.NotBefore.Time):
		return CertificateNotYetValid
	case at.After(c.NotAfter.Time):
		return CertificateExpired
	}
	return CertificateUsable
}

// NoUsableCertificate is the error of an organization whose live notes have to wait for a
// certificate. Its reason has no personal data.
type NoUsableCertificate struct{ Reason fact.Fact }

// Error implements error.
func (e *NoUsableCertificate) Error() string { return e.Reason.English() }

const certificateColumns = `id, organization_id, tax_id, subject, issuer, serial, fingerprint, not_before, not_after,
	sealed, created_at, removed_at, warned_days, refused_at, refused_reason, chain_verified, worked_at, shut_out_at`

// CertificateID is the id under which an organization's certificate is, or would be, on
// record: its key is sealed for this id before it is added.
func (s *Store) CertificateID(ctx context.Context, organizationID string, fingerprint []byte) (id string, err error) {
	err = s.db.GetContext(ctx, &id, `SELECT id FROM certificates WHERE organization_id = $1 AND fingerprint = $2`,
		organizationID, fingerprint)
	if errors.Is(err, sql.ErrNoRows) {
		return nfse.NewID(nfse.PrefixCertificate), nil
	}
	return id, err
}

// AddCertificate puts a certificate on record under the id of CertificateID, and
// wakes up the organization's notes that wait. Adding one again renews it: it is
// not removed, not refused and the newest.
func (c *Changes) AddCertificate(ctx context.Context, certificate Certificate) (added Certificate, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		record = audit.Record{Action: audit.CertificateAdd, SubjectID: certificate.ID}.
			OfOrganization(certificate.OrganizationID)
		before, err := lockCertificate(ctx, tx, certificate.OrganizationID, certificate.ID)
		switch {
		case err == nil:
			record.Before = auditCertificate(before)
		case !nfse.IsCode(err, nfse.CodeNotFound):
			return record, err
		}
		err = tx.GetContext(ctx, &added, `
			INSERT INTO certificates (id, organization_id, tax_id, subject, issuer, serial, fingerprint, not_before,
			not_after, sealed, chain_verified)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
			ON CONFLICT (organization_id, fingerprint) DO UPDATE SET
				sealed = EXCLUDED.sealed, created_at = now(), removed_at = NULL, refused_at = NULL,
				refused_reason = NULL, shut_out_at = NULL,
				chain_verified = certificates.chain_verified OR EXCLUDED.chain_verified
			WHERE certificates.id = EXCLUDED.id
			RETURNING `+certificateColumns,
			certificate.ID, certificate.OrganizationID, certificate.TaxID, certificate.Subject, certificate.Issuer,
			certificate.Serial,
			certificate.Fingerprint, certificate.NotBefore, certificate.NotAfter, certificate.Sealed,
			certificate.ChainVerified)
		if errors.Is(err, sql.ErrNoRows) {
			// What was sealed for one id cannot be opened under another.
			return record, nfse.NewError(nfse.CodeInvalidRequest, "certificate",
				"the certificate is on record under another id; add it again")
		}
		if err != nil {
			return record, err
		}
		record.After = auditCertificate(added)
		return record, outbox.ResumeHeld(ctx, tx, certificate.OrganizationID)
	})
	return added, err
}

func lockCertificate(ctx context.Context, tx *sqlx.Tx, organizationID, id string) (certificate Certificate, err error) {
	err = tx.GetContext(ctx, &certificate, `SELECT `+certificateColumns+` FROM certificates
		WHERE id = $1 AND organization_id = $2 FOR NO KEY UPDATE`, id, organizationID)
	return certificate, certificateFound(id, err)
}

// Certificates lists the certificates of an organization, newest first, removed
// ones too; with an empty organization those of all.
func (s *Store) Certificates(ctx context.Context, organizationID string) ([]Certificate, error) {
	certificates := []Certificate{}
	err := s.db.SelectContext(ctx, &certificates, `SELECT `+certificateColumns+` FROM certificates
		WHERE $1 = '' OR organization_id = $1 ORDER BY organization_id, created_at DESC, id DESC`, organizationID)
	return certificates, err
}

// CertificateByID reads one certificate, removed ones too.
func (s *Store) CertificateByID(ctx context.Context, id string) (certificate Certificate, err error) {
	err = s.db.GetContext(ctx, &certificate, `SELECT `+certificateColumns+` FROM certificates WHERE id = $1`, id)
	return certificate, certificateFound(id, err)
}

// RemoveCertificate takes an organization's certificate out of use and erases
// its key. The rest stays on record, because what it signed refers to it.
func (c *Changes) RemoveCertificate(
	ctx context.Context, organizationID, id string,
) (certificate Certificate, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		certificate, record, err = changeCertificate(ctx, tx, audit.CertificateRemove, organizationID, id,
			`removed_at = coalesce(removed_at, now()), sealed = ''`)
		return record, err
	})
	return certificate, err
}

func changeCertificate(ctx context.Context, tx *sqlx.Tx, action audit.Action, organizationID, id, set string) (
	certificate Certificate, record audit.Record, err error) {
	before, err := lockCertificate(ctx, tx, organizationID, id)
	if err != nil {
		return before, record, err
	}
	err = tx.GetContext(ctx, &certificate, `UPDATE certificates SET `+set+` WHERE id = $1 RETURNING `+
		certificateColumns, id)
	return certificate, audit.Record{Action: action, SubjectID: id,
		Before: auditCertificate(before), After: auditCertificate(certificate)}.OfOrganization(organizationID), err
}

// RefuseCertificate records the code by which the authority refused a certificate: from
// now on notes wait for another one. The first code stays.
func (s *Store) RefuseCertificate(ctx context.Context, id, code string) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE certificates SET refused_at = now(), refused_reason = $2 WHERE id = $1 AND refused_at IS NULL`, id,
		code)
	return err
}

// RetryCertificate lets a certificate that the authority refused be used again,
// and wakes up the organization's notes that wait.
func (c *Changes) RetryCertificate(
	ctx context.Context, organizationID, id string,
) (certificate Certificate, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		certificate, record, err = changeCertificate(ctx, tx, audit.CertificateRetry, organizationID, id,
			`refused_at = NULL, refused_reason = NULL`)
		if err != nil {
			return record, err
		}
		return record, outbox.ResumeHeld(ctx, tx, organizationID)
	})
	return certificate, err
}

func certificateFound(id string, err error) error {
	return postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "certificate", "there is no certificate %q", id))
}

// holder is the part of a tax id that all establishments of its holder share: of a CNPJ
// the first 8 characters. See fiscal.Holder.
func holder(column string) string {
	return `CASE length(` + column + `) WHEN 14 THEN left(` + column + `, 8) ELSE ` + column + ` END`
}

// UsableCertificates finds the certificates of a holder with which an organization can
// issue at this moment, the one added last first. Where there is none the error is
// NoUsableCertificate.
func (s *Store) UsableCertificates(ctx context.Context, organizationID string, of fiscal.Holder,
	at time.Time) (usable []Certificate, err error) {
	var company []Certificate
	err = s.db.All(ctx, &company, `SELECT `+certificateColumns+` FROM certificates
		WHERE organization_id = $1 AND removed_at IS NULL AND `+holder("tax_id")+` = `+holder("$2::text")+`
		ORDER BY created_at DESC, id DESC`, organizationID, of.TaxID)
	if err != nil {
		return nil, err
	}
	var candidates []Certificate
	for _, one := range company {
		if of.Is(one.TaxID) {
			candidates = append(candidates, one)
		}
	}
	for _, candidate := range candidates {
		if candidate.State(at) == CertificateUsable {
			usable = append(usable, candidate)
		}
	}
	if len(usable) > 0 {
		return usable, nil
	}
	why := whyUnusable(company, candidates, at)
	return nil, &NoUsableCertificate{fact.NoUsableCertificate.With("why", why)}
}

// shutOutFor is for how long a certificate with which an authority refused a question is
// tried after all others.
const shutOutFor = time.Hour

// ShutOut reports whether an authority refused a question asked with the certificate (401,
// 403) within shutOutFor before a moment, and after it worked last. It may still issue:
// whether it does not is RefusedAt.
func (c Certificate) ShutOut(at time.Time) bool {
	return c.ShutOutAt != nil && at.Sub(c.ShutOutAt.Time) < shutOutFor &&
		(c.WorkedAt == nil || c.WorkedAt.Before(c.ShutOutAt.Time))
}

// shutOut is ShutOut of a row at this moment.
const shutOut = `coalesce(shut_out_at > greatest(worked_at, now() - interval '1 hour'), false)`

// CertificateWorked records that an authority answered a question asked with a certificate.
func (s *Store) CertificateWorked(ctx context.Context, id string) error {
	_, err := s.db.Exec(ctx, `UPDATE certificates SET worked_at = now(), shut_out_at = NULL
		WHERE id = $1 AND (coalesce(worked_at < now() - interval '10 minutes', true) OR shut_out_at IS NOT NULL)`, id)
	return err
}

// CertificateShutOut records that an authority refused a question asked with a certificate.
func (s *Store) CertificateShutOut(ctx context.Context, id string) error {
	_, err := s.db.Exec(ctx, `UPDATE certificates SET shut_out_at = now() WHERE id = $1`, id)
	return err
}

// whyUnusable says why no certificate can be used. It looks at the one that was added last, as somebody relies on
// that. candidates are the company's certificates that name the issuer.
func whyUnusable(company, candidates []Certificate, at time.Time) fact.Fact {
	switch {
	case len(company) == 0:
		return fact.CertificateMissing.Fact()
	case len(candidates) == 0:
		return fact.CertificateOfOtherEstablishment.Fact()
	}
	newest := candidates[0]
	switch newest.State(at) {
	case CertificateRefused:
		return fact.CertificateRefused.With("certificate", newest.ID, "code", *newest.RefusedReason)
	case CertificateNotYetValid:
		return fact.CertificateNotYetValid.With("certificate", newest.ID, "from", newest.NotBefore)
	}
	return fact.CertificateExpired.With("certificate", newest.ID, "on", newest.NotAfter)
}

// ExpiryWarnings are how many days before the end of a certificate a person is
// warned.
var ExpiryWarnings = []int{60, 30, 15, 7, 3, 1}

// CertificatesToWarn returns the certificates that have passed another of the
// thresholds, in days before their end, and marks them: a warning is given once,
// however many processes ask. There is none for a certificate with a successor that ends
// later: one of the same establishment, as not every authority takes another's.
// At most limit of them are returned; fewer looked at means that there are no more.
func (s *Store) CertificatesToWarn(ctx context.Context, now time.Time, thresholds []int, limit int,
) (certificates []Certificate, looked int, err error) {
	warned := endingCertificates
	warned.Args = []any{nfse.Timestamp{Time: now}, pq.Array(thresholds)}
	looked, err = s.db.DoRows(ctx, warned, limit, func(ctx context.Context, db sqlx.QueryerContext, statement string,
		args ...any) (int, error) {
		var more []Certificate
		err := sqlx.SelectContext(ctx, db, &more, statement, args...)
		if err == nil {
			certificates = append(certificates, more...)
		}
		return len(more), err
	})
	return certificates, looked, err
}

var endingCertificates = postgres.RowLoop{
	Name: `certificates`, ID: `ending.id`, Reads: true,
	Due: `SELECT ending.id AS key, due.days FROM certificates ending CROSS JOIN LATERAL (
			SELECT min(days) AS days FROM unnest($2::integer[]) days
			WHERE ending.not_after <= $1::timestamptz + make_interval(hours => 24 * days)) due
		WHERE removed_at IS NULL AND refused_at IS NULL AND due.days < coalesce(warned_days, due.days + 1)
			AND NOT EXISTS (
				SELECT FROM certificates successor
				WHERE successor.organization_id = ending.organization_id
				AND successor.tax_id = ending.tax_id
					AND successor.removed_at IS NULL AND successor.refused_at IS NULL
					AND successor.not_after > ending.not_after AND successor.not_before <= ending.not_after)
			AND %s
		LIMIT $3`,
	// The condition is repeated here, as somebody else may have warned meanwhile.
	Do: `UPDATE certificates SET warned_days = due.days FROM (%s) due
		WHERE id = due.key AND due.days < coalesce(warned_days, due.days + 1)
		RETURNING ` + certificateColumns,
}
