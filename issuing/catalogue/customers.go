package catalogue

import (
	"context"

	"emissor/nfse"
	"emissor/store/postgres"
)

// CustomerChange is a change of a customer. Nil leaves a field as it is, a pointer
// to nil clears it.
type CustomerChange struct {
	Name             *string
	Nickname         **string
	Email            **string
	MunicipalityCode **string
	Address          AddressChange

	// Version is the nfse.VersionOf the customer that the change was made from, or
	// Unrecorded. Where it differs by now the change is refused with postgres.ErrChanged.
	// Empty is any.
	Version string
}

// Unrecorded is the version of a customer that is not on record yet.
const Unrecorded = "unrecorded"

// AddressChange is a change of an address, field by field.
type AddressChange struct {
	StreetType **string
	Street     **string
	Number     **string
	District   **string
	ZipCode    **string
	Complement **string
}

// ClearAddress is the change that clears all of an address.
func ClearAddress() AddressChange {
	var nothing *string
	return AddressChange{&nothing, &nothing, &nothing, &nothing, &nothing, &nothing}
}

// SyncCustomer creates the customer of a tax id, or changes the one on record.
// It needs a name either way. A new zip code gives the record its municipality; where
// another one is declared the error is municipality_code_conflict.
func (c *Catalogue) SyncCustomer(
	ctx context.Context, scope nfse.Scope, taxID string, change CustomerChange,
) (customer nfse.Customer, created bool, err error) {
	kept, err := TaxID(taxID)
	if err != nil {
		return nfse.Customer{}, false, nfse.Invalid("tax_id", "%s", err)
	}
	if change.Name == nil {
		return nfse.Customer{}, false, nfse.Invalid("name", "is required")
	}
	customer, err = c.changeCustomer(ctx, scope, change, func(merge mergeCustomer) (customer nfse.Customer, err error) {
		customer, created, err = c.writes.SyncCustomer(ctx, scope, nfse.TaxID(kept), merge)
		return customer, err
	})
	return customer, created, err
}

// UpdateCustomer changes a customer of the scope as SyncCustomer does.
func (c *Catalogue) UpdateCustomer(
	ctx context.Context, scope nfse.Scope, id string, change CustomerChange,
) (nfse.Customer, error) {
	return c.changeCustomer(ctx, scope, change, func(merge mergeCustomer) (nfse.Customer, error) {
		return c.writes.UpdateCustomer(ctx, scope, id, merge)
	})
}

// checkVersion refuses a change that was made from another version of the record.
func (c CustomerChange) checkVersion(customer nfse.Customer) error {
	version := nfse.VersionOf(customer)
	if customer.Name == "" { // the record is new, made for this change
		version = Unrecorded
	}
	if c.Version != "" && c.Version != version {
		return postgres.ErrChanged
	}
	return nil
}

func (c CustomerChange) merge(customer *nfse.Customer) error {
	var m merger
	m.required("name", &customer.Name, c.Name, CustomerName)
	m.optional("nickname", &customer.Nickname, c.Nickname, Nickname)
	m.optional("email", &customer.Email, c.Email, Email)
	m.optional("municipality_code", &customer.MunicipalityCode, c.MunicipalityCode, MunicipalityCode)
	address := &customer.Address
	m.optional("address.street_type", &address.StreetType, c.Address.StreetType, StreetType)
	m.optional("address.street", &address.Street, c.Address.Street, Street)
	m.optional("address.number", &address.Number, c.Address.Number, Number)
	m.optional("address.district", &address.District, c.Address.District, District)
	m.optional("address.zip_code", &address.ZipCode, c.Address.ZipCode, ZipCode)
	m.optional("address.complement", &address.Complement, c.Address.Complement, Complement)
	if err := CheckStreet(*address); err != nil {
		m.refuse("address.street", err.Error())
	}
	return m.problem
}
