package dashboard

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"emissor/nfse"
	"emissor/store/operate"
	"emissor/store/postgres"
)

const (
	requestsOnPage = 50
	keysToChoose   = 200
)

// operations are those of the API that have a key, as the filter offers them.
var operations = []string{
	"POST /v1/nfse", "GET /v1/nfse", "GET /v1/nfse/{id}", "GET /v1/nfse/{id}/xml", "POST /v1/nfse/{id}/cancel",
	"GET /v1/services", "POST /v1/services", "GET /v1/services/{id}", "PATCH /v1/services/{id}",
	"GET /v1/customers", "POST /v1/customers", "GET /v1/customers/{id}", "PATCH /v1/customers/{id}",
}

// statusClasses are the classes of statuses that a list can be of.
var statusClasses = []string{"2", "4", "5"}

// requestsPage lists the last requests of the keys of an environment.
type requestsPage struct {
	pager
	Requests   []requestLine
	Form       *form
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

// routesOfRequests are the log of requests to the API.
func (d *Dashboard) routesOfRequests() []route {
	return []route{
		{"GET", "/integrations/requests", seeRequests, nothing, d.listRequests},
		{"GET", "/integrations/requests/{id}", seeRequests, nothing, d.showRequest},
	}
}

func (d *Dashboard) listRequests(r *request) error {
	form := r.newForm("q", "key", "op", "status", "code", "since", "until")
	page := requestsPage{Form: form, Operations: operations, Classes: statusClasses, Days: daysKept}
	for _, field := range []string{"q", "key", "op", "status", "code", "since", "until"} {
		page.Filtered = page.Filtered || form.Value(field) != ""
	}
	var err error
	if page.Keys, _, err = d.store.Access.APIKeysIn(r.Context(), r.scope,
		postgres.Page{Limit: keysToChoose}); err != nil {
		return err
	}
	if q := strings.TrimSpace(form.Value("q")); nfse.IsID(nfse.PrefixRequest, q) {
		if _, err := d.store.Operate.RequestIn(r.Context(), r.scope, q); err == nil {
			return r.redirect(r.link("/integrations/requests/"+q), "")
		} else if !nfse.IsCode(err, nfse.CodeNotFound) {
			return err
		}
		form.wrong("q", "requests.gone")
	}
	search, err := r.requestSearch(form)
	if err != nil {
		return err
	}
	if !form.good() {
		return r.renderStatus(http.StatusUnprocessableEntity, "requests", "section.requests", page)
	}
	found, err := d.store.Operate.SearchRequests(r.Context(), r.scope, search)
	if err != nil {
		return err
	}
	if page.Refused, err = d.store.Operate.RefusedKeysIn(r.Context(), r.scope); err != nil {
		return err
	}
	ids := make([]string, len(found.Requests))
	for i, one := range found.Requests {
		ids[i] = one.ID
		page.Requests = append(page.Requests, requestLine{one, keyCalled(page.Keys, one.APIKeyID)})
	}
	query := []string{"q", form.Value("q"), "key", form.Value("key"), "op", form.Value("op"), "status",
		form.Value("status"), "code", form.Value("code"), "since", form.Value("since"), "until", form.Value("until")}
	page.pager = r.pager("/integrations/requests", ids, found.Newer, found.Older, query...)
	switch page.Partly = found.Until != ""; {
	case page.Partly && search.Before == "":
		page.OlderURL = r.link("/integrations/requests", append(query, "older", found.Until)...)
	case page.Partly:
		page.NewerURL = r.link("/integrations/requests", append(query, "newer", found.Until)...)
	}
	return r.render("requests", "section.requests", page)
}

// daysKept is for how many days requests are on record.
const daysKept = int(operate.RequestsKept / (24 * 60 * 60 * 1e9))

// errorCode is how the codes of errors are written.
var errorCode = regexp.MustCompile(`^[a-z_]{1,60}$`)

// requestSearch reads the filters of the address.
func (r *request) requestSearch(form *form) (search operate.RequestSearch, err error) {
	search = operate.RequestSearch{APIKeyID: form.Value("key"), Code: nfse.Code(strings.TrimSpace(form.Value("code"))),
		Limit: requestsOnPage}
	if search.APIKeyID != "" && !nfse.IsID(nfse.PrefixAPIKey, search.APIKeyID) {
		form.wrong("key", "requests.key.wrong")
	}
	if search.Code != "" && !errorCode.MatchString(string(search.Code)) {
		form.wrong("code", "requests.code.wrong")
	}
	if class := form.Value("status"); class != "" {
		if !slices.Contains(statusClasses, class) {
			form.wrong("status", "notes.state.wrong")
		}
		search.StatusClass, _ = strconv.Atoi(class) // one of statusClasses
	}
	if operation := form.Value("op"); operation != "" {
		if !slices.Contains(operations, operation) {
			form.wrong("op", "requests.operation.wrong")
		}
		search.Method, search.Route, _ = strings.Cut(operation, " ")
	}
	search.Since, search.Until = readPeriod(form)
	search.After, search.Before = r.cursor(nfse.PrefixRequest)
	q := strings.TrimSpace(form.Value("q"))
	switch {
	case q == "":
	case nfse.IsID(nfse.PrefixNote, q):
		search.NoteIDs = []string{q}
	default:
		search.NoteIDs, err = r.d.store.Notes.NotesNamed(r.Context(), r.scope, q)
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

func (d *Dashboard) showRequest(r *request) error {
	found, err := d.store.Operate.RequestIn(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	key, err := d.store.Access.APIKeyIn(r.Context(), r.scope, found.APIKeyID)
	if err != nil && !nfse.IsCode(err, nfse.CodeNotFound) {
		return err
	}
	return r.render("request", "requests.one", requestPage{Request: found, Key: key, Days: daysKept})
}

// madeBy is the id of the request to the API that made a note, while it is on record and the user may
// see it; else empty.
func (r *request) madeBy(noteID string) (string, error) {
	if !r.role.May(nfse.SeeRequests) {
		return "", nil
	}
	return r.d.store.Operate.RequestThatMade(r.Context(), r.scope, noteID)
}
