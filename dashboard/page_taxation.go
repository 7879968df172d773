package dashboard

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/format"
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
	Form       *form
	Version    string
	Changed    bool // by somebody else meanwhile
	Warnings   []fact.Fact
	Rules      []option // of a customer: by what it withholds
	Rates      []field
	Groups     []groupField // of a service: what it has beyond its withholdings
	Works      []option     // that a customer may refer to
}

// None is an empty list of differences: what is withheld changes as a whole.
func (taxationPage) None() []difference { return nil }

var withholdingRules = []option{
	{string(nfse.WithholdsByService), "tax.withholds.by_service", ""},
	{string(nfse.WithholdsNothing), "tax.withholds.never", ""}, {string(nfse.WithholdsItsOwn), "tax.withholds.own", ""},
}

// taxationFields are those of the form: the rates, and the customer's own.
func taxationFields() []string {
	fields := append([]string{"withholds", "simples_taker"}, catalogue.ServiceFields...)
	for _, rate := range company.WithheldRates {
		fields = append(fields, rate.Name)
	}
	return fields
}

func (r *request) formOfWithholding(set *nfse.Withholding) *form {
	values := map[string]string{}
	if set != nil {
		for _, rate := range company.WithheldRates {
			if percent := *rate.Of(set); percent != 0 {
				values[rate.Name] = format.Percent(r.language, percent.String())
			}
		}
	}
	return formOf(values)
}

// readWithholding reads a set from its form, and says in it what is wrong; nil is the empty set.
func (f *form) readWithholding() *nfse.Withholding {
	var set nfse.Withholding
	for _, rate := range company.WithheldRates {
		text := format.ParsePercent(f.Value(rate.Name))
		if text == "" {
			continue
		}
		percent, err := nfse.ParsePercent(text)
		if err != nil {
			f.wrong(rate.Name, "company.percent.wrong")
		}
		*rate.Of(&set) = percent
	}
	if f.good() && company.CheckWithholding(set) != nil {
		f.wrong("irrf", "tax.rates.wrong")
	}
	if set == (nfse.Withholding{}) {
		return nil
	}
	return &set
}

func (d *Dashboard) renderTaxation(r *request, status int, page taxationPage) (err error) {
	page.Rules = withholdingRules
	if page.Works, err = d.works().options(r, page.Form.Value("work"), "group.work.none"); err != nil {
		return err
	}
	if !page.Customer {
		choices := groupChoices()
		choices["iss"] = append([]option{{"", "group.iss.taxed", ""}}, issKinds...)
		choices["abroad"] = append([]option{{"", "group.abroad.none", ""}}, abroadKinds...)
		choices["work"] = page.Works
		events := d.culturalEvents()
		if choices["event"], err = events.options(r, page.Form.Value("event"), "group.event.none"); err != nil {
			return err
		}
		page.Groups = groupFields(page.Form, catalogue.ServiceFields, choices)
	}
	for _, rate := range company.WithheldRates {
		page.Rates = append(page.Rates, newField(page.Form, rate.Name, "tax."+rate.Name, "text"))
	}
	return r.renderStatus(status, "taxation", "tax.title", page)
}

// profileOrNone is the organization's fiscal profile; the zero value where there is none.
func (r *request) profileOrNone() (nfse.FiscalProfile, error) {
	profile, err := r.d.store.Companies.FiscalProfile(r.Context(), r.scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return nfse.FiscalProfile{}, nil
	}
	return profile, err
}

// serviceTaxation is the page of a service as it is on record.
func (d *Dashboard) serviceTaxation(r *request) (page taxationPage, taxation nfse.ServiceTaxation, err error) {
	service, err := d.store.Catalogues.Service(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return page, taxation, err
	}
	if taxation, err = d.store.Catalogues.ServiceTaxation(r.Context(), r.scope, service.ID); err != nil {
		return page, taxation, err
	}
	profile, err := r.profileOrNone()
	form := r.formOfWithholding(taxation.Withholding)
	maps.Copy(form.values, shownTexts(r.language, catalogue.TextsOfService(taxation)))
	return taxationPage{
		Name: service.Name, Back: "/catalogue/services/" + service.ID, Version: nfse.VersionOf(taxation),
		Form:     form,
		Warnings: company.ServiceTaxWarnings(profile, taxation, nfse.DayOf(time.Now())),
	}, taxation, err
}

