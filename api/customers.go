package api

import (
	"context"
	"errors"
	"net/http"

	"emissor/municipality"
	"emissor/nfse"
)

func (a *API) listCustomers(w http.ResponseWriter, r *http.Request) error {
	page, err := readPage(r, nfse.PrefixCustomer)
	if err != nil {
		return err
	}
	customers, more, err := a.store.Customers(r.Context(), requestOf(r.Context()).key.Scope, page)
	if err != nil {
		return err
	}
	return writePage(w, customers, more, func() string { return customers[len(customers)-1].ID })
}

func (a *API) getCustomer(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, nfse.PrefixCustomer, nfse.CodeCustomerNotFound)
	if err != nil {
		return err
	}
	customer, err := a.store.Customer(r.Context(), requestOf(r.Context()).key.Scope, id)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, customer)
}

// syncCustomer creates the customer of a document, or brings the record with
// that document up to date: sent fields overwrite, absent ones stay.
func (a *API) syncCustomer(w http.ResponseWriter, r *http.Request) error {
	sent, err := readBody(w, r)
	if err != nil {
		return err
	}
	var customerDocument string
	sent.required("document", &customerDocument, true, document)
	change, err := readCustomer(sent, true)
	if err != nil {
		return err
	}
	var created bool
	customer, err := a.changeCustomer(r.Context(), change, func(change func(*nfse.Customer) error) (customer nfse.Customer, err error) {
		customer, created, err = a.store.SyncCustomer(r.Context(), requestOf(r.Context()).key.Scope, nfse.TaxID(customerDocument), change)
		return customer, err
	})
	if err != nil {
		return err
	}
	if created {
		return writeJSON(w, http.StatusCreated, customer)
	}
	return writeJSON(w, http.StatusOK, customer)
}

func (a *API) updateCustomer(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, nfse.PrefixCustomer, nfse.CodeCustomerNotFound)
	if err != nil {
		return err
	}
	sent, err := readBody(w, r)
	if err != nil {
		return err
	}
	if _, has := sent.take("document"); has {
		sent.refuse("document", "cannot be changed")
	}
	change, err := readCustomer(sent, false)
	if err != nil {
		return err
	}
	customer, err := a.changeCustomer(r.Context(), change, func(change func(*nfse.Customer) error) (nfse.Customer, error) {
		return a.store.UpdateCustomer(r.Context(), requestOf(r.Context()).key.Scope, id, change)
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, customer)
}

// customerChange is what a request says of a customer. A nil pointer to a
// pointer was not sent; a pointer to nil clears.
type customerChange struct {
	name             *string
	nickname         **string
	email            **string
	municipalityCode **string
	streetType       **string
	street           **string
	number           **string
	district         **string
	zipCode          **string
	complement       **string
}

func readCustomer(sent *object, creating bool) (customerChange, error) {
	var change customerChange
	var name string
	sent.required("name", &name, creating, line(1, 150))
	if name != "" {
		change.name = &name
	}
	change.nickname = sent.change("nickname", line(1, 80))
	change.email = sent.change("email", email)
	change.municipalityCode = sent.change("municipality_code", municipalityCode)
	address, cleared := sent.object("address")
	switch {
	case address != nil:
		change.streetType = address.change("street_type", streetType)
		change.street = address.change("street", street)
		change.number = address.change("number", number)
		change.district = address.change("district", district)
		change.zipCode = address.change("zip_code", zipCode)
		change.complement = address.change("complement", complement)
		address.leaveUnknown()
	case cleared:
		var nothing *string
		change.streetType, change.street, change.number = &nothing, &nothing, &nothing
		change.district, change.zipCode, change.complement = &nothing, &nothing, &nothing
	}
	return change, sent.close()
}

// change reads an optional text that may be left alone, cleared or set.
func (o *object) change(name string, rule rule) **string {
	var value *string
	if !o.optional(name, &value, rule) {
		return nil
	}
	return &value
}

// apply merges the change into the record.
func (c customerChange) apply(customer *nfse.Customer) error {
	if c.name != nil {
		customer.Name = *c.name
	}
	address := &customer.Address
	for _, field := range []struct {
		target **string
		change **string
	}{
		{&customer.Nickname, c.nickname},
		{&customer.Email, c.email},
		{&customer.MunicipalityCode, c.municipalityCode},
		{&address.StreetType, c.streetType},
		{&address.Street, c.street},
		{&address.Number, c.number},
		{&address.District, c.district},
		{&address.ZipCode, c.zipCode},
		{&address.Complement, c.complement},
	} {
		if field.change != nil {
			*field.target = *field.change
		}
	}
	if !streetFits(*address) {
		return nfse.Invalid("address.street", "address.street %s", streetTooLong)
	}
	return nil
}

// lookupNeeded interrupts a change until the zip code was looked up, which is
// not done inside a transaction.
type lookupNeeded struct{ zipCode string }

func (l lookupNeeded) Error() string { return "the zip code must be looked up first" }

// changeCustomer merges a change into a record through write, and derives the
// municipality from a new zip code.
func (a *API) changeCustomer(ctx context.Context, change customerChange, write func(func(*nfse.Customer) error) (nfse.Customer, error)) (nfse.Customer, error) {
	known := map[string]municipality.Answer{}
	for {
		customer, err := write(func(customer *nfse.Customer) error {
			before := *customer
			if err := change.apply(customer); err != nil {
				return err
			}
			return placeCustomer(customer, before, change, known)
		})
		var need lookupNeeded
		if !errors.As(err, &need) {
			return customer, err
		}
		if known[need.zipCode], err = a.resolver.Lookup(ctx, need.zipCode); err != nil {
			return nfse.Customer{}, err
		}
	}
}

// placeCustomer decides the municipality of a changed record. A sent code is
// checked against the zip code; a new zip code gives one, and so does the old
// one, sent again, to a record that has none. Where nobody knows, the record
// stays without, and an issuance looks again.
func placeCustomer(customer *nfse.Customer, before nfse.Customer, change customerChange, known map[string]municipality.Answer) error {
	zip := customer.Address.ZipCode
	declared := change.municipalityCode != nil && customer.MunicipalityCode != nil
	moved := zip != nil && (before.Address.ZipCode == nil || *before.Address.ZipCode != *zip)
	repeated := zip != nil && !moved && change.zipCode != nil
	derive := moved || repeated && change.municipalityCode == nil && customer.MunicipalityCode == nil
	if declared && zip == nil {
		customer.MunicipalityDeclared = true
		return nil
	}
	if !declared && !derive {
		return nil
	}
	answer, ok := known[*zip]
	if !ok {
		return lookupNeeded{*zip}
	}
	var code string
	if declared {
		code = *customer.MunicipalityCode
	}
	decision, err := municipality.Decide(answer, code)
	if nfse.IsCode(err, nfse.CodeMunicipalityConflict) {
		var conflict *nfse.Error
		errors.As(err, &conflict)
		return nfse.NewError(conflict.Code, "municipality_code", "%s", conflict.Message)
	}
	if err != nil { // unknown or unavailable, and nothing declared
		customer.MunicipalityCode, customer.MunicipalityDeclared = nil, false
		return nil
	}
	customer.MunicipalityCode = &decision.Code
	customer.MunicipalityDeclared = decision.Source == nfse.MunicipalityFromCaller
	return nil
}
