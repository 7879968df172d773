package dashboard

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/postgres"
)

// issuePage is the form by which a person issues a note.
type issuePage struct {
	Form      *form
	Services  []nfse.Service // the newest, and the chosen one
	Chosen    bool           // one of them is chosen, or the only one
	More      bool           // there are others, found by a search
	Found     []found
	Scenarios []nfse.Scenario
	From      string // the rejected note that this one is to stand in for
	Value     fiscalValue

	FirstDay, LastDay nfse.Day // of competence, that may be chosen

	Details []fieldGroup // what only a person can give
	Detail  bool         // some of it is given, or wrong

	Action   string     // where the form is sent
	Replaces *replacing // the note that this one replaces; nil: it replaces none

	issueConversation
}

// issueField is a field of the form, by the name that the rules have for it.
type issueField struct {
	name     string
	rule     catalogue.Rule
	required bool
}

// takerFields are those of a customer that is given in full.
var takerFields = []issueField{
	{"tax_id", catalogue.TaxID, true}, {"name", catalogue.CustomerName, true},
	{"address.zip_code", catalogue.ZipCode, true}, {"address.street_type", catalogue.StreetType, false},
	{"address.street", catalogue.Street, true}, {"address.number", catalogue.Number, true},
	{"address.complement", catalogue.Complement, false}, {"address.district", catalogue.District, true},
	{"municipality_code", catalogue.MunicipalityCode, false},
}

// issueFields are all that the form sends.
var issueFields = append([]string{
	"reference", "service", "service_words", "amount_cents", "competence", "description", "iss_withheld", "scenario",
	"customer", "customer_words", "filled", "email",
	"tax_id", "name", "address.zip_code", "address.street_type", "address.street", "address.number",
	"address.complement", "address.district", "municipality_code",
	"email_customer", "register_ledger", "confirm_municipal_operation", "from",
}, detailFields()...)

// scenarios are the outcomes to choose from for a note of the test environment.
var scenarios = []nfse.Scenario{nfse.ScenarioAuthorized, nfse.ScenarioRejected, nfse.ScenarioSlow}

// servicesOffered is how many services a list to choose from has.
const servicesOffered = 100

// newNote shows the form: empty, for a customer on record, or filled in from the note that it is to
// stand in for (from) or to repeat (copy).
func (d *Dashboard) newNote(r *request) error {
	form := r.newForm(issueFields...)
	copied := r.FormValue("copy")
	if from := cmp.Or(form.Value("from"), copied); from != "" {
		note, err := d.store.Notes.Note(r.Context(), r.scope, from)
		if err != nil {
			return err
		}
		issuance, err := r.askedFor(note)
		if err != nil {
			return err
		}
		form.fill(r, issuance)
		details, err := d.store.Lifecycle.NoteDetails(r.Context(), r.scope, note.ID)
		if err != nil {
			return err
		}
		form.fillDetails(r, details)
		if copied != "" {
			err = r.fillCopy(form, note)
		} else {
			err = form.keepCompetence(r, note)
		}
		if err != nil {
			return err
		}
	}
	return r.showIssue(http.StatusOK, form, nil)
}

func (r *request) showIssue(status int, form *form, found []found) error {
	return r.showForm(status, issuePage{Action: "/notes"}, form, found)
}

// showForm fills in what the form of every note has, and shows it.
func (r *request) showForm(status int, page issuePage, form *form, found []found) error {
	page.Form, page.Found, page.Scenarios, page.From = form, found, scenarios, form.Value("from")
	services, more, err := r.servicesToChoose(form.Value("service"))
	if err != nil {
		return err
	}
	page.More = more
	if page.Value, err = r.fiscalValue(); err != nil {
		return err
	}
	for _, service := range services {
		chosen := service.ID == form.Value("service")
		if service.Active || chosen { // of an inactive one the rules say so
			page.Services, page.Chosen = append(page.Services, service), page.Chosen || chosen
		}
	}
	page.Chosen = page.Chosen || form.Value("service") == "" && len(page.Services) == 1
	if err := r.converse(&page, form); err != nil {
		return err
	}
	if page.Details, err = r.detailGroups(form); err != nil {
		return err
	}
	page.Detail = form.anyDetail() || r.PostForm.Has(moreDocuments)
	page.FirstDay, page.LastDay, err = r.d.catalogue.CompetenceDays(r.Context(), r.scope.OrganizationID)
	if err != nil {
		return err
	}
	title := "issue.title"
	if page.Replaces != nil {
		title = "note.replace"
	}
	return r.renderStatus(status, "issue", title, page)
}

// servicesToChoose are the newest services, and the one that is chosen, however old; a
// search finds others.
func (r *request) servicesToChoose(chosen string) (services []nfse.Service, more bool, err error) {
	services, more, err = r.d.store.Catalogues.Services(r.Context(), r.scope, postgres.Page{Limit: servicesOffered})
	isChosen := func(one nfse.Service) bool { return one.ID == chosen }
	if err != nil || chosen == "" || slices.ContainsFunc(services, isChosen) {
		return services, more, err
	}
	service, err := r.d.store.Catalogues.Service(r.Context(), r.scope, chosen)
	if nfse.IsCode(err, nfse.CodeServiceNotFound) {
		return services, more, nil
	}
	return append(services, service), more, err
}

