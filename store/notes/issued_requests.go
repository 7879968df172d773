package notes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

// IssuedRequest is the stored request of a live note that was issued, as it was declared then and
// as it would be declared by what is set at present.
type IssuedRequest struct {
	NoteID         string
	OrganizationID string
	Erased         bool   // its customer was erased: it is not read
	Layout         string // in which it was sent
	Err            error  // why it cannot be read; then what follows counts for nothing

	Issued  fiscal.Declaration
	Present fiscal.Declaration // its issuer is Profile on a day
	// Profile is the organization's profile at present; nil: it has none.
	Profile *PresentProfile
}

// IssuedRequests lists the newest live notes that were issued before the one named after, at most
// limit of them, newest first. An empty organization is all of them, an empty after the beginning.
// A request that cannot be read has its Err, and keeps no other from being read.
func (s *Store) IssuedRequests(
	ctx context.Context, organizationID, after string, limit int,
) (requests []IssuedRequest, err error) {
	page := postgres.Page{After: after}
	end, _ := page.Bounds()
	var ids []string
	if organizationID == "" {
		err = s.db.SelectContext(ctx, &ids, `SELECT id FROM notes WHERE id < $1 AND livemode AND issued_at IS NOT NULL
			ORDER BY id DESC LIMIT $2`, end, limit)
	} else {
		err = s.db.SelectContext(ctx, &ids, `SELECT id FROM notes WHERE issued_at IS NOT NULL AND `+postgres.InPage,
			organizationID, true, end, limit)
	}
	if err != nil {
		return nil, err
	}
	rows, err := s.issuedRequests(ctx, ids)
	if err != nil && s.db.Ping(ctx) == nil { // because of one of them: the others are read by themselves
		rows, err = s.issuedRequestsApart(ctx, ids)
	}
	if err != nil {
		return nil, err
	}
	services, err := s.servicesOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	requests = make([]IssuedRequest, len(rows))
	for i, row := range rows {
		requests[i] = row.request(services)
	}
	return requests, nil
}

// issuedRow is an issued note with what is set for it at present.
type issuedRow struct {
	Row
	Confirm               bool   `db:"confirm_municipal_operation"`
	Erased                bool   `db:"erased"`
	Classification        []byte `db:"classification"`
	Taxation              []byte `db:"taxation"`
	Details               []byte `db:"details"`
	IssuedBy              []byte `db:"issued_by"`
	Layout                string `db:"layout"`
	Profile               []byte `db:"profile"`
	PresentClassification []byte `db:"present_classification"`
	PresentTaxation       []byte `db:"present_taxation"`

	err error
}

var selectIssuedRequests = fmt.Sprintf(`SELECT `+Columns+`, confirm_municipal_operation,
		classification, taxation, details, customer ->> 'name' = '%[1]s' OR EXISTS (
			SELECT FROM customers c WHERE c.id = notes.customer_id AND c.name = '%[1]s') AS erased,
		(SELECT `+ExchangeProfile+` FROM fiscal_exchanges f WHERE f.note_id = notes.id AND f.kind = 'issue'
			AND f.state = 'accepted') AS issued_by,
		coalesce((SELECT m.layout FROM fiscal_exchanges e JOIN fiscal_messages m ON m.exchange_id = e.id
			WHERE e.note_id = notes.id AND e.kind = 'issue' AND e.state = 'accepted'
			ORDER BY m.id DESC LIMIT 1), '') AS layout,
		`+PresentProfileSQL+` AS profile,
		(SELECT c.classification FROM service_classifications c WHERE (c.organization_id, c.livemode, c.service_id)
			= (notes.organization_id, notes.livemode, notes.service_id)) AS present_classification,
		(`+PresentTaxationSQL(`notes.organization_id`, `notes.livemode`, `notes.service_id`, `notes.customer_id`)+`)
			AS present_taxation
	FROM notes WHERE id = ANY($1) ORDER BY id DESC`, Erased)

func (s *Store) issuedRequests(ctx context.Context, ids []string) (rows []issuedRow, err error) {
	err = s.db.SelectContext(ctx, &rows, selectIssuedRequests, pq.Array(ids))
	return rows, err
}

// issuedRequestsApart reads one after the other, and keeps the error of each that cannot be read.
func (s *Store) issuedRequestsApart(ctx context.Context, ids []string) (all []issuedRow, err error) {
	for _, id := range ids {
		rows, err := s.issuedRequests(ctx, []string{id})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			all = append(all, issuedRow{Row: Row{ID: id}, err: err})
		default:
			all = append(all, rows...)
		}
	}
	return all, nil
}

// servicesOf reads the services of notes as they are at present, by id.
func (s *Store) servicesOf(ctx context.Context, rows []issuedRow) (map[string]nfse.Service, error) {
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.ServiceID)
	}
	var services []nfse.Service
	err := s.db.SelectContext(ctx, &services, `SELECT `+catalogues.ServiceColumns+` FROM services WHERE id = ANY($1)`,
		pq.Array(ids))
	byID := make(map[string]nfse.Service, len(services))
	for _, service := range services {
		byID[service.ID] = service
	}
	return byID, err
}

// request makes the request of a row. Errors in the row go into its Err, so that they concern no other row.
func (r issuedRow) request(services map[string]nfse.Service) IssuedRequest {
	request := IssuedRequest{
		NoteID: r.ID, OrganizationID: r.OrganizationID, Erased: r.Erased, Layout: r.Layout, Err: r.err,
	}
	if r.err != nil || r.Erased {
		return request
	}
	note, err := r.Note()
	issued := fiscal.Declaration{Note: note, ConfirmMunicipalOperation: r.Confirm}
	present := issued
	if service, known := services[note.ServiceID]; known {
		present.Note.Service = service.Snapshot(&note.Service.Description)
	}
	request.Err = errors.Join(err,
		Decoded(r.IssuedBy, &issued.Issuer), Decoded(r.Profile, &request.Profile),
		Decoded(r.Classification, &issued.Classification), Decoded(r.PresentClassification, &present.Classification),
		Decoded(r.Taxation, &issued.Taxation), Decoded(r.PresentTaxation, &present.Taxation),
		Decoded(r.Details, &issued.Details), Decoded(r.Details, &present.Details))
	request.Issued, request.Present = issued, present
	return request
}

// Decoded reads a column that may be null.
func Decoded(content []byte, into any) error {
	if content == nil {
		return nil
	}
	return json.Unmarshal(content, into)
}
