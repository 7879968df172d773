package catalogues

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/postgres"
)

// taxationPage is how a service is taxed, or what a customer withholds.
type taxationPage struct {
	Name, Back string // of the record, and the path of its page
	Customer   bool
	Form       *frame.Form
	Version    string
	Changed    bool // by somebody else meanwhile
	Warnings   []fact.Fact
	Rules      []frame.Option // of a customer: by what it withholds
	Rates      []frame.Field
	Groups     []frame.GroupField // of a service: what it has beyond its withholdings
	Works      []frame.Option     // that a customer may refer to
}

// None is an empty list of differences: what is withheld changes as a whole.
func (taxationPage) None() []frame.Difference { return nil }

var withholdingRules = []frame.Option{
	{Value: string(nfse.WithholdsByService), Key: "tax.withholds.by_service", Text: ""},
	{Value: string(nfse.WithholdsNothing), Key: "tax.withholds.never", Text: ""},
	{Value: string(nfse.WithholdsItsOwn), Key: "tax.withholds.own", Text: ""},
}

// taxationFields are the fields of the form: the rates, and the customer's own.
func taxationFields() []string {
	fields := append([]string{"withholds", "simples_taker"}, catalogue.ServiceFields...)
	for _, rate := range company.WithheldRates {
		fields = append(fields, rate.Name)
	}
	return fields
}

func FormOfWithholding(r *frame.Request, set *nfse.Withholding) *frame.Form {
	values := map[string]string{}
	if set != nil {
		for _, rate := range company.WithheldRates {
			if percent := *rate.Of(set); percent != 0 {
				values[rate.Name] = format.Percent(r.Language, percent.String())
			}
		}
	}
	return frame.FormOf(values)
}

// ReadWithholding reads a set from its form, and says in it what is wrong; nil is the empty set.
func ReadWithholding(f *frame.Form) *nfse.Withholding {
	var set nfse.Withholding
	for _, rate := range company.WithheldRates {
		text := format.ParsePercent(f.Value(rate.Name))
		if text == "" {
			continue
		}
		percent, err := nfse.ParsePercent(text)
		if err != nil {
			f.AddProblem(rate.Name, "company.percent.wrong")
		}
		*rate.Of(&set) = percent
	}
	if f.Good() && company.CheckWithholding(set) != nil {
		f.AddProblem("irrf", "tax.rates.wrong")
	}
	if set == (nfse.Withholding{}) {
		return nil
	}
	return &set
}

func renderTaxation(r *frame.Request, status int, page taxationPage) (err error) {
	page.Rules = withholdingRules
	if page.Works, err = Works.Options(r, page.Form.Value("work"), "group.work.none"); err != nil {
		return err
	}
	if !page.Customer {
		choices := frame.GroupChoices()
		choices["iss"] = append([]frame.Option{{Value: "", Key: "group.iss.taxed", Text: ""}}, frame.IssKinds...)
		choices["abroad"] = append([]frame.Option{{Value: "", Key: "group.abroad.none", Text: ""}}, frame.AbroadKinds...)
		choices["work"] = page.Works
		choices["event"], err = CulturalEvents.Options(r, page.Form.Value("event"), "group.event.none")
		if err != nil {
			return err
		}
		page.Groups = frame.GroupFields(page.Form, catalogue.ServiceFields, choices)
	}
	for _, rate := range company.WithheldRates {
		page.Rates = append(page.Rates, frame.NewField(page.Form, rate.Name, "tax."+rate.Name, "text"))
	}
	return r.RenderStatus(status, "taxation", "tax.title", page)
}

// ProfileOrNone is the organization's fiscal profile; the zero value where there is none.
func ProfileOrNone(r *frame.Request) (nfse.FiscalProfile, error) {
	profile, err := r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return nfse.FiscalProfile{}, nil
	}
	return profile, err
}

// serviceTaxation is the page of a service as it is on record.
func serviceTaxation(r *frame.Request) (page taxationPage, taxation nfse.ServiceTaxation, err error) {
	service, err := r.D.Store.Catalogues.Service(r.Context(), r.Scope, r.PathValue("id"))
	if err != nil {
		return page, taxation, err
	}
	if taxation, err = r.D.Store.Catalogues.ServiceTaxation(r.Context(), r.Scope, service.ID); err != nil {
		return page, taxation, err
	}
	profile, err := ProfileOrNone(r)
	form := FormOfWithholding(r, taxation.Withholding)
	maps.Copy(form.Values, frame.ShownTexts(r.Language, catalogue.TextsOfService(taxation)))
	return taxationPage{
		Name: service.Name, Back: "/catalogue/services/" + service.ID, Version: nfse.VersionOf(taxation),
		Form:     form,
		Warnings: company.ServiceTaxWarnings(profile, taxation, nfse.DayOf(time.Now())),
	}, taxation, err
}

