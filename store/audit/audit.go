package audit

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/nfse"
	"emissor/store/postgres"
)

// Action is what was done: the kind of what was changed, and how.
type Action string

// The actions of the audit log.
const (
	OrganizationCreate Action = "organization.create"
	OrganizationRename Action = "organization.rename"
	KeyCreate          Action = "key.create"
	KeySet             Action = "key.set"
	KeyRevoke          Action = "key.revoke"
	WebhookAdd         Action = "webhook.add"
	WebhookSet         Action = "webhook.set"
	WebhookRotate      Action = "webhook.rotate"
	WebhookDisable     Action = "webhook.disable"
	WebhookEnable      Action = "webhook.enable"
	WebhookRemove      Action = "webhook.remove"
	WebhookListen      Action = "webhook.listen"
	CertificateAdd     Action = "certificate.add"
	CertificateRetry   Action = "certificate.retry"
	CertificateRemove  Action = "certificate.remove"
	CityLoginSet       Action = "city_login.set"
	CityLoginRemove    Action = "city_login.remove"
	FiscalProfileSet   Action = "fiscal_profile.set"
	SeriesNextNumber   Action = "series.next_number"
	SeriesRelease      Action = "series.release"
	DeliveryRetry      Action = "delivery.retry"
	EmailRetry         Action = "email.retry"
	EmailNote          Action = "email.note"
	EmailTemplate      Action = "email.template"
	NoteRedrive        Action = "note.redrive"
	NoteCompetence     Action = "note.competence"
	NoteIssue          Action = "note.issue"
	NoteCancel         Action = "note.cancel"
	NoteAnalysis       Action = "note.analysis"
	NoteReplace        Action = "note.replace"
	BatchCheck         Action = "batch.check"
	BatchAccept        Action = "batch.accept"
	BatchDiscard       Action = "batch.discard"
	ZipCodesImport     Action = "zip_codes.import"
	CityRefresh        Action = "municipality.refresh"
	KeysetRotate       Action = "keyset.rotate"
	CustomerExport     Action = "customer.export"
	CustomerErase      Action = "customer.erase"
	EventsRescan       Action = "events.rescan"
	ReceivedReadAgain  Action = "received.read_again"
	Prune              Action = "audit.prune"
	UserInvite         Action = "user.invite"
	UserUninvite       Action = "user.uninvite"
	UserAccept         Action = "user.accept"
	UserLink           Action = "user.link"
	UserLinkUsed       Action = "user.link_used"
	UserSignIn         Action = "user.sign_in"
	UserSignOut        Action = "user.sign_out"
	UserRefused        Action = "user.refused"
	UserRemove         Action = "user.remove"
	UserDisplace       Action = "user.displace"
	MemberSet          Action = "member.set"
	MemberRemove       Action = "member.remove"
	PasskeyAdd         Action = "passkey.add"
	PasskeyRemove      Action = "passkey.remove"
	SessionEnd         Action = "session.end"
	ServiceCreate      Action = "service.create"
	ServiceSet         Action = "service.set"
	CustomerCreate     Action = "customer.create"
	CustomerSet        Action = "customer.set"
	IdentityLink       Action = "identity.link"
	IdentityUnlink     Action = "identity.unlink"
	ServiceClassify    Action = "service.classify"
	ServiceUnclassify  Action = "service.unclassify"
	ServiceAsk         Action = "service.ask"
	ServiceUnask       Action = "service.unask"
	ServiceAnswer      Action = "service.answer"
	ServiceTax         Action = "service.tax"
	AlertSet           Action = "alert.set"
	CustomerTax        Action = "customer.tax"
	WorkCreate         Action = "work.create"
	WorkSet            Action = "work.set"
	WorkClose          Action = "work.close"
	TaxIDClaim         Action = "tax_id.claim"
	TaxIDAllow         Action = "tax_id.allow"
	TaxIDRevoke        Action = "tax_id.revoke"

	RecurrenceCreate Action = "recurrence.create"
	RecurrenceSet    Action = "recurrence.set"
	RecurrencePause  Action = "recurrence.pause"
	RecurrenceResume Action = "recurrence.resume"
	RecurrenceEnd    Action = "recurrence.end"
	RecurrenceSkip   Action = "recurrence.skip"
	RecurrenceIssue  Action = "recurrence.issue"
	RecurrenceLeave  Action = "recurrence.leave"

	RecoveryBegin    Action = "recovery.begin"
	RecoveryTakeOver Action = "recovery.take_over"
	RecoveryLeave    Action = "recovery.leave"

	ArchiveMake     Action = "archive.make"
	ArchiveDownload Action = "archive.download"

	DocumentsRestore Action = "documents.restore"

	ClassificationImport Action = "classification.import"
	CityImport           Action = "city.import"

	CulturalEventCreate Action = "cultural_event.create"
	CulturalEventSet    Action = "cultural_event.set"
	CulturalEventClose  Action = "cultural_event.close"
)

