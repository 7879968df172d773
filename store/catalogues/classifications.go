package catalogues

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// ServiceClassification is how one service is classified.
type ServiceClassification struct {
	ServiceID string
	nfse.Classification
	Version string // nfse.VersionOf of the classification that is replaced, else ErrChanged; empty: any
}

// ClassifyServices replaces the classifications of services of the scope, all or none,
// and wakes up the organization's notes that wait. Services that have the same
// classification already stay as they are; changed counts the others.
func (c *Changes) ClassifyServices(
	ctx context.Context, scope nfse.Scope, classifications []ServiceClassification,
) (changed int, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) (records []audit.Record, err error) {
		records, err = classifyServices(ctx, tx, scope, classifications)
		changed = len(records)
		return records, err
	})
	return changed, err
}

// classifyServices returns a record for each service whose classification it changes.
func classifyServices(
	ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, classifications []ServiceClassification,
) (records []audit.Record, err error) {
	wanted := make(map[string]nfse.Classification, len(classifications))
	for _, one := range classifications {
		wanted[one.ServiceID] = one.Classification
	}
	ids := slices.Sorted(maps.Keys(wanted))
	before, err := lockClassifications(ctx, tx, scope, ids)
	if err != nil {
		return nil, err
	}
	for _, one := range classifications {
		if one.Version != "" && one.Version != nfse.VersionOf(before[one.ServiceID]) {
			return nil, postgres.ErrChanged
		}
	}
	rows := []classifiedRow{}
	for _, id := range ids {
		record := audit.Record{Action: audit.ServiceClassify, SubjectID: id, After: auditClassification(wanted[id])}
		if earlier := before[id]; earlier != nil {
			if reflect.DeepEqual(*earlier, wanted[id]) {
				continue
			}
			record.Before = auditClassification(*earlier)
		}
		records = append(records, record.Of(scope))
		rows = append(rows, classifiedRow{id, wanted[id]})
	}
	if len(rows) == 0 {
		return nil, nil
	}
	if err := writeClassifications(ctx, tx, scope, rows); err != nil {
		return nil, err
	}
	return records, outbox.ResumeHeld(ctx, tx, scope.OrganizationID)
}

// lockClassifications reads how services of the scope are classified, all of which must
// exist. An organization's classifications are changed one change at a time, so that what
// the audit log has as before is true. The lock delays no note.
func lockClassifications(
	ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, ids []string,
) (map[string]*nfse.Classification, error) {
	_, err := tx.ExecContext(ctx, `SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	var found []string
	err = tx.SelectContext(ctx, &found, `
		SELECT id FROM services WHERE organization_id = $1 AND livemode = $2 AND id = ANY($3) AND `+serviceAlive+`
		ORDER BY id`, scope.OrganizationID, scope.Livemode, pq.Array(ids))
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if _, ok := slices.BinarySearch(found, id); !ok {
			return nil, noSuchService(scope, id)
		}
	}
	var rows []struct {
		ServiceID      string `db:"service_id"`
		Classification []byte `db:"classification"`
	}
	err = tx.SelectContext(ctx, &rows, `
		SELECT service_id, classification FROM service_classifications WHERE service_id = ANY($1)`, pq.Array(ids))
	before := make(map[string]*nfse.Classification, len(rows))
	for _, row := range rows {
		before[row.ServiceID] = &nfse.Classification{}
		err = errors.Join(err, json.Unmarshal(row.Classification, before[row.ServiceID]))
	}
	return before, err
}

func noSuchService(scope nfse.Scope, id string) error {
	return nfse.NewError(nfse.CodeServiceNotFound, "", "the organization has no %s service %s",
		nfse.Environment(scope.Livemode), id)
}

// classifiedRow is a classification as the database gets it.
type classifiedRow struct {
	ServiceID      string              `json:"service_id"`
	Classification nfse.Classification `json:"classification"`
}

func writeClassifications(ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, rows []classifiedRow) error {
	for batch := range slices.Chunk(rows, audit.BatchRows) {
		content, err := nfse.Marshal(batch)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO service_classifications (service_id, organization_id, livemode, classification)
			SELECT service_id, $1, $2, classification
			FROM jsonb_to_recordset($3::jsonb) AS row (service_id text, classification jsonb)
			ON CONFLICT (service_id) DO UPDATE SET classification = EXCLUDED.classification`,
			scope.OrganizationID, scope.Livemode, string(content))
		if err != nil {
			return err
		}
	}
	return nil
}

