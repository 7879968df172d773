package dashboard

import (
	"slices"
	"strings"

	"emissor/dashboard/format"
	"emissor/internal/municipality"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/store/postgres"
)

// issueConversation is what the form of a note says in answer to what was chosen so far.
type issueConversation struct {
	Customer *nfse.Customer  // that is chosen; nil: none is, or it does not exist
	Missing  string          // key of what the chosen customer lacks for a note
	Recent   []nfse.Customer // to choose from while typing
	Service  *nfse.Service   // that is chosen, or the only one
	Rate     string          // which rate of ISS counts, where the service says another; empty: it does not
	Lacks    []string        // keys of what live notes need and this service lacks
	AskEmail bool            // the customer's address may be given here
	CNPJ     bool            // a company can be filled in by its CNPJ

	FoundServices []found
}

// recentCustomers is how many customers are suggested while somebody types.
const recentCustomers = 20

// converse reads what the form says about customer and service, and fills in the service's value and
// a reference where none is given.
func (r *request) converse(page *issuePage, form *form) error {
	page.CNPJ, page.FoundServices = r.d.CNPJ != nil, others(page.Found, "customer", "municipality_code")
	if form.Value("reference") == "" && form.Problem("reference") == nil {
		form.values["reference"] = ownReference()
	}
	if err := r.converseOfCustomer(page, form); err != nil {
		return err
	}
	for _, service := range page.Services {
		if service.ID == form.Value("service") || form.Value("service") == "" && len(page.Services) == 1 {
			page.Service = &service
			break
		}
	}
	if page.Service == nil {
		return nil
	}
	r.fillAmount(form, *page.Service)
	if !r.scope.Livemode {
		return nil
	}
	note := lifecycle.NewNote{Service: page.Service.Snapshot(nil)}
	note.Competence = nfse.Day(form.trimmed("competence"))
	var err error
	if page.Rate, err = r.rateOfNote(note); err != nil {
		return err
	}
	classified, err := r.d.store.Catalogues.ClassifiedService(r.Context(), r.scope, page.Service.ID)
	if err != nil {
		return err
	}
	authority, err := r.d.authority(r)
	page.Lacks, _ = r.missingForLive(authority, classified)
	return err
}

func (r *request) converseOfCustomer(page *issuePage, form *form) error {
	page.AskEmail = r.scope.Livemode
	if id := form.Value("customer"); nfse.IsID(nfse.PrefixCustomer, id) {
		customer, err := r.d.store.Catalogues.Customer(r.Context(), r.scope, id)
		if err == nil {
			page.Customer = &customer
			if missing := customer.MissingFiscalField(); missing != "" {
				page.Missing = "customer.missing." + missing
			}
			page.AskEmail = page.AskEmail && customer.Email == nil
		} else if !nfse.IsCode(err, nfse.CodeCustomerNotFound) {
			return err
		}
		return nil
	}
	var err error
	page.Recent, _, err = r.d.store.Catalogues.Customers(r.Context(), r.scope, postgres.Page{Limit: recentCustomers})
	return err
}

// fillAmount fills in the value of a service, unless another was typed: what stands there from the
// service that was chosen before gives way to it.
func (r *request) fillAmount(form *form, service nfse.Service) {
	typed, err := format.ParseMoney(form.Value("amount_cents"))
	before, value, _ := strings.Cut(form.Value("filled"), "=")
	unchanged := before != service.ID && err == nil && format.Amount(r.language, typed) == value
	if form.trimmed("amount_cents") == "" || unchanged {
		form.values["amount_cents"] = format.Amount(r.language, service.DefaultAmountCents)
	}
	form.values["filled"] = service.ID + "=" + format.Amount(r.language, service.DefaultAmountCents)
}

// settleConversation decides what the form leaves open before a note is drafted: the customer that
// words name, the value of the service, a reference. Where the words name several customers, these
// are found.
func (r *request) settleConversation(form *form) ([]found, error) {
	if form.trimmed("reference") == "" && !r.PostForm.Has(reviewedField) {
		form.values["reference"] = ownReference()
	}
	if id := form.Value("service"); nfse.IsID(nfse.PrefixService, id) && !form.Locked("amount_cents") {
		service, err := r.d.store.Catalogues.Service(r.Context(), r.scope, id)
		if err == nil {
			r.fillAmount(form, service)
		} else if !nfse.IsCode(err, nfse.CodeServiceNotFound) {
			return nil, err
		}
	}
	words := form.trimmed("customer_words")
	if words == "" || form.Value("customer") != "" || form.anyTaker() {
		return nil, nil
	}
	customers, _, err := r.d.store.Catalogues.FindCustomers(r.Context(), r.scope, soughtCustomer(words), searchResults)
	switch {
	case err != nil:
		return nil, err
	case len(customers) == 0:
		form.wrong("customer_words", "issue.wrong.customer_none")
		return []found{}, nil
	case len(customers) > 1:
		form.wrong("customer_words", "issue.wrong.customer_several")
		return []found{r.foundCustomers(customers)}, nil
	}
	form.values["customer"], form.values["customer_words"] = customers[0].ID, ""
	return nil, nil
}

