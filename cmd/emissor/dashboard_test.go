package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/company"
	"emissor/nfse"
	"emissor/store/access"
	"emissor/test/testkit"
)

const dashboardURL = "https://notas.example.com"

// withDashboard are the settings of a process that runs the dashboard.
func (s settings) withDashboard() settings {
	return s.with("EMISSOR_DASHBOARD_URL", dashboardURL).with("EMISSOR_DASHBOARD_LISTEN", "127.0.0.1:0")
}

// The dashboard alone, in its own role: no engine, and a link that a command prints
// leads in.
func TestDashboard_Alone(t *testing.T) {
	t.Parallel()
	database, as := newRoled(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	p := start(t, as.dashboard.withDashboard().withoutTemporal(), "dashboard")
	address := "http://" + p.address(t, "the dashboard listens")
	if body := awaitStatus(t, p.admin+"/readyz", http.StatusOK); body != "ready\n" {
		t.Errorf("ready is %q", body)
	}
	if body := awaitStatus(t, address+"/health", http.StatusOK); body != "ok\n" {
		t.Errorf("the health is %q", body)
	}
	link := printed[company.PrintedLink](t, as.operator.withDashboard(), "user", "invite", "Ana@Example.com",
		"--organization",
		organization.ID, "--role", "viewer")
	if link.Email != "ana@example.com" || *link.Role != nfse.RoleViewer || link.Operator {
		t.Errorf("the invitation is %+v", link)
	}
	path := strings.TrimPrefix(link.URL, dashboardURL)
	if status, body := answer(t, address+path); status != http.StatusOK || !strings.Contains(body, "ana@example.com") {
		t.Errorf("the link shows %d %s", status, body)
	}
	jar, err := cookiejar.New(nil)
	must(t, err)
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	response, err := client.PostForm(address+path, url.Values{})
	must(t, err)
	response.Body.Close()
	if cookie := response.Header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "__Host-emissor=") {
		t.Errorf("the link sets the cookie %q and leads to %s", cookie, response.Header.Get("Location"))
	}
	for _, line := range strings.Split(p.logged(), "\n") {
		if strings.Contains(line, `"level":"ERROR"`) || strings.Contains(line, path) || strings.Contains(line, "ana@") {
			t.Errorf("the log says %s", line)
		}
	}
	p.terminate(t)
	p.expectEnd(t)
}

// serve runs the dashboard beside API and worker, with an account in both roles, once
// it is told where people reach it.
func TestServe_WithDashboard(t *testing.T) {
	t.Parallel()
	database, as := newRoled(t)
	_, both := database.NewLogin(t, testkit.Roles.Worker, testkit.Roles.Dashboard)
	p := start(t, as.worker.with("EMISSOR_DATABASE_URL", both).withDashboard(), "serve")
	if status, _ := answer(t, "http://"+p.address(t, "the dashboard listens")+"/sign-in"); status != http.StatusOK {
		t.Errorf("the page to sign in is answered %d", status)
	}
	start(t, as.api, "api")
	testkit.Eventually(t, "an operator sees both programs, and the engine answer", func() bool {
		page := operatorsPage(t, database, "http://"+p.address(t, "the dashboard listens"))
		return strings.Count(page, "<code>emissor/") >= 2 && strings.Contains(page, "answered in") &&
			!strings.Contains(page, "Not asked") && !strings.Contains(page, "does not answer")
	})
	fails := launch(t, as.worker.withDashboard(), "serve")
	<-fails.ended
	if log := fails.logged(); !strings.Contains(log, "make it a member of the dashboard's role as well") {
		t.Errorf("with the worker's account alone it ends with %s", log)
	}
}

// operatorsPage is the page of operators in English, as one of them reads it.
func operatorsPage(t *testing.T, database *testkit.Database, address string) string {
	t.Helper()
	invitation, signIn := nfse.NewLinkText(), nfse.NewLinkText()
	link, err := database.Changes().Access.Invite(t.Context(), access.Invitation{Email: "root@example.com"}, invitation,
		time.Hour)
	must(t, err)
	_, err = database.Changes().Access.UseLink(t.Context(), invitation, link.UserID)
	must(t, err)
	_, err = database.Changes().Access.CreateLink(t.Context(), nfse.LinkSignIn, link.UserID, "", signIn, time.Hour)
	must(t, err)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.PostForm(address+"/link/"+signIn, url.Values{})
	must(t, err)
	response.Body.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/operations", nil)
	must(t, err)
	request.Header.Set("Accept-Language", "en")
	for _, cookie := range response.Cookies() { // which is for https alone, so that no jar sends it here
		request.AddCookie(cookie)
	}
	response, err = client.Do(request)
	must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	return string(body)
}

