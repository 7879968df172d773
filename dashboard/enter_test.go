package dashboard_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// Programs that look at mail follow links: looking uses nothing up.
func TestLink_GetShowsPostUses(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	link, id := s.invitation(t, "ana@example.com", s.Organization.ID, nfse.RoleEditor)
	for range 3 {
		shown := s.stranger(t).get(t, link).expect(t, http.StatusOK, "ana@example.com", s.Organization.Name, "Edição")
		if shown.header.Get("Set-Cookie") != "" {
			t.Error("looking at a link begins a session")
		}
	}
	ana := s.stranger(t)
	if to := ana.post(t, link, nil).expect(t,
		http.StatusSeeOther).header.Get("Location"); to != "/session/passkeys/new" {
		t.Errorf("the link leads to %s", to)
	}
	// Until there is a passkey, nothing else is shown.
	for _, path := range []string{"/", s.at("/notes"), s.at("/people"), "/session"} {
		if to := ana.get(t, path).expect(t, http.StatusSeeOther).header.Get("Location"); to != "/session/passkeys/new" {
			t.Errorf("%s leads to %s before there is a passkey", path, to)
		}
	}
	ana.get(t, "/session/passkeys/new").expect(t, http.StatusOK, "data-passkey=\"create\"")
	if members, err := s.Store.Access.Members(t.Context(), s.Organization.ID); err != nil || len(members) != 1 ||
		members[0].UserID != id {
		t.Errorf("the members are %+v, %v", members, err)
	}

	twice := s.stranger(t)
	twice.get(t, link).expect(t, http.StatusGone, "não vale mais")
	twice.post(t, link, nil).expect(t, http.StatusGone, "não vale mais")
	late, _ := s.invitation(t, "bia@example.com", s.Organization.ID, nfse.RoleEditor)
	s.Exec(t, `UPDATE links SET expires_at = now() WHERE used_at IS NULL`)
	for _, gone := range []string{late, "/link/x", "/link/" + nfse.NewLinkText(), "/link/" + strings.Repeat("%00",
		43)} {
		body := twice.post(t, gone, nil).expect(t, http.StatusGone, "não vale mais").body
		if strings.Contains(body, "bia@example.com") {
			t.Error("the page of a link that is gone says whose it was")
		}
	}
}

// An invitation of an account that is there already waits for its own sign-in.
func TestLink_ExistingAccount(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Escola")
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	link, _ := s.invitation(t, "ana@example.com", other.ID, nfse.RoleOwner)
	somebody := s.signedIn(t, "bia@example.com", s.Organization.ID, nfse.RoleOwner)
	stranger := s.stranger(t)
	stranger.get(t, link).expect(t, http.StatusOK, "Entrar e aceitar", "/sign-in?next=%2Flink%2F",
		"Peça um novo link a quem opera")
	for _, p := range []*person{stranger, somebody} {
		if to := p.post(t, link, nil).expect(t, http.StatusSeeOther).header.Get("Location"); to != link {
			t.Errorf("the link leads to %s", to)
		}
	}
	// Who is signed in as another person is told so, and comes back after signing out.
	page := somebody.get(t, link).expect(t, http.StatusOK, "Você entrou como bia@example.com", "ana@example.com",
		`name="next" value="`+link+`"`)
	if strings.Contains(page.body, "Entrar e aceitar") {
		t.Error("somebody who is signed in is sent to sign in")
	}
	if to := somebody.post(t, "/session/sign-out", form("next", link)).expect(t,
		http.StatusSeeOther).header.Get("Location"); to != link {
		t.Errorf("signing out leads to %s", to)
	}
	somebody.get(t, link).expect(t, http.StatusOK, "Entrar e aceitar")
	ana.get(t, s.of("/notes", other.ID, "test")).expect(t, http.StatusNotFound)
	ana.get(t, link).expect(t, http.StatusOK, "Continuar")
	ana.post(t, link, nil).expect(t, http.StatusSeeOther)
	ana.get(t, s.of("/people", other.ID, "test")).expect(t, http.StatusOK, "Escola", "Convite aceito.")
}

