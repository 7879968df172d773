package notes

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"emissor/nfse"
	"emissor/store/postgres"
)

// Row is a note as its table has it.
type Row struct {
	ID                   string                  `db:"id"`
	OrganizationID       string                  `db:"organization_id"`
	Livemode             bool                    `db:"livemode"`
	Reference            string                  `db:"reference"`
	RequestID            string                  `db:"request_id"`
	Status               nfse.Status             `db:"status"`
	CustomerID           string                  `db:"customer_id"`
	ServiceID            string                  `db:"service_id"`
	AmountCents          int64                   `db:"amount_cents"`
	Competence           nfse.Day                `db:"competence"`
	ISSWithheld          bool                    `db:"iss_withheld"`
	Service              []byte                  `db:"service"`
	Customer             []byte                  `db:"customer"`
	MunicipalityCode     string                  `db:"municipality_code"`
	MunicipalitySource   nfse.MunicipalitySource `db:"municipality_source"`
	MunicipalityVerified bool                    `db:"municipality_verified"`
	AuthorityNumber      *string                 `db:"authority_number"`
	VerificationCode     *string                 `db:"verification_code"`
	AccessKey            *string                 `db:"access_key"`
	AuthorityIssuedAt    *nfse.Timestamp         `db:"authority_issued_at"`
	AuthorityTotals      *nfse.Totals            `db:"authority_totals"`
	Rejection            *nfse.Rejection         `db:"rejection"`
	Cancellation         cancellationRow         `db:"cancellation"`
	CreatedAt            nfse.Timestamp          `db:"created_at"`
	UpdatedAt            nfse.Timestamp          `db:"updated_at"`
	ProcessingAt         *nfse.Timestamp         `db:"processing_at"`
	IssuedAt             *nfse.Timestamp         `db:"issued_at"`
	RejectedAt           *nfse.Timestamp         `db:"rejected_at"`
	CancelledAt          *nfse.Timestamp         `db:"cancelled_at"`
	WasRefused           bool                    `db:"was_refused"` // for what a person can put right
	Replaces             *string                 `db:"replaces"`
	ReplacedBy           *string                 `db:"replaced_by"`
	ReplacementText      *string                 `db:"replacement_text"`
	ReplacementAt        *nfse.Timestamp         `db:"replacement_at"`
}

// cancellationRow is the last cancellation of a note; without one its status is nil.
type cancellationRow struct {
	Status      *nfse.CancellationStatus `db:"status"`
	Origin      nfse.CancellationOrigin  `db:"origin"`
	ReasonCode  *string                  `db:"reason_code"`
	ReasonText  *string                  `db:"reason_text"`
	RequestedAt *nfse.Timestamp          `db:"requested_at"`
	ResolvedAt  *nfse.Timestamp          `db:"resolved_at"`
	Refusal     *nfse.Refusal            `db:"refusal"`

	Analysis      *nfse.AnalysisStatus `db:"analysis"`
	AnalysisSince *nfse.Timestamp      `db:"analysis_since"`
}

// analysis is where the city's analysis stands; nil for none.
func (c cancellationRow) analysis() *nfse.Analysis {
	if c.Analysis == nil {
		return nil
	}
	return &nfse.Analysis{Status: *c.Analysis, Since: *c.AnalysisSince}
}

const Columns = `id, organization_id, livemode, reference, request_id, status, customer_id, service_id,
	amount_cents, competence, iss_withheld, ` + NoteService + ` AS service, customer, municipality_code,
	municipality_source,
	municipality_verified, authority_number, verification_code, access_key, authority_issued_at, authority_totals,
	rejection,
	cancellation_status AS "cancellation.status", cancellation_origin AS "cancellation.origin",
	cancellation_reason_code AS "cancellation.reason_code",
	cancellation_reason_text AS "cancellation.reason_text", cancellation_requested_at AS "cancellation.requested_at",
	cancellation_resolved_at AS "cancellation.resolved_at", cancellation_refusal AS "cancellation.refusal",
	analysis AS "cancellation.analysis", analysis_since AS "cancellation.analysis_since",
	created_at, updated_at, processing_at, issued_at, rejected_at, cancelled_at,
	refused_at IS NOT NULL AS was_refused, replaces, replaced_by, replacement_text, replacement_at`

