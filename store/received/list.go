package received

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/postgres"
)

// ReceivedNote is a document of another issuer of which the organization is a party, and what of it
// was read. Its texts are somebody else's.
type ReceivedNote struct {
	ID             int64               `db:"id" json:"-"`
	OrganizationID string              `db:"organization_id" json:"-"`
	Production     bool                `db:"production" json:"production"`
	AccessKey      string              `db:"access_key" json:"access_key"`
	Role           fiscal.ReceivedRole `db:"role" json:"role"`
	Status         ReceivedStatus      `db:"status" json:"status"`
	IssuerTaxID    nfse.TaxID          `db:"issuer_tax_id" json:"issuer_document"`
	IssuerName     string              `db:"issuer_name" json:"issuer_name"`
	Number         string              `db:"number" json:"number"`
	Competence     nfse.Day            `db:"competence" json:"competence"`
	IssuedAt       nfse.Timestamp      `db:"issued_at" json:"issued_at"`
	ServiceCode    string              `db:"service_code" json:"service_code"`
	Description    string              `db:"description" json:"description"`
	PlaceCode      string              `db:"place_code" json:"place_code"` // municipality where the ISS is due
	Totals         *nfse.Totals        `db:"totals" json:"totals"`
	AmountCents    *int64              `db:"amount_cents" json:"amount_cents"`
	ISSWithheldBy  int                 `db:"iss_withheld_by" json:"iss_withheld_by"`
	ISSCents       *int64              `db:"iss_cents" json:"iss_withheld_cents"`
	FederalCents   *int64              `db:"federal_cents" json:"federal_withheld_cents"`
	Problem        fact.Fact           `db:"problem" json:"problem"` // of its signature
	ReceivedAt     nfse.Timestamp      `db:"received_at" json:"received_at"`
}

// ReceivedStatus is what became of a received note, by its events.
type ReceivedStatus string

// The states. A rejection or a confirmation by a party changes none of them.
const (
	ReceivedIssued    ReceivedStatus = "issued"
	ReceivedCancelled ReceivedStatus = "cancelled"
	ReceivedReplaced  ReceivedStatus = "replaced"
)

// ReceivedStatuses are all of them.
var ReceivedStatuses = []ReceivedStatus{ReceivedIssued, ReceivedCancelled, ReceivedReplaced}

// ISSToPay reports whether the document says that the organization withholds the ISS: as taker
// (tpRetISSQN 2) or as intermediary (3).
func (n ReceivedNote) ISSToPay() bool {
	return n.Status == ReceivedIssued && (n.Role == fiscal.RoleTaker && n.ISSWithheldBy == 2 ||
		n.Role == fiscal.RoleIntermediary && n.ISSWithheldBy == 3)
}

// FederalToPay reports whether the document says that the organization, as taker, withholds federal
// taxes.
func (n ReceivedNote) FederalToPay() bool {
	return n.Status == ReceivedIssued && n.Role == fiscal.RoleTaker && n.FederalCents != nil && *n.FederalCents > 0
}

const receivedColumns = `n.id, n.organization_id, n.production, n.access_key, n.role, n.status, n.issuer_tax_id,
	n.issuer_name, n.number, n.competence, n.issued_at, n.service_code, n.description, n.place_code, n.totals,
	n.amount_cents, n.iss_withheld_by, n.iss_cents, n.federal_cents, n.problem, n.received_at`

// ReceivedFilter chooses received notes. Zero fields choose all.
type ReceivedFilter struct {
	Since, Until nfse.Day // of competence, both included
	IssuerTaxID  nfse.TaxID
	IssuerName   string // a part of it, in any letter case; it needs a period
	Number       string
	Status       ReceivedStatus
	Withheld     bool   // only those of which the organization has something to pay
	After        string // an access key: only notes that are listed after it
	Before       string // likewise before it
	Limit        int
}

// ReceivedPage is a page of received notes, newest competence first.
type ReceivedPage struct {
	Notes        []ReceivedNote
	Newer, Older bool // there are more in this direction
}

// toPay holds for a note n of which the organization has something to withhold and to pay. It has the
// condition of the index received_notes_to_pay.
const toPay = `n.status = 'issued' AND (n.iss_withheld_by > 1 OR n.federal_cents > 0)
	AND (n.role = 'taker' AND (n.iss_withheld_by = 2 OR n.federal_cents > 0)
	OR n.role = 'intermediary' AND n.iss_withheld_by = 3)`

