package api

import (
	"net/http"

	"emissor/internal/web"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

func (a *API) listCustomers(w http.ResponseWriter, r *http.Request) error {
	page, err := readPage(r, nfse.PrefixCustomer)
	if err != nil {
		return err
	}
	customers, more, err := a.store.Catalogues.Customers(r.Context(), requestOf(r.Context()).key.Scope, page)
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
	customer, err := a.store.Catalogues.Customer(r.Context(), requestOf(r.Context()).key.Scope, id)
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, customer)
}

// syncCustomer creates the customer of a document, or brings the record with
// that document up to date: sent fields overwrite, absent ones stay.
func (a *API) syncCustomer(w http.ResponseWriter, r *http.Request) error {
	sent, err := readBody(w, r)
	if err != nil {
		return err
	}
	document := sent.required("document", true, catalogue.TaxID)
	change, err := readCustomer(sent, true)
	if err != nil {
		return err
	}
	scope := requestOf(r.Context()).key.Scope
	customer, created, err := a.catalogue.SyncCustomer(r.Context(), scope, value(document), change)
	if err != nil {
		return located(err, customerPath)
	}
	if created {
		return web.WriteJSON(w, http.StatusCreated, customer)
	}
	return web.WriteJSON(w, http.StatusOK, customer)
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
	customer, err := a.catalogue.UpdateCustomer(r.Context(), requestOf(r.Context()).key.Scope, id, change)
	if err != nil {
		return located(err, customerPath)
	}
	return web.WriteJSON(w, http.StatusOK, customer)
}

// readCustomer reads the fields of section 2.2 but for the document.
func readCustomer(sent *object, creating bool) (catalogue.CustomerChange, error) {
	change := catalogue.CustomerChange{
		Name:             sent.required("name", creating, catalogue.CustomerName),
		Nickname:         sent.change("nickname", catalogue.Nickname),
		Email:            sent.change("email", catalogue.Email),
		MunicipalityCode: sent.change("municipality_code", catalogue.MunicipalityCode),
	}
	address, has := sent.object("address")
	switch {
	case address != nil:
		change.Address = readAddress(address)
	case has:
		change.Address = catalogue.ClearAddress()
	}
	return change, sent.close()
}

func readAddress(sent *object) catalogue.AddressChange {
	change := catalogue.AddressChange{
		StreetType: sent.change("street_type", catalogue.StreetType),
		Street:     sent.change("street", catalogue.Street),
		Number:     sent.change("number", catalogue.Number),
		District:   sent.change("district", catalogue.District),
		ZipCode:    sent.change("zip_code", catalogue.ZipCode),
		Complement: sent.change("complement", catalogue.Complement),
	}
	sent.leaveUnknown()
	return change
}

// customerPath is where a request sends a field of a customer.
func customerPath(field string) string {
	if field == "tax_id" {
		return "document"
	}
	return field
}
