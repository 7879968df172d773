package catalogues

import (
	"errors"
	"net/http"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// customersPage is a page of the customers on record.
type customersPage struct {
	Customers []nfse.Customer
	Form      *frame.Form // of the search
	First     bool
	OlderURL  string
	More      bool // others are found, too many to show
}

// ListCustomers lists customers, or finds those that words, a tax id or an id name.
func ListCustomers(r *frame.Request) error {
	page := customersPage{Form: r.NewForm("q"), First: true}
	search := page.Form.Trimmed("q")
	if nfse.IsID(nfse.PrefixCustomer, search) {
		return r.Redirect(r.Link("/catalogue/customers/"+search), "")
	}
	if search != "" {
		return findCustomer(r.D, r, page, search)
	}
	after := r.URL.Query().Get("older")
	if !nfse.IsID(nfse.PrefixCustomer, after) {
		after = ""
	}
	var more bool
	var err error
	page.Customers, more, err = r.D.Store.Catalogues.Customers(r.Context(), r.Scope,
		postgres.Page{Limit: RecordsOnPage, After: after})
	if err != nil {
		return err
	}
	page.First = after == ""
	if more {
		page.OlderURL = r.Link("/catalogue/customers", "older", page.Customers[len(page.Customers)-1].ID)
	}
	return r.Render("customers", "section.customers", page)
}

// findCustomer finds customers by words of their names or the beginning of a tax id.
func findCustomer(d *frame.Dashboard, r *frame.Request, page customersPage, search string) (err error) {
	page.Customers, page.More, err = d.Store.Catalogues.FindCustomers(r.Context(), r.Scope, search, RecordsOnPage)
	if err != nil {
		return err
	}
	return r.Render("customers", "section.customers", page)
}

// customerPage is the form of a customer.
type customerPage struct {
	Form        *frame.Form
	Version     string
	Customer    *nfse.Customer // nil: it is a new one
	Missing     string         // key of what a note needs and the record lacks
	Found       []frame.Found
	Differences []frame.Difference

	Notes  []nfse.Note // the latest
	Totals notes.CustomerTotals
	CNPJ   bool // a company can be filled in by its CNPJ
	Action string
}

// notesOfCustomer is how many notes the page of a customer shows.
const notesOfCustomer = 10

var customerFields = []string{"name", "nickname", "email", "zip_code", "street_type", "street", "number", "complement",
	"district", "municipality_code"}

func NewCustomer(r *frame.Request) error {
	return showCustomer(r, http.StatusOK, "customer.new", customerPage{Version: catalogue.Unrecorded})
}

func EditCustomer(r *frame.Request) error {
	page, err := newCustomerPage(r)
	if err != nil {
		return err
	}
	return showCustomer(r, http.StatusOK, "customer.edit", page)
}

// showCustomer shows the form, with the latest notes of a customer on record.
func showCustomer(r *frame.Request, status int, title string, page customerPage) (err error) {
	page.CNPJ, page.Action = r.D.CNPJ != nil, r.Link("/catalogue/customers")
	if page.Customer != nil {
		page.Action = r.Link("/catalogue/customers/" + page.Customer.ID)
		if r.Role.May(nfse.SeeNotes) {
			latest, err := r.D.Store.Notes.FilterNotes(r.Context(), r.Scope,
				notes.NoteFilter{CustomerIDs: []string{page.Customer.ID}, Limit: notesOfCustomer})
			if err != nil {
				return err
			}
			page.Notes = latest.Notes
			if page.Totals, err = r.D.Store.Notes.TotalsOfCustomer(r.Context(), r.Scope, page.Customer.ID); err != nil {
				return err
			}
		}
	}
	return r.RenderStatus(status, "customer", title, page)
}

func newCustomerPage(r *frame.Request) (customerPage, error) {
	customer, err := r.D.Store.Catalogues.Customer(r.Context(), r.Scope, r.PathValue("id"))
	page := customerPage{Form: formOfCustomer(customer), Version: nfse.VersionOf(customer), Customer: &customer}
	if missing := customer.MissingFiscalField(); missing != "" {
		page.Missing = "customer.missing." + missing
	}
	return page, err
}

func formOfCustomer(customer nfse.Customer) *frame.Form {
	address := customer.Address
	return frame.FormOf(map[string]string{
		"tax_id": format.TaxID(customer.TaxID), "name": customer.Name, "nickname": nfse.OrEmpty(customer.Nickname),
		"email": nfse.OrEmpty(customer.Email), "municipality_code": nfse.OrEmpty(customer.MunicipalityCode),
		"zip_code": format.ZipCode(nfse.OrEmpty(address.ZipCode)), "street_type": nfse.OrEmpty(address.StreetType),
		"street": nfse.OrEmpty(address.Street), "number": nfse.OrEmpty(address.Number),
		"district":   nfse.OrEmpty(address.District),
		"complement": nfse.OrEmpty(address.Complement),
	})
}

// SaveCustomer creates a customer, or changes the one that the address names.
func SaveCustomer(r *frame.Request) error {
	page, title := customerPage{}, "customer.new"
	if r.PathValue("id") != "" {
		var err error
		if page, err = newCustomerPage(r); err != nil {
			return err
		}
		title = "customer.edit"
	}
	now := page.Form
	page.Form, page.Version = r.NewForm(append([]string{"tax_id"}, customerFields...)...), r.PostForm.Get("version")
	search := map[string]func(string) frame.Found{"municipality_code": SearchMunicipality("municipality_code")}
	page.Form.CityByName("municipality_code")
	if filled, err := r.FillIn(page.Form, ""); err != nil {
		return err
	} else if filled {
		return showCustomer(r, http.StatusOK, title, page)
	}
	var only bool
	if page.Found, only = r.LookedFor(page.Form, search); only {
		return showCustomer(r, http.StatusOK, title, page)
	}
	change := readCustomer(page.Form, page.Customer, now)
	change.Version = page.Version
	if page.Customer == nil {
		if _, err := catalogue.TaxID(page.Form.Trimmed("tax_id")); err != nil {
			page.Form.FieldProblems = append([]frame.FieldProblem{{Field: "tax_id", Key: "customer.tax_id.wrong"}},
				page.Form.FieldProblems...)
		}
	}
	if !page.Form.Good() {
		page.Found = Offer(r.D, page.Form, search)
		return showCustomer(r, http.StatusUnprocessableEntity, title, page)
	}
	by, notice := r.D.Catalogue.By(r.Changes()), "customer.changed"
	var err error
	if page.Customer == nil {
		notice = "customer.created"
		change.Version = catalogue.Unrecorded
		_, _, err = by.SyncCustomer(r.Context(), r.Scope, page.Form.Trimmed("tax_id"), change)
	} else {
		_, err = by.UpdateCustomer(r.Context(), r.Scope, page.Customer.ID, change)
	}
	switch {
	case errors.Is(err, postgres.ErrChanged) && page.Customer == nil:
		page.Form.AddProblem("tax_id", "customer.tax_id.taken")
		return showCustomer(r, http.StatusConflict, title, page)
	case errors.Is(err, postgres.ErrChanged):
		page.Differences = page.Form.Differences("customer.", now, customerFields, customerRules)
		if page.Differences == nil { // both made the same change
			break
		}
		page.Version = nfse.VersionOf(*page.Customer)
		return showCustomer(r, http.StatusConflict, title, page)
	case err != nil && page.Form.WrongAs("customer.", err):
		return showCustomer(r, http.StatusUnprocessableEntity, title, page)
	case err != nil:
		return err
	}
	return r.Redirect(r.Link("/catalogue/customers"), notice)
}

// customerRules are the rules of the catalogue for what is typed.
var customerRules = []frame.Rule{
	{Field: "name", Check: catalogue.CustomerName, Required: true}, {Field: "nickname", Check: catalogue.Nickname,
		Required: false},
	{Field: "email", Check: catalogue.Email, Required: false}, {Field: "zip_code", Check: catalogue.ZipCode,
		Required: false},
	{Field: "street_type", Check: catalogue.StreetType, Required: false},
	{Field: "street", Check: catalogue.Street, Required: false},
	{Field: "number", Check: catalogue.Number, Required: false}, {Field: "complement", Check: catalogue.Complement,
		Required: false},
	{Field: "district", Check: catalogue.District, Required: false}, {Field: "municipality_code",
		Check: catalogue.MunicipalityCode, Required: false},
}

// readCustomer reads a customer from its form, by the rules of the catalogue. A municipality
// that was found by a zip code does not count as declared because the form shows it, and
// what was not changed is left out.
func readCustomer(form *frame.Form, customer *nfse.Customer, now *frame.Form) catalogue.CustomerChange {
	form.CheckAll("customer.", customerRules)
	change := catalogue.CustomerChange{
		Name: new(form.Value("name")), Nickname: new(form.OrNothing("nickname")), Email: new(form.OrNothing("email")),
		Address: catalogue.AddressChange{
			StreetType: new(form.OrNothing("street_type")), Street: new(form.OrNothing("street")),
			Number: new(form.OrNothing("number")), District: new(form.OrNothing("district")),
			ZipCode: new(form.OrNothing("zip_code")), Complement: new(form.OrNothing("complement")),
		},
	}
	if customer == nil && form.Trimmed("municipality_code") != "" ||
		customer != nil && form.Trimmed("municipality_code") != now.Trimmed("municipality_code") {
		change.MunicipalityCode = new(form.OrNothing("municipality_code"))
	}
	return change
}