func TestTries_AreLimited(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *frame.Options) {
		standing(o)
		o.Tries = 5
	})
	guesser := s.stranger(t)
	var last page
	for range 6 {
		last = guesser.post(t, "/link/"+nfse.NewLinkText(), nil)
	}
	last.expect(t, http.StatusTooManyRequests, "Tentativas demais")
	if last.header.Get("Retry-After") == "" {
		t.Error("it does not say when to come again")
	}
	guesser.send(t, http.MethodPost, "/sign-in", nil, "application/json", strings.NewReader("{}")).
		expect(t, http.StatusTooManyRequests, "Tentativas demais")
	guesser.get(t, "/sign-in").expect(t, http.StatusOK)
}

// Who confirms has a limit of their own: behind a proxy that nobody trusts all have one
// address, and that is said once.
func TestTries_OfUsers(t *testing.T) {
	t.Parallel()
	var log safeLog
	s := newSite(t, func(o *frame.Options) {
		standing(o)
		o.Tries, o.Logger = 5, slog.New(slog.NewTextHandler(&log, nil))
	})
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	proxied := s.stranger(t)
	for range 5 {
		proxied.send(t, http.MethodPost, "/link/"+nfse.NewLinkText(),
			http.Header{"X-Forwarded-For": {"203.0.113.7"}}, "", nil)
	}
	proxied.post(t, "/link/"+nfse.NewLinkText(), nil).expect(t, http.StatusTooManyRequests)
	device := ana.makesPasskey(t)
	for range 2 { // two requests each
		ana.asJSON(t, "/confirm", device.answers(t, ana, "/confirm/options")).expect(t, http.StatusOK)
	}
	ana.asJSON(t, "/confirm/options", struct{}{}).expect(t, http.StatusOK)
	ana.asJSON(t, "/confirm/options", struct{}{}).expect(t, http.StatusTooManyRequests)
	if said := strings.Count(log.text(), "EMISSOR_TRUSTED_PROXIES"); said != 1 {
		t.Errorf("the log says %d times that a proxy is not trusted", said)
	}
}

// safeLog is a log that many write to.
type safeLog struct {
	mu      sync.Mutex
	written strings.Builder
}

func (l *safeLog) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.Write(data)
}

func (l *safeLog) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.String()
}

func TestSession_Ends(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	elsewhere := s.stranger(t)
	elsewhere.post(t, s.linkFor(t, nfse.LinkSignIn, ana.id), nil).expect(t, http.StatusSeeOther)
	elsewhere.get(t, s.at("/notes")).expect(t, http.StatusOK)

	ana.get(t, "/session").expect(t, http.StatusOK, "esta sessão", "127.0.0.1", "ana@example.com")
	sessions, err := s.Store.Access.Sessions(t.Context(), ana.id)
	must(t, err)
	if len(sessions) != 2 {
		t.Fatalf("the sessions are %+v", sessions)
	}
	ana.post(t, "/session/sessions/"+sessions[1].ID+"/end", form()).expect(t, http.StatusSeeOther)
	elsewhere.get(t, s.at("/notes")).expect(t, http.StatusSeeOther)
	bia := s.signedIn(t, "bia@example.com", s.Organization.ID, nfse.RoleOwner)
	bia.post(t, "/session/sessions/"+sessions[0].ID+"/end", form()).expect(t, http.StatusNotFound)
	ana.get(t, s.at("/notes")).expect(t, http.StatusOK)

	ana.post(t, "/session/sign-out", form()).expect(t, http.StatusSeeOther)
	ana.get(t, s.at("/notes")).expect(t, http.StatusSeeOther)
	must(t, s.Changes().Access.RemoveUser(t.Context(), bia.id))
	bia.get(t, s.at("/notes")).expect(t, http.StatusSeeOther)
}

