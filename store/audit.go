package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// AuditAction is what was done: the kind of what was changed, and how.
type AuditAction string

// The actions of the audit log.
const (
	AuditOrganizationCreate AuditAction = "organization.create"
	AuditOrganizationRename AuditAction = "organization.rename"
	AuditKeyCreate          AuditAction = "key.create"
	AuditKeySet             AuditAction = "key.set"
	AuditKeyRevoke          AuditAction = "key.revoke"
	AuditWebhookAdd         AuditAction = "webhook.add"
	AuditWebhookSet         AuditAction = "webhook.set"
	AuditWebhookRotate      AuditAction = "webhook.rotate"
	AuditWebhookDisable     AuditAction = "webhook.disable"
	AuditWebhookEnable      AuditAction = "webhook.enable"
	AuditWebhookRemove      AuditAction = "webhook.remove"
	AuditWebhookListen      AuditAction = "webhook.listen"
	AuditCertificateAdd     AuditAction = "certificate.add"
	AuditCertificateRetry   AuditAction = "certificate.retry"
	AuditCertificateRemove  AuditAction = "certificate.remove"
	AuditFiscalProfileSet   AuditAction = "fiscal_profile.set"
	AuditSeriesNextNumber   AuditAction = "series.next_number"
	AuditSeriesRelease      AuditAction = "series.release"
	AuditDeliveryRetry      AuditAction = "delivery.retry"
	AuditEmailRetry         AuditAction = "email.retry"
	AuditEmailNote          AuditAction = "email.note"
	AuditEmailTemplate      AuditAction = "email.template"
	AuditNoteRedrive        AuditAction = "note.redrive"
	AuditNoteCompetence     AuditAction = "note.competence"
	AuditNoteIssue          AuditAction = "note.issue"
	AuditNoteCancel         AuditAction = "note.cancel"
	AuditNoteAnalysis       AuditAction = "note.analysis"
	AuditNoteReplace        AuditAction = "note.replace"
	AuditBatchCheck         AuditAction = "batch.check"
	AuditBatchAccept        AuditAction = "batch.accept"
	AuditBatchDiscard       AuditAction = "batch.discard"
	AuditZipCodesImport     AuditAction = "zip_codes.import"
	AuditCityRefresh        AuditAction = "municipality.refresh"
	AuditKeysetRotate       AuditAction = "keyset.rotate"
	AuditCustomerExport     AuditAction = "customer.export"
	AuditCustomerErase      AuditAction = "customer.erase"
	AuditEventsRescan       AuditAction = "events.rescan"
	AuditReceivedReadAgain  AuditAction = "received.read_again"
	AuditLogPrune           AuditAction = "audit.prune"
	AuditUserInvite         AuditAction = "user.invite"
	AuditUserUninvite       AuditAction = "user.uninvite"
	AuditUserAccept         AuditAction = "user.accept"
	AuditUserLink           AuditAction = "user.link"
	AuditUserLinkUsed       AuditAction = "user.link_used"
	AuditUserSignIn         AuditAction = "user.sign_in"
	AuditUserSignOut        AuditAction = "user.sign_out"
	AuditUserRefused        AuditAction = "user.refused"
	AuditUserRemove         AuditAction = "user.remove"
	AuditUserDisplace       AuditAction = "user.displace"
	AuditMemberSet          AuditAction = "member.set"
	AuditMemberRemove       AuditAction = "member.remove"
	AuditPasskeyAdd         AuditAction = "passkey.add"
	AuditPasskeyRemove      AuditAction = "passkey.remove"
	AuditSessionEnd         AuditAction = "session.end"
	AuditServiceCreate      AuditAction = "service.create"
	AuditServiceSet         AuditAction = "service.set"
	AuditCustomerCreate     AuditAction = "customer.create"
	AuditCustomerSet        AuditAction = "customer.set"
	AuditIdentityLink       AuditAction = "identity.link"
	AuditIdentityUnlink     AuditAction = "identity.unlink"
	AuditServiceClassify    AuditAction = "service.classify"
	AuditServiceUnclassify  AuditAction = "service.unclassify"
	AuditServiceTax         AuditAction = "service.tax"
	AuditAlertSet           AuditAction = "alert.set"
	AuditCustomerTax        AuditAction = "customer.tax"
	AuditWorkCreate         AuditAction = "work.create"
	AuditWorkSet            AuditAction = "work.set"
	AuditWorkClose          AuditAction = "work.close"
	AuditTaxIDClaim         AuditAction = "tax_id.claim"
	AuditTaxIDAllow         AuditAction = "tax_id.allow"
	AuditTaxIDRevoke        AuditAction = "tax_id.revoke"

	AuditRecurrenceCreate AuditAction = "recurrence.create"
	AuditRecurrenceSet    AuditAction = "recurrence.set"
	AuditRecurrencePause  AuditAction = "recurrence.pause"
	AuditRecurrenceResume AuditAction = "recurrence.resume"
	AuditRecurrenceEnd    AuditAction = "recurrence.end"
	AuditRecurrenceSkip   AuditAction = "recurrence.skip"
	AuditRecurrenceIssue  AuditAction = "recurrence.issue"
	AuditRecurrenceLeave  AuditAction = "recurrence.leave"

	AuditRecoveryBegin    AuditAction = "recovery.begin"
	AuditRecoveryTakeOver AuditAction = "recovery.take_over"
	AuditRecoveryLeave    AuditAction = "recovery.leave"

	AuditArchiveMake     AuditAction = "archive.make"
	AuditArchiveDownload AuditAction = "archive.download"

	AuditDocumentsRestore AuditAction = "documents.restore"

	AuditClassificationImport AuditAction = "classification.import"
	AuditCityImport           AuditAction = "city.import"

	AuditCulturalEventCreate AuditAction = "cultural_event.create"
	AuditCulturalEventSet    AuditAction = "cultural_event.set"
	AuditCulturalEventClose  AuditAction = "cultural_event.close"
)

