package dashboard

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/batches"
	"emissor/store/postgres"
)

// routesOfRecurring are notes that are issued every month.
func (d *Dashboard) routesOfRecurring() []route {
	return []route{
		{"GET", "/recurring", seeNotes, nothing, d.listRecurring},
		{"GET", "/recurring/new", issueNotes, nothing, d.newRecurring},
		{"POST", "/recurring", issueNotes, freshInLive, d.createRecurring},
		{"GET", "/recurring/{id}", seeNotes, nothing, d.showRecurring},
		{"POST", "/recurring/{id}", issueNotes, freshInLive, d.setRecurring},
		{"POST", "/recurring/{id}/pause", issueNotes, nothing, d.pauseRecurring},
		{"POST", "/recurring/{id}/resume", issueNotes, nothing, d.resumeRecurring},
		{"POST", "/recurring/{id}/skip", issueNotes, nothing, d.skipRecurring},
		{"POST", "/recurring/{id}/end", issueNotes, aConfirmation, d.endRecurring},
		{"POST", "/recurring/{id}/months/{month}/issue", issueNotes, freshInLive | aConfirmation, d.issueRecurring},
		{"POST", "/recurring/{id}/months/{month}/leave", issueNotes, nothing, d.leaveRecurring},
	}
}

// monthsOnPage is how many months of a recurrence its page shows.
const monthsOnPage = 60

// recurringFields are all that the form sends.
var recurringFields = []string{"id", "customer", "customer_words", "service", "service_words", "filled", "amount_cents",
	"description", "iss_withheld", "day", "until", "email_customer", "register_ledger", "confirm_municipal_operation"}

// recurringList is a page of recurrences.
type recurringList struct {
	Recurrences []batches.Recurrence
	Customer    string // id of the one whose recurrences are shown; empty: all are
	First       bool
	OlderURL    string
}

func (d *Dashboard) listRecurring(r *request) error {
	after, customer := r.URL.Query().Get("older"), r.URL.Query().Get("customer")
	if !nfse.IsID(nfse.PrefixRecurrence, after) {
		after = ""
	}
	if !nfse.IsID(nfse.PrefixCustomer, customer) {
		customer = ""
	}
	page := recurringList{Customer: customer, First: after == ""}
	var more bool
	var err error
	page.Recurrences, more, err = d.store.Batches.Recurrences(r.Context(), r.scope, customer,
		postgres.Page{Limit: recordsOnPage, After: after})
	if err != nil {
		return err
	}
	if more {
		page.OlderURL = r.link("/recurring", "customer", customer, "older",
			page.Recurrences[len(page.Recurrences)-1].ID)
	}
	return r.render("recurring", "section.recurring", page)
}

// recurringPage is a recurrence with its months, and the form of its terms.
type recurringPage struct {
	Recurrence *batches.Recurrence // nil: it is a new one
	Months     []batches.RecurringMonth
	Action     string
	Form       *form
	Services   []nfse.Service
	Found      []found // services
	Customers  []found
	Customer   *nfse.Customer // of a new one, once it is chosen
	Recent     []nfse.Customer
	Version    string
	Changed    bool // by somebody else meanwhile
	Value      fiscalValue
}

// Open reports whether the form is shown at once.
func (p recurringPage) Open() bool { return p.Form.Problems() != nil || p.Changed || p.Found != nil }

// None is an empty list of differences: the form has what was typed, and the page what is there.
func (recurringPage) None() []difference { return nil }

// Why is the key of why a month was missed.
func (p recurringPage) Why(month batches.RecurringMonth) string {
	for _, key := range []string{"recurring.missed." + month.Reason, "issue.code." + month.Reason} {
		if words.Has(key) {
			return key
		}
	}
	return "recurring.missed.refused"
}

func (d *Dashboard) newRecurring(r *request) error {
	form := r.newForm(recurringFields...)
	form.values["id"] = nfse.NewID(nfse.PrefixRecurrence) // so that sending the form twice creates one
	return r.showRecurrence(http.StatusOK, recurringPage{Form: form}, nil)
}

// showRecurrence fills in what the page has besides its form, and shows it.
func (r *request) showRecurrence(status int, page recurringPage, all []found) (err error) {
	services, _, err := r.servicesToChoose(page.Form.Value("service"))
	if err != nil {
		return err
	}
	for _, service := range services {
		if service.Active || service.ID == page.Form.Value("service") {
			page.Services = append(page.Services, service)
		}
	}
	page.Found = others(all, "customer")
	page.Customers = others(all, "service")
	if page.Value, err = r.fiscalValue(); err != nil {
		return err
	}
	if one := page.Recurrence; one != nil {
		page.Action = "/recurring/" + one.ID
		page.Months, err = r.d.store.Batches.RecurringMonths(r.Context(), r.scope, one.ID, monthsOnPage)
		if err != nil {
			return err
		}
		return r.renderStatus(status, "recurring_one", "recurring.title", page)
	}
	page.Action = "/recurring"
	if id := page.Form.Value("customer"); nfse.IsID(nfse.PrefixCustomer, id) {
		customer, err := r.d.store.Catalogues.Customer(r.Context(), r.scope, id)
		if err == nil {
			page.Customer = &customer
		} else if !nfse.IsCode(err, nfse.CodeCustomerNotFound) {
			return err
		}
	}
	if page.Customer == nil {
		page.Form.values["customer"] = ""
		page.Recent, _, err = r.d.store.Catalogues.Customers(r.Context(), r.scope, postgres.Page{Limit: recentCustomers})
		if err != nil {
			return err
		}
	}
	return r.renderStatus(status, "recurring_one", "recurring.new", page)
}

