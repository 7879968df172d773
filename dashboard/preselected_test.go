package dashboard_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/nfse"
)

// mayBePreselected are the choices of fresh forms that have a value before a person has chosen, and why nobody
// gets a document by it that the law does not mean. A field is a name, or a route and a name.
var mayBePreselected = map[string]string{
	"role":                               "what a person may do; a company's documents say nothing of it",
	"scenario":                           "the outcome of a simulation, which is no document",
	"held":                               "how somebody is told",
	"rejection":                          "how somebody is told",
	"certificate":                        "how somebody is told",
	"endpoint":                           "how somebody is told",
	"alarm":                              "how somebody is told",
	"GET /company environment":           "the one without fiscal value; the other is chosen, and confirmed",
	"GET /company cancellation_analysis": "a person is asked each time; nothing is sent by it",
	"GET /notes/{id}/replace service":    "that of the note which is replaced; the review says what differs",
	"GET /recurring/{id} service":        "that of the recurrence, as it was chosen",
}

var (
	postForm    = regexp.MustCompile(`(?s)<form[^>]*method="post".*?</form>`)
	choiceField = regexp.MustCompile(`(?s)<select[^>]*\sname="([^"]+)"[^>]*>(.*?)</select>`)
	anOption    = regexp.MustCompile(`<option value="([^"]*)"( selected)?`)
	chosenRadio = regexp.MustCompile(`<input[^>]*type="radio"[^>]*>`)
)

// preselected are the fields of a page's forms that a person chooses from, and have a value before.
func (p page) preselected() (names []string, choices int) {
	for _, form := range postForm.FindAllString(p.body, -1) {
		for _, found := range choiceField.FindAllStringSubmatch(form, -1) {
			choices++
			options := anOption.FindAllStringSubmatch(found[2], -1)
			chosen := slices.IndexFunc(options, func(one []string) bool { return one[2] != "" })
			if len(options) > 0 && options[max(0, chosen)][1] != "" {
				names = append(names, found[1])
			}
		}
		for _, found := range chosenRadio.FindAllString(form, -1) {
			choices++
			if strings.Contains(found, " checked") {
				names = append(names, nameOf.FindStringSubmatch(found)[1])
			}
		}
	}
	return names, choices
}

// No reason, regime or treatment that goes into a document, or into a company's fiscal data, is chosen before a
// person chooses: every fresh form of every page is looked at.
func TestForms_NothingPreselected(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for _, key := range []string{s.TestKey, s.LiveKey} { // several, so that one is to be chosen
		s.NewService(t, key)
		s.NewService(t, key)
	}
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	s.Exec(t, `UPDATE users SET operator = true WHERE id = $1`, owner.id)
	owner.verifiedAt(t, time.Now())
	used, choices := map[string]bool{}, 0
	look := func(route, path string) {
		t.Helper()
		shown := owner.get(t, path)
		if shown.status != http.StatusOK || !strings.HasPrefix(shown.header.Get("Content-Type"), "text/html") {
			return
		}
		names, found := shown.preselected()
		choices += found
		for _, name := range names {
			switch {
			case mayBePreselected[name] != "":
				used[name] = true
			case mayBePreselected[route+" "+name] != "":
				used[route+" "+name] = true
			default:
				t.Errorf("%s has %s chosen before anybody chose it", path, name)
			}
		}
	}
	for _, route := range dashboard.Routes(s.pages) {
		name := route.Method + " " + route.Path
		one := probes[name]
		if route.Method != "GET" || one.path == nil || name == "GET /company/calendar" {
			continue // the calendar's probe gives the company a profile; it has no form
		}
		path := one.path(t, s)
		look(name, path)
		if one.ofOrganization() {
			look(name, s.at(path))
			look(name, s.live(path))
		}
	}
	id := s.issuedLive(t, "pedido-1") // it has a profile from here on
	look("GET /notes/{id}", s.live("/notes/"+id))
	look("GET /notes/{id}/replace", s.live("/notes/"+id+"/replace"))
	s.Exec(t, `UPDATE fiscal_profiles SET profile = jsonb_set(profile, '{simples}', '2')`)
	look("GET /notes/{id}/replace", s.live("/notes/"+id+"/replace"))
	if choices < 40 {
		t.Errorf("only %d choices are looked at", choices)
	}
	for name := range mayBePreselected {
		if !used[name] {
			t.Errorf("%s is not preselected any more", name)
		}
	}
}
