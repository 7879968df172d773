package catalogues

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// taxed is a kind of record that a taxation is set for, in a table of its own.
type taxed struct {
	table, key string // of the taxation, and its column that names the record
	records    string // what finds the record that is taxed, of an organization, environment and id
	action     audit.Action
	missing    func(nfse.Scope, string) error
}

var (
	taxedService = taxed{"service_taxations", "service_id",
		`SELECT id FROM services WHERE (organization_id, livemode, id) = ($1, $2, $3) AND ` + serviceAlive,
		audit.ServiceTax, noSuchService}
	taxedCustomer = taxed{"customer_taxations", "customer_id",
		`SELECT id FROM customers WHERE (organization_id, livemode, id) = ($1, $2, $3)`,
		audit.CustomerTax, noSuchCustomer}
)

func noSuchCustomer(scope nfse.Scope, id string) error {
	return nfse.NewError(nfse.CodeCustomerNotFound, "", "the organization has no %s customer %s",
		nfse.Environment(scope.Livemode), id)
}

// ServiceTaxation reads how a service of the scope is taxed; the zero value where nothing is set.
func (s *Store) ServiceTaxation(
	ctx context.Context, scope nfse.Scope, serviceID string,
) (taxation nfse.ServiceTaxation, err error) {
	err = taxedService.read(ctx, s.db, scope, serviceID, &taxation)
	return taxation, err
}

// CustomerTaxation reads what a customer of the scope withholds; the zero value where nothing is
// set.
func (s *Store) CustomerTaxation(
	ctx context.Context, scope nfse.Scope, customerID string,
) (taxation nfse.CustomerTaxation, err error) {
	err = taxedCustomer.read(ctx, s.db, scope, customerID, &taxation)
	return taxation, err
}

// TaxService replaces how a service of the scope is taxed, and wakes up the organization's notes that wait. The zero
// value removes it. version is nfse.VersionOf of what is replaced, else it is ErrChanged; an empty version replaces
// anything. Notes keep what they took when they were accepted.
func (c *Changes) TaxService(
	ctx context.Context, scope nfse.Scope, serviceID string, taxation nfse.ServiceTaxation, version string,
) error {
	return setTaxation(ctx, c, taxedService, scope, serviceID, taxation, version)
}

// TaxCustomer replaces what a customer of the scope withholds, as TaxService does.
func (c *Changes) TaxCustomer(
	ctx context.Context, scope nfse.Scope, customerID string, taxation nfse.CustomerTaxation, version string,
) error {
	return setTaxation(ctx, c, taxedCustomer, scope, customerID, taxation, version)
}

func (t taxed) read(
	ctx context.Context, db sqlx.QueryerContext, scope nfse.Scope, id string, taxation any,
) error {
	var content []byte
	err := sqlx.GetContext(ctx, db, &content, `SELECT taxation FROM `+t.table+`
		WHERE (organization_id, livemode, `+t.key+`) = ($1, $2, $3)`, scope.OrganizationID, scope.Livemode, id)
	if err != nil {
		return postgres.NoRow(err, nil)
	}
	return json.Unmarshal(content, taxation)
}

func setTaxation[T any](
	ctx context.Context, c *Changes, t taxed, scope nfse.Scope, id string, wanted T, version string,
) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		// One change at a time, as lockClassifications does: who runs commands may not lock a service.
		_, err := tx.ExecContext(ctx, `SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`,
			scope.OrganizationID)
		if err != nil {
			return nil, err
		}
		var found string
		err = tx.GetContext(ctx, &found, t.records, scope.OrganizationID, scope.Livemode, id)
		if err != nil {
			return nil, postgres.NoRow(err, t.missing(scope, id))
		}
		var before T
		if err := t.read(ctx, tx, scope, id, &before); err != nil {
			return nil, err
		}
		switch {
		case version != "" && version != nfse.VersionOf(before):
			return nil, postgres.ErrChanged
		case reflect.DeepEqual(before, wanted):
			return nil, nil
		}
		if err := checkSites(ctx, tx, scope, before, wanted); err != nil {
			return nil, err
		}
		if err := t.write(ctx, tx, scope, id, wanted); err != nil {
			return nil, err
		}
		record := audit.Record{Action: t.action, SubjectID: id, Before: before, After: wanted}.Of(scope)
		return []audit.Record{record}, outbox.ResumeHeld(ctx, tx, scope.OrganizationID)
	})
}

func (t taxed) write(ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, id string, wanted any) error {
	if reflect.ValueOf(wanted).IsZero() {
		_, err := tx.ExecContext(ctx, `DELETE FROM `+t.table+` WHERE `+t.key+` = $1`, id)
		return err
	}
	content, err := nfse.Marshal(wanted)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO `+t.table+` (`+t.key+`, organization_id, livemode, taxation)
		VALUES ($1, $2, $3, $4::jsonb) ON CONFLICT (`+t.key+`) DO UPDATE SET taxation = EXCLUDED.taxation`,
		id, scope.OrganizationID, scope.Livemode, string(content))
	return err
}