func (d *Dashboard) showServiceTaxation(r *request) error {
	page, _, err := d.serviceTaxation(r)
	if err != nil {
		return err
	}
	return d.renderTaxation(r, http.StatusOK, page)
}

// taxService sets how a service is taxed.
func (d *Dashboard) taxService(r *request) error {
	page, taxation, err := d.serviceTaxation(r)
	if err != nil {
		return err
	}
	page.Form = r.newForm(taxationFields()...)
	taxation.Withholding = page.Form.readWithholding()
	page.Form.wrongGroups(catalogue.ReadServiceTaxation(&taxation, page.Form.plain()))
	return d.saveTaxation(r, page, func(version string) error {
		return r.changes().Catalogues.TaxService(r.Context(), r.scope, r.PathValue("id"), taxation, version)
	})
}

// customerTaxation is the page of a customer as it is on record.
func (d *Dashboard) customerTaxation(r *request) (page taxationPage, taxation nfse.CustomerTaxation, err error) {
	customer, err := d.store.Catalogues.Customer(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return page, taxation, err
	}
	if taxation, err = d.store.Catalogues.CustomerTaxation(r.Context(), r.scope, customer.ID); err != nil {
		return page, taxation, err
	}
	profile, err := r.profileOrNone()
	page = taxationPage{
		Name: customer.Name, Back: "/catalogue/customers/" + customer.ID, Customer: true,
		Version: nfse.VersionOf(taxation), Form: r.formOfWithholding(taxation.Withholding),
		Warnings: company.CustomerTaxWarnings(profile, customer.TaxID, taxation, nfse.DayOf(time.Now())),
	}
	page.Form.values["withholds"], page.Form.values["work"] = string(taxation.Withholds), taxation.WorkID
	if taxation.Simples {
		page.Form.values["simples_taker"] = "on"
	}
	return page, taxation, err
}

func (d *Dashboard) showCustomerTaxation(r *request) error {
	page, _, err := d.customerTaxation(r)
	if err != nil {
		return err
	}
	return d.renderTaxation(r, http.StatusOK, page)
}

// taxCustomer sets what a customer withholds. Rates count only where it has a set of its own.
func (d *Dashboard) taxCustomer(r *request) error {
	page, taxation, err := d.customerTaxation(r)
	if err != nil {
		return err
	}
	page.Form = r.newForm(taxationFields()...)
	taxation.Withholds, taxation.WorkID = nfse.WithholdingRule(page.Form.Value("withholds")), page.Form.Value("work")
	taxation.Simples, taxation.Withholding = page.Form.Value("simples_taker") != "", nil
	if taxation.Withholds == nfse.WithholdsItsOwn {
		if taxation.Withholding = page.Form.readWithholding(); taxation.Withholding == nil {
			taxation.Withholding = &nfse.Withholding{}
		}
	}
	if page.Form.good() && company.CheckCustomerTaxation(taxation) != nil {
		page.Form.wrong("withholds", "tax.withholds.wrong")
	}
	return d.saveTaxation(r, page, func(version string) error {
		return r.changes().Catalogues.TaxCustomer(r.Context(), r.scope, r.PathValue("id"), taxation, version)
	})
}

// saveTaxation saves what was typed, unless something is wrong with it or somebody else has
// changed it since its form was made.
func (d *Dashboard) saveTaxation(r *request, page taxationPage, save func(version string) error) error {
	current := page.Version
	page.Version, page.Warnings = r.PostForm.Get("version"), nil
	if !page.Form.good() {
		return d.renderTaxation(r, http.StatusUnprocessableEntity, page)
	}
	err := save(page.Version)
	if errors.Is(err, postgres.ErrChanged) {
		page.Changed, page.Version = true, current
		return d.renderTaxation(r, http.StatusConflict, page)
	}
	if refused := asError(err); refused != nil && strings.HasSuffix(refused.Field, "_id") {
		field := strings.TrimSuffix(refused.Field, "_id")
		page.Form.wrong(field, "group.wrong."+field)
		return d.renderTaxation(r, http.StatusUnprocessableEntity, page)
	}
	if err != nil {
		return err
	}
	return r.redirect(r.link(page.Back+"/taxation"), "tax.saved")
}
