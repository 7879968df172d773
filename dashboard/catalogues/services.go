package catalogues

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/fiscal/national/classification"
	"emissor/internal/municipality"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/companies"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// RecordsOnPage is how many services or customers a page lists.
const RecordsOnPage = 50

// SearchResults is how many codes or cities a search shows.
const SearchResults = 20

// servicesPage is a page of the catalogue of services.
type servicesPage struct {
	Services []shownService
	First    bool // it begins with the newest
	OlderURL string
}

// shownService is a service with what a person has to know of it.
type shownService struct {
	catalogues.ClassifiedService
	City    string
	Expires *nfse.Timestamp // of the test environment
	Missing []string        // sentences on what live notes need and the service lacks
	Later   string          // on what they will need, and it lacks; empty: nothing
}

// Tables are the tables of classification that are in force today.
func Tables(d *frame.Dashboard) classification.Tables {
	return d.Tables.Editions().On(classification.Day(d.Now()))
}

func showOf(d *frame.Dashboard, r *frame.Request, authority string, service catalogues.ClassifiedService) shownService {
	shown := shownService{ClassifiedService: service, City: MunicipalityName(service.MunicipalityCode)}
	if !r.Scope.Livemode {
		shown.Expires = &nfse.Timestamp{Time: service.CreatedAt.Add(nfse.TestServiceLifetime)}
	}
	shown.Missing, shown.Later = MissingForLive(r, authority, service)
	return shown
}

// MissingForLive says what live notes of a service need today and it lacks, with what the authority would
// refuse of it, and what they need only later.
func MissingForLive(r *frame.Request, authority string, service catalogues.ClassifiedService) (now []string,
	later string) {
	for _, code := range company.ServiceDefects(authority, Tables(r.D), service) {
		text := r.Language.Say(frame.KnownOr("service.live."+code, "service.live.other"))
		if code == company.Unclassified {
			needed, since := ClassificationNeeded(r, authority)
			if !needed {
				later = since
				continue
			}
			text += ": " + since
		}
		now = append(now, text)
	}
	return now, later
}

// ClassificationNeeded decides whether live notes of today need their service classified, and says since or
// from when; nothing where they never do. The pages that warn of it and the steps to the first note ask it.
func ClassificationNeeded(r *frame.Request, authority string) (needed bool, since string) {
	from := company.ClassifiedFrom(authority, r.D.ClassifiedFrom)
	day := format.Date(r.Language, from)
	switch {
	case from == "":
		return false, ""
	case from <= nfse.DayOf(r.D.Now()):
		return true, r.Language.Say("classify.since", day)
	}
	return false, r.Language.Say("classify.later", day)
}

// Authority is the authority by which the organization issues, or would.
func Authority(r *frame.Request) (string, error) {
	return company.AuthorityOf(r.Context(), r.D.Store, r.Scope.OrganizationID)
}

// classifier makes the classifier of that authority, as of today.
func classifier(r *frame.Request) (company.Classifier, error) {
	authority, err := Authority(r)
	return company.NewClassifier(authority, Tables(r.D)), err
}

func MunicipalityName(code string) string {
	if city, ok := municipality.Find(code); ok {
		return city.String()
	}
	return code
}

func ListServices(r *frame.Request) error {
	after := r.URL.Query().Get("older")
	if !nfse.IsID(nfse.PrefixService, after) {
		after = ""
	}
	services, more, err := r.D.Store.Catalogues.ClassifiedServices(r.Context(), r.Scope, false,
		postgres.Page{Limit: RecordsOnPage, After: after})
	if err != nil {
		return err
	}
	authority, err := Authority(r)
	if err != nil {
		return err
	}
	page := servicesPage{First: after == ""}
	for _, service := range services {
		page.Services = append(page.Services, showOf(r.D, r, authority, service))
	}
	if more {
		page.OlderURL = r.Link("/catalogue/services", "older", services[len(services)-1].ID)
	}
	return r.Render("services", "section.services", page)
}

// servicePage is the form of a service.
type servicePage struct {
	Form        *frame.Form
	Version     string
	Service     *shownService // nil: it is a new one
	Found       []frame.Found
	Differences []frame.Difference // from what somebody else has changed meanwhile
	Taxations   []frame.Option
}

var serviceFields = []string{"name", "description", "municipality_code", "default_amount_cents", "national_tax_code",
	"municipal_tax_code", "municipal_taxation", "iss_rate", "active"}

var taxations = []frame.Option{{Value: "", Key: "service.taxation.none", Text: ""},
	{Value: "T", Key: "service.taxation.t", Text: ""},
	{Value: "F", Key: "service.taxation.f", Text: ""}}