// AuditActions are all of them.
var AuditActions = []AuditAction{
	AuditOrganizationCreate, AuditOrganizationRename, AuditKeyCreate, AuditKeySet, AuditKeyRevoke,
	AuditWebhookAdd, AuditWebhookSet, AuditWebhookRotate, AuditWebhookDisable, AuditWebhookEnable, AuditWebhookRemove,
	AuditWebhookListen,
	AuditCertificateAdd, AuditCertificateRetry, AuditCertificateRemove,
	AuditFiscalProfileSet, AuditSeriesNextNumber, AuditSeriesRelease, AuditDeliveryRetry, AuditEmailRetry,
	AuditEmailNote, AuditEmailTemplate, AuditNoteRedrive, AuditNoteCompetence, AuditNoteIssue, AuditNoteCancel, AuditNoteAnalysis,
	AuditNoteReplace, AuditBatchCheck, AuditBatchAccept, AuditBatchDiscard,
	AuditZipCodesImport,
	AuditCityRefresh, AuditKeysetRotate, AuditCustomerExport, AuditCustomerErase, AuditEventsRescan, AuditLogPrune,
	AuditReceivedReadAgain,
	AuditServiceCreate, AuditServiceSet, AuditCustomerCreate, AuditCustomerSet,
	AuditServiceClassify, AuditServiceUnclassify, AuditClassificationImport, AuditCityImport,
	AuditAlertSet, AuditServiceTax, AuditCustomerTax, AuditWorkCreate, AuditWorkSet, AuditWorkClose,
	AuditCulturalEventCreate, AuditCulturalEventSet, AuditCulturalEventClose,
	AuditUserInvite, AuditUserUninvite, AuditUserAccept, AuditUserLink, AuditUserLinkUsed, AuditUserSignIn,
	AuditUserSignOut, AuditUserRefused, AuditUserRemove, AuditUserDisplace,
	AuditMemberSet, AuditMemberRemove, AuditPasskeyAdd, AuditPasskeyRemove, AuditSessionEnd,
	AuditIdentityLink, AuditIdentityUnlink,
	AuditTaxIDClaim, AuditTaxIDAllow, AuditTaxIDRevoke,
	AuditArchiveMake, AuditArchiveDownload, AuditDocumentsRestore,
	AuditRecurrenceCreate, AuditRecurrenceSet, AuditRecurrencePause, AuditRecurrenceResume, AuditRecurrenceEnd,
	AuditRecurrenceSkip, AuditRecurrenceIssue, AuditRecurrenceLeave,
	AuditRecoveryBegin, AuditRecoveryTakeOver, AuditRecoveryLeave,
}

