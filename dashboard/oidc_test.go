package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"emissor/dashboard"
	accesspages "emissor/dashboard/access"
	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/test/long"
)

func newSignOnSite(t *testing.T) (*site, *provider) {
	t.Helper()
	p := newProvider(t)
	return newSite(t, func(options *frame.Options) {
		options.OIDC = frame.OIDC{Issuer: p.URL, ClientID: clientID, ClientSecret: clientSecret, Name: "Clínica ID"}
	}), p
}

// Who is invited comes in by the address that the provider has verified, and from then
// on by what the provider calls them.
func TestOIDC_Invited(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	link, id := s.invitation(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	someone := s.stranger(t)
	someone.get(t, "/sign-in?next=%2Fnotes").expect(t, http.StatusOK, "Entrar com Clínica ID", "/oidc/sign-in?next=")
	someone.get(t, link).expect(t, http.StatusOK, "Entrar com Clínica ID")
	back := p.meets(t, someone.get(t, "/oidc/sign-in?next=%2Fnotes"), ana())
	if to := someone.get(t, back).expect(t, http.StatusSeeOther).header.Get("Location"); to != "/notes" {
		t.Errorf("it leads to %s", to)
	}
	someone.get(t, s.at("/people")).expect(t, http.StatusOK, "ana@example.com", "Responsável")
	someone.get(t, back).expect(t, http.StatusForbidden, "não foi aceita")
	s.stranger(t).get(t, link).expect(t, http.StatusGone)
	for _, action := range []string{"identity.link", "user.accept", "user.sign_in"} {
		if n := s.Count(t, `SELECT count(*) FROM audit_log WHERE action = $1 AND subject_id = $2 AND actor_id = $2`,
			action, id); n != 1 {
			t.Errorf("the log has %d entries of %s", n, action)
		}
	}
	again, renamed := s.stranger(t), ana()
	renamed["email"] = "outra@example.com"
	again.get(t, p.meets(t, again.get(t, "/oidc/sign-in"), renamed)).expect(t, http.StatusSeeOther)
	again.get(t, s.at("/people")).expect(t, http.StatusOK, "ana@example.com")
}

// The provider creates nobody, and an address alone opens no account that has something.
func TestOIDC_CreatesNobody(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	s.invitation(t, "unverified@example.com", s.Organization.ID, nfse.RoleOwner)
	member := s.member(t, "member@example.com", s.Organization.ID, nfse.RoleOwner)
	must(t, s.Store.Access.ProveAddress(t.Context(), member, "member@example.com"))
	other, _, _ := s.NewOrganization(t, "Escola")
	s.invitation(t, "member@example.com", other.ID, nfse.RoleOwner)
	s.invitation(t, "late@example.com", s.Organization.ID, nfse.RoleOwner)
	s.Exec(t, `UPDATE links SET expires_at = now()
		WHERE user_id = (SELECT id FROM users WHERE email = 'late@example.com')`)
	users := s.Count(t, `SELECT count(*) FROM users`)
	for name, who := range map[string]claims{
		"an unknown address":        {"sub": "1", "email": "nobody@example.com", "email_verified": true},
		"an address not verified":   {"sub": "2", "email": "unverified@example.com", "email_verified": false},
		"one that is not said":      {"sub": "3", "email": "unverified@example.com"},
		"an account with something": {"sub": "4", "email": "member@example.com", "email_verified": true},
		"an expired invitation":     {"sub": "5", "email": "late@example.com", "email_verified": true},
	} {
		someone := s.stranger(t)
		answered := someone.get(t, p.meets(t, someone.get(t, "/oidc/sign-in"), who))
		if answered.status != http.StatusForbidden || !strings.Contains(answered.body, "não está ligada a nenhuma") {
			t.Errorf("%s: answered is %d", name, answered.status)
		}
		if someone.get(t, "/session").status != http.StatusSeeOther {
			t.Errorf("%s comes in", name)
		}
	}
	if now := s.Count(t, `SELECT count(*) FROM users`); now != users {
		t.Errorf("%d users were created", now-users)
	}
	if n := s.Count(t, `SELECT count(*) FROM identities`); n != 0 {
		t.Errorf("%d identities are linked, %s is a member", n, member)
	}
}

// What does not belong to the journey that this session began is refused.
func TestOIDC_WrongArrivals(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	s.invitation(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	change := func(back, name, value string) string {
		parsed, err := url.Parse(back)
		must(t, err)
		query := parsed.Query()
		query.Set(name, value)
		return parsed.Path + "?" + query.Encode()
	}
	for name, one := range map[string]struct {
		who  claims
		back func(string) string
	}{
		"another state":    {nil, func(back string) string { return change(back, "state", "x") }},
		"another code":     {nil, func(back string) string { return change(back, "code", "x") }},
		"another issuer":   {nil, func(back string) string { return change(back, "iss", "https://evil.example") }},
		"a refusal":        {nil, func(back string) string { return change(back, "error", "access_denied") }},
		"another nonce":    {claims{"nonce": "x"}, nil},
		"another audience": {claims{"aud": "x"}, nil},
		"another's token":  {claims{"iss": "https://evil.example"}, nil},
		"an old token":     {claims{"exp": time.Now().Add(-time.Hour).Unix()}, nil},
		"nobody":           {claims{"sub": ""}, nil},
	} {
		who := ana()
		for claim, value := range one.who {
			who[claim] = value
		}
		someone := s.stranger(t)
		back := p.meets(t, someone.get(t, "/oidc/sign-in"), who)
		if one.back != nil {
			back = one.back(back)
		}
		if answered := someone.get(t, back); answered.status != http.StatusForbidden ||
			someone.get(t, "/session").status != http.StatusSeeOther {
			t.Errorf("%s: answered is %d\n%s", name, answered.status, answered.body)
		}
	}
	victim := s.stranger(t) // somebody else's journey signs nobody in
	attacker := s.stranger(t)
	victim.get(t, p.meets(t, attacker.get(t, "/oidc/sign-in"), ana())).expect(t, http.StatusForbidden)
}

// Without a passkey a fresh sign-in confirms what is dangerous, and only a fresh one of
// the same person.
func TestOIDC_Confirms(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	s.invitation(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	someone := s.stranger(t)
	someone.get(t, p.meets(t, someone.get(t, "/oidc/sign-in"), ana())).expect(t, http.StatusSeeOther)
	if body := someone.get(t, s.at("/people")).body; strings.Contains(body, "sem ela você não entra") {
		t.Error("who comes in by the provider is told that they cannot")
	}
	invite := func() page {
		return someone.post(t, s.at("/people/invitations"), form("email", "nova@example.com", "role", "viewer"))
	}
	asks := func() {
		t.Helper()
		invite().expect(t, http.StatusForbidden, "Confirmar com Clínica ID", `value="nova@example.com"`, "Já confirmei")
	}
	asks()
	someone.get(t, "/session/passkeys/new").expect(t, http.StatusForbidden, "Confirmar com Clínica ID")
	stale, other := ana(), ana()
	stale["auth_time"], other["sub"] = time.Now().Add(-time.Hour).Unix(), "somebody-else"
	someone.get(t, p.meets(t, someone.get(t, "/oidc/confirm"), stale)).expect(t, http.StatusForbidden, "não é recente")
	asks()
	someone.get(t, p.meets(t, someone.get(t, "/oidc/confirm"), other)).expect(t, http.StatusForbidden)
	asks()
	sent := someone.get(t, "/oidc/confirm")
	if location := sent.header.Get("Location"); !strings.Contains(location, "prompt=login") ||
		!strings.Contains(location, "max_age=0") {
		t.Errorf("the provider is not asked to sign in anew: %s", location)
	}
	someone.get(t, p.meets(t, sent, ana())).expect(t, http.StatusOK, "Confirmado")
	invite().expect(t, http.StatusOK, "nova@example.com")

	// Of who has a passkey only that counts.
	s.Exec(t, `INSERT INTO passkeys (id, user_id, credential_id, credential, label)
		SELECT 'psk_1', user_id, '1', '{}', 'laptop' FROM identities`)
	someone.get(t, "/oidc/confirm").expect(t, http.StatusForbidden, "Crie antes uma passkey")
	someone.get(t, p.meets(t, s.stranger(t).get(t, "/oidc/sign-in"), ana())).expect(t, http.StatusForbidden)
}

// Who has an account links it in their own session, and keeps a way in.
func TestOIDC_LinkAndUnlink(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.addPasskey(t)
	owner.get(t, "/session").expect(t, http.StatusOK, "Ligue sua conta a Clínica ID")
	who := claims{"sub": "dona-1", "email": "other@example.com"}
	left := claims{"sub": "dona-1", "auth_time": time.Now().Add(-time.Hour).Unix()} // of who sat there before
	owner.get(t, p.meets(t, owner.get(t, "/oidc/link"), left)).expect(t, http.StatusForbidden, "não é recente")
	owner.get(t, p.meets(t, owner.get(t, "/oidc/link"), who)).expect(t, http.StatusSeeOther)
	owner.get(t, "/session").expect(t, http.StatusOK, "Conta da empresa ligada", "Você entra também com Clínica ID")
	elsewhere := s.stranger(t)
	elsewhere.get(t, p.meets(t, elsewhere.get(t, "/oidc/sign-in"), who)).expect(t, http.StatusSeeOther)
	elsewhere.get(t, "/session").expect(t, http.StatusOK, "dona@example.com")

	second := s.signedIn(t, "segunda@example.com", s.Organization.ID, nfse.RoleOwner)
	second.addPasskey(t)
	second.get(t, p.meets(t, second.get(t, "/oidc/link"), who)).expect(t, http.StatusConflict, "já está ligada")
	owner.verifiedAt(t, time.Now().Add(-time.Hour))
	owner.post(t, "/oidc/unlink", form()).expect(t, http.StatusForbidden, "Confirme que")
	owner.verifiedAt(t, time.Now())
	owner.post(t, "/oidc/unlink", form()).expect(t, http.StatusOK, "Desligar a entrada da empresa", "Clínica ID")
	owner.confirms(t, "/oidc/unlink", form()).expect(t, http.StatusSeeOther)
	third := s.stranger(t)
	third.get(t, p.meets(t, third.get(t, "/oidc/sign-in"), who)).expect(t, http.StatusForbidden)

	// A recovery starts over: an identity that was linked before signs in no more.
	owner.get(t, p.meets(t, owner.get(t, "/oidc/link"), who)).expect(t, http.StatusSeeOther)
	s.stranger(t).post(t, s.linkFor(t, nfse.LinkRecovery, owner.id), nil).expect(t, http.StatusSeeOther)
	third.get(t, p.meets(t, third.get(t, "/oidc/sign-in"), who)).expect(t, http.StatusForbidden)
}

func TestOIDC_ProviderAway(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	p.Close()
	s.stranger(t).get(t, "/oidc/sign-in").expect(t, http.StatusBadGateway, "não responde")
	none := newSite(t, nil)
	none.stranger(t).get(t, "/oidc/sign-in").expect(t, http.StatusNotFound)
	if body := none.stranger(t).get(t, "/sign-in").body; strings.Contains(body, "/oidc/") {
		t.Error("a sign-on is offered that is not there")
	}
}

// While the provider is away it is asked now and then, and not by everybody who waits.
func TestOIDC_ProviderFails(t *testing.T) {
	t.Parallel()
	var asked, works atomic.Int32
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if works.Load() == 0 {
			http.Error(w, "away", http.StatusServiceUnavailable)
			return
		}
		writeJSON(w, map[string]any{"issuer": "http://" + r.Host, "authorization_endpoint": "http://" + r.Host + "/a"})
	}))
	t.Cleanup(away.Close)
	s := newSite(t, func(options *frame.Options) {
		standing(options)
		options.OIDC = frame.OIDC{Issuer: away.URL, ClientID: clientID, ClientSecret: clientSecret}
	})
	for range 4 {
		s.stranger(t).get(t, "/oidc/sign-in").expect(t, http.StatusBadGateway, "não responde")
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("it was asked %d times at once", n)
	}
	works.Store(1)
	dashboard.AskProviderAgain(s.pages)
	s.stranger(t).get(t, "/oidc/sign-in").expect(t, http.StatusSeeOther)
}