func NewService(r *frame.Request) error {
	return showService(r.D, r, http.StatusOK, servicePage{Form: frame.FormOf(map[string]string{"active": "on"})})
}

func showService(d *frame.Dashboard, r *frame.Request, status int, page servicePage) error {
	page.Taxations = taxations
	title := "service.new"
	if page.Service != nil {
		title = "service.edit"
	}
	return r.RenderStatus(status, "service", title, page)
}

func EditService(r *frame.Request) error {
	page, err := newServicePage(r)
	if err != nil {
		return err
	}
	return showService(r.D, r, http.StatusOK, page)
}

// newServicePage is the page of the service on record that the address names.
func newServicePage(r *frame.Request) (page servicePage, err error) {
	id := r.PathValue("id")
	service, err := r.D.Store.Catalogues.ClassifiedService(r.Context(), r.Scope, id)
	if err != nil {
		return page, err
	}
	authority, err := Authority(r)
	shown := showOf(r.D, r, authority, service)
	return servicePage{Form: formOfService(r, service.Service), Version: nfse.VersionOf(service.Service),
		Service: &shown}, err
}

func formOfService(r *frame.Request, service nfse.Service) *frame.Form {
	values := map[string]string{
		"name": service.Name, "description": service.Description, "municipality_code": service.MunicipalityCode,
		"default_amount_cents": format.Amount(r.Language, service.DefaultAmountCents),
		"national_tax_code":    nfse.OrEmpty(service.NationalTaxCode),
		"municipal_tax_code":   nfse.OrEmpty(service.MunicipalTaxCode),
		"municipal_taxation":   nfse.OrEmpty(service.MunicipalTaxation),
	}
	if service.ISSRate != nil {
		values["iss_rate"] = format.Percent(r.Language, service.ISSRate.String())
	}
	if service.Active {
		values["active"] = "on"
	}
	return frame.FormOf(values)
}

// SaveService creates a service, or changes the one that the address names.
func SaveService(r *frame.Request) error {
	page := servicePage{}
	if r.PathValue("id") != "" {
		var err error
		if page, err = newServicePage(r); err != nil {
			return err
		}
	}
	now := page.Form
	page.Form, page.Version = r.NewForm(serviceFields...), r.PostForm.Get("version")
	page.Form.CityByName("municipality_code")
	var only bool
	if page.Found, only = r.LookedFor(page.Form, searchOfService(r.D)); only {
		return showService(r.D, r, http.StatusOK, page)
	}
	change := readService(r.D, page.Form)
	change.Version = page.Version
	if !page.Form.Good() {
		page.Found = Offer(r.D, page.Form, searchOfService(r.D))
		return showService(r.D, r, http.StatusUnprocessableEntity, page)
	}
	by, notice := r.D.Catalogue.By(r.Changes()), "service.changed"
	var created nfse.Service
	var err error
	if page.Service == nil {
		notice = "service.created"
		created, err = by.CreateService(r.Context(), r.Scope, change)
	} else {
		_, err = by.UpdateService(r.Context(), r.Scope, page.Service.ID, change)
	}
	switch {
	case errors.Is(err, postgres.ErrChanged):
		page.Differences = page.Form.Differences("service.", now, serviceFields, serviceRules)
		if page.Differences == nil { // both made the same change
			break
		}
		page.Version = nfse.VersionOf(page.Service.Service)
		return showService(r.D, r, http.StatusConflict, page)
	case err != nil && page.Form.WrongAs("service.", err):
		return showService(r.D, r, http.StatusUnprocessableEntity, page)
	case err != nil:
		return err
	}
	if page.Service == nil {
		return leadOn(r, created.ID, r.Link("/catalogue/services"), notice)
	}
	return r.Redirect(r.Link("/catalogue/services"), notice)
}

// leadOn leads on from a service that was saved: to what comes next on the way to the first note, or else
// to otherwise.
func leadOn(r *frame.Request, serviceID, otherwise, notice string) error {
	notes, err := r.D.Store.Notes.FilterNotes(r.Context(), r.Scope, notes.NoteFilter{Limit: 1})
	if err != nil {
		return err
	}
	if len(notes.Notes) > 0 {
		return r.Redirect(otherwise, notice)
	}
	next, err := nextStep(r, serviceID)
	if err != nil {
		return err
	}
	return r.Redirect(r.Link(next), notice)
}