// AuditComings are the actions of signing in and out. An organization's owners see those
// of its members.
var AuditComings = []AuditAction{AuditUserSignIn, AuditUserSignOut, AuditUserRefused}

// AuditEntry is a line of the audit log.
type AuditEntry struct {
	ID             string         `db:"id" json:"id"`
	At             nfse.Timestamp `db:"at" json:"at"`
	Actor          nfse.Actor     `db:"actor" json:"actor"`
	Action         AuditAction    `db:"action" json:"action"`
	SubjectID      string         `db:"subject_id" json:"subject_id"`
	OrganizationID *string        `db:"organization_id" json:"organization_id"` // nil: of the whole installation
	Livemode       *bool          `db:"livemode" json:"livemode"`               // nil: of no environment

	Before json.RawMessage `db:"before" json:"before"` // null: there was none, or nothing is recorded of it
	After  json.RawMessage `db:"after" json:"after"`
}

// AuditFilter chooses entries. Zero fields choose all.
type AuditFilter struct {
	OrganizationID string
	ActorID        string // of a user or key, or an operating-system user's name
	Action         string // an action, or the kind before its dot
	SubjectID      string
	Since, Until   time.Time // from the one, and before the other
	Before         string    // an id: only newer ones, the oldest of them
	WithoutComings bool      // leaves out AuditComings
	Page
}

// actionOrKind is what Action names: an action or a kind; the other is empty.
func (f AuditFilter) actionOrKind() (action, kind string) {
	if strings.Contains(f.Action, ".") {
		return f.Action, ""
	}
	return "", f.Action
}

// AuditLog lists the chosen entries, newest first. more says whether there are older
// ones, or newer ones when newer ones were asked for.
func (s *Store) AuditLog(ctx context.Context, filter AuditFilter) (entries []AuditEntry, more bool, err error) {
	cursor := cursor{filter.After, filter.Before, filter.Limit}
	from, to := idsMadeIn(nfse.PrefixAuditEntry, filter.Since, filter.Until)
	lowest, highest := idRange(nfse.PrefixAuditEntry, time.Time{}, time.Time{}, cursor)
	action, kind := filter.actionOrKind()
	entries, err = rowsInPeriods(nfse.PrefixAuditEntry, max(lowest, from), min(highest, to), cursor,
		func(lowest, highest string, rows int) (entries []AuditEntry, err error) {
			err = s.db.SelectContext(ctx, &entries, `
				SELECT id, at, actor_kind AS "actor.kind", actor_id AS "actor.id", actor_from AS "actor.from",
					request_id AS "actor.request_id", action, subject_id, organization_id, livemode,
					coalesce(before, 'null') AS before, coalesce(after, 'null') AS after
				FROM audit_log
				WHERE ($1 = '' OR organization_id = $1) AND ($2 = '' OR actor_id = $2)
					AND ($3 = '' OR action = $3) AND ($9 = '' OR split_part(action, '.', 1) = $9)
					AND ($4 = '' OR subject_id = $4)
					AND ($5::timestamptz IS NULL OR at >= $5) AND ($6::timestamptz IS NULL OR at < $6)
					AND id >= $10 AND id < $7 AND NOT ($11 AND action = ANY($12))
				ORDER BY id`+cursor.direction()+` LIMIT $8`,
				filter.OrganizationID, filter.ActorID, action, filter.SubjectID,
				orNull(filter.Since), orNull(filter.Until), highest, rows, kind, lowest,
				filter.WithoutComings, pq.Array(AuditComings))
			return entries, err
		})
	entries, more = cut(entries, filter.Limit)
	if filter.Before != "" {
		slices.Reverse(entries)
	}
	return entries, more, err
}

func orNull(moment time.Time) *time.Time {
	if moment.IsZero() {
		return nil
	}
	return &moment
}

