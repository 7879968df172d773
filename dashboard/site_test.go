package dashboard_test

import (
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"emissor/api"
	"emissor/dashboard"
	"emissor/dashboard/frame"
	"emissor/fiscal/national/classification"
	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/access"
	"emissor/test/testkit"
)

// site is a dashboard in a test, behind a real server, in its own database role.
type site struct {
	*testkit.System
	pages *frame.Dashboard
	base  string
}

func newSite(t *testing.T, change func(*frame.Options)) *site {
	t.Helper()
	return newSiteOf(t, testkit.Options{}, change)
}

func newSiteOf(t *testing.T, system testkit.Options, change func(*frame.Options)) *site {
	t.Helper()
	return newSiteBeside(t, testkit.NewSystem(t, system), change)
}

// newSiteBeside is a dashboard of a system that is there.
func newSiteBeside(t *testing.T, s *testkit.System, change func(*frame.Options)) *site {
	t.Helper()
	return serveSite(t, s, web.ListenOptions{Connections: 500, PerAddress: 500},
		testkit.OpenStore(t, s.As(testkit.Roles.Dashboard)), change)
}

// serveSite serves the dashboard of a system at a listener of the test's own, over a store
// of its own.
func serveSite(t *testing.T, system *testkit.System, listen web.ListenOptions, own *store.Store,
	change func(*frame.Options)) *site {
	t.Helper()
	s := &site{System: system}
	listen.Address = "127.0.0.1:0"
	listener, err := web.Listen(listen)
	must(t, err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	must(t, err)
	s.base = "http://localhost:" + port
	address, err := url.Parse(s.base)
	must(t, err)
	options := frame.Options{
		Store: own, Sealer: s.Sealer, Metrics: s.Metrics,
		Logger: testkit.Logger(t), URL: address, IdleTimeout: time.Hour, SessionLifetime: 2 * time.Hour,
		PFXProgram: []string{os.Args[0], "open-pfx"},
		Resolver:   s.Resolver, Tables: classification.NewSource(nil, testkit.Logger(t)), // those built in
		APIDescription: api.OpenAPI, ClassifiedFrom: "2026-01-01",
	}
	if change != nil {
		change(&options)
	}
	s.pages, err = dashboard.New(options)
	must(t, err)
	dashboard.SetOpeningTime(s.pages, time.Minute) // a program of tests may be slow to start
	testkit.Serve(t, web.NewServer(dashboard.Handler(s.pages), testkit.Logger(t)), listener)
	return s
}

// standing lets the clock of a dashboard's limits stand still: nothing comes back while a test runs, however long.
func standing(o *frame.Options) {
	now := time.Now()
	o.Now = func() time.Time { return now }
}

// person is somebody with a browser of their own.
type person struct {
	site   *site
	id     string // of the account
	client *http.Client
}

// stranger is a person who is not signed in.
func (s *site) stranger(t *testing.T) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	return &person{site: s, client: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}}
}

// invitation makes one and returns the path of its link.
func (s *site) invitation(t *testing.T, email, organizationID string, role nfse.Role) (path, userID string) {
	t.Helper()
	text := nfse.NewLinkText()
	link, err := s.Changes().Access.Invite(t.Context(), access.Invitation{Email: email, OrganizationID: organizationID,
		Role: role}, text, time.Hour)
	must(t, err)
	return "/link/" + text, link.UserID
}

// linkFor makes a link for an account and returns its path.
func (s *site) linkFor(t *testing.T, kind nfse.LinkKind, userID string) string {
	t.Helper()
	text := nfse.NewLinkText()
	_, err := s.Changes().Access.CreateLink(t.Context(), kind, userID, "", text, time.Hour)
	must(t, err)
	return "/link/" + text
}

// member makes an account that is a member of an organization, or with an empty one
// an operator, and returns its id.
func (s *site) member(t *testing.T, email, organizationID string, role nfse.Role) string {
	t.Helper()
	path, userID := s.invitation(t, email, organizationID, role)
	_, err := s.Changes().Access.UseLink(t.Context(), strings.TrimPrefix(path, "/link/"), userID)
	must(t, err)
	return userID
}

// signedIn is a person with such an account, signed in by a link, who used a passkey
// a moment ago.
func (s *site) signedIn(t *testing.T, email, organizationID string, role nfse.Role) *person {
	t.Helper()
	p := s.stranger(t)
	p.id = s.member(t, email, organizationID, role)
	p.post(t, s.linkFor(t, nfse.LinkSignIn, p.id), nil).expect(t, http.StatusSeeOther)
	p.verifiedAt(t, time.Now())
	return p
}

// verifiedAt sets when the person used a passkey last, in every session.
func (p *person) verifiedAt(t *testing.T, moment time.Time) {
	t.Helper()
	p.site.Exec(t, `UPDATE sessions SET data = jsonb_set(data, '{values,verified_at}', to_jsonb($2::text))
		WHERE user_id = $1`, p.id, moment.UTC().Format(time.RFC3339))
}

// page is an answer.
type page struct {
	status int
	header http.Header
	body   string
}

func (p page) expect(t *testing.T, status int, texts ...string) page {
	t.Helper()
	if p.status != status {
		t.Fatalf("answered is %d, expected %d\n%s", p.status, status, p.body)
	}
	for _, text := range texts {
		if !strings.Contains(p.body, text) {
			t.Errorf("%q is not in the page\n%s", text, p.body)
		}
	}
	return p
}

func (p *person) get(t *testing.T, path string) page {
	t.Helper()
	return p.send(t, http.MethodGet, path, nil, "", nil)
}

func (p *person) post(t *testing.T, path string, form url.Values) page {
	t.Helper()
	return p.send(t, http.MethodPost, path, nil, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// confirms sends a form of what is asked about once more, and says that it is meant.
func (p *person) confirms(t *testing.T, path string, form url.Values) page {
	t.Helper()
	p.post(t, path, form).expect(t, http.StatusOK, `name="confirmed" value="yes"`)
	sent := maps.Clone(form)
	sent.Set("confirmed", "yes")
	return p.post(t, path, sent)
}

func (p *person) send(t *testing.T, method, path string, header http.Header, kind string, body io.Reader) page {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, p.site.base+path, body)
	must(t, err)
	maps.Copy(request.Header, header)
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	response, err := p.client.Do(request)
	must(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	must(t, err)
	if strings.Contains(string(content), "%!(EXTRA") || strings.Contains(string(content), "(MISSING)") {
		t.Errorf("%s has a text whose arguments are not those of its words:\n%s", path, content)
	}
	return page{response.StatusCode, response.Header, string(content)}
}

// at is an address of the site's organization in test.
func (s *site) at(path string) string { return s.of(path, s.Organization.ID, "test") }

func (s *site) of(path, organizationID, environment string) string {
	return path + "?" + url.Values{"org": {organizationID}, "env": {environment}}.Encode()
}

// form is a form of the test environment.
func form(pairs ...string) url.Values {
	values := url.Values{"env": {"test"}}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return values
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