// RemoveClassification removes the classification of a service. Notes keep their copies.
func (c *Changes) RemoveClassification(ctx context.Context, scope nfse.Scope, serviceID string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		before, err := lockClassifications(ctx, tx, scope, []string{serviceID})
		if err != nil {
			return record, err
		}
		if before[serviceID] == nil {
			return record, nfse.NewError(nfse.CodeInvalidRequest, "", "the service %s is not classified", serviceID)
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM service_classifications WHERE service_id = $1`, serviceID)
		return audit.Record{Action: audit.ServiceUnclassify, SubjectID: serviceID,
			Before: auditClassification(*before[serviceID])}.Of(scope), err
	})
}

// auditClassification is a classification without the address of a property,
// which may be a person's.
func auditClassification(c nfse.Classification) nfse.Classification {
	if c.Property != nil {
		property := nfse.Property{}
		for _, part := range []struct{ from, to **string }{
			{&c.Property.Registration, &property.Registration}, {&c.Property.CIB, &property.CIB},
		} {
			if *part.from != nil {
				*part.to = new("given")
			}
		}
		if c.Property.Address != nil {
			property.Address = &nfse.PropertyAddress{Street: "given"}
		}
		c.Property = &property
	}
	return c
}

// ServiceClassification reads how a service of the scope is classified; nil when
// it is not.
func (s *Store) ServiceClassification(
	ctx context.Context, scope nfse.Scope, serviceID string,
) (*nfse.Classification, error) {
	var content []byte
	err := s.db.Get(ctx, &content, `SELECT classification FROM service_classifications
		WHERE service_id = $3 AND organization_id = $1 AND livemode = $2`,
		scope.OrganizationID, scope.Livemode, serviceID)
	if err != nil {
		return nil, postgres.NoRow(err, nil)
	}
	classification := new(nfse.Classification)
	return classification, json.Unmarshal(content, classification)
}

// ClassifiedService is a service with how it is classified; nil when it is not.
type ClassifiedService struct {
	nfse.Service
	Classification *nfse.Classification `json:"classification"`
	MunicipalCode  string               `json:"municipal_code"` // as in nfse.ServiceTaxation
}

// ClassifiedService reads a service of the scope as it is classified.
func (s *Store) ClassifiedService(ctx context.Context, scope nfse.Scope, id string) (found ClassifiedService,
	err error) {
	if found.Service, err = s.Service(ctx, scope, id); err != nil {
		return found, err
	}
	if found.Classification, err = s.ServiceClassification(ctx, scope, id); err != nil {
		return found, err
	}
	taxation, err := s.ServiceTaxation(ctx, scope, id)
	found.MunicipalCode = taxation.MunicipalCode
	return found, err
}

// ClassifiedServices lists the scope's catalogue, newest first; with unclassified
// only what has no classification.
func (s *Store) ClassifiedServices(
	ctx context.Context, scope nfse.Scope, unclassified bool, page postgres.Page,
) (services []ClassifiedService, more bool, err error) {
	after, limit := page.Bounds()
	var rows []struct {
		nfse.Service
		Content       []byte `db:"classification"`
		MunicipalCode string `db:"municipal_code"`
	}
	err = s.db.SelectContext(ctx, &rows, `
		SELECT `+ServiceColumns+`,
			(SELECT classification FROM service_classifications WHERE service_id = services.id) AS classification,
			coalesce((SELECT taxation ->> 'municipal_code' FROM service_taxations WHERE service_id = services.id), '')
				AS municipal_code
		FROM services
		WHERE `+serviceAlive+` AND NOT ($5 AND EXISTS (
			SELECT FROM service_classifications WHERE service_id = services.id)) AND `+postgres.InPage,
		scope.OrganizationID, scope.Livemode, after, limit, unclassified)
	if err != nil {
		return nil, false, err
	}
	services = make([]ClassifiedService, len(rows))
	for i, row := range rows {
		services[i].Service, services[i].MunicipalCode = row.Service, row.MunicipalCode
		if row.Content != nil {
			services[i].Classification = new(nfse.Classification)
			err = errors.Join(err, json.Unmarshal(row.Content, services[i].Classification))
		}
	}
	services, more = postgres.Cut(services, page.Limit)
	return services, more, err
}

// NationalTaxCodes reads the national tax codes of services of the scope, empty
// where a service has none. A service that does not exist is left out.
func (s *Store) NationalTaxCodes(ctx context.Context, scope nfse.Scope, ids []string) (map[string]string, error) {
	var rows []struct {
		ID   string `db:"id"`
		Code string `db:"code"`
	}
	err := s.db.SelectContext(ctx, &rows, `
		SELECT id, coalesce(national_tax_code, '') AS code FROM services
		WHERE organization_id = $1 AND livemode = $2 AND id = ANY($3) AND `+serviceAlive,
		scope.OrganizationID, scope.Livemode, pq.Array(ids))
	codes := make(map[string]string, len(rows))
	for _, row := range rows {
		codes[row.ID] = row.Code
	}
	return codes, err
}