// Note reads one note of the scope.
func (s *Store) Note(ctx context.Context, scope nfse.Scope, id string) (nfse.Note, error) {
	var row Row
	err := s.db.Get(ctx, &row, `SELECT `+Columns+` FROM notes
		WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	if err != nil {
		return nfse.Note{}, postgres.NoRow(err, nfse.NotFound(nfse.CodeNoteNotFound, ""))
	}
	return row.Note()
}

// Notes lists the scope's notes, newest first.
func (s *Store) Notes(ctx context.Context, scope nfse.Scope, page postgres.Page) (notes []nfse.Note, more bool,
	err error) {
	after, limit := page.Bounds()
	var rows []Row
	err = s.db.All(ctx, &rows, `SELECT `+Columns+` FROM notes WHERE `+postgres.InPage, scope.OrganizationID,
		scope.Livemode, after, limit)
	if err != nil {
		return nil, false, err
	}
	rows, more = postgres.Cut(rows, page.Limit)
	notes = make([]nfse.Note, len(rows))
	for i, row := range rows {
		if notes[i], err = row.Note(); err != nil {
			return nil, false, err
		}
	}
	return notes, more, nil
}

// NoteXML reads the document of an issued note. A note without one is
// xml_not_available, retryable while the note is on its way.
func (s *Store) NoteXML(ctx context.Context, scope nfse.Scope, id string) ([]byte, error) {
	var row struct {
		postgres.StoredDocument
		Status nfse.Status `db:"status"`
	}
	err := s.db.Get(ctx, &row, `
		SELECT notes.status, `+postgres.DocumentColumns("")+`
		FROM notes LEFT JOIN note_documents x ON x.note_id = notes.id
		WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nfse.NotFound(nfse.CodeNoteNotFound, "")
	case err != nil:
		return nil, err
	case row.Exists():
		return s.db.Plain(ctx, id, row.StoredDocument)
	}
	return nil, withoutXML(row.Status)
}

// withoutXML is why a note has no document.
func withoutXML(status nfse.Status) error {
	switch {
	case status == nfse.StatusIssued:
		return nfse.NewError(nfse.CodeXMLNotAvailable, "", "the note is so old that its XML is no longer kept")
	case status.Terminal():
		return nfse.NewError(nfse.CodeXMLNotAvailable, "", "the note is %s and has no XML", status)
	}
	return nfse.Unavailable(nfse.CodeXMLNotAvailable, "", "the note is %s: its XML exists once it is issued", status)
}

// Note makes the record of the API out of a row.
func (r Row) Note() (nfse.Note, error) {
	note := nfse.Note{
		ID:          r.ID,
		Status:      r.Status,
		Livemode:    r.Livemode,
		Reference:   r.Reference,
		CustomerID:  r.CustomerID,
		ServiceID:   r.ServiceID,
		AmountCents: r.AmountCents,
		Competence:  r.Competence,
		ISSWithheld: r.ISSWithheld,
		Municipality: nfse.NoteMunicipality{
			Code:     r.MunicipalityCode,
			Source:   r.MunicipalitySource,
			Verified: r.MunicipalityVerified,
		},
		CreatedAt:    r.CreatedAt,
		UpdatedAt:    r.UpdatedAt,
		ProcessingAt: r.ProcessingAt,
		IssuedAt:     r.IssuedAt,
		RejectedAt:   r.RejectedAt,
		CancelledAt:  r.CancelledAt,
		Rejection:    r.Rejection,
		Replaces:     nfse.OrEmpty(r.Replaces),
		ReplacedBy:   nfse.OrEmpty(r.ReplacedBy),
	}
	if r.AuthorityIssuedAt != nil {
		note.Authority = &nfse.Authorization{
			Number:           r.AuthorityNumber,
			VerificationCode: r.VerificationCode,
			AccessKey:        r.AccessKey,
			IssuedAt:         *r.AuthorityIssuedAt,
			Totals:           r.AuthorityTotals,
		}
	}
	err := errors.Join(
		json.Unmarshal(r.Service, &note.Service),
		json.Unmarshal(r.Customer, &note.Customer),
	)
	if r.Cancellation.Status != nil {
		note.Cancellation = &nfse.Cancellation{
			Status:      *r.Cancellation.Status,
			Origin:      r.Cancellation.Origin,
			ReasonCode:  r.Cancellation.ReasonCode,
			ReasonText:  r.Cancellation.ReasonText,
			RequestedAt: *r.Cancellation.RequestedAt,
			ResolvedAt:  r.Cancellation.ResolvedAt,
			Refusal:     r.Cancellation.Refusal,
			Analysis:    r.Cancellation.analysis(),
		}
	}
	if note.BeingReplaced() { // before what became of an earlier request to cancel it
		note.Cancellation = &nfse.Cancellation{Status: nfse.CancellationPending, Origin: nfse.CancelledByCaller,
			ReasonText: r.ReplacementText, RequestedAt: *r.ReplacementAt, Analysis: r.Cancellation.analysis()}
	}
	if err != nil {
		return note, fmt.Errorf("store: snapshot of note %s: %w", r.ID, err)
	}
	return note, nil
}

// NoteDefaults is what is to be done after a note was issued, as its request or its key said.
func (s *Store) NoteDefaults(ctx context.Context, scope nfse.Scope, id string) (defaults nfse.Defaults, err error) {
	err = s.db.Get(ctx, &defaults, `SELECT email_customer, register_ledger, confirm_municipal_operation FROM notes
		WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	return defaults, err
}
