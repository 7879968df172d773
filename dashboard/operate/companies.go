package operate

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/nfse"
)

// RoutesOfCompanies are the operators' acts on companies, and on what all of them share.
func RoutesOfCompanies(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("POST", "/operations/companies", frame.Operator, frame.FreshPasskey|frame.WhenValid, createCompany),
		frame.On("GET", "/operations/companies/{id}", frame.Operator, frame.Nothing, showNameOfCompany),
		frame.On("POST", "/operations/companies/{id}", frame.Operator, frame.FreshPasskey|frame.WhenValid, renameCompany),
		frame.On("POST", "/operations/series/release", frame.Operator, frame.FreshPasskey|frame.AConfirmation,
			releaseSeries),
	}
}

// longestName is how many characters a company's name has at most.
const longestName = 150

// companyName reads the name of a company, and says in the form what is wrong with it.
func companyName(r *frame.Request) (name string, form *frame.Form) {
	form = r.NewForm("name")
	name = strings.TrimSpace(form.Value("name"))
	if name == "" || utf8.RuneCountInString(name) > longestName || strings.ContainsAny(name, "\x00\r\n") {
		form.AddProblem("name", "companies.name.wrong")
	}
	return name, form
}

// createCompany puts a company on record, and leads to where its owner is invited.
func createCompany(r *frame.Request) error {
	name, form := companyName(r)
	if !form.Good() {
		return renderOperations(r, http.StatusUnprocessableEntity, form)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	created, err := r.Changes().Access.CreateOrganization(r.Context(), name)
	if err != nil {
		return err
	}
	notepages.Accepted(r)
	return r.Redirect(operationsPage{}.Of("/people", created.ID, false), "companies.created")
}

// namedCompany is the page on which a company gets another name.
type namedCompany struct {
	nfse.Organization
	Form *frame.Form
}

func showNameOfCompany(r *frame.Request) error {
	found, err := r.D.Store.Access.Organization(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	form := r.NewForm()
	form.Values["name"] = found.Name
	return r.Render("company_name", "companies.rename", namedCompany{found, form})
}

func renameCompany(r *frame.Request) error {
	found, err := r.D.Store.Access.Organization(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	name, form := companyName(r)
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "company_name", "companies.rename",
			namedCompany{found, form})
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	if err := r.Changes().Access.RenameOrganization(r.Context(), found.ID, name); err != nil {
		return err
	}
	return r.Redirect("/operations", "companies.renamed")
}

// heldSeries is the series that the form names, with the organization on whose behalf it is released.
func heldSeries(r *frame.Request) (organizationID string, series nfse.SeriesKey, err error) {
	series, err = nfse.ParseSeriesKey(r.PostForm.Get("series"))
	if err != nil {
		err = frame.Problem{Status: http.StatusBadRequest, Key: "problem.unreadable"}
	}
	return r.PostForm.Get("organization"), series, err
}

// ReleasingSeries describes the release of a held series; none where it is held no more.
func ReleasingSeries(r *frame.Request) (*frame.Act, error) {
	organizationID, series, err := heldSeries(r)
	if err != nil {
		return nil, err
	}
	reason, err := r.D.Store.Numbers.SeriesHeld(r.Context(), series)
	if err != nil || reason.None() {
		return nil, err
	}
	company, err := r.D.Store.Access.Organization(r.Context(), organizationID)
	if err != nil {
		return nil, err
	}
	return &frame.Act{Title: "act.series.release", Means: r.Language.Say("companies.series.means"), Back: "/operations",
		Facts: []frame.Line{
			{Label: "frame.organization", Text: company.Name}, {Label: "customer.tax_id", Text: format.TaxID(series.TaxID)},
			{Label: "companies.series", Text: series.String()}, {Label: "note.waits", Text: r.Language.Fact(reason)},
		}}, nil
}

func releaseSeries(r *frame.Request) error {
	organizationID, series, err := heldSeries(r)
	if err != nil {
		return err
	}
	err = r.Changes().Numbers.ReleaseSeries(r.Context(), organizationID, series)
	if nfse.IsCode(err, nfse.CodeInvalidRequest) { // meanwhile, by somebody else
		return r.Redirect("/operations", "companies.series.not_held")
	}
	if err != nil {
		return err
	}
	notepages.Accepted(r)
	return r.Redirect("/operations", "companies.series.released")
}