func ShowServiceTaxation(r *frame.Request) error {
	page, _, err := serviceTaxation(r)
	if err != nil {
		return err
	}
	return renderTaxation(r, http.StatusOK, page)
}

// TaxService sets how a service is taxed.
func TaxService(r *frame.Request) error {
	page, taxation, err := serviceTaxation(r)
	if err != nil {
		return err
	}
	page.Form = r.NewForm(taxationFields()...)
	taxation.Withholding = ReadWithholding(page.Form)
	page.Form.WrongGroups(catalogue.ReadServiceTaxation(&taxation, page.Form.Plain()))
	return saveTaxation(r, page, func(version string) error {
		return r.Changes().Catalogues.TaxService(r.Context(), r.Scope, r.PathValue("id"), taxation, version)
	})
}

// customerTaxation is the page of a customer as it is on record.
func customerTaxation(r *frame.Request) (page taxationPage, taxation nfse.CustomerTaxation, err error) {
	customer, err := r.D.Store.Catalogues.Customer(r.Context(), r.Scope, r.PathValue("id"))
	if err != nil {
		return page, taxation, err
	}
	if taxation, err = r.D.Store.Catalogues.CustomerTaxation(r.Context(), r.Scope, customer.ID); err != nil {
		return page, taxation, err
	}
	profile, err := ProfileOrNone(r)
	page = taxationPage{
		Name: customer.Name, Back: "/catalogue/customers/" + customer.ID, Customer: true,
		Version: nfse.VersionOf(taxation), Form: FormOfWithholding(r, taxation.Withholding),
		Warnings: company.CustomerTaxWarnings(profile, customer.TaxID, taxation, nfse.DayOf(time.Now())),
	}
	page.Form.Values["withholds"], page.Form.Values["work"] = string(taxation.Withholds), taxation.WorkID
	if taxation.Simples {
		page.Form.Values["simples_taker"] = "on"
	}
	return page, taxation, err
}

func ShowCustomerTaxation(r *frame.Request) error {
	page, _, err := customerTaxation(r)
	if err != nil {
		return err
	}
	return renderTaxation(r, http.StatusOK, page)
}

// TaxCustomer sets what a customer withholds. Rates count only where it has a set of its own.
func TaxCustomer(r *frame.Request) error {
	page, taxation, err := customerTaxation(r)
	if err != nil {
		return err
	}
	page.Form = r.NewForm(taxationFields()...)
	taxation.Withholds, taxation.WorkID = nfse.WithholdingRule(page.Form.Value("withholds")), page.Form.Value("work")
	taxation.Simples, taxation.Withholding = page.Form.Value("simples_taker") != "", nil
	if taxation.Withholds == nfse.WithholdsItsOwn {
		if taxation.Withholding = ReadWithholding(page.Form); taxation.Withholding == nil {
			taxation.Withholding = &nfse.Withholding{}
		}
	}
	if page.Form.Good() && company.CheckCustomerTaxation(taxation) != nil {
		page.Form.AddProblem("withholds", "tax.withholds.wrong")
	}
	return saveTaxation(r, page, func(version string) error {
		return r.Changes().Catalogues.TaxCustomer(r.Context(), r.Scope, r.PathValue("id"), taxation, version)
	})
}

// saveTaxation saves what was typed, unless something is wrong with it or somebody else has
// changed it since its form was made.
func saveTaxation(r *frame.Request, page taxationPage, save func(version string) error) error {
	current := page.Version
	page.Version, page.Warnings = r.PostForm.Get("version"), nil
	if !page.Form.Good() {
		return renderTaxation(r, http.StatusUnprocessableEntity, page)
	}
	err := save(page.Version)
	if errors.Is(err, postgres.ErrChanged) {
		page.Changed, page.Version = true, current
		return renderTaxation(r, http.StatusConflict, page)
	}
	if refused := frame.AsError(err); refused != nil && strings.HasSuffix(refused.Field, "_id") {
		field := strings.TrimSuffix(refused.Field, "_id")
		page.Form.AddProblem(field, "group.wrong."+field)
		return renderTaxation(r, http.StatusUnprocessableEntity, page)
	}
	if err != nil {
		return err
	}
	return r.Redirect(r.Link(page.Back+"/taxation"), "tax.saved")
}