// A browser goes from the confirmation on to the provider, whom no form may lead to.
func TestBrowser_LinkProvider(t *testing.T) {
	long.Only(t, "links a provider in a browser")
	t.Parallel()
	s, _ := newSignOnSite(t)
	w := &walker{site: s, browser: newBrowser(t, s)}
	id := w.signUp(t, "dona@example.com")
	(&person{site: s, id: id}).verifiedAt(t, time.Now().Add(-time.Hour))
	w.open(t, "/session")
	w.do(t, click(`a[href="/oidc/link"]`))
	w.shows(t, "Confirme que é você")
	w.do(t, click(passkeyButton))
	w.shows(t, "Conta da empresa ligada")
}

func TestCheckOIDC(t *testing.T) {
	t.Parallel()
	good := frame.OIDC{Issuer: "https://login.example.com/realm", ClientID: "a", ClientSecret: "b"}
	must(t, accesspages.CheckOIDC(good))
	must(t, accesspages.CheckOIDC(frame.OIDC{}))
	for _, issuer := range []string{"", "login.example.com", "http://login.example.com", "ftp://x",
		"https://u:p@x.example", "https://x.example?y=1"} {
		wrong := good
		wrong.Issuer = issuer
		if accesspages.CheckOIDC(wrong) == nil {
			t.Errorf("%q is taken", issuer)
		}
	}
	if accesspages.CheckOIDC(frame.OIDC{Issuer: good.Issuer, ClientID: "a"}) == nil {
		t.Error("a client without a secret is taken")
	}
}
