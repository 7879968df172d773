package catalogues

import (
	"context"
	"reflect"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
)

// What the Store does to the catalogue for a key, Changes does for a person, with an
// entry of the audit log.

// CreateService puts a service into the catalogue of the scope.
func (c *Changes) CreateService(
	ctx context.Context, scope nfse.Scope, service nfse.Service,
) (created nfse.Service, err error) {
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		created, err = createService(ctx, tx, scope, service)
		return audit.Record{Action: audit.ServiceCreate, SubjectID: created.ID,
			After: auditService(created)}.Of(scope), err
	})
	return created, err
}

// UpdateService applies change to a service.
func (c *Changes) UpdateService(
	ctx context.Context, scope nfse.Scope, id string, change func(*nfse.Service) error,
) (service nfse.Service, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		var before nfse.Service
		service, err = updateService(ctx, tx, scope, id, func(service *nfse.Service) error {
			before = *service
			return change(service)
		})
		if err != nil || reflect.DeepEqual(auditService(before), auditService(service)) {
			return nil, err
		}
		return []audit.Record{audit.Record{Action: audit.ServiceSet, SubjectID: id,
			Before: auditService(before), After: auditService(service)}.Of(scope)}, nil
	})
	return service, err
}

// auditService is a service without its texts, which may hold personal data.
func auditService(service nfse.Service) nfse.Service {
	service.Name, service.Description = nfse.VersionOf(service.Name), nfse.VersionOf(service.Description)
	service.CreatedAt = nfse.Timestamp{}
	return service
}

// SyncCustomer creates the customer of a tax id, or changes the one on record.
func (c *Changes) SyncCustomer(
	ctx context.Context, scope nfse.Scope, taxID nfse.TaxID, change func(*nfse.Customer) error,
) (customer nfse.Customer, created bool, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		var before nfse.Customer
		customer, created, err = syncCustomer(ctx, tx, scope, taxID, remembering(&before, change))
		return auditCustomer(scope, before, customer, created), err
	})
	return customer, created, err
}

// UpdateCustomer applies change to a customer.
func (c *Changes) UpdateCustomer(
	ctx context.Context, scope nfse.Scope, id string, change func(*nfse.Customer) error,
) (customer nfse.Customer, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		var before nfse.Customer
		customer, err = updateCustomer(ctx, tx, `id = $3`, scope, id, remembering(&before, change))
		return auditCustomer(scope, before, customer, false), err
	})
	return customer, err
}

func remembering(before *nfse.Customer, change func(*nfse.Customer) error) func(*nfse.Customer) error {
	return func(customer *nfse.Customer) error {
		*before = *customer
		return change(customer)
	}
}

// auditCustomer records which fields were changed, without their values.
func auditCustomer(scope nfse.Scope, before, after nfse.Customer, created bool) []audit.Record {
	changed := []string{}
	for _, field := range []struct {
		name          string
		before, after any
	}{
		{"name", before.Name, after.Name},
		{"nickname", before.Nickname, after.Nickname},
		{"email", before.Email, after.Email},
		{"municipality_code", before.MunicipalityCode, after.MunicipalityCode},
		{"address", before.Address, after.Address},
	} {
		if !reflect.DeepEqual(field.before, field.after) {
			changed = append(changed, field.name)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	action := audit.CustomerSet
	if created {
		action = audit.CustomerCreate
	}
	return []audit.Record{audit.Record{Action: action, SubjectID: after.ID,
		After: map[string]any{"changed": changed}}.Of(scope)}
}
