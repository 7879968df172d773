package catalogues

import (
	"context"
	"database/sql"
	"errors"
	"reflect"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/postgres"
)

const CustomerColumns = `id, tax_id, name, nickname, email, municipality_code, municipality_declared,
	street_type AS "address.street_type", street AS "address.street", number AS "address.number",
	district AS "address.district", zip_code AS "address.zip_code", complement AS "address.complement",
	created_at, updated_at`

// Customer reads one customer of the scope.
func (s *Store) Customer(ctx context.Context, scope nfse.Scope, id string) (nfse.Customer, error) {
	return getCustomer(ctx, s.db, `id = $3`, scope, id)
}

// Customers lists the scope's customers, newest first.
func (s *Store) Customers(
	ctx context.Context, scope nfse.Scope, page postgres.Page,
) (customers []nfse.Customer, more bool, err error) {
	after, rows := page.Bounds()
	customers = []nfse.Customer{}
	err = s.db.SelectContext(ctx, &customers, `SELECT `+CustomerColumns+` FROM customers WHERE `+postgres.InPage,
		scope.OrganizationID, scope.Livemode, after, rows)
	for i := range customers {
		Complete(&customers[i])
	}
	customers, more = postgres.Cut(customers, page.Limit)
	return customers, more, err
}

// SyncCustomer creates the customer of a tax id, or changes the one on record: change
// gets the record, new or old.
func (s *Store) SyncCustomer(
	ctx context.Context, scope nfse.Scope, taxID nfse.TaxID, change func(*nfse.Customer) error,
) (customer nfse.Customer, created bool, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		customer, created, err = syncCustomer(ctx, tx, scope, taxID, change)
		return err
	})
	return customer, created, err
}

func syncCustomer(
	ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, taxID nfse.TaxID, change func(*nfse.Customer) error,
) (customer nfse.Customer, created bool, err error) {
	// A name is required of every record; change gives the real one below, in the same transaction.
	rows, err := postgres.Affected(tx.ExecContext(ctx, `
		INSERT INTO customers (id, organization_id, livemode, tax_id, name, municipality_declared)
		VALUES ($1, $2, $3, $4, '', false)
		ON CONFLICT (organization_id, livemode, tax_id) DO NOTHING`,
		nfse.NewID(nfse.PrefixCustomer), scope.OrganizationID, scope.Livemode, taxID))
	if err != nil {
		return customer, false, err
	}
	customer, err = updateCustomer(ctx, tx, `tax_id = $3`, scope, string(taxID), change)
	return customer, rows == 1, err
}

// CustomerByTaxID reads the customer of a tax id.
func (s *Store) CustomerByTaxID(ctx context.Context, scope nfse.Scope, taxID nfse.TaxID) (nfse.Customer, error) {
	return getCustomer(ctx, s.db, `tax_id = $3`, scope, string(taxID))
}

// UpdateCustomer applies change to a customer under a lock, which delays no note that
// refers to it.
func (s *Store) UpdateCustomer(
	ctx context.Context, scope nfse.Scope, id string, change func(*nfse.Customer) error,
) (customer nfse.Customer, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		customer, err = updateCustomer(ctx, tx, `id = $3`, scope, id, change)
		return err
	})
	return customer, err
}

func updateCustomer(
	ctx context.Context, tx *sqlx.Tx, where string, scope nfse.Scope, key string, change func(*nfse.Customer) error,
) (nfse.Customer, error) {
	customer, err := getCustomer(ctx, tx, where+` FOR NO KEY UPDATE`, scope, key)
	if err != nil {
		return customer, err
	}
	before := customer
	if err := change(&customer); err != nil || reflect.DeepEqual(before, customer) {
		return customer, err
	}
	err = postgres.GetNamed(ctx, tx, &customer, `
		UPDATE customers SET
			name = :name,
			nickname = :nickname,
			email = :email,
			municipality_code = :municipality_code,
			municipality_declared = :municipality_declared,
			street_type = :address.street_type,
			street = :address.street,
			number = :address.number,
			district = :address.district,
			zip_code = :address.zip_code,
			complement = :address.complement,
			updated_at = now()
		WHERE id = :id
		RETURNING `+CustomerColumns, customer)
	Complete(&customer)
	return customer, err
}

func getCustomer(
	ctx context.Context, db sqlx.QueryerContext, where string, scope nfse.Scope, key string,
) (nfse.Customer, error) {
	var customer nfse.Customer
	err := sqlx.GetContext(ctx, db, &customer, `SELECT `+CustomerColumns+` FROM customers
		WHERE organization_id = $1 AND livemode = $2 AND `+where, scope.OrganizationID, scope.Livemode, key)
	if errors.Is(err, sql.ErrNoRows) {
		return customer, nfse.NotFound(nfse.CodeCustomerNotFound, "")
	}
	Complete(&customer)
	return customer, err
}

func Complete(customer *nfse.Customer) {
	customer.FiscalDataComplete = customer.MissingFiscalField() == ""
}