func TestDashboard_Refused(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	result := execute(t, settings, "dashboard")
	if result.code != 1 || !strings.Contains(result.stderr, "EMISSOR_DASHBOARD_URL is not set") {
		t.Errorf("without a URL it ends with %+v", result)
	}
	for value, why := range map[string]string{
		"http://127.0.0.1:8090": "must begin with https://", "https://203.0.113.7": "and not an IP address",
		"https://A.example":   "as browsers do",
		"https://a.example/x": "without a path", "notas.example.com": "must look like",
	} {
		fails(t, settings.with("EMISSOR_DASHBOARD_URL", value), why, "dashboard")
	}
	fails(t, settings.withDashboard().with("EMISSOR_DASHBOARD_IDLE_TIMEOUT", "200h"), "must be from 1m to 168h",
		"dashboard")
	fails(t, settings.withDashboard().with("EMISSOR_DASHBOARD_TRIES", "-1"), "must be 0 or more", "dashboard")
}

func TestUserCommand(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal().withDashboard()
	organization := newOrganization(t, database)
	succeeds(t, settings, "user", "invite", "ana@example.com", "--organization", organization.ID)
	operator := printed[company.PrintedLink](t, settings, "user", "invite", "root@example.com", "--operator")
	if !operator.Operator || operator.OrganizationID != nil {
		t.Errorf("the operator's invitation is %+v", operator)
	}
	text := strings.TrimPrefix(operator.URL, dashboardURL+"/link/")
	fails(t, settings, "there is no open invitation", "user", "uninvite", "root@example.com", "--organization",
		organization.ID)
	succeeds(t, settings, "user", "uninvite", "root@example.com", "--operator")
	if _, err := database.Changes().Access.UseLink(t.Context(), text, ""); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("an invitation that was withdrawn answers %v", err)
	}
	fails(t, settings, "there is no open invitation", "user", "uninvite", "root@example.com", "--operator")
	misused(t, settings, "say --organization, or --operator", "user", "uninvite", "root@example.com")
	operator = printed[company.PrintedLink](t, settings, "user", "invite", "root@example.com", "--operator")
	_, err := database.Changes().Access.UseLink(t.Context(), strings.TrimPrefix(operator.URL, dashboardURL+"/link/"), "")
	must(t, err)
	users := printed[[]access.ListedUser](t, settings, "user", "list")
	if len(users) != 2 || users[0].Email != "ana@example.com" || !users[1].Operator {
		t.Errorf("listed are %+v", users)
	}
	if link := printed[company.PrintedLink](t, settings, "user", "link",
		"root@example.com"); link.Kind != nfse.LinkRecovery {
		t.Errorf("the link is %+v", link)
	}
	succeeds(t, settings, "user", "remove", "root@example.com")
	fails(t, settings, "there is no user", "user", "remove", "root@example.com")
	fails(t, settings, "there is no user", "user", "link", "nobody@example.com")
	misused(t, settings, "EMAIL must be an e-mail address", "user", "invite", "ana", "--operator")
	misused(t, settings, "say --organization, or --operator", "user", "invite", "b@example.com")
	misused(t, settings, "an operator has no --role", "user", "invite", "b@example.com", "--operator", "--role", "owner")
	misused(t, settings, "--role must be owner, developer, accountant, editor or viewer", "user", "invite",
		"b@example.com", "--organization", organization.ID, "--role", "operator")
	fails(t, settings, "there is no organization", "user", "invite", "b@example.com", "--organization", "org_x")
	misused(t, settings, "--lasts must be", "user", "link", "ana@example.com", "--lasts", "1s")
	fails(t, settings.with("EMISSOR_DASHBOARD_URL", ""), "EMISSOR_DASHBOARD_URL is not set", "user", "link",
		"ana@example.com")
}
