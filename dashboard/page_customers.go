package dashboard

import (
	"errors"
	"net/http"

	"emissor/dashboard/format"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// customersPage is a page of the customers on record.
type customersPage struct {
	Customers []nfse.Customer
	Form      *form // of the search
	First     bool
	OlderURL  string
	More      bool // others are found, too many to show
}

// listCustomers lists customers, or finds those that words, a tax id or an id name.
func (d *Dashboard) listCustomers(r *request) error {
	page := customersPage{Form: r.newForm("q"), First: true}
	search := page.Form.trimmed("q")
	if nfse.IsID(nfse.PrefixCustomer, search) {
		return r.redirect(r.link("/catalogue/customers/"+search), "")
	}
	if search != "" {
		return d.findCustomer(r, page, search)
	}
	after := r.URL.Query().Get("older")
	if !nfse.IsID(nfse.PrefixCustomer, after) {
		after = ""
	}
	var more bool
	var err error
	page.Customers, more, err = d.store.Catalogues.Customers(r.Context(), r.scope,
		postgres.Page{Limit: recordsOnPage, After: after})
	if err != nil {
		return err
	}
	page.First = after == ""
	if more {
		page.OlderURL = r.link("/catalogue/customers", "older", page.Customers[len(page.Customers)-1].ID)
	}
	return r.render("customers", "section.customers", page)
}

// findCustomer finds customers by words of their names or the beginning of a tax id.
func (d *Dashboard) findCustomer(r *request, page customersPage, search string) (err error) {
	page.Customers, page.More, err = d.store.Catalogues.FindCustomers(r.Context(), r.scope, search, recordsOnPage)
	if err != nil {
		return err
	}
	return r.render("customers", "section.customers", page)
}

// customerPage is the form of a customer.
type customerPage struct {
	Form        *form
	Version     string
	Customer    *nfse.Customer // nil: it is a new one
	Missing     string         // key of what a note needs and the record lacks
	Found       []found
	Differences []difference

	Notes  []nfse.Note // the latest
	Totals notes.CustomerTotals
	CNPJ   bool // a company can be filled in by its CNPJ
	Action string
}

// notesOfCustomer is how many notes the page of a customer shows.
const notesOfCustomer = 10

var customerFields = []string{"name", "nickname", "email", "zip_code", "street_type", "street", "number", "complement",
	"district", "municipality_code"}

func (d *Dashboard) newCustomer(r *request) error {
	return r.showCustomer(http.StatusOK, "customer.new", customerPage{Version: catalogue.Unrecorded})
}

func (d *Dashboard) editCustomer(r *request) error {
	page, err := d.customerPage(r)
	if err != nil {
		return err
	}
	return r.showCustomer(http.StatusOK, "customer.edit", page)
}

// showCustomer shows the form, with the latest notes of a customer on record.
func (r *request) showCustomer(status int, title string, page customerPage) (err error) {
	page.CNPJ, page.Action = r.d.CNPJ != nil, r.link("/catalogue/customers")
	if page.Customer != nil {
		page.Action = r.link("/catalogue/customers/" + page.Customer.ID)
		if r.role.May(nfse.SeeNotes) {
			latest, err := r.d.store.Notes.FilterNotes(r.Context(), r.scope,
				notes.NoteFilter{CustomerIDs: []string{page.Customer.ID}, Limit: notesOfCustomer})
			if err != nil {
				return err
			}
			page.Notes = latest.Notes
			if page.Totals, err = r.d.store.Notes.TotalsOfCustomer(r.Context(), r.scope, page.Customer.ID); err != nil {
				return err
			}
		}
	}
	return r.renderStatus(status, "customer", title, page)
}

func (d *Dashboard) customerPage(r *request) (customerPage, error) {
	customer, err := d.store.Catalogues.Customer(r.Context(), r.scope, r.PathValue("id"))
	page := customerPage{Form: formOfCustomer(customer), Version: nfse.VersionOf(customer), Customer: &customer}
	if missing := customer.MissingFiscalField(); missing != "" {
		page.Missing = "customer.missing." + missing
	}
	return page, err
}

func formOfCustomer(customer nfse.Customer) *form {
	address := customer.Address
	return formOf(map[string]string{
		"tax_id": format.TaxID(customer.TaxID), "name": customer.Name, "nickname": textOf(customer.Nickname),
		"email": textOf(customer.Email), "municipality_code": textOf(customer.MunicipalityCode),
		"zip_code": format.ZipCode(textOf(address.ZipCode)), "street_type": textOf(address.StreetType),
		"street": textOf(address.Street), "number": textOf(address.Number), "district": textOf(address.District),
		"complement": textOf(address.Complement),
	})
}

// saveCustomer creates a customer, or changes the one that the address names.
func (d *Dashboard) saveCustomer(r *request) error {
	page, title := customerPage{}, "customer.new"
	if r.PathValue("id") != "" {
		var err error
		if page, err = d.customerPage(r); err != nil {
			return err
		}
		title = "customer.edit"
	}
	now := page.Form
	page.Form, page.Version = r.newForm(append([]string{"tax_id"}, customerFields...)...), r.PostForm.Get("version")
	search := map[string]func(string) found{"municipality_code": searchMunicipality("municipality_code")}
	page.Form.cityByName("municipality_code")
	if filled, err := r.fillIn(page.Form, ""); err != nil {
		return err
	} else if filled {
		return r.showCustomer(http.StatusOK, title, page)
	}
	var only bool
	if page.Found, only = r.lookedFor(page.Form, search); only {
		return r.showCustomer(http.StatusOK, title, page)
	}
	change := readCustomer(page.Form, page.Customer, now)
	change.Version = page.Version
	if page.Customer == nil {
		if _, err := catalogue.TaxID(page.Form.trimmed("tax_id")); err != nil {
			page.Form.problems = append([]fieldProblem{{Field: "tax_id", Key: "customer.tax_id.wrong"}},
				page.Form.problems...)
		}
	}
	if !page.Form.good() {
		page.Found = d.offer(page.Form, search)
		return r.showCustomer(http.StatusUnprocessableEntity, title, page)
	}
	by, notice := d.catalogue.By(r.changes()), "customer.changed"
	var err error
	if page.Customer == nil {
		notice = "customer.created"
		change.Version = catalogue.Unrecorded
		_, _, err = by.SyncCustomer(r.Context(), r.scope, page.Form.trimmed("tax_id"), change)
	} else {
		_, err = by.UpdateCustomer(r.Context(), r.scope, page.Customer.ID, change)
	}
	switch {
	case errors.Is(err, postgres.ErrChanged) && page.Customer == nil:
		page.Form.wrong("tax_id", "customer.tax_id.taken")
		return r.showCustomer(http.StatusConflict, title, page)
	case errors.Is(err, postgres.ErrChanged):
		page.Differences = page.Form.differences("customer.", now, customerFields, customerRules)
		if page.Differences == nil { // both made the same change
			break
		}
		page.Version = nfse.VersionOf(*page.Customer)
		return r.showCustomer(http.StatusConflict, title, page)
	case err != nil && page.Form.wrongAs("customer.", err):
		return r.showCustomer(http.StatusUnprocessableEntity, title, page)
	case err != nil:
		return err
	}
	return r.redirect(r.link("/catalogue/customers"), notice)
}

// customerRules are the rules of the catalogue for what is typed.
var customerRules = []rule{
	{"name", catalogue.CustomerName, true}, {"nickname", catalogue.Nickname, false},
	{"email", catalogue.Email, false}, {"zip_code", catalogue.ZipCode, false},
	{"street_type", catalogue.StreetType, false}, {"street", catalogue.Street, false},
	{"number", catalogue.Number, false}, {"complement", catalogue.Complement, false},
	{"district", catalogue.District, false}, {"municipality_code", catalogue.MunicipalityCode, false},
}

// readCustomer reads a customer from its form, by the rules of the catalogue. A municipality
// that was found by a zip code does not count as declared because the form shows it, and
// what was not changed is left out.
func readCustomer(form *form, customer *nfse.Customer, now *form) catalogue.CustomerChange {
	form.checkAll("customer.", customerRules)
	change := catalogue.CustomerChange{
		Name: new(form.Value("name")), Nickname: new(form.orNothing("nickname")), Email: new(form.orNothing("email")),
		Address: catalogue.AddressChange{
			StreetType: new(form.orNothing("street_type")), Street: new(form.orNothing("street")),
			Number: new(form.orNothing("number")), District: new(form.orNothing("district")),
			ZipCode: new(form.orNothing("zip_code")), Complement: new(form.orNothing("complement")),
		},
	}
	if customer == nil && form.trimmed("municipality_code") != "" ||
		customer != nil && form.trimmed("municipality_code") != now.trimmed("municipality_code") {
		change.MunicipalityCode = new(form.orNothing("municipality_code"))
	}
	return change
}
