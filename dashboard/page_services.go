package dashboard

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"emissor/dashboard/format"
	"emissor/fiscal/national/classification"
	"emissor/internal/municipality"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// recordsOnPage is how many services or customers a page lists.
const recordsOnPage = 50

// searchResults is how many codes or cities a search shows.
const searchResults = 20

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

// tables are those of classification that are in force today.
func (d *Dashboard) tables() classification.Tables {
	return d.Tables.Editions().On(classification.Day(d.Now()))
}

func (d *Dashboard) showOf(r *request, authority string, service catalogues.ClassifiedService) shownService {
	shown := shownService{ClassifiedService: service, City: municipalityName(service.MunicipalityCode)}
	if !r.scope.Livemode {
		shown.Expires = &nfse.Timestamp{Time: service.CreatedAt.Add(nfse.TestServiceLifetime)}
	}
	shown.Missing, shown.Later = r.missingForLive(authority, service)
	return shown
}

// missingForLive says what live notes of a service need today and it lacks, with what the authority would
// refuse of it, and what they need only later.
func (r *request) missingForLive(authority string, service catalogues.ClassifiedService) (now []string, later string) {
	for _, code := range company.ServiceDefects(authority, r.d.tables(), service) {
		text := r.language.Say(knownOr("service.live."+code, "service.live.other"))
		if code == company.Unclassified {
			needed, since := r.classificationNeeded(authority)
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

// classificationNeeded decides whether live notes of today need their service classified, and says since or
// from when; nothing where they never do. The pages that warn of it and the steps to the first note ask it.
func (r *request) classificationNeeded(authority string) (needed bool, since string) {
	from := company.ClassifiedFrom(authority, r.d.ClassifiedFrom)
	day := format.Date(r.language, from)
	switch {
	case from == "":
		return false, ""
	case from <= nfse.DayOf(r.d.Now()):
		return true, r.language.Say("classify.since", day)
	}
	return false, r.language.Say("classify.later", day)
}

// authority is the authority by which the organization issues, or would.
func (d *Dashboard) authority(r *request) (string, error) {
	return company.AuthorityOf(r.Context(), d.store, r.scope.OrganizationID)
}

// classifier makes the classifier of that authority, as of today.
func (d *Dashboard) classifier(r *request) (company.Classifier, error) {
	authority, err := d.authority(r)
	return company.NewClassifier(authority, d.tables()), err
}

func municipalityName(code string) string {
	if city, ok := municipality.Find(code); ok {
		return city.String()
	}
	return code
}

func (d *Dashboard) listServices(r *request) error {
	after := r.URL.Query().Get("older")
	if !nfse.IsID(nfse.PrefixService, after) {
		after = ""
	}
	services, more, err := d.store.Catalogues.ClassifiedServices(r.Context(), r.scope, false,
		postgres.Page{Limit: recordsOnPage, After: after})
	if err != nil {
		return err
	}
	authority, err := d.authority(r)
	if err != nil {
		return err
	}
	page := servicesPage{First: after == ""}
	for _, service := range services {
		page.Services = append(page.Services, d.showOf(r, authority, service))
	}
	if more {
		page.OlderURL = r.link("/catalogue/services", "older", services[len(services)-1].ID)
	}
	return r.render("services", "section.services", page)
}

// servicePage is the form of a service.
type servicePage struct {
	Form        *form
	Version     string
	Service     *shownService // nil: it is a new one
	Found       []found
	Differences []difference // from what somebody else has changed meanwhile
	Taxations   []option
}

var serviceFields = []string{"name", "description", "municipality_code", "default_amount_cents", "national_tax_code",
	"municipal_tax_code", "municipal_taxation", "iss_rate", "active"}

var taxations = []option{{"", "service.taxation.none", ""}, {"T", "service.taxation.t", ""},
	{"F", "service.taxation.f", ""}}

func (d *Dashboard) newService(r *request) error {
	return d.showService(r, http.StatusOK, servicePage{Form: formOf(map[string]string{"active": "on"})})
}

func (d *Dashboard) showService(r *request, status int, page servicePage) error {
	page.Taxations = taxations
	title := "service.new"
	if page.Service != nil {
		title = "service.edit"
	}
	return r.renderStatus(status, "service", title, page)
}

func (d *Dashboard) editService(r *request) error {
	page, err := d.servicePage(r)
	if err != nil {
		return err
	}
	return d.showService(r, http.StatusOK, page)
}

// servicePage is the page of the service on record that the address names.
func (d *Dashboard) servicePage(r *request) (page servicePage, err error) {
	id := r.PathValue("id")
	service, err := d.store.Catalogues.ClassifiedService(r.Context(), r.scope, id)
	if err != nil {
		return page, err
	}
	authority, err := d.authority(r)
	shown := d.showOf(r, authority, service)
	return servicePage{Form: formOfService(r, service.Service), Version: nfse.VersionOf(service.Service),
		Service: &shown}, err
}

func formOfService(r *request, service nfse.Service) *form {
	values := map[string]string{
		"name": service.Name, "description": service.Description, "municipality_code": service.MunicipalityCode,
		"default_amount_cents": format.Amount(r.language, service.DefaultAmountCents),
		"national_tax_code":    textOf(service.NationalTaxCode), "municipal_tax_code": textOf(service.MunicipalTaxCode),
		"municipal_taxation": textOf(service.MunicipalTaxation),
	}
	if service.ISSRate != nil {
		values["iss_rate"] = format.Percent(r.language, service.ISSRate.String())
	}
	if service.Active {
		values["active"] = "on"
	}
	return formOf(values)
}

// saveService creates a service, or changes the one that the address names.
func (d *Dashboard) saveService(r *request) error {
	page := servicePage{}
	if r.PathValue("id") != "" {
		var err error
		if page, err = d.servicePage(r); err != nil {
			return err
		}
	}
	now := page.Form
	page.Form, page.Version = r.newForm(serviceFields...), r.PostForm.Get("version")
	page.Form.cityByName("municipality_code")
	var only bool
	if page.Found, only = r.lookedFor(page.Form, d.searchOfService()); only {
		return d.showService(r, http.StatusOK, page)
	}
	change := d.readService(page.Form)
	change.Version = page.Version
	if !page.Form.good() {
		page.Found = d.offer(page.Form, d.searchOfService())
		return d.showService(r, http.StatusUnprocessableEntity, page)
	}
	by, notice := d.catalogue.By(r.changes()), "service.changed"
	var err error
	if page.Service == nil {
		notice = "service.created"
		_, err = by.CreateService(r.Context(), r.scope, change)
	} else {
		_, err = by.UpdateService(r.Context(), r.scope, page.Service.ID, change)
	}
	switch {
	case errors.Is(err, postgres.ErrChanged):
		page.Differences = page.Form.differences("service.", now, serviceFields, serviceRules)
		if page.Differences == nil { // both made the same change
			break
		}
		page.Version = nfse.VersionOf(page.Service.Service)
		return d.showService(r, http.StatusConflict, page)
	case err != nil && page.Form.wrongAs("service.", err):
		return d.showService(r, http.StatusUnprocessableEntity, page)
	case err != nil:
		return err
	}
	if page.Service == nil {
		return r.afterFirstService(notice)
	}
	return r.redirect(r.link("/catalogue/services"), notice)
}

// afterFirstService leads on from a new service: to the list, or back to the first steps where there is
// no note yet.
func (r *request) afterFirstService(notice string) error {
	notes, err := r.d.store.Notes.FilterNotes(r.Context(), r.scope, notes.NoteFilter{Limit: 1})
	if err != nil {
		return err
	}
	if len(notes.Notes) == 0 {
		return r.redirect(r.link("/"), notice)
	}
	return r.redirect(r.link("/catalogue/services"), notice)
}

// serviceRules are the rules of the catalogue for what is typed.
var serviceRules = []rule{
	{"name", catalogue.ServiceName, true}, {"description", catalogue.Description, true},
	{"municipality_code", catalogue.MunicipalityCode, true},
	{"default_amount_cents", checkAmount, true},
	{"national_tax_code", catalogue.NationalTaxCode, false},
	{"municipal_tax_code", catalogue.MunicipalTaxCode, false},
	{"municipal_taxation", catalogue.MunicipalTaxation, false}, {"iss_rate", checkRate, false},
}

// readService reads a service from its form, by the rules of the catalogue.
func (d *Dashboard) readService(form *form) catalogue.ServiceChange {
	form.checkAll("service.", serviceRules)
	cents, _ := format.ParseMoney(form.Value("default_amount_cents"))
	var rate *nfse.Rate
	if form.Value("iss_rate") != "" {
		read, _ := nfse.ParseRate(format.ParsePercent(form.Value("iss_rate")))
		rate = &read
	}
	return catalogue.ServiceChange{
		Name: new(form.Value("name")), Description: new(form.Value("description")),
		MunicipalityCode: new(form.Value("municipality_code")), DefaultAmountCents: &cents,
		NationalTaxCode:   new(form.orNothing("national_tax_code")),
		MunicipalTaxCode:  new(form.orNothing("municipal_tax_code")),
		MunicipalTaxation: new(form.orNothing("municipal_taxation")), ISSRate: &rate,
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
func (d *Dashboard) searchOfService() map[string]func(string) found {
	return map[string]func(string) found{"municipality_code": searchMunicipality("municipality_code"),
		"national_tax_code": d.searchServiceCode}
}

// searchMunicipality searches for cities for a field.
func searchMunicipality(field string) func(string) found {
	return func(text string) found {
		cities := found{Field: field, Label: "catalogue.cities", None: "catalogue.cities.none"}
		for _, city := range municipality.Search(text, searchResults) {
			cities.Options = append(cities.Options, option{Value: city.Code, Text: city.String()})
		}
		return cities
	}
}

func (d *Dashboard) searchServiceCode(text string) found {
	tables := d.tables()
	codes := found{Field: "national_tax_code", Label: "catalogue.codes", None: "catalogue.codes.none"}
	for _, code := range tables.SearchServiceCodes(text, searchResults) {
		codes.Options = append(codes.Options, option{Value: code.Code,
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

// offer searches for what was typed into wrong fields, so that who types words in place of
// a code finds the code.
func (d *Dashboard) offer(form *form, search map[string]func(string) found) (all []found) {
	for _, problem := range form.Problems() {
		if search[problem.Field] != nil && form.trimmed(problem.Field) != "" {
			all = append(all, search[problem.Field](form.Value(problem.Field)))
		}
	}
	return all
}