// Actions are all of them.
var Actions = []Action{
	OrganizationCreate, OrganizationRename, KeyCreate, KeySet, KeyRevoke,
	WebhookAdd, WebhookSet, WebhookRotate, WebhookDisable, WebhookEnable, WebhookRemove,
	WebhookListen,
	CertificateAdd, CertificateRetry, CertificateRemove, CityLoginSet, CityLoginRemove,
	FiscalProfileSet, SeriesNextNumber, SeriesRelease, DeliveryRetry, EmailRetry,
	EmailNote, EmailTemplate, NoteRedrive, NoteCompetence, NoteIssue, NoteCancel, NoteAnalysis,
	NoteReplace, BatchCheck, BatchAccept, BatchDiscard,
	ZipCodesImport,
	CityRefresh, KeysetRotate, CustomerExport, CustomerErase, EventsRescan, Prune,
	ReceivedReadAgain,
	ServiceCreate, ServiceSet, CustomerCreate, CustomerSet,
	ServiceClassify, ServiceUnclassify, ServiceAsk, ServiceUnask, ServiceAnswer,
	ClassificationImport, CityImport,
	AlertSet, ServiceTax, CustomerTax, WorkCreate, WorkSet, WorkClose,
	CulturalEventCreate, CulturalEventSet, CulturalEventClose,
	UserInvite, UserUninvite, UserAccept, UserLink, UserLinkUsed, UserSignIn,
	UserSignOut, UserRefused, UserRemove, UserDisplace,
	MemberSet, MemberRemove, PasskeyAdd, PasskeyRemove, SessionEnd,
	IdentityLink, IdentityUnlink,
	TaxIDClaim, TaxIDAllow, TaxIDRevoke,
	ArchiveMake, ArchiveDownload, DocumentsRestore,
	RecurrenceCreate, RecurrenceSet, RecurrencePause, RecurrenceResume, RecurrenceEnd,
	RecurrenceSkip, RecurrenceIssue, RecurrenceLeave,
	RecoveryBegin, RecoveryTakeOver, RecoveryLeave,
}

// Comings are the actions of signing in and out. An organization's owners see those
// of its members.
var Comings = []Action{UserSignIn, UserSignOut, UserRefused}

// Entry is a line of the audit log.
type Entry struct {
	ID             string         `db:"id" json:"id"`
	At             nfse.Timestamp `db:"at" json:"at"`
	Actor          nfse.Actor     `db:"actor" json:"actor"`
	Action         Action         `db:"action" json:"action"`
	SubjectID      string         `db:"subject_id" json:"subject_id"`
	OrganizationID *string        `db:"organization_id" json:"organization_id"` // nil: of the whole installation
	Livemode       *bool          `db:"livemode" json:"livemode"`               // nil: of no environment

	Before json.RawMessage `db:"before" json:"before"` // null: there was none, or nothing is recorded of it
	After  json.RawMessage `db:"after" json:"after"`
}

// Filter chooses entries. Zero fields choose all.
type Filter struct {
	OrganizationID string
	ActorID        string // of a user or key, or an operating-system user's name
	Action         string // an action, or the kind before its dot
	SubjectID      string
	Since, Until   time.Time // from the one, and before the other
	Before         string    // an id: only newer ones, the oldest of them
	WithoutComings bool      // leaves out AuditComings
	postgres.Page
}

// actionOrKind is what Action names: an action or a kind; the other is empty.
func (f Filter) actionOrKind() (action, kind string) {
	if strings.Contains(f.Action, ".") {
		return f.Action, ""
	}
	return "", f.Action
}

// Log lists the chosen entries, newest first. more says whether there are older
// ones, or newer ones when newer ones were asked for.
func (s *Store) Log(ctx context.Context, filter Filter) (entries []Entry, more bool, err error) {
	cursor := postgres.Cursor{After: filter.After, Before: filter.Before, Limit: filter.Limit}
	from, to := postgres.IDsMadeIn(nfse.PrefixAuditEntry, filter.Since, filter.Until)
	lowest, highest := postgres.IDRange(nfse.PrefixAuditEntry, time.Time{}, time.Time{}, cursor)
	action, kind := filter.actionOrKind()
	entries, err = postgres.RowsInPeriods(nfse.PrefixAuditEntry, max(lowest, from), min(highest, to), cursor,
		func(lowest, highest string, rows int) (entries []Entry, err error) {
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
				ORDER BY id`+cursor.Direction()+` LIMIT $8`,
				filter.OrganizationID, filter.ActorID, action, filter.SubjectID,
				orNull(filter.Since), orNull(filter.Until), highest, rows, kind, lowest,
				filter.WithoutComings, pq.Array(Comings))
			return entries, err
		})
	entries, more = postgres.Cut(entries, filter.Limit)
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

// PruneLog deletes entries older than the age, oldest first, at most limit
// of them, and records that in an entry of its own. The schema lets only the owner of
// the table do it, and refuses it for entries of the last year.
func (c *Changes) PruneLog(ctx context.Context, age time.Duration, limit int) (pruned int, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) ([]Record, error) {
		pruned, err = postgres.Affected(tx.ExecContext(ctx, `
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
		return []Record{{Action: Prune, SubjectID: "audit_log",
			Before: map[string]any{"entries_older_than": age.String(), "entries": pruned}}}, nil
	})
	return pruned, err
}