// nextStep is the page of the next step to the first note: the classification of its service where live notes need
// one, the note itself, or the list of the steps.
func nextStep(r *frame.Request, serviceID string) (path string, err error) {
	_, err = r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) || err == nil && !r.Scope.Livemode {
		return "/", nil
	}
	if err != nil {
		return "", err
	}
	authority, err := Authority(r)
	if err != nil {
		return "", err
	}
	classified, err := r.D.Store.Catalogues.ServiceClassification(r.Context(), r.Scope, serviceID)
	switch needed, _ := ClassificationNeeded(r, authority); {
	case err != nil:
		return "", err
	case needed && classified == nil:
		return "/catalogue/services/" + serviceID + "/classification", nil
	case !r.Role.May(nfse.IssueNotes):
		return "/", nil
	}
	return "/notes/new", nil
}

// serviceRules are the rules of the catalogue for what is typed.
var serviceRules = []frame.Rule{
	{Field: "name", Check: catalogue.ServiceName, Required: true}, {Field: "description", Check: catalogue.Description,
		Required: true},
	{Field: "municipality_code", Check: catalogue.MunicipalityCode, Required: true},
	{Field: "default_amount_cents", Check: checkAmount, Required: true},
	{Field: "national_tax_code", Check: catalogue.NationalTaxCode, Required: false},
	{Field: "municipal_tax_code", Check: catalogue.MunicipalTaxCode, Required: false},
	{Field: "municipal_taxation", Check: catalogue.MunicipalTaxation, Required: false},
	{Field: "iss_rate", Check: checkRate, Required: false},
}

// readService reads a service from its form, by the rules of the catalogue.
func readService(d *frame.Dashboard, form *frame.Form) catalogue.ServiceChange {
	form.CheckAll("service.", serviceRules)
	cents, _ := format.ParseMoney(form.Value("default_amount_cents"))
	var rate *nfse.Rate
	if form.Value("iss_rate") != "" {
		read, _ := nfse.ParseRate(format.ParsePercent(form.Value("iss_rate")))
		rate = &read
	}
	return catalogue.ServiceChange{
		Name: new(form.Value("name")), Description: new(form.Value("description")),
		MunicipalityCode: new(form.Value("municipality_code")), DefaultAmountCents: &cents,
		NationalTaxCode:   new(form.OrNothing("national_tax_code")),
		MunicipalTaxCode:  new(form.OrNothing("municipal_tax_code")),
		MunicipalTaxation: new(form.OrNothing("municipal_taxation")), ISSRate: &rate,
		Active: new(form.Value("active") != ""),
	}
}

func checkAmount(text string) (string, error) {
	cents, err := format.ParseMoney(text)
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(cents, 10), catalogue.CheckAmountCents(cents)
}

func checkRate(text string) (string, error) {
	rate, err := nfse.ParseRate(format.ParsePercent(text))
	return rate.String(), err
}

// searchOfService are the searches by words for fields of a service.
func searchOfService(d *frame.Dashboard) map[string]func(string) frame.Found {
	return map[string]func(string) frame.Found{"municipality_code": SearchMunicipality("municipality_code"),
		"national_tax_code": func(words string) frame.Found { return searchServiceCode(d, words) }}
}

// SearchMunicipality searches for cities for a field.
func SearchMunicipality(field string) func(string) frame.Found {
	return func(text string) frame.Found {
		cities := frame.Found{Field: field, Label: "catalogue.cities", None: "catalogue.cities.none"}
		for _, city := range municipality.Search(text, SearchResults) {
			cities.Options = append(cities.Options, frame.Option{Value: city.Code, Text: city.String()})
		}
		return cities
	}
}

func searchServiceCode(d *frame.Dashboard, text string) frame.Found {
	tables := Tables(d)
	codes := frame.Found{Field: "national_tax_code", Label: "catalogue.codes", None: "catalogue.codes.none"}
	for _, code := range tables.SearchServiceCodes(text, SearchResults) {
		codes.Options = append(codes.Options, frame.Option{Value: code.Code,
			Text: strings.TrimSpace(writtenCode(code.Code) + " " + code.Name)})
	}
	return codes
}

// writtenCode is a national tax code with its dots.
func writtenCode(code string) string {
	if len(code) != 6 {
		return code
	}
	return code[:2] + "." + code[2:4] + "." + code[4:]
}

// Offer searches for what was typed into wrong fields, so that who types words in place of
// a code finds the code.
func Offer(d *frame.Dashboard, form *frame.Form, search map[string]func(string) frame.Found) (all []frame.Found) {
	for _, problem := range form.Problems() {
		if search[problem.Field] != nil && form.Trimmed(problem.Field) != "" {
			all = append(all, search[problem.Field](form.Value(problem.Field)))
		}
	}
	return all
}
