package dashboard

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"emissor/dashboard/format"
	"emissor/nfse"
)

// routesOfCompanies are the operators' acts on companies, and on what all of them share.
func (d *Dashboard) routesOfCompanies() []route {
	return []route{
		{"POST", "/operations/companies", operator, freshPasskey | whenValid, d.createCompany},
		{"GET", "/operations/companies/{id}", operator, nothing, d.showNameOfCompany},
		{"POST", "/operations/companies/{id}", operator, freshPasskey | whenValid, d.renameCompany},
		{"POST", "/operations/series/release", operator, freshPasskey | aConfirmation, d.releaseSeries},
	}
}

// longestName is how many characters a company's name has at most.
const longestName = 150

// companyName reads the name of a company, and says in the form what is wrong with it.
func (r *request) companyName() (name string, form *form) {
	form = r.newForm("name")
	name = strings.TrimSpace(form.Value("name"))
	if name == "" || utf8.RuneCountInString(name) > longestName || strings.ContainsAny(name, "\x00\r\n") {
		form.wrong("name", "companies.name.wrong")
	}
	return name, form
}

// createCompany puts a company on record, and leads to where its owner is invited.
func (d *Dashboard) createCompany(r *request) error {
	name, form := r.companyName()
	if !form.good() {
		return r.renderOperations(http.StatusUnprocessableEntity, form)
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	created, err := r.changes().Access.CreateOrganization(r.Context(), name)
	if err != nil {
		return err
	}
	r.accepted()
	return r.redirect(operationsPage{}.Of("/people", created.ID, false), "companies.created")
}

// namedCompany is the page on which a company gets another name.
type namedCompany struct {
	nfse.Organization
	Form *form
}

func (d *Dashboard) showNameOfCompany(r *request) error {
	found, err := d.store.Access.Organization(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	form := r.newForm()
	form.values["name"] = found.Name
	return r.render("company_name", "companies.rename", namedCompany{found, form})
}

func (d *Dashboard) renameCompany(r *request) error {
	found, err := d.store.Access.Organization(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	name, form := r.companyName()
	if !form.good() {
		return r.renderStatus(http.StatusUnprocessableEntity, "company_name", "companies.rename",
			namedCompany{found, form})
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	if err := r.changes().Access.RenameOrganization(r.Context(), found.ID, name); err != nil {
		return err
	}
	return r.redirect("/operations", "companies.renamed")
}

// heldSeries is the series that the form names, with the organization on whose behalf it is released.
func (r *request) heldSeries() (organizationID string, series nfse.SeriesKey, err error) {
	series, err = nfse.ParseSeriesKey(r.PostForm.Get("series"))
	if err != nil {
		err = problem{http.StatusBadRequest, "problem.unreadable"}
	}
	return r.PostForm.Get("organization"), series, err
}

// releasingSeries describes the release of a held series; none where it is held no more.
func (r *request) releasingSeries() (*act, error) {
	organizationID, series, err := r.heldSeries()
	if err != nil {
		return nil, err
	}
	reason, err := r.d.store.Numbers.SeriesHeld(r.Context(), series)
	if err != nil || reason.None() {
		return nil, err
	}
	company, err := r.d.store.Access.Organization(r.Context(), organizationID)
	if err != nil {
		return nil, err
	}
	return &act{Title: "act.series.release", Means: r.language.Say("companies.series.means"), Back: "/operations",
		Facts: []line{
			{"frame.organization", company.Name}, {"customer.tax_id", format.TaxID(series.TaxID)},
			{"companies.series", series.String()}, {"note.waits", r.language.Fact(reason)},
		}}, nil
}

func (d *Dashboard) releaseSeries(r *request) error {
	organizationID, series, err := r.heldSeries()
	if err != nil {
		return err
	}
	err = r.changes().Numbers.ReleaseSeries(r.Context(), organizationID, series)
	if nfse.IsCode(err, nfse.CodeInvalidRequest) { // meanwhile, by somebody else
		return r.redirect("/operations", "companies.series.not_held")
	}
	if err != nil {
		return err
	}
	r.accepted()
	return r.redirect("/operations", "companies.series.released")
}