// anyTaker reports whether anything of a customer is typed in full.
func (f *form) anyTaker() bool {
	typed := func(field issueField) bool { return f.trimmed(field.name) != "" }
	return slices.ContainsFunc(takerFields, typed) || slices.ContainsFunc(catalogue.ForeignFields,
		func(name string) bool { return f.trimmed(name) != "" })
}

// soughtCustomer is what a search looks for: of a suggestion, which has name and tax id, the latter.
func soughtCustomer(words string) string {
	if _, id, suggested := strings.Cut(words, " · "); suggested {
		return id
	}
	return words
}

// searchOfCustomers searches for customers by words of their names, or the beginning of a tax id.
func (r *request) searchOfCustomers(failed *error) func(string) found {
	return func(text string) found {
		customers, _, err := r.d.store.Catalogues.FindCustomers(r.Context(), r.scope, soughtCustomer(text), searchResults)
		*failed = err
		return r.foundCustomers(customers)
	}
}

func (r *request) foundCustomers(customers []nfse.Customer) found {
	all := found{Field: "customer", Label: "issue.customers", None: "issue.customers.none"}
	for _, one := range customers {
		all.Options = append(all.Options, option{Value: one.ID, Text: one.Name + " · " + format.TaxID(one.TaxID)})
	}
	return all
}

// chosen clears what a choice takes the place of: a customer on record that of one in full.
func (f *form) chosen(set string) {
	if field, value, _ := strings.Cut(set, "="); field == "customer" && value != "" {
		f.values["customer_words"] = ""
		for _, one := range takerFields {
			f.values[one.name] = ""
		}
	}
}

// ownReference is a reference for a note whose issuer has none. It is made with the form, so that
// sending the form twice issues once.
func ownReference() string {
	return "painel-" + strings.TrimPrefix(nfse.NewID(nfse.PrefixNote), string(nfse.PrefixNote))
}

// fillCopy makes of a form that was filled in from a note one of another note: with a reference of
// its own, of today, and with what was to be done after it.
func (r *request) fillCopy(form *form, note nfse.Note) error {
	form.values["reference"], form.values["competence"] = ownReference(), ""
	defaults, err := r.d.store.Notes.NoteDefaults(r.Context(), r.scope, note.ID)
	for name, is := range map[string]bool{"email_customer": defaults.EmailCustomer,
		"register_ledger":             defaults.RegisterLedger,
		"confirm_municipal_operation": defaults.ConfirmMunicipalOperation} {
		if form.values[name] = ""; is {
			form.values[name] = "on"
		}
	}
	return err
}

// emailGiven is the address of the customer that the form gives; empty where it gives none that counts.
func (f *form) emailGiven() string {
	if f.Value("email_customer") == "" {
		return ""
	}
	return f.trimmed("email")
}

// keepEmail puts the address that the form gives on the customer's record, from which the note takes it.
func (r *request) keepEmail(form *form, note lifecycle.NewNote) error {
	email := form.emailGiven()
	if email == "" || note.Details.ForeignTaker != nil || !r.scope.Livemode {
		return nil
	}
	by, change := r.d.catalogue.By(r.changes()), catalogue.CustomerChange{Email: new(&email)}
	customer, err := r.d.store.Catalogues.CustomerByTaxID(r.Context(), r.scope, note.Customer.TaxID)
	if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		address := note.Customer.Address
		change.Name, change.MunicipalityCode = &note.Customer.Name, &note.Customer.MunicipalityCode
		change.Address = catalogue.AddressChange{StreetType: &address.StreetType, Street: &address.Street,
			Number: &address.Number, District: &address.District, ZipCode: &address.ZipCode,
			Complement: &address.Complement}
		_, _, err = by.SyncCustomer(r.Context(), r.scope, string(note.Customer.TaxID), change)
		return err
	}
	if err != nil {
		return err
	}
	_, err = by.UpdateCustomer(r.Context(), r.scope, customer.ID, change)
	return err
}

// cityByName puts the code of a city in the place of its name, as "Curitiba/PR", by which people
// know it. What names no city stays, for the rule to refuse.
func (f *form) cityByName(field string) {
	if cities := municipality.Search(f.trimmed(field), 2); len(cities) > 0 && (len(cities) == 1 ||
		strings.EqualFold(cities[0].String(), f.trimmed(field))) {
		f.values[field] = cities[0].Code
	}
}