// The cookie is another one once somebody has signed in, and the database knows
// neither.
func TestSession_Cookie(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	p := s.stranger(t)
	p.send(t, http.MethodPost, "/sign-in/options", nil, "application/json", nil).expect(t, http.StatusOK, "challenge")
	before := p.cookie(t)
	id := s.member(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	answered := p.post(t, s.linkFor(t, nfse.LinkSignIn, id), nil)
	after := p.cookie(t)
	if before == "" || after == "" || before == after {
		t.Errorf("the cookie was %q and is %q", before, after)
	}
	if set := answered.header.Get("Set-Cookie"); !strings.Contains(set, "HttpOnly") ||
		!strings.Contains(set, "SameSite=Lax") || !strings.Contains(set, "Path=/") || strings.Contains(set, "Domain") {
		t.Errorf("the cookie is set as %s", set)
	}
	if found := s.Count(t, `SELECT count(*) FROM sessions WHERE sessions::text LIKE '%' || $1 || '%'`,
		after); found > 0 {
		t.Error("the cookie is on record")
	}
	if live := s.Count(t, `SELECT count(*) FROM sessions WHERE ended_at IS NULL`); live != 1 {
		t.Errorf("%d sessions are open, expected the new one", live)
	}
	s.Exec(t, `UPDATE sessions SET expires_at = now()`)
	p.get(t, s.at("/notes")).expect(t, http.StatusSeeOther)
}

func (p *person) cookie(t *testing.T) string {
	t.Helper()
	address, err := url.Parse(p.site.base)
	must(t, err)
	for _, cookie := range p.client.Jar.Cookies(address) {
		if cookie.Name == "emissor" {
			return cookie.Value
		}
	}
	return ""
}

// Behind TLS the cookie belongs to this host alone.
func TestSession_SecureCookie(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *frame.Options) { o.URL = &url.URL{Scheme: "https", Host: "notas.example.com"} })
	answered := s.stranger(t).send(t, http.MethodPost, "/sign-in/options", nil, "application/json", nil).
		expect(t, http.StatusOK, `"rpId":"notas.example.com"`)
	if set := answered.header.Get("Set-Cookie"); !strings.HasPrefix(set, "__Host-emissor=") || !strings.Contains(set,
		"Secure") {
		t.Errorf("the cookie is set as %s", set)
	}
	if answered.header.Get("Strict-Transport-Security") == "" {
		t.Error("browsers are not told to stay with TLS")
	}
}

func TestCrossOrigin_IsRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	send := func(header http.Header) page {
		return owner.send(t, http.MethodPost, "/language", header, "application/x-www-form-urlencoded",
			strings.NewReader("language=en"))
	}
	for _, header := range []http.Header{
		{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.example"}},
		{"Origin": {"null"}}, {"Origin": {"http://localhost:1"}},
	} {
		send(header).expect(t, http.StatusForbidden, "outro site")
	}
	for _, header := range []http.Header{
		{"Sec-Fetch-Site": {"same-origin"}}, {"Sec-Fetch-Site": {"none"}}, {"Origin": {s.base}}, nil,
	} {
		send(header).expect(t, http.StatusSeeOther)
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	p := s.stranger(t)
	for _, path := range []string{"/sign-in", "/nowhere", "/assets/script.js"} {
		header := p.get(t, path).header
		for name, part := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'",
			"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "X-Request-Id": "req_",
		} {
			if !strings.Contains(header.Get(name), part) {
				t.Errorf("%s: %s is %q", path, name, header.Get(name))
			}
		}
		if strings.Contains(header.Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s allows inline code", path)
		}
	}
	if cache := p.get(t, "/sign-in").header.Get("Cache-Control"); !strings.Contains(cache, "no-store") {
		t.Errorf("a page may be kept: %s", cache)
	}
}

// A form that was opened in one environment does nothing in the other.
func TestForm_OfTheOtherEnvironment(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	live := s.of("/people/invitations", s.Organization.ID, "live")
	owner.post(t, live, form("email", "ana@example.com", "role", "viewer")).
		expect(t, http.StatusConflict, "outro ambiente")
	owner.post(t, s.at("/people/invitations"), url.Values{"email": {"ana@example.com"}}).expect(t, http.StatusConflict)
	if n := s.Count(t, `SELECT count(*) FROM users WHERE email = 'ana@example.com'`); n != 0 {
		t.Error("somebody was invited")
	}
	owner.get(t, s.at("/people")).expect(t, http.StatusOK, "nada aqui tem valor fiscal")
	if page := owner.get(t, s.of("/people", s.Organization.ID, "live")); strings.Contains(page.body, "valor fiscal") {
		t.Error("live has the bar of test")
	}
}