// searchOfIssue searches for services by words.
func (r *request) searchOfIssue(failed *error) map[string]func(string) found {
	services := func(text string) found {
		all := found{Field: "service", Label: "issue.services", None: "issue.services.none"}
		called, err := r.d.store.Catalogues.ServicesCalled(r.Context(), r.scope, strings.Fields(text), searchResults)
		for _, service := range called {
			all.Options = append(all.Options, option{Value: service.ID,
				Text: service.Name + " · " + format.Money(r.language, service.DefaultAmountCents)})
		}
		*failed = err
		return all
	}
	customers := r.searchOfCustomers(failed)
	return map[string]func(string) found{"service_words": services, "service": services,
		"customer_words": customers, "customer": customers,
		"municipality_code": searchMunicipality("municipality_code")}
}

// fill fills in the form from a request that was made before.
func (f *form) fill(r *request, issuance nfse.Issuance) {
	f.values["reference"] = nextReference(issuance.Reference)
	f.values["service"], f.values["customer"] = issuance.ServiceID, issuance.CustomerID
	f.values["amount_cents"] = format.Amount(r.language, issuance.AmountCents)
	f.values["description"], f.values["scenario"] = text(issuance.Description), string(nfse.ScenarioAuthorized)
	if issuance.ISSWithheld {
		f.values["iss_withheld"] = "on"
	}
	if taker := issuance.Customer; taker != nil && !taker.TaxID.IsForeign() {
		address := taker.Address
		f.values["tax_id"], f.values["name"] = format.TaxID(taker.TaxID), taker.Name
		f.values["address.zip_code"] = format.ZipCode(text(address.ZipCode))
		f.values["address.street_type"], f.values["address.street"] = text(address.StreetType), text(address.Street)
		f.values["address.number"], f.values["address.complement"] = text(address.Number), text(address.Complement)
		f.values["address.district"] = text(address.District)
		f.values["municipality_code"] = text(taker.MunicipalityCode)
	}
}

// keepCompetence fills in the day of the note that was rejected, so that its correction is
// of the same month. Where that may not be chosen any more, the form asks for another.
func (f *form) keepCompetence(r *request, note nfse.Note) error {
	first, _, err := r.d.catalogue.CompetenceDays(r.Context(), r.scope.OrganizationID)
	if f.values["competence"] = string(note.Competence); err == nil && note.Competence < first {
		f.wrong("competence", "issue.wrong.competence")
	}
	return err
}

var counted = regexp.MustCompile(`^(.*)-([0-9]{1,3})$`)

// nextReference suggests the reference of a correction: order-1 after order, and so on.
func nextReference(reference string) string {
	base, next := reference, 2
	if match := counted.FindStringSubmatch(reference); match != nil {
		number, _ := strconv.Atoi(match[2])
		base, next = match[1], number+1
	}
	ending := "-" + strconv.Itoa(next)
	if runes := []rune(base); len(runes)+len(ending) > 200 {
		base = string(runes[:200-len(ending)])
	}
	return base + ending
}

