package operate

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"emissor/dashboard/frame"
	mailpages "emissor/dashboard/mails"
	"emissor/nfse"
	"emissor/store/operate"
	"emissor/store/postgres"
)

const (
	requestsOnPage = 50
	keysToChoose   = 200
)

// operations are the operations of the API that have a key, as the filter offers them.
var operations = []string{
	"POST /v1/nfse", "GET /v1/nfse", "GET /v1/nfse/{id}", "GET /v1/nfse/{id}/xml", "POST /v1/nfse/{id}/cancel",
	"GET /v1/services", "POST /v1/services", "GET /v1/services/{id}", "PATCH /v1/services/{id}",
	"GET /v1/customers", "POST /v1/customers", "GET /v1/customers/{id}", "PATCH /v1/customers/{id}",
}

// statusClasses are the classes of statuses that a list can be of.
var statusClasses = []string{"2", "4", "5"}

// requestsPage lists the last requests of the keys of an environment.
type requestsPage struct {
	frame.Pager
	Requests   []requestLine
	Form       *frame.Form
	Keys       []nfse.APIKey // to choose from
	Operations []string
	Classes    []string
	Filtered   bool
	Partly     bool  // not all were looked at: OlderURL goes on
	Refused    int64 // requests of keys that were refused
	Days       int   // for which requests are kept
}

// requestLine is a request with the label of its key.
type requestLine struct {
	operate.APIRequest
	Key string
}

// RoutesOfRequests are the log of requests to the API.
func RoutesOfRequests(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/integrations/requests", frame.SeeRequests, frame.Nothing, listRequests),
		frame.On("GET", "/integrations/requests/{id}", frame.SeeRequests, frame.Nothing, showRequest),
	}
}

func listRequests(r *frame.Request) error {
	form := r.NewForm("q", "key", "op", "status", "code", "since", "until")
	page := requestsPage{Form: form, Operations: operations, Classes: statusClasses, Days: daysKept}
	for _, field := range []string{"q", "key", "op", "status", "code", "since", "until"} {
		page.Filtered = page.Filtered || form.Value(field) != ""
	}
	var err error
	if page.Keys, _, err = r.D.Store.Access.APIKeysIn(r.Context(), r.Scope,
		postgres.Page{Limit: keysToChoose}); err != nil {
		return err
	}
	if q := strings.TrimSpace(form.Value("q")); nfse.IsID(nfse.PrefixRequest, q) {
		if _, err := r.D.Store.Operate.RequestIn(r.Context(), r.Scope, q); err == nil {
			return r.Redirect(r.Link("/integrations/requests/"+q), "")
		} else if !nfse.IsCode(err, nfse.CodeNotFound) {
			return err
		}
		form.AddProblem("q", "requests.gone")
	}
	search, err := requestSearch(r, form)
	if err != nil {
		return err
	}
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "requests", "section.requests", page)
	}
	found, err := r.D.Store.Operate.SearchRequests(r.Context(), r.Scope, search)
	if err != nil {
		return err
	}
	if page.Refused, err = r.D.Store.Operate.RefusedKeysIn(r.Context(), r.Scope); err != nil {
		return err
	}
	ids := make([]string, len(found.Requests))
	for i, one := range found.Requests {
		ids[i] = one.ID
		page.Requests = append(page.Requests, requestLine{one, keyCalled(page.Keys, one.APIKeyID)})
	}
	query := []string{"q", form.Value("q"), "key", form.Value("key"), "op", form.Value("op"), "status",
		form.Value("status"), "code", form.Value("code"), "since", form.Value("since"), "until", form.Value("until")}
	page.Pager = r.Pager("/integrations/requests", ids, found.Newer, found.Older, query...)
	switch page.Partly = found.Until != ""; {
	case page.Partly && search.Before == "":
		page.OlderURL = r.Link("/integrations/requests", append(query, "older", found.Until)...)
	case page.Partly:
		page.NewerURL = r.Link("/integrations/requests", append(query, "newer", found.Until)...)
	}
	return r.Render("requests", "section.requests", page)
}

// daysKept is for how many days requests are on record.
const daysKept = int(operate.RequestsKept / (24 * 60 * 60 * 1e9))

// errorCode is how the codes of errors are written.
var errorCode = regexp.MustCompile(`^[a-z_]{1,60}$`)

// requestSearch reads the filters of the address.
func requestSearch(r *frame.Request, form *frame.Form) (search operate.RequestSearch, err error) {
	search = operate.RequestSearch{APIKeyID: form.Value("key"), Code: nfse.Code(strings.TrimSpace(form.Value("code"))),
		Limit: requestsOnPage}
	if search.APIKeyID != "" && !nfse.IsID(nfse.PrefixAPIKey, search.APIKeyID) {
		form.AddProblem("key", "requests.key.wrong")
	}
	if search.Code != "" && !errorCode.MatchString(string(search.Code)) {
		form.AddProblem("code", "requests.code.wrong")
	}
	if class := form.Value("status"); class != "" {
		if !slices.Contains(statusClasses, class) {
			form.AddProblem("status", "notes.state.wrong")
		}
		search.StatusClass, _ = strconv.Atoi(class) // one of statusClasses
	}
	if operation := form.Value("op"); operation != "" {
		if !slices.Contains(operations, operation) {
			form.AddProblem("op", "requests.operation.wrong")
		}
		search.Method, search.Route, _ = strings.Cut(operation, " ")
	}
	search.Since, search.Until = frame.ReadPeriod(form)
	search.After, search.Before = mailpages.Cursor(r, nfse.PrefixRequest)
	q := strings.TrimSpace(form.Value("q"))
	switch {
	case q == "":
	case nfse.IsID(nfse.PrefixNote, q):
		search.NoteIDs = []string{q}
	default:
		search.NoteIDs, err = r.D.Store.Notes.NotesNamed(r.Context(), r.Scope, q)
		if search.NoteIDs == nil {
			search.NoteIDs = []string{} // it names no note
		}
	}
	return search, err
}

// keyCalled is what pages call a key: its label, or its last characters; empty where it has neither.
func keyCalled(keys []nfse.APIKey, id string) string {
	for _, key := range keys {
		switch {
		case key.ID != id:
		case key.Label != "":
			return key.Label
		case key.LastFour != nil:
			return "…" + *key.LastFour
		}
	}
	return ""
}

// requestPage is one request to the API.
type requestPage struct {
	Request operate.APIRequest
	Key     nfse.APIKey // without an id: there is none
	Days    int         // for which requests are kept
}

func showRequest(r *frame.Request) error {
	found, err := r.D.Store.Operate.RequestIn(r.Context(), r.Scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	key, err := r.D.Store.Access.APIKeyIn(r.Context(), r.Scope, found.APIKeyID)
	if err != nil && !nfse.IsCode(err, nfse.CodeNotFound) {
		return err
	}
	return r.Render("request", "requests.one", requestPage{Request: found, Key: key, Days: daysKept})
}
