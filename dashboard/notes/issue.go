package notes

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/postgres"
)

// issuePage is the form by which a person issues a note.
type issuePage struct {
	Form      *frame.Form
	Services  []nfse.Service // the newest, and the chosen one
	Chosen    bool           // one of them is chosen, or the only one
	More      bool           // there are others, found by a search
	Found     []frame.Found
	Scenarios []nfse.Scenario
	From      string // the rejected note that this one is to stand in for
	Value     frame.FiscalValue

	FirstDay, LastDay nfse.Day // of competence, that may be chosen

	Details []fieldGroup // what only a person can give
	Detail  bool         // some of it is given, or wrong

	Action   string     // where the form is sent
	Replaces *replacing // the note that this one replaces; nil: it replaces none

	issueConversation
}

// IssueField is a field of the form, by the name that the rules have for it.
type IssueField struct {
	Name     string
	Rule     catalogue.Rule
	Required bool
}

// takerFields are the fields of a customer that is given in full.
var takerFields = []IssueField{
	{"tax_id", catalogue.TaxID, true}, {"name", catalogue.CustomerName, true},
	{"address.zip_code", catalogue.ZipCode, true}, {"address.street_type", catalogue.StreetType, false},
	{"address.street", catalogue.Street, true}, {"address.number", catalogue.Number, true},
	{"address.complement", catalogue.Complement, false}, {"address.district", catalogue.District, true},
	{"municipality_code", catalogue.MunicipalityCode, false},
}

// IssueFields are all that the form sends.
var IssueFields = append([]string{
	"reference", "service", "service_words", "amount_cents", "competence", "description", "iss_withheld", "scenario",
	"customer", "customer_words", "filled", "email",
	"tax_id", "name", "address.zip_code", "address.street_type", "address.street", "address.number",
	"address.complement", "address.district", "municipality_code",
	"email_customer", "register_ledger", "confirm_municipal_operation", "from",
}, DetailFields()...)

// scenarios are the outcomes to choose from for a note of the test environment.
var scenarios = []nfse.Scenario{nfse.ScenarioAuthorized, nfse.ScenarioRejected, nfse.ScenarioSlow}

// servicesOffered is how many services a list to choose from has.
const servicesOffered = 100

// NewNote shows the form: empty, for a customer on record, or filled in from the note that it is to
// stand in for (from) or to repeat (copy).
func NewNote(r *frame.Request) error {
	form := r.NewForm(IssueFields...)
	copied := r.FormValue("copy")
	if from := cmp.Or(form.Value("from"), copied); from != "" {
		note, err := r.D.Store.Notes.Note(r.Context(), r.Scope, from)
		if err != nil {
			return err
		}
		issuance, err := askedFor(r, note)
		if err != nil {
			return err
		}
		fill(form, r, issuance)
		details, err := r.D.Store.Lifecycle.NoteDetails(r.Context(), r.Scope, note.ID)
		if err != nil {
			return err
		}
		fillDetails(form, r, details)
		if copied != "" {
			err = fillCopy(r, form, note)
		} else {
			err = keepCompetence(form, r, note)
		}
		if err != nil {
			return err
		}
	}
	return showIssue(r, http.StatusOK, form, nil)
}

func showIssue(r *frame.Request, status int, form *frame.Form, found []frame.Found) error {
	return showForm(r, status, issuePage{Action: "/notes"}, form, found)
}

// showForm fills in what the form of every note has, and shows it.
func showForm(r *frame.Request, status int, page issuePage, form *frame.Form, found []frame.Found) error {
	page.Form, page.Found, page.Scenarios, page.From = form, found, scenarios, form.Value("from")
	services, more, err := ServicesToChoose(r, form.Value("service"))
	if err != nil {
		return err
	}
	page.More = more
	if page.Value, err = r.FiscalValue(); err != nil {
		return err
	}
	for _, service := range services {
		chosen := service.ID == form.Value("service")
		if service.Active || chosen { // of an inactive one the rules say so
			page.Services, page.Chosen = append(page.Services, service), page.Chosen || chosen
		}
	}
	page.Chosen = page.Chosen || form.Value("service") == "" && len(page.Services) == 1
	if err := converse(r, &page, form); err != nil {
		return err
	}
	if page.Details, err = detailGroups(r, form); err != nil {
		return err
	}
	page.Detail = anyDetail(form) || r.PostForm.Has(moreDocuments)
	page.FirstDay, page.LastDay, err = r.D.Catalogue.CompetenceDays(r.Context(), r.Scope.OrganizationID)
	if err != nil {
		return err
	}
	title := "issue.title"
	if page.Replaces != nil {
		title = "note.replace"
	}
	return r.RenderStatus(status, "issue", title, page)
}