// where is the condition of a filter for the notes n of an organization $1, with its arguments.
func (f ReceivedFilter) where(organizationID string) (condition string, args []any) {
	args = []any{organizationID}
	conditions := []string{`n.organization_id = $1 AND n.livemode`}
	add := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, fmt.Sprintf(condition, len(args)))
	}
	if f.Since != "" {
		add(`n.competence >= $%d`, string(f.Since))
	}
	if f.Until != "" {
		add(`n.competence <= $%d`, string(f.Until))
	}
	if f.IssuerTaxID != "" {
		add(`n.issuer_tax_id = $%d`, string(f.IssuerTaxID))
	}
	if f.IssuerName != "" {
		add(`strpos(lower(n.issuer_name), lower($%d)) > 0`, f.IssuerName)
	}
	if f.Number != "" {
		add(`n.number = $%d`, f.Number)
	}
	if f.Status != "" {
		add(`n.status = $%d`, string(f.Status))
		if f.Status != ReceivedIssued {
			conditions = append(conditions, `n.status <> 'issued'`) // as the index of them has it
		}
	}
	if f.Withheld {
		conditions = append(conditions, toPay)
	}
	return strings.Join(conditions, ` AND `), args
}

// ReceivedNotes lists received notes of a live scope; of a test scope there are none.
func (s *Store) ReceivedNotes(ctx context.Context, scope nfse.Scope, filter ReceivedFilter) (ReceivedPage, error) {
	page := ReceivedPage{Notes: []ReceivedNote{}}
	if !scope.Livemode {
		return page, nil
	}
	where, args := filter.where(scope.OrganizationID)
	around := postgres.Cursor{After: filter.After, Before: filter.Before, Limit: filter.Limit}
	key, sign := filter.After, `<`
	if filter.Before != "" {
		key, sign = filter.Before, `>`
	}
	if key != "" {
		args = append(args, key)
		where += fmt.Sprintf(` AND (n.competence, n.id) %s (SELECT c.competence, c.id FROM received_notes c
			WHERE c.organization_id = $1 AND c.access_key = $%d)`, sign, len(args))
	}
	args = append(args, filter.Limit+1)
	err := s.db.SelectContext(ctx, &page.Notes, `SELECT `+receivedColumns+` FROM received_notes n WHERE `+where+
		` ORDER BY n.competence`+around.Direction()+`, n.id`+around.Direction()+fmt.Sprintf(` LIMIT $%d`, len(args)),
		args...)
	page.Notes, page.Newer, page.Older = postgres.NewestFirst(page.Notes, around)
	return page, err
}

// ReceivedSums are totals of received notes that stand: neither cancelled nor replaced, and not those
// of which the organization is the provider. Amounts are cents.
type ReceivedSums struct {
	Notes        int64 `db:"notes"`
	AmountCents  int64 `db:"amount"`
	ISSCents     int64 `db:"iss"`     // that the organization withholds
	FederalCents int64 `db:"federal"` // likewise
	NotStanding  int64 `db:"not_standing"`
	Chosen       int64 `db:"chosen"` // with all that do not count
}

// ReceivedSums adds up what a filter chooses, regardless of the page that is shown.
func (s *Store) ReceivedSums(ctx context.Context, scope nfse.Scope, filter ReceivedFilter,
) (sums ReceivedSums, err error) {
	if !scope.Livemode {
		return sums, nil
	}
	where, args := filter.where(scope.OrganizationID)
	err = s.db.GetContext(ctx, &sums, `
		SELECT count(*) FILTER (WHERE `+standing+`) AS notes,
			coalesce(sum(n.amount_cents) FILTER (WHERE `+standing+`), 0)::bigint AS amount,
			coalesce(sum(n.iss_cents) FILTER (WHERE n.status = 'issued' AND (n.role = 'taker' AND n.iss_withheld_by = 2
				OR n.role = 'intermediary' AND n.iss_withheld_by = 3)), 0)::bigint AS iss,
			coalesce(sum(n.federal_cents) FILTER (WHERE n.status = 'issued' AND n.role = 'taker'), 0)::bigint AS federal,
			count(*) FILTER (WHERE n.status <> 'issued') AS not_standing, count(*) AS chosen
		FROM received_notes n WHERE `+where, args...)
	return sums, err
}

// standing holds for a note n that counts in sums.
const standing = `n.status = 'issued' AND n.role <> 'provider'`

// ReceivedNoteDocument is a received note with its document and events.
type ReceivedNoteDocument struct {
	ReceivedNote
	XML    []byte // as it was served; empty: no longer kept
	Hash   []byte // SHA-256 of it
	Events []ReceivedEvent
}

