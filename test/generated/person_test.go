package generated

import (
	"html"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/dashboard/frame"
	"emissor/fiscal/national/classification"
	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store/access"
	"emissor/test/testkit"
)

// serveDashboard serves the dashboard, in its own database role.
func (s *system) serveDashboard(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	must(t, err)
	s.base = "http://localhost:" + port
	address, err := url.Parse(s.base)
	must(t, err)
	pages, err := dashboard.New(frame.Options{
		Store: testkit.OpenStore(t, s.As(testkit.Roles.Dashboard)), Sealer: s.Sealer, Metrics: s.Metrics,
		Logger: testkit.Logger(t), URL: address, IdleTimeout: time.Hour, SessionLifetime: 2 * time.Hour,
		Resolver: s.Resolver, Tables: classification.NewSource(nil, testkit.Logger(t)),
	})
	must(t, err)
	server := web.NewServer(dashboard.Handler(pages), testkit.Logger(t))
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
}

// person is somebody who looks at the pages of a scope.
type person struct {
	system *system
	scope  *scope
	client *http.Client
}

// signIn signs an owner of the scope's organization in, by a link.
func (s *system) signIn(t *testing.T, of *scope) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	p := &person{system: s, scope: of, client: &http.Client{Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	invitation := nfse.NewLinkText()
	link, err := s.Changes().Access.Invite(t.Context(), access.Invitation{Email: nfse.NewID("per_") + "@example.com",
		OrganizationID: of.OrganizationID, Role: nfse.RoleOwner}, invitation, time.Hour)
	must(t, err)
	_, err = s.Changes().Access.UseLink(t.Context(), invitation, link.UserID)
	must(t, err)
	entrance := nfse.NewLinkText()
	_, err = s.Changes().Access.CreateLink(t.Context(), nfse.LinkSignIn, link.UserID, "", entrance, time.Hour)
	must(t, err)
	response, err := p.client.PostForm(s.base+"/link/"+entrance, nil)
	must(t, err)
	if response.StatusCode != http.StatusSeeOther {
		t.Fatalf("signing in was answered %d", response.StatusCode)
	}
	must(t, response.Body.Close())
	return p
}

// page is what the dashboard answered.
type page struct {
	path   string
	status int
	header http.Header
	body   string
}

// get asks for a page of the scope: a path with its query in pairs.
func (p *person) get(t *testing.T, path string, query ...string) page {
	t.Helper()
	values := url.Values{"org": {p.scope.OrganizationID}, "env": {p.scope.Environment()}}
	for i := 0; i+1 < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	return p.follow(t, path+"?"+values.Encode())
}

// follow asks for a page by its whole address.
func (p *person) follow(t *testing.T, address string) page {
	t.Helper()
	response, err := p.client.Get(p.system.base + address)
	must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	got := page{address, response.StatusCode, response.Header, string(body)}
	if got.status >= http.StatusInternalServerError {
		t.Errorf("%q is answered %d\n%s", address, got.status, body)
	}
	if strings.Contains(got.header.Get("Content-Type"), "text/html") && strings.Contains(got.body, "<script>alert") {
		t.Errorf("%q has a script of somebody else", address)
	}
	return got
}

// expect fails the test where the page is not there, or lacks one of the texts, written
// as HTML.
func (p page) expect(t *testing.T, texts ...string) page {
	t.Helper()
	if p.status != http.StatusOK {
		t.Errorf("%q is answered %d", p.path, p.status)
		return p
	}
	for _, text := range texts {
		if !strings.Contains(p.body, inHTML(text)) {
			t.Errorf("%q does not show %+q", p.path, text)
		}
	}
	return p
}

// inHTML is a text as a page writes it.
func inHTML(text string) string {
	return strings.ReplaceAll(template.HTMLEscapeString(text), "+", "&#43;")
}

var nextPage = regexp.MustCompile(`rel="next" href="([^"]*)"`)

// all asks for a list, page by page, and returns all of it.
func (p *person) all(t *testing.T, path string, query ...string) string {
	t.Helper()
	var whole strings.Builder
	for next := p.get(t, path, query...).expect(t); ; {
		whole.WriteString(next.body)
		link := nextPage.FindStringSubmatch(next.body)
		if link == nil {
			return whole.String()
		}
		next = p.follow(t, html.UnescapeString(link[1])).expect(t)
	}
}
