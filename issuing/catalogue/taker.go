package catalogue

import (
	"context"

	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

// takeInline uses the customer as given.
func (c *Catalogue) takeInline(ctx context.Context, note *lifecycle.NewNote, taker nfse.InlineTaker) error {
	note.Customer = nfse.CustomerSnapshot{
		TaxID:            taker.TaxID,
		Name:             taker.Name,
		MunicipalityCode: taker.MunicipalityCode,
		Address:          taker.Address,
	}
	result, err := c.resolver.Lookup(ctx, note.Key.Scope, *taker.Address.ZipCode)
	if err != nil {
		return err
	}
	decision, err := municipality.Decide(result, nfse.OrEmpty(taker.MunicipalityCode))
	place(note, decision)
	return err
}

// takeAbroad uses a customer abroad as given. It has no municipality: in place of one stands that
// of the service, which no document states.
func takeAbroad(note *lifecycle.NewNote, taker nfse.InlineTaker) {
	note.Customer = nfse.CustomerSnapshot{TaxID: taker.TaxID, Name: taker.Name, Address: taker.Address}
	note.Municipality = nfse.NoteMunicipality{Code: note.Service.MunicipalityCode, Source: nfse.MunicipalityFromCaller}
}

// takeOnRecord uses a customer on record, whose fiscal data must be complete.
// The municipality is looked up again: the record may be outdated.
func (c *Catalogue) takeOnRecord(ctx context.Context, note *lifecycle.NewNote, id string) error {
	if !nfse.IsID(nfse.PrefixCustomer, id) {
		return nfse.NotFound(nfse.CodeCustomerNotFound, "customer")
	}
	customer, err := c.store.Catalogues.Customer(ctx, note.Key.Scope, id)
	if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		return nfse.NotFound(nfse.CodeCustomerNotFound, "customer")
	}
	if err != nil {
		return err
	}
	if missing := customer.MissingFiscalField(); missing != "" && missing != fieldMunicipality {
		return incomplete(missing)
	}
	note.Customer = nfse.CustomerSnapshot{
		TaxID:            customer.TaxID,
		Name:             customer.Name,
		Email:            customer.Email,
		MunicipalityCode: customer.MunicipalityCode,
		Address:          customer.Address,
	}
	result, err := c.resolver.Lookup(ctx, note.Key.Scope, *customer.Address.ZipCode)
	if err != nil {
		return err
	}
	decision, err := decideForRecord(result, customer)
	place(note, decision)
	return err
}

func place(note *lifecycle.NewNote, decision municipality.Decision) {
	note.Municipality = nfse.NoteMunicipality{
		Code: decision.Code, Source: decision.Source, Verified: decision.Verified,
	}
	note.MunicipalityCheckPending = decision.CheckLater
}

const fieldMunicipality = "municipality_code"

// decideForRecord decides between a look-up and the record's own code. Only a code that
// was declared can conflict; one found from the zip code is replaced by the look-up's.
func decideForRecord(result municipality.LookupResult, customer nfse.Customer) (municipality.Decision, error) {
	onRecord := nfse.OrEmpty(customer.MunicipalityCode)
	decision, err := municipality.Decide(result, onRecord)
	if nfse.IsCode(err, nfse.CodeMunicipalityConflict) && !customer.MunicipalityDeclared {
		decision, err = municipality.Decide(result, "")
	}
	if nfse.IsCode(err, nfse.CodeZipCodeNotFound) {
		err = incomplete(fieldMunicipality)
	}
	if err == nil && decision.Code == onRecord {
		decision.Source = nfse.MunicipalityFromCustomer
	}
	return decision, err
}

func incomplete(field string) error {
	return nfse.NewError(nfse.CodeCustomerIncomplete, field, "the customer's record lacks %s", field)
}
