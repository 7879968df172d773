package batches

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/dashboard/words"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/batches"
	"emissor/store/postgres"
)

// RoutesOfRecurring are notes that are issued every month.
func RoutesOfRecurring(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/recurring", frame.SeeNotes, frame.Nothing, listRecurring),
		frame.On("GET", "/recurring/new", frame.IssueNotes, frame.Nothing, newRecurring),
		frame.On("POST", "/recurring", frame.IssueNotes, frame.FreshInLive, createRecurring),
		frame.On("GET", "/recurring/{id}", frame.SeeNotes, frame.Nothing, showRecurring),
		frame.On("POST", "/recurring/{id}", frame.IssueNotes, frame.FreshInLive, setRecurring),
		frame.On("POST", "/recurring/{id}/pause", frame.IssueNotes, frame.Nothing, pauseRecurring),
		frame.On("POST", "/recurring/{id}/resume", frame.IssueNotes, frame.Nothing, resumeRecurring),
		frame.On("POST", "/recurring/{id}/skip", frame.IssueNotes, frame.Nothing, skipRecurring),
		frame.On("POST", "/recurring/{id}/end", frame.IssueNotes, frame.AConfirmation, endRecurring),
		frame.On("POST", "/recurring/{id}/months/{month}/issue", frame.IssueNotes, frame.FreshInLive|frame.AConfirmation,
			issueRecurring),
		frame.On("POST", "/recurring/{id}/months/{month}/leave", frame.IssueNotes, frame.Nothing, leaveRecurring),
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

func listRecurring(r *frame.Request) error {
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
	page.Recurrences, more, err = r.D.Store.Batches.Recurrences(r.Context(), r.Scope, customer,
		postgres.Page{Limit: cataloguepages.RecordsOnPage, After: after})
	if err != nil {
		return err
	}
	if more {
		page.OlderURL = r.Link("/recurring", "customer", customer, "older",
			page.Recurrences[len(page.Recurrences)-1].ID)
	}
	return r.Render("recurring", "section.recurring", page)
}

// recurringPage is a recurrence with its months, and the form of its terms.
type recurringPage struct {
	Recurrence *batches.Recurrence // nil: it is a new one
	Months     []batches.RecurringMonth
	Action     string
	Form       *frame.Form
	Services   []nfse.Service
	Found      []frame.Found // services
	Customers  []frame.Found
	Customer   *nfse.Customer // of a new one, once it is chosen
	Recent     []nfse.Customer
	Version    string
	Changed    bool // by somebody else meanwhile
	Value      frame.FiscalValue
}

// Open reports whether the form is shown at once.
func (p recurringPage) Open() bool { return p.Form.Problems() != nil || p.Changed || p.Found != nil }

// None is an empty list of differences: the form has what was typed, and the page what is there.
func (recurringPage) None() []frame.Difference { return nil }

// Why is the key of why a month was missed.
func (p recurringPage) Why(month batches.RecurringMonth) string {
	for _, key := range []string{"recurring.missed." + month.Reason, "issue.code." + month.Reason} {
		if words.Has(key) {
			return key
		}
	}
	return "recurring.missed.refused"
}

func newRecurring(r *frame.Request) error {
	form := r.NewForm(recurringFields...)
	form.Values["id"] = nfse.NewID(nfse.PrefixRecurrence) // so that sending the form twice creates one
	return showRecurrence(r, http.StatusOK, recurringPage{Form: form}, nil)
}

// showRecurrence fills in what the page has besides its form, and shows it.
func showRecurrence(r *frame.Request, status int, page recurringPage, all []frame.Found) (err error) {
	services, _, err := notepages.ServicesToChoose(r, page.Form.Value("service"))
	if err != nil {
		return err
	}
	for _, service := range services {
		if service.Active || service.ID == page.Form.Value("service") {
			page.Services = append(page.Services, service)
		}
	}
	page.Found = frame.Others(all, "customer")
	page.Customers = frame.Others(all, "service")
	if page.Value, err = r.FiscalValue(); err != nil {
		return err
	}
	if one := page.Recurrence; one != nil {
		page.Action = "/recurring/" + one.ID
		page.Months, err = r.D.Store.Batches.RecurringMonths(r.Context(), r.Scope, one.ID, monthsOnPage)
		if err != nil {
			return err
		}
		return r.RenderStatus(status, "recurring_one", "recurring.title", page)
	}
	page.Action = "/recurring"
	if id := page.Form.Value("customer"); nfse.IsID(nfse.PrefixCustomer, id) {
		customer, err := r.D.Store.Catalogues.Customer(r.Context(), r.Scope, id)
		if err == nil {
			page.Customer = &customer
		} else if !nfse.IsCode(err, nfse.CodeCustomerNotFound) {
			return err
		}
	}
	if page.Customer == nil {
		page.Form.Values["customer"] = ""
		page.Recent, _, err = r.D.Store.Catalogues.Customers(r.Context(), r.Scope,
			postgres.Page{Limit: notepages.RecentCustomers})
		if err != nil {
			return err
		}
	}
	return r.RenderStatus(status, "recurring_one", "recurring.new", page)
}

// recurring is the page of the recurrence that the address names.
func recurring(r *frame.Request) (page recurringPage, err error) {
	one, err := r.D.Store.Batches.Recurrence(r.Context(), r.Scope, r.PathValue("id"))
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
	form := frame.FormOf(map[string]string{"customer": one.CustomerID, "service": one.ServiceID,
		"amount_cents": format.Amount(r.Language, one.AmountCents), "description": nfse.OrEmpty(one.Description),
		"day": strconv.Itoa(one.Day), "until": until, "iss_withheld": ticked(one.ISSWithheld),
		"email_customer": ticked(one.EmailCustomer), "register_ledger": ticked(one.RegisterLedger),
		"confirm_municipal_operation": ticked(one.ConfirmMunicipalOperation)})
	return recurringPage{Recurrence: &one, Form: form, Version: one.Version()}, nil
}

func showRecurring(r *frame.Request) error {
	page, err := recurring(r)
	if err != nil {
		return err
	}
	return showRecurrence(r, http.StatusOK, page, nil)
}

// createRecurring creates a recurrence. A form that is sent twice creates one.
func createRecurring(r *frame.Request) error {
	page := recurringPage{Form: r.NewForm(recurringFields...)}
	all, shown, err := askedInForm(r, page)
	if shown || err != nil {
		return err
	}
	terms, err := terms(r, page.Form, "")
	if err != nil {
		return err
	}
	if _, err := r.D.Store.Catalogues.Customer(r.Context(), r.Scope, page.Form.Value("customer")); err != nil {
		if !nfse.IsCode(err, nfse.CodeCustomerNotFound) {
			return err
		}
		page.Form.Values["customer"] = ""
		page.Form.AddProblem("customer_words", "recurring.wrong.customer")
	}
	id := page.Form.Value("id")
	if !nfse.IsID(nfse.PrefixRecurrence, id) {
		id = nfse.NewID(nfse.PrefixRecurrence)
		page.Form.Values["id"] = id
	}
	if !page.Form.Good() {
		return showRecurrence(r, http.StatusUnprocessableEntity, page, all)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	err = r.Changes().Batches.CreateRecurrence(r.Context(), r.Scope, id, page.Form.Value("customer"), terms,
		nfse.DayOf(time.Now()))
	if errors.Is(err, batches.ErrOver) {
		page.Form.AddProblem("until", "recurring.wrong.until")
		return showRecurrence(r, http.StatusUnprocessableEntity, page, nil)
	}
	if err != nil {
		return err
	}
	notepages.Accepted(r)
	return r.Redirect(r.Link("/recurring/"+id), "recurring.created")
}

// askedInForm answers what the form asks about customers and services, and reports whether the page is
// shown for that alone.
func askedInForm(r *frame.Request, page recurringPage) (all []frame.Found, shown bool, err error) {
	var failed error
	if found, only := r.LookedFor(page.Form, notepages.SearchOfIssue(r, &failed)); only {
		if failed != nil {
			return nil, true, failed
		}
		notepages.Chosen(page.Form, r.PostForm.Get("set"))
		return nil, true, showRecurrence(r, http.StatusOK, page, found)
	}
	all, err = notepages.SettleConversation(r, page.Form)
	return all, false, err
}

// terms reads the form, and sets what is wrong with each field. A service that is not active may only
// stay as it was before.
func terms(r *frame.Request, form *frame.Form, before string) (terms batches.RecurrenceTerms, err error) {
	terms = batches.RecurrenceTerms{ServiceID: notepages.Read(form, notepages.IssueField{Name: "service",
		Rule: catalogue.ID, Required: true}),
		Description: frame.Optional(notepages.Read(form, notepages.IssueField{Name: "description",
			Rule: catalogue.Description, Required: false})),
		ISSWithheld: form.Value("iss_withheld") != "", Defaults: notepages.Defaults(form)}
	if terms.ServiceID != "" && terms.ServiceID != before {
		service, err := r.D.Store.Catalogues.Service(r.Context(), r.Scope, terms.ServiceID)
		switch {
		case nfse.IsCode(err, nfse.CodeServiceNotFound):
			form.AddProblem("service", "issue.wrong.service")
		case err != nil:
			return terms, err
		case !service.Active:
			form.AddProblem("service", "issue.code.service_inactive")
		}
	}
	terms.AmountCents, err = format.ParseMoney(form.Value("amount_cents"))
	if err != nil || catalogue.CheckAmountCents(terms.AmountCents) != nil {
		form.AddProblem("amount_cents", "issue.wrong.amount_cents")
	}
	terms.Day, err = strconv.Atoi(form.Trimmed("day"))
	if err != nil || terms.Day < 1 || terms.Day > 31 {
		form.AddProblem("day", "recurring.wrong.day")
	}
	if text := form.Trimmed("until"); text != "" {
		until, err := nfse.ParseDay(text)
		if err != nil {
			form.AddProblem("until", "recurring.wrong.until")
		}
		terms.Until = &until
	}
	return terms, nil
}

// setRecurring changes the terms of a recurrence.
func setRecurring(r *frame.Request) error {
	page, err := recurring(r)
	if err != nil {
		return err
	}
	now := page.Recurrence
	if now.Ended() {
		return r.Redirect(r.Link("/recurring/"+now.ID), "")
	}
	page.Form, page.Version = r.NewForm(recurringFields...), r.PostForm.Get("version")
	page.Form.Values["customer"] = now.CustomerID
	all, shown, err := askedInForm(r, page)
	if shown || err != nil {
		return err
	}
	terms, err := terms(r, page.Form, now.ServiceID)
	if err != nil {
		return err
	}
	if !page.Form.Good() {
		return showRecurrence(r, http.StatusUnprocessableEntity, page, all)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	err = r.Changes().Batches.SetRecurrence(r.Context(), r.Scope, now.ID, page.Version, terms, nfse.DayOf(time.Now()))
	switch {
	case errors.Is(err, batches.ErrOver):
		page.Form.AddProblem("until", "recurring.wrong.until")
		return showRecurrence(r, http.StatusUnprocessableEntity, page, nil)
	case errors.Is(err, postgres.ErrChanged):
		page.Version, page.Changed = now.Version(), true
		return showRecurrence(r, http.StatusConflict, page, nil)
	case err != nil:
		return err
	}
	return r.Redirect(r.Link("/recurring/"+now.ID), "recurring.changed")
}

// changed goes back to the page of the recurrence after a change.
func changedRecurring(r *frame.Request, err error, notice string) error {
	if err != nil {
		return err
	}
	return r.Redirect(r.Link("/recurring/"+r.PathValue("id")), notice)
}

func pauseRecurring(r *frame.Request) error {
	return changedRecurring(r, r.Changes().Batches.PauseRecurrence(r.Context(), r.Scope, r.PathValue("id")),
		"recurring.paused")
}

func resumeRecurring(r *frame.Request) error {
	return changedRecurring(r, r.Changes().Batches.ResumeRecurrence(r.Context(), r.Scope, r.PathValue("id"),
		nfse.DayOf(time.Now())), "recurring.resumed")
}

func endRecurring(r *frame.Request) error {
	return changedRecurring(r, r.Changes().Batches.EndRecurrence(r.Context(), r.Scope, r.PathValue("id")),
		"recurring.ended")
}

func skipRecurring(r *frame.Request) error {
	return changedRecurring(r, r.Changes().Batches.SkipMonth(r.Context(), r.Scope, r.PathValue("id"),
		nfse.Month(r.PostForm.Get("month"))), "recurring.skipped")
}

func issueRecurring(r *frame.Request) error {
	if err := r.AskFresh(); err != nil {
		return err
	}
	err := r.Changes().Batches.IssueMonth(r.Context(), r.Scope, monthID(r), nfse.DayOf(time.Now()))
	if err == nil {
		notepages.Accepted(r)
	}
	return changedRecurring(r, err, "recurring.issuing")
}

func leaveRecurring(r *frame.Request) error {
	return changedRecurring(r, r.Changes().Batches.LeaveMonth(r.Context(), r.Scope, monthID(r)), "recurring.left")
}

// monthID is the id of the month that the address names.
func monthID(r *frame.Request) string { return r.PathValue("id") + "-" + r.PathValue("month") }

// EndingRecurring and IssuingRecurring describe acts that cannot be undone.
func EndingRecurring(r *frame.Request) (*frame.Act, error) {
	page, err := recurring(r)
	if err != nil || page.Recurrence.Ended() {
		return nil, err
	}
	return actOnRecurring(r, *page.Recurrence, "recurring.end", r.Language.Say("recurring.end.means")), nil
}

func IssuingRecurring(r *frame.Request) (*frame.Act, error) {
	page, err := recurring(r)
	if err != nil {
		return nil, err
	}
	months, err := r.D.Store.Batches.RecurringMonths(r.Context(), r.Scope, page.Recurrence.ID, monthsOnPage)
	if err != nil || !slices.ContainsFunc(months, func(month batches.RecurringMonth) bool {
		return month.ID == monthID(r) && month.Status == batches.RecurringMissed
	}) {
		return nil, err
	}
	value, err := r.FiscalValue()
	return actOnRecurring(r, *page.Recurrence, "recurring.issue", r.Language.Say("recurring.issue.means")+" "+
		r.Language.Say("issue.value."+string(value)), frame.Line{Label: "recurring.month", Text: r.PathValue("month")},
		frame.Line{Label: "notes.competence", Text: format.Date(r.Language, nfse.DayOf(time.Now()))}), err
}

func actOnRecurring(r *frame.Request, one batches.Recurrence, title, means string, more ...frame.Line) *frame.Act {
	return &frame.Act{Title: title, Means: means, Back: r.Link("/recurring/" + one.ID), Facts: append([]frame.Line{
		{Label: "notes.taker", Text: one.CustomerName}, {Label: "notes.service", Text: one.ServiceName},
		{Label: "notes.amount", Text: format.Money(r.Language, one.AmountCents)},
	}, more...)}
}