// recurring is the page of the recurrence that the address names.
func (r *request) recurring() (page recurringPage, err error) {
	one, err := r.d.store.Batches.Recurrence(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return page, err
	}
	ticked := func(is bool) string {
		if is {
			return "on"
		}
		return ""
	}
	until := ""
	if one.Until != nil {
		until = string(*one.Until)
	}
	form := formOf(map[string]string{"customer": one.CustomerID, "service": one.ServiceID,
		"amount_cents": format.Amount(r.language, one.AmountCents), "description": textOf(one.Description),
		"day": strconv.Itoa(one.Day), "until": until, "iss_withheld": ticked(one.ISSWithheld),
		"email_customer": ticked(one.EmailCustomer), "register_ledger": ticked(one.RegisterLedger),
		"confirm_municipal_operation": ticked(one.ConfirmMunicipalOperation)})
	return recurringPage{Recurrence: &one, Form: form, Version: one.Version()}, nil
}

func (d *Dashboard) showRecurring(r *request) error {
	page, err := r.recurring()
	if err != nil {
		return err
	}
	return r.showRecurrence(http.StatusOK, page, nil)
}

// createRecurring creates a recurrence. A form that is sent twice creates one.
func (d *Dashboard) createRecurring(r *request) error {
	page := recurringPage{Form: r.newForm(recurringFields...)}
	all, shown, err := r.askedInForm(page)
	if shown || err != nil {
		return err
	}
	terms, err := r.terms(page.Form, "")
	if err != nil {
		return err
	}
	if _, err := d.store.Catalogues.Customer(r.Context(), r.scope, page.Form.Value("customer")); err != nil {
		if !nfse.IsCode(err, nfse.CodeCustomerNotFound) {
			return err
		}
		page.Form.values["customer"] = ""
		page.Form.wrong("customer_words", "recurring.wrong.customer")
	}
	id := page.Form.Value("id")
	if !nfse.IsID(nfse.PrefixRecurrence, id) {
		id = nfse.NewID(nfse.PrefixRecurrence)
		page.Form.values["id"] = id
	}
	if !page.Form.good() {
		return r.showRecurrence(http.StatusUnprocessableEntity, page, all)
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	err = r.changes().Batches.CreateRecurrence(r.Context(), r.scope, id, page.Form.Value("customer"), terms,
		nfse.DayOf(time.Now()))
	if errors.Is(err, batches.ErrOver) {
		page.Form.wrong("until", "recurring.wrong.until")
		return r.showRecurrence(http.StatusUnprocessableEntity, page, nil)
	}
	if err != nil {
		return err
	}
	r.accepted()
	return r.redirect(r.link("/recurring/"+id), "recurring.created")
}

// askedInForm answers what the form asks about customers and services, and reports whether the page is
// shown for that alone.
func (r *request) askedInForm(page recurringPage) (all []found, shown bool, err error) {
	var failed error
	if found, only := r.lookedFor(page.Form, r.searchOfIssue(&failed)); only {
		if failed != nil {
			return nil, true, failed
		}
		page.Form.chosen(r.PostForm.Get("set"))
		return nil, true, r.showRecurrence(http.StatusOK, page, found)
	}
	all, err = r.settleConversation(page.Form)
	return all, false, err
}

// terms reads the form, and sets what is wrong with each field. A service that is not active may only
// stay as it was before.
func (r *request) terms(form *form, before string) (terms batches.RecurrenceTerms, err error) {
	terms = batches.RecurrenceTerms{ServiceID: form.read(issueField{"service", catalogue.ID, true}),
		Description: optional(form.read(issueField{"description", catalogue.Description, false})),
		ISSWithheld: form.Value("iss_withheld") != "", Defaults: form.defaults()}
	if terms.ServiceID != "" && terms.ServiceID != before {
		service, err := r.d.store.Catalogues.Service(r.Context(), r.scope, terms.ServiceID)
		switch {
		case nfse.IsCode(err, nfse.CodeServiceNotFound):
			form.wrong("service", "issue.wrong.service")
		case err != nil:
			return terms, err
		case !service.Active:
			form.wrong("service", "issue.code.service_inactive")
		}
	}
	terms.AmountCents, err = format.ParseMoney(form.Value("amount_cents"))
	if err != nil || catalogue.CheckAmountCents(terms.AmountCents) != nil {
		form.wrong("amount_cents", "issue.wrong.amount_cents")
	}
	terms.Day, err = strconv.Atoi(form.trimmed("day"))
	if err != nil || terms.Day < 1 || terms.Day > 31 {
		form.wrong("day", "recurring.wrong.day")
	}
	if text := form.trimmed("until"); text != "" {
		until, err := nfse.ParseDay(text)
		if err != nil {
			form.wrong("until", "recurring.wrong.until")
		}
		terms.Until = &until
	}
	return terms, nil
}

// setRecurring changes the terms of a recurrence.
func (d *Dashboard) setRecurring(r *request) error {
	page, err := r.recurring()
	if err != nil {
		return err
	}
	now := page.Recurrence
	if now.Ended() {
		return r.redirect(r.link("/recurring/"+now.ID), "")
	}
	page.Form, page.Version = r.newForm(recurringFields...), r.PostForm.Get("version")
	page.Form.values["customer"] = now.CustomerID
	all, shown, err := r.askedInForm(page)
	if shown || err != nil {
		return err
	}
	terms, err := r.terms(page.Form, now.ServiceID)
	if err != nil {
		return err
	}
	if !page.Form.good() {
		return r.showRecurrence(http.StatusUnprocessableEntity, page, all)
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	err = r.changes().Batches.SetRecurrence(r.Context(), r.scope, now.ID, page.Version, terms, nfse.DayOf(time.Now()))
	switch {
	case errors.Is(err, batches.ErrOver):
		page.Form.wrong("until", "recurring.wrong.until")
		return r.showRecurrence(http.StatusUnprocessableEntity, page, nil)
	case errors.Is(err, postgres.ErrChanged):
		page.Version, page.Changed = now.Version(), true
		return r.showRecurrence(http.StatusConflict, page, nil)
	case err != nil:
		return err
	}
	return r.redirect(r.link("/recurring/"+now.ID), "recurring.changed")
}

// changed goes back to the page of the recurrence after a change.
func (r *request) changedRecurring(err error, notice string) error {
	if err != nil {
		return err
	}
	return r.redirect(r.link("/recurring/"+r.PathValue("id")), notice)
}

func (d *Dashboard) pauseRecurring(r *request) error {
	return r.changedRecurring(r.changes().Batches.PauseRecurrence(r.Context(), r.scope, r.PathValue("id")),
		"recurring.paused")
}

func (d *Dashboard) resumeRecurring(r *request) error {
	return r.changedRecurring(r.changes().Batches.ResumeRecurrence(r.Context(), r.scope, r.PathValue("id"),
		nfse.DayOf(time.Now())), "recurring.resumed")
}

func (d *Dashboard) endRecurring(r *request) error {
	return r.changedRecurring(r.changes().Batches.EndRecurrence(r.Context(), r.scope, r.PathValue("id")),
		"recurring.ended")
}

func (d *Dashboard) skipRecurring(r *request) error {
	return r.changedRecurring(r.changes().Batches.SkipMonth(r.Context(), r.scope, r.PathValue("id"),
		nfse.Month(r.PostForm.Get("month"))), "recurring.skipped")
}

func (d *Dashboard) issueRecurring(r *request) error {
	if err := r.askFresh(); err != nil {
		return err
	}
	err := r.changes().Batches.IssueMonth(r.Context(), r.scope, r.monthID(), nfse.DayOf(time.Now()))
	if err == nil {
		r.accepted()
	}
	return r.changedRecurring(err, "recurring.issuing")
}

func (d *Dashboard) leaveRecurring(r *request) error {
	return r.changedRecurring(r.changes().Batches.LeaveMonth(r.Context(), r.scope, r.monthID()), "recurring.left")
}

// monthID is the id of the month that the address names.
func (r *request) monthID() string { return r.PathValue("id") + "-" + r.PathValue("month") }

// endingRecurring and issuingRecurring describe acts that cannot be undone.
func (r *request) endingRecurring() (*act, error) {
	page, err := r.recurring()
	if err != nil || page.Recurrence.Ended() {
		return nil, err
	}
	return r.actOnRecurring(*page.Recurrence, "recurring.end", r.language.Say("recurring.end.means")), nil
}

func (r *request) issuingRecurring() (*act, error) {
	page, err := r.recurring()
	if err != nil {
		return nil, err
	}
	months, err := r.d.store.Batches.RecurringMonths(r.Context(), r.scope, page.Recurrence.ID, monthsOnPage)
	if err != nil || !slices.ContainsFunc(months, func(month batches.RecurringMonth) bool {
		return month.ID == r.monthID() && month.Status == batches.RecurringMissed
	}) {
		return nil, err
	}
	value, err := r.fiscalValue()
	return r.actOnRecurring(*page.Recurrence, "recurring.issue", r.language.Say("recurring.issue.means")+" "+
		r.language.Say("issue.value."+string(value)), line{"recurring.month", r.PathValue("month")},
		line{"notes.competence", format.Date(r.language, nfse.DayOf(time.Now()))}), err
}

func (r *request) actOnRecurring(one batches.Recurrence, title, means string, more ...line) *act {
	return &act{Title: title, Means: means, Back: r.link("/recurring/" + one.ID), Facts: append([]line{
		{"notes.taker", one.CustomerName}, {"notes.service", one.ServiceName},
		{"notes.amount", format.Money(r.language, one.AmountCents)},
	}, more...)}
}
