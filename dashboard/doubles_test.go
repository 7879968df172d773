package dashboard_test

import (
	"io"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"emissor/nfse"
)

// postAtOnce sends a form several times at the same moment.
func (p *person) postAtOnce(t *testing.T, times int, path string, form url.Values) []page {
	t.Helper()
	answers, problems := make([]page, times), make([]error, times)
	begin, ended := make(chan struct{}), sync.WaitGroup{}
	for i := range times {
		ended.Go(func() {
			<-begin
			response, err := p.client.PostForm(p.site.base+path, form)
			if err != nil {
				problems[i] = err
				return
			}
			defer response.Body.Close()
			content, err := io.ReadAll(response.Body)
			answers[i], problems[i] = page{response.StatusCode, response.Header, string(content)}, err
		})
	}
	close(begin)
	ended.Wait()
	for _, problem := range problems {
		must(t, problem)
	}
	return answers
}

// A form that creates something, sent several times at once, is answered each time as if it were sent once;
// what has an identity of its own is created once.
func TestForms_SentAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	service := s.NewService(t, s.TestKey)
	customer := s.onRecord(t, s.TestKey, "11144477735", "Joana Prado da Silva")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	site := []string{"name", "Casa", "registration", "900012345678", "municipality_code", "3550308"}
	for name, one := range map[string]struct {
		path string
		form func(round string) url.Values
		made string // counts what a round has made; empty: each sending may make one
	}{
		"a recurrence": {"/recurring", func(round string) url.Values {
			return form("id", nfse.NewID(nfse.PrefixRecurrence), "customer", customer, "service", service,
				"amount_cents", "150", "day", "31", "description", "Mês "+round)
		}, `SELECT count(*) FROM recurrences WHERE description = 'Mês ' || $1`},
		"a note": {"/notes", func(round string) url.Values {
			return owner.post(t, s.at("/notes"), issueForm(service, "pedido-"+round)).reviewed(t)
		}, `SELECT count(*) FROM notes WHERE reference = 'pedido-' || $1`},
		"a filter": {"/notes/filters", func(round string) url.Values {
			return form("name", "Filtro "+round, "state", "issued")
		}, `SELECT count(*) FROM saved_filters WHERE name = 'Filtro ' || $1`},
		"alerts":  {"/alerts", func(string) url.Values { return form("held", "daily") }, ""},
		"a work":  {"/catalogue/works", func(string) url.Values { return form(site...) }, ""},
		"a key":   {"/integrations/keys", func(string) url.Values { return form("label", "loja") }, ""},
		"a month": {"/closing/archive", func(string) url.Values { return form("month", thisMonth()) }, ""},
		"an invitation": {"/people/invitations", func(round string) url.Values {
			return form("email", "pessoa-"+round+"@example.com", "role", "viewer")
		}, `SELECT count(*) FROM users WHERE email = 'pessoa-' || $1 || '@example.com'`},
		"a profile": {"/company/profile", func(string) url.Values {
			return profileForm("confirmed", "yes")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, round := range []string{"a", "b", "c", "d", "e"} {
				sent := one.form(round)
				for _, answer := range owner.postAtOnce(t, 4, s.at(one.path), sent) {
					if answer.status >= http.StatusInternalServerError {
						t.Errorf("it is answered %d\n%s", answer.status, answer.body)
					}
				}
				if one.made == "" {
					continue
				}
				if made := s.Count(t, one.made, round); made != 1 {
					t.Errorf("%d are made", made)
				}
			}
		})
	}
}
