package notes

import (
	"slices"
	"strings"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
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

	FoundServices []frame.Found
}

// RecentCustomers is how many customers are suggested while somebody types.
const RecentCustomers = 20

// converse reads what the form says about customer and service, and fills in the service's value and
// a reference where none is given.
func converse(r *frame.Request, page *issuePage, form *frame.Form) error {
	page.CNPJ, page.FoundServices = r.D.CNPJ != nil, frame.Others(page.Found, "customer", "municipality_code")
	if form.Value("reference") == "" && form.Problem("reference") == nil {
		form.Values["reference"] = ownReference()
	}
	if err := converseOfCustomer(r, page, form); err != nil {
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
	fillAmount(r, form, *page.Service)
	if !r.Scope.Livemode {
		return nil
	}
	note := lifecycle.NewNote{Service: page.Service.Snapshot(nil)}
	note.Competence = nfse.Day(form.Trimmed("competence"))
	var err error
	if page.Rate, err = rateOfNote(r, note); err != nil {
		return err
	}
	classified, err := r.D.Store.Catalogues.ClassifiedService(r.Context(), r.Scope, page.Service.ID)
	if err != nil {
		return err
	}
	authority, err := cataloguepages.Authority(r)
	page.Lacks, _ = cataloguepages.MissingForLive(r, authority, classified)
	return err
}

func converseOfCustomer(r *frame.Request, page *issuePage, form *frame.Form) error {
	page.AskEmail = r.Scope.Livemode
	if id := form.Value("customer"); nfse.IsID(nfse.PrefixCustomer, id) {
		customer, err := r.D.Store.Catalogues.Customer(r.Context(), r.Scope, id)
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
	page.Recent, _, err = r.D.Store.Catalogues.Customers(r.Context(), r.Scope, postgres.Page{Limit: RecentCustomers})
	return err
}

// fillAmount fills in the value of a service, unless another was typed: what stands there from the
// service that was chosen before gives way to it.
func fillAmount(r *frame.Request, form *frame.Form, service nfse.Service) {
	typed, err := format.ParseMoney(form.Value("amount_cents"))
	before, value, _ := strings.Cut(form.Value("filled"), "=")
	unchanged := before != service.ID && err == nil && format.Amount(r.Language, typed) == value
	if form.Trimmed("amount_cents") == "" || unchanged {
		form.Values["amount_cents"] = format.Amount(r.Language, service.DefaultAmountCents)
	}
	form.Values["filled"] = service.ID + "=" + format.Amount(r.Language, service.DefaultAmountCents)
}

// SettleConversation decides what the form leaves open before a note is drafted: the customer that
// words name, the value of the service, a reference. Where the words name several customers, these
// are found.
func SettleConversation(r *frame.Request, form *frame.Form) ([]frame.Found, error) {
	if form.Trimmed("reference") == "" && !r.PostForm.Has(reviewedField) {
		form.Values["reference"] = ownReference()
	}
	if id := form.Value("service"); nfse.IsID(nfse.PrefixService, id) && !form.Locked("amount_cents") {
		service, err := r.D.Store.Catalogues.Service(r.Context(), r.Scope, id)
		if err == nil {
			fillAmount(r, form, service)
		} else if !nfse.IsCode(err, nfse.CodeServiceNotFound) {
			return nil, err
		}
	}
	words := form.Trimmed("customer_words")
	if words == "" || form.Value("customer") != "" || anyTaker(form) {
		return nil, nil
	}
	customers, _, err := r.D.Store.Catalogues.FindCustomers(r.Context(), r.Scope, soughtCustomer(words),
		cataloguepages.SearchResults)
	switch {
	case err != nil:
		return nil, err
	case len(customers) == 0:
		form.AddProblem("customer_words", "issue.wrong.customer_none")
		return []frame.Found{}, nil
	case len(customers) > 1:
		form.AddProblem("customer_words", "issue.wrong.customer_several")
		return []frame.Found{foundCustomers(r, customers)}, nil
	}
	form.Values["customer"], form.Values["customer_words"] = customers[0].ID, ""
	return nil, nil
}

// anyTaker reports whether anything of a customer is typed in full.
func anyTaker(f *frame.Form) bool {
	typed := func(field IssueField) bool { return f.Trimmed(field.Name) != "" }
	return slices.ContainsFunc(takerFields, typed) || slices.ContainsFunc(catalogue.ForeignFields,
		func(name string) bool { return f.Trimmed(name) != "" })
}

// soughtCustomer is what a search looks for: of a suggestion, which has name and tax id, the latter.
func soughtCustomer(words string) string {
	if _, id, suggested := strings.Cut(words, " · "); suggested {
		return id
	}
	return words
}

// searchOfCustomers searches for customers by words of their names, or the beginning of a tax id.
func searchOfCustomers(r *frame.Request, failed *error) func(string) frame.Found {
	return func(text string) frame.Found {
		customers, _, err := r.D.Store.Catalogues.FindCustomers(r.Context(), r.Scope, soughtCustomer(text),
			cataloguepages.SearchResults)
		*failed = err
		return foundCustomers(r, customers)
	}
}

func foundCustomers(r *frame.Request, customers []nfse.Customer) frame.Found {
	all := frame.Found{Field: "customer", Label: "issue.customers", None: "issue.customers.none"}
	for _, one := range customers {
		all.Options = append(all.Options, frame.Option{Value: one.ID, Text: one.Name + " · " + format.TaxID(one.TaxID)})
	}
	return all
}

// Chosen clears what a choice takes the place of: a customer on record that of one in full.
func Chosen(f *frame.Form, set string) {
	if field, value, _ := strings.Cut(set, "="); field == "customer" && value != "" {
		f.Values["customer_words"] = ""
		for _, one := range takerFields {
			f.Values[one.Name] = ""
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
func fillCopy(r *frame.Request, form *frame.Form, note nfse.Note) error {
	form.Values["reference"], form.Values["competence"] = ownReference(), ""
	defaults, err := r.D.Store.Notes.NoteDefaults(r.Context(), r.Scope, note.ID)
	for name, is := range map[string]bool{"email_customer": defaults.EmailCustomer,
		"register_ledger":             defaults.RegisterLedger,
		"confirm_municipal_operation": defaults.ConfirmMunicipalOperation} {
		if form.Values[name] = ""; is {
			form.Values[name] = "on"
		}
	}
	return err
}

// emailGiven is the address of the customer that the form gives; empty where it gives none that counts.
func emailGiven(f *frame.Form) string {
	if f.Value("email_customer") == "" {
		return ""
	}
	return f.Trimmed("email")
}

// keepEmail puts the address that the form gives on the customer's record, from which the note takes it.
func keepEmail(r *frame.Request, form *frame.Form, note lifecycle.NewNote) error {
	email := emailGiven(form)
	if email == "" || note.Details.ForeignTaker != nil || !r.Scope.Livemode {
		return nil
	}
	by, change := r.D.Catalogue.By(r.Changes()), catalogue.CustomerChange{Email: new(&email)}
	customer, err := r.D.Store.Catalogues.CustomerByTaxID(r.Context(), r.Scope, note.Customer.TaxID)
	if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		address := note.Customer.Address
		change.Name, change.MunicipalityCode = &note.Customer.Name, &note.Customer.MunicipalityCode
		change.Address = catalogue.AddressChange{StreetType: &address.StreetType, Street: &address.Street,
			Number: &address.Number, District: &address.District, ZipCode: &address.ZipCode,
			Complement: &address.Complement}
		_, _, err = by.SyncCustomer(r.Context(), r.Scope, string(note.Customer.TaxID), change)
		return err
	}
	if err != nil {
		return err
	}
	_, err = by.UpdateCustomer(r.Context(), r.Scope, customer.ID, change)
	return err
}