// ServicesToChoose are the newest services, and the one that is chosen, however old; a
// search finds others.
func ServicesToChoose(r *frame.Request, chosen string) (services []nfse.Service, more bool, err error) {
	services, more, err = r.D.Store.Catalogues.Services(r.Context(), r.Scope, postgres.Page{Limit: servicesOffered})
	isChosen := func(one nfse.Service) bool { return one.ID == chosen }
	if err != nil || chosen == "" || slices.ContainsFunc(services, isChosen) {
		return services, more, err
	}
	service, err := r.D.Store.Catalogues.Service(r.Context(), r.Scope, chosen)
	if nfse.IsCode(err, nfse.CodeServiceNotFound) {
		return services, more, nil
	}
	return append(services, service), more, err
}

// SearchOfIssue searches for services by words.
func SearchOfIssue(r *frame.Request, failed *error) map[string]func(string) frame.Found {
	services := func(text string) frame.Found {
		all := frame.Found{Field: "service", Label: "issue.services", None: "issue.services.none"}
		called, err := r.D.Store.Catalogues.ServicesCalled(r.Context(), r.Scope, strings.Fields(text),
			cataloguepages.SearchResults)
		for _, service := range called {
			all.Options = append(all.Options, frame.Option{Value: service.ID,
				Text: service.Name + " · " + format.Money(r.Language, service.DefaultAmountCents)})
		}
		*failed = err
		return all
	}
	customers := searchOfCustomers(r, failed)
	return map[string]func(string) frame.Found{"service_words": services, "service": services,
		"customer_words": customers, "customer": customers,
		"municipality_code": cataloguepages.SearchMunicipality("municipality_code")}
}

// fill fills in the form from a request that was made before.
func fill(f *frame.Form, r *frame.Request, issuance nfse.Issuance) {
	f.Values["reference"] = nextReference(issuance.Reference)
	f.Values["service"], f.Values["customer"] = issuance.ServiceID, issuance.CustomerID
	f.Values["amount_cents"] = format.Amount(r.Language, issuance.AmountCents)
	f.Values["description"], f.Values["scenario"] = nfse.OrEmpty(issuance.Description), string(nfse.ScenarioAuthorized)
	if issuance.ISSWithheld {
		f.Values["iss_withheld"] = "on"
	}
	if taker := issuance.Customer; taker != nil && !taker.TaxID.IsForeign() {
		address := taker.Address
		f.Values["tax_id"], f.Values["name"] = format.TaxID(taker.TaxID), taker.Name
		f.Values["address.zip_code"] = format.ZipCode(nfse.OrEmpty(address.ZipCode))
		f.Values["address.street_type"], f.Values["address.street"] = nfse.OrEmpty(address.StreetType),
			nfse.OrEmpty(address.Street)
		f.Values["address.number"], f.Values["address.complement"] = nfse.OrEmpty(address.Number),
			nfse.OrEmpty(address.Complement)
		f.Values["address.district"] = nfse.OrEmpty(address.District)
		f.Values["municipality_code"] = nfse.OrEmpty(taker.MunicipalityCode)
	}
}