// ReceivedEvent is what happened to a received note.
type ReceivedEvent struct {
	AccessKey   string          `db:"access_key" json:"-"`
	Type        *string         `db:"type" json:"type"` // null: it could not be read
	Sequence    int             `db:"sequence" json:"sequence"`
	Title       fact.Fact       `db:"title" json:"title"`
	Effect      fiscal.Effect   `db:"effect" json:"effect"`
	ReasonText  *string         `db:"reason_text" json:"reason_text"` // in the words of who made it
	Replacement *string         `db:"replacement" json:"replacement"` // access key
	HappenedAt  *nfse.Timestamp `db:"happened_at" json:"happened_at"`
	ReceivedAt  nfse.Timestamp  `db:"received_at" json:"received_at"`
	Problem     fact.Fact       `db:"problem" json:"problem"` // why it changes nothing
	Content     []byte          `db:"content" json:"-"`       // empty: no longer kept
	Hash        []byte          `db:"content_hash" json:"-"`
}

// Read reports whether the event could be read.
func (e ReceivedEvent) Read() bool { return e.Type != nil }

// ErrNotReceived says that no such note was received by the organization.
var ErrNotReceived = errors.New("store: no such note was received")

// ReceivedNote reads a received note by its access key.
func (s *Store) ReceivedNote(ctx context.Context, scope nfse.Scope, accessKey string) (ReceivedNoteDocument, error) {
	found, err := s.ReceivedDocuments(ctx, scope, []string{accessKey})
	if err == nil && len(found) == 0 {
		err = ErrNotReceived
	}
	if err != nil {
		return ReceivedNoteDocument{}, err
	}
	return found[0], nil
}

// ReceivedDocuments reads received notes with their documents and events, by their access keys, in the
// order of lists.
func (s *Store) ReceivedDocuments(ctx context.Context, scope nfse.Scope, keys []string,
) ([]ReceivedNoteDocument, error) {
	if !scope.Livemode {
		return nil, nil
	}
	var rows []struct {
		ReceivedNote
		XML  []byte `db:"xml"`
		Hash []byte `db:"xml_hash"`
	}
	err := s.db.SelectContext(ctx, &rows, `SELECT `+receivedColumns+`, n.xml, n.xml_hash FROM received_notes n
		WHERE n.organization_id = $1 AND n.access_key = ANY($2) ORDER BY n.competence DESC, n.id DESC`,
		scope.OrganizationID, pq.Array(keys))
	if err != nil {
		return nil, err
	}
	var events []ReceivedEvent
	err = s.db.SelectContext(ctx, &events, `SELECT access_key, type, sequence, title, effect, reason_text, replacement,
			happened_at, received_at, problem, content, content_hash
		FROM received_events WHERE organization_id = $1 AND access_key = ANY($2)
		ORDER BY happened_at NULLS LAST, id`, scope.OrganizationID, pq.Array(keys))
	if err != nil {
		return nil, err
	}
	of := map[string][]ReceivedEvent{}
	for _, event := range events {
		of[event.AccessKey] = append(of[event.AccessKey], event)
	}
	documents := make([]ReceivedNoteDocument, len(rows))
	for i, row := range rows {
		documents[i] = ReceivedNoteDocument{row.ReceivedNote, row.XML, row.Hash, of[row.AccessKey]}
	}
	return documents, nil
}

// Receiving is since when documents of others are read for an organization.
type Receiving struct {
	TaxID       nfse.TaxID      `db:"tax_id"`
	Production  bool            `db:"production"`
	Since       nfse.Timestamp  `db:"created_at"`
	SucceededAt *nfse.Timestamp `db:"succeeded_at"` // nil: never
	Problem     fact.Fact       `db:"problem"`      // why it is not read now
}

// Receiving lists the distributions by which an organization receives notes; none where it has no
// fiscal profile with a tax id that it may use, or nothing was begun yet.
func (s *Store) Receiving(ctx context.Context, organizationID string) (all []Receiving, err error) {
	err = s.db.SelectContext(ctx, &all, `
		SELECT DISTINCT d.tax_id, d.production, d.created_at, d.succeeded_at, d.problem
		FROM distributions d JOIN `+companies.IssuingProfiles+` p ON `+ProfileOf+`
		WHERE p.organization_id = $1 AND d.tells_of_all ORDER BY d.production DESC, d.tax_id`, organizationID)
	return all, err
}
