package catalogue

import (
	"context"
	"errors"

	"emissor/internal/municipality"
	"emissor/nfse"
)

// mergeCustomer changes a record, inside the transaction that writes it.
type mergeCustomer = func(*nfse.Customer) error

// lookupNeeded is the error that interrupts a change until a zip code was looked up, which
// is not done inside a transaction.
type lookupNeeded struct{ zipCode string }

func (l lookupNeeded) Error() string { return "the zip code must be looked up first" }

// changeCustomer merges a change into a record by write, and derives the municipality
// from a new zip code.
func (c *Catalogue) changeCustomer(
	ctx context.Context, scope nfse.Scope, change CustomerChange, write func(mergeCustomer) (nfse.Customer, error),
) (nfse.Customer, error) {
	results := map[string]municipality.LookupResult{} // by zip code
	for {
		customer, err := write(func(customer *nfse.Customer) error {
			before := *customer
			if err := change.checkVersion(before); err != nil {
				return err
			}
			if err := change.merge(customer); err != nil {
				return err
			}
			return change.decideMunicipality(customer, before, results)
		})
		var need lookupNeeded
		if !errors.As(err, &need) {
			return customer, err
		}
		if results[need.zipCode], err = c.resolver.Lookup(ctx, scope, need.zipCode); err != nil {
			return nfse.Customer{}, err
		}
	}
}

// decideMunicipality decides the municipality of a changed record. A declared
// code is checked against the zip code; a new zip code gives one, and so does
// the old one, given again, to a record that has none. Where no service knows, the
// record stays without, and an issuance looks the zip code up again.
func (c CustomerChange) decideMunicipality(
	customer *nfse.Customer, before nfse.Customer, results map[string]municipality.LookupResult,
) error {
	zip := customer.Address.ZipCode
	declared := c.MunicipalityCode != nil && customer.MunicipalityCode != nil
	moved := zip != nil && (before.Address.ZipCode == nil || *before.Address.ZipCode != *zip)
	repeated := zip != nil && !moved && c.Address.ZipCode != nil
	derive := moved || repeated && c.MunicipalityCode == nil && customer.MunicipalityCode == nil
	if declared && zip == nil {
		customer.MunicipalityDeclared = true
		return nil
	}
	if !declared && !derive {
		return nil
	}
	result, ok := results[*zip]
	if !ok {
		return lookupNeeded{*zip}
	}
	var code string
	if declared {
		code = *customer.MunicipalityCode
	}
	decision, err := municipality.Decide(result, code)
	if nfse.IsCode(err, nfse.CodeMunicipalityConflict) {
		return err
	}
	if err != nil { // unknown or unavailable, and nothing declared
		customer.MunicipalityCode, customer.MunicipalityDeclared = nil, false
		return nil
	}
	customer.MunicipalityCode = &decision.Code
	customer.MunicipalityDeclared = decision.Source == nfse.MunicipalityFromCaller
	return nil
}