// PruneAuditLog deletes entries older than the age, oldest first, at most limit
// of them, and records that in an entry of its own. The schema lets only the owner of
// the table do it, and refuses it for entries of the last year.
func (c *Changes) PruneAuditLog(ctx context.Context, age time.Duration, limit int) (pruned int, err error) {
	err = c.change(ctx, func(tx *sqlx.Tx) ([]auditRecord, error) {
		pruned, err = affected(tx.ExecContext(ctx, `
			DELETE FROM audit_log WHERE id = ANY(ARRAY(
				SELECT id FROM audit_log WHERE at < now() - make_interval(secs => $1) ORDER BY at LIMIT $2))`,
			age.Seconds(), limit))
		if pq.As(err, pqerror.InsufficientPrivilege) != nil {
			return nil, nfse.NewError(nfse.CodeInvalidRequest, "", "entries of the audit log are deleted by the owner "+
				"of its table alone: use the database role that migrates")
		}
		if err != nil || pruned == 0 {
			return nil, err
		}
		return []auditRecord{{Action: AuditLogPrune, SubjectID: "audit_log",
			Before: map[string]any{"entries_older_than": age.String(), "entries": pruned}}}, nil
	})
	return pruned, err
}

// What the audit log records of each kind of record. Nothing of it is secret: of a
// receiver's URL, which may be, it has the host. Nothing is personal: of a CPF it has
// the last two digits.

type auditedKey struct {
	Label string `json:"label"`
	nfse.Defaults
	AllowedNetworks nfse.Networks   `json:"allowed_networks"`
	ExpiresAt       *nfse.Timestamp `json:"expires_at"`
	RevokedAt       *nfse.Timestamp `json:"revoked_at"`
}

func auditKey(k nfse.APIKey) auditedKey {
	return auditedKey{k.Label, k.Defaults, k.AllowedNetworks, k.ExpiresAt, k.RevokedAt}
}

type auditedEndpoint struct {
	Host           string          `json:"host"`
	URLDigest      string          `json:"url_sha256"` // its beginning: that the rest of the URL changed
	Events         []string        `json:"events"`     // that it wants; empty: all
	RotatingUntil  *nfse.Timestamp `json:"previous_secret_ends_at"`
	DisabledAt     *nfse.Timestamp `json:"disabled_at"`
	DisabledReason fact.Fact       `json:"disabled_reason"`
	RemovedAt      *nfse.Timestamp `json:"removed_at"`
}

func auditEndpoint(e Endpoint) auditedEndpoint {
	host := ""
	if parsed, err := url.Parse(e.URL); err == nil {
		host = parsed.Host
	}
	sum := sha256.Sum256([]byte(e.URL))
	return auditedEndpoint{host, hex.EncodeToString(sum[:4]), e.Events,
		e.PreviousSecretEndsAt, e.DisabledAt, e.DisabledReason, e.DeletedAt}
}

type auditedCertificate struct {
	TaxID       any             `json:"tax_id"`
	Serial      string          `json:"serial"`
	Fingerprint string          `json:"fingerprint"` // SHA-256, in hexadecimal
	NotBefore   nfse.Timestamp  `json:"not_before"`
	NotAfter    nfse.Timestamp  `json:"not_after"`
	RefusedAt   *nfse.Timestamp `json:"refused_at"`
	RemovedAt   *nfse.Timestamp `json:"removed_at"`

	ChainVerified bool `json:"chain_verified"`
}

func auditCertificate(c Certificate) auditedCertificate {
	return auditedCertificate{auditTaxID(c.TaxID), c.Serial, hex.EncodeToString(c.Fingerprint), c.NotBefore, c.NotAfter,
		c.RefusedAt, c.RemovedAt, c.ChainVerified}
}

type auditedProfile struct {
	nfse.FiscalProfile
	TaxID any `json:"tax_id"` // in the place of the profile's
}

// auditProfile is a profile without what names a person.
func auditProfile(p nfse.FiscalProfile) auditedProfile {
	if !p.TaxID.IsCNPJ() && p.MunicipalRegistration != nil {
		p.MunicipalRegistration = new("given")
	}
	return auditedProfile{p, auditTaxID(p.TaxID)}
}

// auditTaxID is a CNPJ, or a fact with the last two digits of a CPF.
func auditTaxID(taxID nfse.TaxID) any {
	if taxID.IsCNPJ() {
		return taxID
	}
	return fact.CPFEnding.With("digits", taxID[max(0, len(taxID)-2):])
}
