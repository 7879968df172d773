package dashboard

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"emissor/nfse"
	"emissor/store/access"
)

// OIDC is a company's own sign-on. The zero value is none.
type OIDC struct {
	Issuer       string // its address, exactly as the provider writes it
	ClientID     string
	ClientSecret string
	Name         string // of the provider, for people; empty: its host
}

// CheckOIDC says what is wrong with the settings of a company's sign-on.
func CheckOIDC(settings OIDC) error {
	if settings == (OIDC{}) {
		return nil
	}
	if settings.Issuer == "" || settings.ClientID == "" || settings.ClientSecret == "" {
		return errors.New("ISSUER, CLIENT_ID and CLIENT_SECRET must be set together")
	}
	issuer, err := url.Parse(settings.Issuer)
	if err != nil || issuer.Hostname() == "" || issuer.RawQuery != "" || issuer.Fragment != "" || issuer.User != nil ||
		issuer.Scheme != "https" && (issuer.Scheme != "http" || !isLoopback(issuer.Hostname())) {
		return errors.New("ISSUER must be an address as https://login.example.com (http only of this machine)")
	}
	return nil
}

func isLoopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// signOn asks a provider who somebody is: the authorization code flow, with state,
// nonce and PKCE.
type signOn struct {
	OIDC
	redirect string // the address to which the provider sends people back
	client   *http.Client
	now      func() time.Time

	asking   chan struct{}  // has room for one: the lock of the fields below
	provider *oidc.Provider // nil until it has answered
	failure  error          // of the last request to it
	failedAt time.Time
}

const (
	providerTimeout = 10 * time.Second // of each request to the provider
	providerPause   = 5 * time.Second  // after it has failed, before it is asked again
)

func newSignOn(settings OIDC, dashboard *url.URL, now func() time.Time) (*signOn, error) {
	if err := CheckOIDC(settings); err != nil {
		return nil, err
	}
	if settings.Issuer == "" {
		return nil, nil
	}
	if settings.Name == "" {
		issuer, _ := url.Parse(settings.Issuer)
		settings.Name = issuer.Host
	}
	return &signOn{OIDC: settings, redirect: dashboard.JoinPath("oidc", "callback").String(),
		client: &http.Client{Timeout: providerTimeout}, now: now, asking: make(chan struct{}, 1)}, nil
}

// discovered fetches the provider's configuration, once. The dashboard may start while the
// provider is away: who waits for a request that fails gets its error.
func (s *signOn) discovered(ctx context.Context) (*oidc.Provider, error) {
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	switch {
	case s.provider != nil:
		return s.provider, nil
	case s.now().Sub(s.failedAt) < providerPause:
		return nil, s.failure
	}
	// The provider keeps only the client of this context, to fetch its keys again later.
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, s.client), s.Issuer)
	if err != nil && ctx.Err() != nil { // the request was cancelled, which says nothing of the provider
		return nil, ctx.Err()
	}
	if err != nil {
		s.failure, s.failedAt = fmt.Errorf("ask the provider of the sign-on: %w", err), s.now()
		return nil, s.failure
	}
	s.provider = provider
	return provider, nil
}

func (s *signOn) oauth(provider *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{ClientID: s.ClientID, ClientSecret: s.ClientSecret, Endpoint: provider.Endpoint(),
		RedirectURL: s.redirect, Scopes: []string{oidc.ScopeOpenID, "email"}}
}

// journey is what the answer of the provider must match. It is kept in the session until
// the first answer.
type journey struct {
	Purpose  purpose   `json:"purpose"`
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"` // of PKCE
	Next     string    `json:"next"`     // where to go on in the dashboard
	Begun    time.Time `json:"begun"`
}

// journeyLasts is how long signing in at the provider may take.
const journeyLasts = 10 * time.Minute

// goToProvider sends the browser to the provider. To confirm or to link, people must sign
// in there again.
func (r *request) goToProvider(what purpose, next string) error {
	provider, err := r.d.signOn.discovered(r.Context())
	if err != nil {
		return r.providerFailed(err)
	}
	going := journey{what, oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), next,
		time.Now().UTC()}
	encoded, err := json.Marshal(going)
	if err != nil {
		return err
	}
	r.put(sessionJourney, string(encoded))
	if !r.signedIn() {
		r.d.sessions.SetDeadline(r.Context(), visitorDeadline())
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(going.Nonce), oauth2.S256ChallengeOption(going.Verifier)}
	switch what {
	case toSignIn:
	case toGoOn:
		options = append(options, oauth2.SetAuthURLParam("prompt", "none"))
	default:
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return r.goTo(r.d.signOn.oauth(provider).AuthCodeURL(going.State, options...))
}

