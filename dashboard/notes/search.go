package notes

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
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
var searchedActs = []frame.Section{
	{Key: "issue.title", Path: "/notes/new", Who: frame.IssueNotes, Group: frame.NoGroup, Shown: frame.Always},
	{Key: "customer.new", Path: "/catalogue/customers/new", Who: frame.ChangeCatalogue, Group: frame.NoGroup,
		Shown: frame.Always},
	{Key: "service.new", Path: "/catalogue/services/new", Who: frame.ChangeCatalogue, Group: frame.NoGroup,
		Shown: frame.Always},
	{Key: "search.batch", Path: "/batches", Who: frame.IssueNotes, Group: frame.NoGroup, Shown: frame.Always},
	{Key: "search.key", Path: "/integrations", Who: frame.ManageKeys, Group: frame.NoGroup, Shown: frame.Always},
	{Key: "certificate.new", Path: "/company/certificates/new", Who: frame.ManageCompany, Group: frame.NoGroup,
		Shown: frame.Always},
	{Key: "search.invite", Path: "/people", Who: frame.ManagePeople, Group: frame.NoGroup, Shown: frame.Always},
}

// searchPage is what a search found, as a page and, to the script, as JSON.
type searchPage struct {
	Form   *frame.Form   `json:"-"`
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

// Search finds what a person may do, pages, and records of the organization and environment. Without
// words it offers all acts and pages.
func Search(r *frame.Request) error {
	page := searchPage{Form: r.NewForm("q"), Groups: []searchGroup{}}
	asked := []rune(page.Form.Trimmed("q"))
	words := string(asked[:min(len(asked), mostOfSearch)])
	page.add("search.acts", reachable(r, searchedActs, words))
	account := frame.Section{Key: "section.session", Path: "/session", Who: frame.User, Group: frame.NoGroup,
		Shown: frame.Always}
	page.add("search.pages", reachable(r, append(slices.Clone(frame.Sections), account), words))
	if len([]rune(words)) >= leastOfRecords {
		if err := searchRecords(r, &page, words); err != nil {
			return err
		}
	}
	found := 0
	for i, group := range page.Groups {
		page.Groups[i].Title = r.Language.Say(group.Key)
		found += len(group.Results)
	}
	page.Said = r.Language.Count("search.count", found)
	if r.AsksForJSON() {
		return r.WriteJSON(http.StatusOK, page)
	}
	return r.Render("search", "search.title", page)
}

// add adds what was found of one kind, if anything was.
func (p *searchPage) add(key string, results []searchResult) {
	if len(results) > 0 {
		p.Groups = append(p.Groups, searchGroup{Key: key, Results: results})
	}
}

// reachable are the pages of a list that the user may see and whose names have words that begin with
// all of these.
func reachable(r *frame.Request, pages []frame.Section, words string) (results []searchResult) {
	for _, one := range pages {
		may := r.Role.May(one.Who.Permission()) || one.Who == frame.User || one.Who == frame.Operator && r.User.Operator
		if name := r.Language.Say(one.Key); may && hasWords(name, words) {
			results = append(results, searchResult{Text: name, URL: r.Link(one.Path)})
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
func searchRecords(r *frame.Request, page *searchPage, words string) error {
	customers := []nfse.Customer{}
	if r.Role.May(nfse.SeeCatalogue) {
		var err error
		if customers, _, err = r.D.Store.Catalogues.FindCustomers(r.Context(), r.Scope, words, mostOfAKind); err != nil {
			return err
		}
	}
	notes, err := searchNotes(r, words, customers)
	if err != nil {
		return err
	}
	page.add("search.notes", notes)
	if !r.Role.May(nfse.SeeCatalogue) {
		return nil
	}
	page.add("search.customers", customerResults(r, customers))
	services, err := r.D.Store.Catalogues.ServicesCalled(r.Context(), r.Scope, strings.Fields(words), mostOfAKind)
	if err != nil {
		return err
	}
	page.add("search.services", serviceResults(r, services))
	return nil
}

// searchNotes finds the notes that the words name; if none is named exactly, those of which they are
// a part of the reference, and those of the customers.
func searchNotes(r *frame.Request, words string, customers []nfse.Customer) ([]searchResult, error) {
	if nfse.IsID(nfse.PrefixNote, words) {
		return noteResults(r, notes.NoteFilter{IDs: []string{words}})
	}
	ids, err := r.D.Store.Notes.NotesNamed(r.Context(), r.Scope, words)
	if err != nil {
		return nil, err
	}
	if len(ids) > 0 {
		return noteResults(r, notes.NoteFilter{IDs: ids})
	}
	if ids, err = r.D.Store.Notes.NotesNamedInPart(r.Context(), r.Scope, words, time.Time{}, time.Time{}); err != nil {
		return nil, err
	}
	var results []searchResult
	if len(ids) > 0 {
		if results, err = noteResults(r, notes.NoteFilter{IDs: ids}); err != nil {
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
	theirs, err := noteResults(r, notes.NoteFilter{CustomerIDs: of})
	for _, one := range theirs {
		if len(results) < mostOfAKind && !slices.Contains(results, one) {
			results = append(results, one)
		}
	}
	return results, err
}

// noteResults are the newest notes that a filter chooses.
func noteResults(r *frame.Request, filter notes.NoteFilter) (results []searchResult, err error) {
	filter.Limit = mostOfAKind
	found, err := r.D.Store.Notes.FilterNotes(r.Context(), r.Scope, filter)
	for _, note := range found.Notes {
		name := note.Reference
		if number := frame.NumberOf(note); number != "" {
			name = r.Language.Say("notes.nfse", number) + " · " + name
		}
		results = append(results, searchResult{shown(name), shown(note.Customer.Name) + " · " +
			format.Money(r.Language, note.AmountCents) + " · " + r.Language.Say("status."+string(note.Status)),
			r.Link("/notes/" + note.ID)})
	}
	return results, err
}

func customerResults(r *frame.Request, customers []nfse.Customer) (results []searchResult) {
	for _, one := range customers {
		results = append(results, searchResult{shown(cmp.Or(one.Name, one.ID)), format.TaxID(one.TaxID),
			r.Link("/catalogue/customers/" + one.ID)})
	}
	return results
}

func serviceResults(r *frame.Request, services []nfse.Service) (results []searchResult) {
	for _, one := range services {
		results = append(results, searchResult{shown(cmp.Or(one.Name, one.ID)),
			format.Money(r.Language, one.DefaultAmountCents), r.Link("/catalogue/services/" + one.ID)})
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
