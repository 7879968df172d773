package received

import (
	"context"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/postgres"
)

// ExternalEvent is what happened to an issuer's document, as an operator sees it.
type ExternalEvent struct {
	ID         int64           `db:"id" json:"id"`
	Production bool            `db:"production" json:"production"`
	TaxID      nfse.TaxID      `db:"tax_id" json:"issuer"`
	Position   int64           `db:"position" json:"position"`
	AccessKey  string          `db:"access_key" json:"access_key"`
	Type       *string         `db:"type" json:"type"` // null: it could not be read
	Sequence   int             `db:"sequence" json:"sequence"`
	Title      fact.Fact       `db:"title" json:"title"`
	Effect     fiscal.Effect   `db:"effect" json:"effect"`
	ReasonCode *string         `db:"reason_code" json:"reason_code"`
	ReasonText *string         `db:"reason_text" json:"reason_text"`
	HappenedAt *nfse.Timestamp `db:"happened_at" json:"happened_at"`
	ReceivedAt nfse.Timestamp  `db:"received_at" json:"received_at"`
	Problem    fact.Fact       `db:"problem" json:"problem"` // why it is not applied
	NoteID     *string         `db:"note_id" json:"note_id"` // null: of no note that is on record
	AppliedAt  *nfse.Timestamp `db:"applied_at" json:"applied_at"`
	Outcome    fact.Fact       `db:"outcome" json:"outcome"`
}

const externalEventColumns = `e.id, coalesce(d.production, f.production) AS production,
	coalesce(d.tax_id, f.tax_id) AS tax_id, e.position, e.access_key, e.type, e.sequence, e.title,
	e.effect, e.reason_code, e.reason_text, e.happened_at, e.received_at, e.problem, e.note_id, e.applied_at, e.outcome`

// externalEvents are events e, of a distribution d or found by asking about the document
// of an exchange f.
const externalEvents = `external_events e LEFT JOIN distributions d ON d.id = e.distribution_id
	LEFT JOIN fiscal_exchanges f ON e.distribution_id IS NULL AND f.note_id = e.note_id AND f.kind = 'issue'
		AND f.state = 'accepted'`

// ExternalEventFilter chooses events. Zero fields choose all.
type ExternalEventFilter struct {
	OrganizationID string
	NoteID         string
	Flagged        bool // only those that are not applied, and that a person should look at
	Limit          int
}

// ExternalEvents lists what happened outside, newest first.
func (s *Store) ExternalEvents(ctx context.Context, filter ExternalEventFilter) ([]ExternalEvent, error) {
	events := []ExternalEvent{}
	err := s.db.SelectContext(ctx, &events, `
		SELECT `+externalEventColumns+` FROM `+externalEvents+`
		WHERE ($1 = '' OR EXISTS (SELECT FROM `+companies.IssuingProfiles+` p WHERE p.organization_id = $1 AND `+ProfileOf+
		`)
				OR EXISTS (SELECT FROM notes n WHERE f.note_id = n.id AND n.organization_id = $1))
			AND ($2 = '' OR e.note_id = $2) AND (NOT $3 OR e.problem IS NOT NULL)
		ORDER BY e.id DESC LIMIT $4`, filter.OrganizationID, filter.NoteID, filter.Flagged, filter.Limit)
	return events, err
}

// ExternalEvent reads an event and its content: the authority's exact bytes, or what came
// instead. It is empty when it is no longer kept.
func (s *Store) ExternalEvent(ctx context.Context, id int64) (event ExternalEvent, content []byte, err error) {
	var row struct {
		ExternalEvent
		Content []byte `db:"content"`
	}
	err = s.db.GetContext(ctx, &row, `SELECT `+externalEventColumns+`, e.content
		FROM `+externalEvents+` WHERE e.id = $1`, id)
	return row.ExternalEvent, row.Content, postgres.NoRow(err,
		nfse.NewError(nfse.CodeInvalidRequest, "event", "there is no event %d", id))
}

// ExternalDocument is a document of a series that is numbered here which was not on
// record.
type ExternalDocument struct {
	Production bool           `db:"production" json:"production"`
	TaxID      nfse.TaxID     `db:"tax_id" json:"issuer"`
	AccessKey  string         `db:"access_key" json:"access_key"`
	Series     int            `db:"series" json:"series"`
	Number     int64          `db:"number" json:"number"`
	ReceivedAt nfse.Timestamp `db:"received_at" json:"received_at"`
	NoteID     *string        `db:"note_id" json:"note_id"`     // that it belongs to, where that is proved
	LinkedBy   *string        `db:"linked_by" json:"linked_by"` // digest or correlation_id
	Problem    fact.Fact      `db:"problem" json:"problem"`     // of its signature
}

// ExternalDocuments lists them, newest first, of an organization or, with an empty one,
// of all.
func (s *Store) ExternalDocuments(ctx context.Context, organizationID string, limit int) ([]ExternalDocument, error) {
	documents := []ExternalDocument{}
	err := s.db.SelectContext(ctx, &documents, `
		SELECT d.production, d.tax_id, o.access_key, o.series, o.number, o.received_at, o.note_id, o.linked_by,
			o.problem
		FROM external_documents o JOIN distributions d ON d.id = o.distribution_id
		WHERE $1 = '' OR EXISTS (SELECT FROM `+companies.IssuingProfiles+` p WHERE p.organization_id = $1 AND `+ProfileOf+`)
		ORDER BY o.id DESC LIMIT $2`, organizationID, limit)
	return documents, err
}