// keepCompetence fills in the day of the note that was rejected, so that its correction is
// of the same month. Where that may not be chosen any more, the form asks for another.
func keepCompetence(f *frame.Form, r *frame.Request, note nfse.Note) error {
	first, _, err := r.D.Catalogue.CompetenceDays(r.Context(), r.Scope.OrganizationID)
	if f.Values["competence"] = string(note.Competence); err == nil && note.Competence < first {
		f.AddProblem("competence", "issue.wrong.competence")
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

// IssueNote accepts a note as the API does, once it was reviewed. A form that is sent twice
// makes one note.
func IssueNote(r *frame.Request) error {
	form := r.NewForm(IssueFields...)
	form.CityByName("municipality_code")
	if r.PostForm.Get("back") != "" || r.PostForm.Has(moreDocuments) { // from the review, or for further rows
		return showIssue(r, http.StatusOK, form, nil)
	}
	if filled, err := r.FillIn(form, "address."); filled || err != nil {
		if err != nil {
			return err
		}
		return showIssue(r, http.StatusOK, form, nil)
	}
	var failed error
	if found, only := r.LookedFor(form, SearchOfIssue(r, &failed)); only {
		if failed != nil {
			return failed
		}
		Chosen(form, r.PostForm.Get("set"))
		return showIssue(r, http.StatusOK, form, found)
	}
	found, err := SettleConversation(r, form)
	if err != nil {
		return err
	}
	if found != nil {
		return showIssue(r, http.StatusUnprocessableEntity, form, found)
	}
	issuance := issuance(form, r.Scope.Livemode)
	details, err := Details(r, form, nfse.NoteDetails{})
	if err != nil {
		return err
	}
	if !form.Good() {
		return showIssue(r, http.StatusUnprocessableEntity, form, nil)
	}
	note, known, err := r.D.Catalogue.Draft(r.Context(), r.Scope, Defaults(form), r.ID, issuance, details)
	if err != nil {
		return refuseIssue(r, form, err)
	}
	if known != nil {
		return r.Redirect(r.Link("/notes/"+known.ID), "issue.known")
	}
	page, err := review(r, form, note, IssueFields, nil)
	if err != nil {
		return err
	}
	if page.Action = "/notes"; page.Digest != r.PostForm.Get(reviewedField) {
		return r.Render("review", "review.title", page)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	if err := keepEmail(r, form, note); err != nil {
		return refuseIssue(r, form, err)
	}
	accepted, created, err := r.Changes().Lifecycle.AcceptNote(r.Context(), note)
	if err != nil {
		return refuseIssue(r, form, err)
	}
	notice := "issue.known"
	if created {
		Accepted(r)
		notice = "issue.accepted"
	}
	return r.Redirect(r.Link("/notes/"+accepted.ID), notice)
}

// refuseIssue shows the form again with why a note was not accepted.
func refuseIssue(r *frame.Request, form *frame.Form, err error) error {
	if known := frame.AsError(err); known != nil && refused(form, known) {
		return showIssue(r, http.StatusUnprocessableEntity, form, nil)
	}
	return err
}

// Defaults are what an API key sets for notes by the API.
func Defaults(f *frame.Form) nfse.Defaults {
	return nfse.Defaults{
		EmailCustomer:             f.Value("email_customer") != "",
		RegisterLedger:            f.Value("register_ledger") != "",
		ConfirmMunicipalOperation: f.Value("confirm_municipal_operation") != "",
	}
}

// issuance reads the form, and sets what is wrong with each field.
func issuance(f *frame.Form, livemode bool) nfse.Issuance {
	issuance := nfse.Issuance{
		Reference: Read(f, IssueField{"reference", catalogue.Reference, true}),
		ServiceID: Read(f, IssueField{"service", catalogue.ID, true}), ISSWithheld: f.Value("iss_withheld") != "",
		CustomerID: strings.TrimSpace(f.Value("customer")),
	}
	cents, err := format.ParseMoney(f.Value("amount_cents"))
	if err != nil || catalogue.CheckAmountCents(cents) != nil {
		f.AddProblem("amount_cents", "issue.wrong.amount_cents")
	}
	issuance.AmountCents = cents
	if email := emailGiven(f); email != "" {
		if _, err := catalogue.Email(email); err != nil {
			f.AddProblem("email", "issue.wrong.email")
		}
	}
	issuance.Competence = nfse.Day(Read(f, IssueField{"competence", catalogue.Competence, false}))
	issuance.Description = frame.Optional(Read(f, IssueField{"description", catalogue.Description, false}))
	if !livemode {
		issuance.Scenario = nfse.Scenario(Read(f, IssueField{"scenario", catalogue.Scenario, false}))
	}
	if onlyAbroad(f) {
		issuance.CustomerID = ""
		return issuance
	}
	if issuance.CustomerID != "" {
		for _, field := range takerFields {
			if f.Value(field.Name) != "" {
				f.AddProblem("customer", "issue.wrong.both")
				break
			}
		}
		return issuance
	}
	read := map[string]string{}
	for _, field := range takerFields {
		read[field.Name] = Read(f, field)
	}
	issuance.Customer = &nfse.InlineTaker{
		TaxID: nfse.TaxID(read["tax_id"]), Name: read["name"],
		MunicipalityCode: frame.Optional(read["municipality_code"]),
		Address: nfse.Address{
			ZipCode: frame.Optional(read["address.zip_code"]), StreetType: frame.Optional(read["address.street_type"]),
			Street: frame.Optional(read["address.street"]), Number: frame.Optional(read["address.number"]),
			Complement: frame.Optional(read["address.complement"]), District: frame.Optional(read["address.district"]),
		},
	}
	if catalogue.CheckStreet(issuance.Customer.Address) != nil {
		f.AddProblem("address.street", "issue.wrong.address.street")
	}
	return issuance
}

// Read reads a field by its rule. Browsers end lines with CR LF.
func Read(f *frame.Form, field IssueField) string {
	sent := strings.ReplaceAll(f.Value(field.Name), "\r\n", "\n")
	if sent == "" && !field.Required {
		return ""
	}
	kept, err := field.Rule(sent)
	if err != nil || kept == "" {
		f.AddProblem(field.Name, "issue.wrong."+field.Name)
	}
	return kept
}

// refusals are the codes that the form explains.
var refusals = []nfse.Code{
	nfse.CodeIdempotencyConflict, nfse.CodeServiceNotFound, nfse.CodeServiceInactive, nfse.CodeCustomerNotFound,
	nfse.CodeCustomerIncomplete, nfse.CodeMunicipalityConflict, nfse.CodeZipCodeNotFound,
	nfse.CodeZipCodeLookupUnavailable,
}

// refused says in the form why a note was not accepted, and reports whether it can.
func refused(f *frame.Form, err *nfse.Error) bool {
	field := err.Field
	switch {
	case err.Code == nfse.CodeInvalidRequest && slices.Contains(IssueFields, field):
		f.AddProblem(field, "issue.wrong."+field)
		return true
	case !slices.Contains(refusals, err.Code):
		return false
	case err.Code == nfse.CodeCustomerIncomplete:
		field = "customer"
	case !slices.Contains(IssueFields, field):
		field = "address.zip_code"
	}
	f.AddProblem(field, "issue.code."+string(err.Code))
	return true
}