// arrival is whom the provider has identified.
type arrival struct {
	journey
	access.Identity
	Email      string    `json:"email"`        // that the provider has verified; empty: none
	SignedInAt time.Time `json:"signed_in_at"` // at the provider; zero: it does not say
}

// fresh reports whether they signed in at the provider a short while ago.
func (a arrival) fresh() bool {
	const clocksApart = time.Minute
	return !a.SignedInAt.IsZero() && time.Since(a.SignedInAt) < freshFor &&
		a.SignedInAt.Before(time.Now().Add(clocksApart))
}

// freshOnJourney reports whether they signed in since the journey began.
func (a arrival) freshOnJourney() bool {
	const clocksApart = time.Minute
	return a.fresh() && a.SignedInAt.After(a.Begun.Add(-clocksApart))
}

// errSignOn is the answer to every arrival that is refused, whatever the reason.
var errSignOn = problem{http.StatusForbidden, "oidc.failed"}

func (r *request) providerFailed(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	r.d.Logger.WarnContext(r.Context(), "the sign-on's provider failed", "request_id", r.id, "error", err)
	return problem{http.StatusBadGateway, "oidc.unavailable"}
}

func (r *request) refuseArrival(why string, err error) error {
	r.d.Logger.InfoContext(r.Context(), "an arrival from the sign-on's provider was refused", "request_id", r.id,
		"client", r.client.String(), "why", why, "error", err)
	return errSignOn
}

// arrive checks what the provider sent the browser back with.
func (r *request) arrive() (arrived arrival, err error) {
	if err := json.Unmarshal([]byte(r.pop(sessionJourney)), &arrived.journey); err != nil {
		return arrived, r.refuseArrival("no journey was begun in this session", nil)
	}
	query := r.URL.Query()
	if subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(arrived.State)) != 1 {
		return arrived, r.refuseArrival("the state is another", nil)
	}
	if time.Since(arrived.Begun) > journeyLasts {
		return arrived, r.refuseArrival("it took too long", nil)
	}
	if issuer := query.Get("iss"); issuer != "" && issuer != r.d.signOn.Issuer {
		return arrived, r.refuseArrival("it comes from another provider", nil)
	}
	if refusal := query.Get("error"); refusal != "" {
		return arrived, r.refuseArrival("the provider refuses: "+shortened(refusal), nil)
	}
	provider, err := r.d.signOn.discovered(r.Context())
	if err != nil {
		return arrived, r.providerFailed(err)
	}
	ctx := oidc.ClientContext(r.Context(), r.d.signOn.client)
	token, err := r.d.signOn.oauth(provider).Exchange(ctx, query.Get("code"), oauth2.VerifierOption(arrived.Verifier))
	if err != nil {
		return arrived, r.refuseArrival("the code is not exchanged", withoutBody(err))
	}
	raw, _ := token.Extra("id_token").(string)
	identified, err := provider.Verifier(&oidc.Config{ClientID: r.d.signOn.ClientID}).Verify(ctx, raw)
	if err != nil {
		return arrived, r.refuseArrival("the token is not good", err)
	}
	if subtle.ConstantTimeCompare([]byte(identified.Nonce), []byte(arrived.Nonce)) != 1 || identified.Subject == "" {
		return arrived, r.refuseArrival("the nonce is another", nil)
	}
	return arrived, arrived.read(identified)
}

// withoutBody leaves out the provider's answer, which may contain secrets.
func withoutBody(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return fmt.Errorf("the provider answers %d %s", refused.Response.StatusCode, shortened(refused.ErrorCode))
	}
	return err
}

// read reads a token. An address counts only if the provider has verified it.
func (a *arrival) read(token *oidc.IDToken) error {
	var claims struct {
		Email    string          `json:"email"`
		Verified json.RawMessage `json:"email_verified"` // some providers send it as a text
		AuthTime int64           `json:"auth_time"`
	}
	if err := token.Claims(&claims); err != nil {
		return errSignOn
	}
	a.Identity = access.Identity{Issuer: token.Issuer, Subject: token.Subject}
	if verified := string(claims.Verified); verified == "true" || verified == `"true"` {
		if email, err := nfse.ParseEmail(claims.Email); err == nil {
			a.Email = email
		}
	}
	if claims.AuthTime > 0 {
		a.SignedInAt = time.Unix(claims.AuthTime, 0)
	}
	return nil
}