// issueNote accepts a note as the API does, once it was reviewed. A form that is sent twice
// makes one note.
func (d *Dashboard) issueNote(r *request) error {
	form := r.newForm(issueFields...)
	form.cityByName("municipality_code")
	if r.PostForm.Get("back") != "" || r.PostForm.Has(moreDocuments) { // from the review, or for further rows
		return r.showIssue(http.StatusOK, form, nil)
	}
	if filled, err := r.fillIn(form, "address."); filled || err != nil {
		if err != nil {
			return err
		}
		return r.showIssue(http.StatusOK, form, nil)
	}
	var failed error
	if found, only := r.lookedFor(form, r.searchOfIssue(&failed)); only {
		if failed != nil {
			return failed
		}
		form.chosen(r.PostForm.Get("set"))
		return r.showIssue(http.StatusOK, form, found)
	}
	found, err := r.settleConversation(form)
	if err != nil {
		return err
	}
	if found != nil {
		return r.showIssue(http.StatusUnprocessableEntity, form, found)
	}
	issuance := form.issuance(r.scope.Livemode)
	details, err := r.details(form, nfse.NoteDetails{})
	if err != nil {
		return err
	}
	if !form.good() {
		return r.showIssue(http.StatusUnprocessableEntity, form, nil)
	}
	note, known, err := d.catalogue.Draft(r.Context(), r.scope, form.defaults(), r.id, issuance, details)
	if err != nil {
		return r.refuseIssue(form, err)
	}
	if known != nil {
		return r.redirect(r.link("/notes/"+known.ID), "issue.known")
	}
	page, err := r.review(form, note, issueFields, nil)
	if err != nil {
		return err
	}
	if page.Action = "/notes"; page.Digest != r.PostForm.Get(reviewedField) {
		return r.render("review", "review.title", page)
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	if err := r.keepEmail(form, note); err != nil {
		return r.refuseIssue(form, err)
	}
	accepted, created, err := r.changes().Lifecycle.AcceptNote(r.Context(), note)
	if err != nil {
		return r.refuseIssue(form, err)
	}
	notice := "issue.known"
	if created {
		r.accepted()
		notice = "issue.accepted"
	}
	return r.redirect(r.link("/notes/"+accepted.ID), notice)
}

// refuseIssue shows the form again with why a note was not accepted.
func (r *request) refuseIssue(form *form, err error) error {
	if known := asError(err); known != nil && form.refused(known) {
		return r.showIssue(http.StatusUnprocessableEntity, form, nil)
	}
	return err
}

// defaults are what an API key sets for notes by the API.
func (f *form) defaults() nfse.Defaults {
	return nfse.Defaults{
		EmailCustomer:             f.Value("email_customer") != "",
		RegisterLedger:            f.Value("register_ledger") != "",
		ConfirmMunicipalOperation: f.Value("confirm_municipal_operation") != "",
	}
}

// issuance reads the form, and sets what is wrong with each field.
func (f *form) issuance(livemode bool) nfse.Issuance {
	issuance := nfse.Issuance{
		Reference: f.read(issueField{"reference", catalogue.Reference, true}),
		ServiceID: f.read(issueField{"service", catalogue.ID, true}), ISSWithheld: f.Value("iss_withheld") != "",
		CustomerID: strings.TrimSpace(f.Value("customer")),
	}
	cents, err := format.ParseMoney(f.Value("amount_cents"))
	if err != nil || catalogue.CheckAmountCents(cents) != nil {
		f.wrong("amount_cents", "issue.wrong.amount_cents")
	}
	issuance.AmountCents = cents
	if email := f.emailGiven(); email != "" {
		if _, err := catalogue.Email(email); err != nil {
			f.wrong("email", "issue.wrong.email")
		}
	}
	issuance.Competence = nfse.Day(f.read(issueField{"competence", catalogue.Competence, false}))
	issuance.Description = optional(f.read(issueField{"description", catalogue.Description, false}))
	if !livemode {
		issuance.Scenario = nfse.Scenario(f.read(issueField{"scenario", catalogue.Scenario, false}))
	}
	if f.onlyAbroad() {
		issuance.CustomerID = ""
		return issuance
	}
	if issuance.CustomerID != "" {
		for _, field := range takerFields {
			if f.Value(field.name) != "" {
				f.wrong("customer", "issue.wrong.both")
				break
			}
		}
		return issuance
	}
	read := map[string]string{}
	for _, field := range takerFields {
		read[field.name] = f.read(field)
	}
	issuance.Customer = &nfse.InlineTaker{
		TaxID: nfse.TaxID(read["tax_id"]), Name: read["name"],
		MunicipalityCode: optional(read["municipality_code"]),
		Address: nfse.Address{
			ZipCode: optional(read["address.zip_code"]), StreetType: optional(read["address.street_type"]),
			Street: optional(read["address.street"]), Number: optional(read["address.number"]),
			Complement: optional(read["address.complement"]), District: optional(read["address.district"]),
		},
	}
	if catalogue.CheckStreet(issuance.Customer.Address) != nil {
		f.wrong("address.street", "issue.wrong.address.street")
	}
	return issuance
}

// read reads a field by its rule. Browsers end lines with CR LF.
func (f *form) read(field issueField) string {
	sent := strings.ReplaceAll(f.Value(field.name), "\r\n", "\n")
	if sent == "" && !field.required {
		return ""
	}
	kept, err := field.rule(sent)
	if err != nil || kept == "" {
		f.wrong(field.name, "issue.wrong."+field.name)
	}
	return kept
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// refusals are the codes that the form explains.
var refusals = []nfse.Code{
	nfse.CodeIdempotencyConflict, nfse.CodeServiceNotFound, nfse.CodeServiceInactive, nfse.CodeCustomerNotFound,
	nfse.CodeCustomerIncomplete, nfse.CodeMunicipalityConflict, nfse.CodeZipCodeNotFound,
	nfse.CodeZipCodeLookupUnavailable,
}

// refused says in the form why a note was not accepted, and reports whether it can.
func (f *form) refused(err *nfse.Error) bool {
	field := err.Field
	switch {
	case err.Code == nfse.CodeInvalidRequest && slices.Contains(issueFields, field):
		f.wrong(field, "issue.wrong."+field)
		return true
	case !slices.Contains(refusals, err.Code):
		return false
	case err.Code == nfse.CodeCustomerIncomplete:
		field = "customer"
	case !slices.Contains(issueFields, field):
		field = "address.zip_code"
	}
	f.wrong(field, "issue.code."+string(err.Code))
	return true
}