// What was typed comes along while the passkey is asked for.
func TestConfirm_KeepsTheForm(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.verifiedAt(t, time.Now().Add(-6*time.Minute))
	typed := form("label", `"><script>alert(1)</script>`)
	owner.post(t, s.at("/integrations/keys"), typed).expect(t, http.StatusForbidden, "Crie antes uma passkey")
	owner.addPasskey(t)
	asked := owner.post(t, s.at("/integrations/keys"), typed).expect(t, http.StatusForbidden,
		`name="label" value="&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"`, `name="env" value="test"`,
		`data-form="confirmed"`)
	asked.expect(t, http.StatusForbidden, "segue assim que você confirmar")
	owner.get(t, "/session/passkeys/new?a=b").expect(t, http.StatusForbidden,
		`<a href="/session/passkeys/new?a=b" id="confirmed" hidden>`)
	if strings.Contains(asked.body, "<script>alert") {
		t.Error("what was typed is part of the page")
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	p := s.stranger(t)
	accepting := func(languages string) page {
		return p.send(t, http.MethodGet, "/sign-in", http.Header{"Accept-Language": {languages}}, "", nil)
	}
	for languages, expected := range map[string]string{
		"": "Entrar", "pt": "Entrar", "en-GB,en;q=0.9": "Sign in", "fr": "Entrar", "fr, en;q=0.5": "Sign in",
		"*;;": "Entrar",
	} {
		accepting(languages).expect(t, http.StatusOK, "<h1>"+expected)
	}
	p.post(t, "/language", url.Values{"language": {"en"}, "next": {"/sign-in"}}).expect(t, http.StatusSeeOther)
	accepting("pt-BR").expect(t, http.StatusOK, `<html lang="en">`, "Sign in with passkey")
}

func TestLocal(t *testing.T) {
	for address, expected := range map[string]string{
		"/notes?env=test": "/notes?env=test", "": "/", "notes": "/", "//evil.example": "/", "https://evil.example": "/",
		`/\evil.example`: "/", "/\tx": "/", "/a//b": "/a//b", "javascript:alert(1)": "/",
	} {
		if found := dashboard.Local(address); found != expected {
			t.Errorf("%q leads to %q, expected %q", address, found, expected)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for address, good := range map[string]bool{
		"https://notas.example.com": true, "https://notas.example.com:8443/": true, "http://localhost:8090": true,
		"http://127.0.0.1:8090": false, "https://203.0.113.7": false, "http://notas.example.com": false, "notas": false,
		"https://Notas.example.com": false, "https://notas.example.com:443": false, "https://notas.example.com:": false,
		"http://localhost:80": false, "https://notas.açaí.example": false, "https://notas.example.com.": false,
		"https://notas.example.com/painel": false, "https://a:b@notas.example.com": false, "": false,
	} {
		parsed, err := url.Parse(address)
		must(t, err)
		if err := dashboard.CheckURL(parsed); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// Sign-ins and invitations are in the audit log, in the person's name and with their
// address.
func TestAudit_OfPeople(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.post(t, s.at("/people/invitations"), form("email", "ana@example.com", "role", "viewer")).
		expect(t, http.StatusOK, s.base+"/link/", "ana@example.com")
	entries, _, err := s.Store.Audit.Log(t.Context(), audit.Filter{ActorID: owner.id, Page: postgres.Page{Limit: 10}})
	must(t, err)
	var actions []string
	for _, entry := range entries {
		actions = append(actions, string(entry.Action))
		if entry.Actor.Kind != nfse.ActorUser || entry.Actor.From != "127.0.0.1" || !nfse.IsID(nfse.PrefixRequest,
			entry.Actor.RequestID) {
			t.Errorf("%s is by %+v", entry.Action, entry.Actor)
		}
	}
	if found := strings.Join(actions, " "); found != "user.invite user.sign_in user.link_used" {
		t.Errorf("on record are %s", found)
	}
}
