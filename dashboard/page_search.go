package dashboard

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"emissor/dashboard/format"
	texts "emissor/internal/text"
	"emissor/nfse"
	"emissor/store/notes"
)

const (
	mostOfAKind    = 5   // how many notes, customers and services a search finds
	mostOfSearch   = 200 // how many characters of a search are looked for
	mostOfAResult  = 120 // how many characters of a stored text a result shows
	leastOfRecords = 2   // characters with which records are looked for
)

// searchedActs are what can be done from anywhere, in their order.
var searchedActs = []section{
	{"issue.title", "/notes/new", issueNotes, noGroup, always},
	{"customer.new", "/catalogue/customers/new", changeCatalogue, noGroup, always},
	{"service.new", "/catalogue/services/new", changeCatalogue, noGroup, always},
	{"search.batch", "/batches", issueNotes, noGroup, always},
	{"search.key", "/integrations", manageKeys, noGroup, always},
	{"certificate.new", "/company/certificates/new", manageCompany, noGroup, always},
	{"search.invite", "/people", managePeople, noGroup, always},
}

// searchPage is what a search found, as a page and, to the script, as JSON.
type searchPage struct {
	Form   *form         `json:"-"`
	Said   string        `json:"said"` // how much was found
	Groups []searchGroup `json:"groups"`
}

// searchGroup is what was found of one kind.
type searchGroup struct {
	Key     string         `json:"-"`
	Title   string         `json:"title"`
	Results []searchResult `json:"results"`
}

// searchResult is where a search leads to.
type searchResult struct {
	Text   string `json:"text"`
	Detail string `json:"detail,omitempty"`
	URL    string `json:"url"`
}

// search finds what a person may do, pages, and records of the organization and environment. Without
// words it offers all acts and pages.
func (d *Dashboard) search(r *request) error {
	page := searchPage{Form: r.newForm("q"), Groups: []searchGroup{}}
	asked := []rune(page.Form.trimmed("q"))
	words := string(asked[:min(len(asked), mostOfSearch)])
	page.add("search.acts", r.reachable(searchedActs, words))
	account := section{"section.session", "/session", user, noGroup, always}
	page.add("search.pages", r.reachable(append(slices.Clone(sections), account), words))
	if len([]rune(words)) >= leastOfRecords {
		if err := r.searchRecords(&page, words); err != nil {
			return err
		}
	}
	found := 0
	for i, group := range page.Groups {
		page.Groups[i].Title = r.language.Say(group.Key)
		found += len(group.Results)
	}
	page.Said = r.language.Count("search.count", found)
	if r.asksForJSON() {
		return r.writeJSON(http.StatusOK, page)
	}
	return r.render("search", "search.title", page)
}

// add adds what was found of one kind, if anything was.
func (p *searchPage) add(key string, results []searchResult) {
	if len(results) > 0 {
		p.Groups = append(p.Groups, searchGroup{Key: key, Results: results})
	}
}

// reachable are the pages of a list that the user may see and whose names have words that begin with
// all of these.
func (r *request) reachable(pages []section, words string) (results []searchResult) {
	for _, one := range pages {
		may := r.role.May(one.who.permission()) || one.who == user || one.who == operator && r.user.Operator
		if name := r.language.Say(one.Key); may && hasWords(name, words) {
			results = append(results, searchResult{Text: name, URL: r.link(one.Path)})
		}
	}
	return results
}

// hasWords reports whether each of the words begins a word of a name, without case and accents.
func hasWords(name, words string) bool {
	of := strings.Fields(texts.Folded(name))
	for word := range strings.FieldsSeq(texts.Folded(words)) {
		if !slices.ContainsFunc(of, func(one string) bool { return strings.HasPrefix(one, word) }) {
			return false
		}
	}
	return true
}

// searchRecords finds notes, customers and services.
func (r *request) searchRecords(page *searchPage, words string) error {
	customers := []nfse.Customer{}
	if r.role.May(nfse.SeeCatalogue) {
		var err error
		if customers, _, err = r.d.store.Catalogues.FindCustomers(r.Context(), r.scope, words, mostOfAKind); err != nil {
			return err
		}
	}
	notes, err := r.searchNotes(words, customers)
	if err != nil {
		return err
	}
	page.add("search.notes", notes)
	if !r.role.May(nfse.SeeCatalogue) {
		return nil
	}
	page.add("search.customers", r.customerResults(customers))
	services, err := r.d.store.Catalogues.ServicesCalled(r.Context(), r.scope, strings.Fields(words), mostOfAKind)
	if err != nil {
		return err
	}
	page.add("search.services", r.serviceResults(services))
	return nil
}

// searchNotes finds the notes that the words name; if none is named exactly, those of which they are
// a part of the reference, and those of the customers.
func (r *request) searchNotes(words string, customers []nfse.Customer) ([]searchResult, error) {
	if nfse.IsID(nfse.PrefixNote, words) {
		return r.noteResults(notes.NoteFilter{IDs: []string{words}})
	}
	ids, err := r.d.store.Notes.NotesNamed(r.Context(), r.scope, words)
	if err != nil {
		return nil, err
	}
	if len(ids) > 0 {
		return r.noteResults(notes.NoteFilter{IDs: ids})
	}
	if ids, err = r.d.store.Notes.NotesNamedInPart(r.Context(), r.scope, words, time.Time{}, time.Time{}); err != nil {
		return nil, err
	}
	var results []searchResult
	if len(ids) > 0 {
		if results, err = r.noteResults(notes.NoteFilter{IDs: ids}); err != nil {
			return nil, err
		}
	}
	of := []string{}
	for _, customer := range customers {
		of = append(of, customer.ID)
	}
	if len(of) == 0 || len(results) == mostOfAKind {
		return results, nil
	}
	theirs, err := r.noteResults(notes.NoteFilter{CustomerIDs: of})
	for _, one := range theirs {
		if len(results) < mostOfAKind && !slices.Contains(results, one) {
			results = append(results, one)
		}
	}
	return results, err
}

// noteResults are the newest notes that a filter chooses.
func (r *request) noteResults(filter notes.NoteFilter) (results []searchResult, err error) {
	filter.Limit = mostOfAKind
	found, err := r.d.store.Notes.FilterNotes(r.Context(), r.scope, filter)
	for _, note := range found.Notes {
		name := note.Reference
		if number := numberOf(note); number != "" {
			name = r.language.Say("notes.nfse", number) + " · " + name
		}
		results = append(results, searchResult{shown(name), shown(note.Customer.Name) + " · " +
			format.Money(r.language, note.AmountCents) + " · " + r.language.Say("status."+string(note.Status)),
			r.link("/notes/" + note.ID)})
	}
	return results, err
}

func (r *request) customerResults(customers []nfse.Customer) (results []searchResult) {
	for _, one := range customers {
		results = append(results, searchResult{shown(cmp.Or(one.Name, one.ID)), format.TaxID(one.TaxID),
			r.link("/catalogue/customers/" + one.ID)})
	}
	return results
}

func (r *request) serviceResults(services []nfse.Service) (results []searchResult) {
	for _, one := range services {
		results = append(results, searchResult{shown(cmp.Or(one.Name, one.ID)),
			format.Money(r.language, one.DefaultAmountCents), r.link("/catalogue/services/" + one.ID)})
	}
	return results
}

// shown is a stored text, of which a result shows the beginning.
func shown(stored string) string {
	if all := []rune(stored); len(all) > mostOfAResult {
		return string(all[:mostOfAResult]) + "…"
	}
	return stored
}
