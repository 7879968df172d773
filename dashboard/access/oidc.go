package access

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

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/access"
)

// CheckOIDC says what is wrong with the settings of a company's sign-on.
func CheckOIDC(settings frame.OIDC) error {
	if settings == (frame.OIDC{}) {
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

const (
	providerTimeout = 10 * time.Second // of each request to the provider
	providerPause   = 5 * time.Second  // after it has failed, before it is asked again
)

func NewSignOn(settings frame.OIDC, dashboard *url.URL, now func() time.Time) (*frame.SignOn, error) {
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
	return &frame.SignOn{OIDC: settings, Redirect: dashboard.JoinPath("oidc", "callback").String(),
		Client: &http.Client{Timeout: providerTimeout}, Now: now, Asking: make(chan struct{}, 1)}, nil
}

// discovered fetches the provider's configuration, once. The dashboard may start while the
// provider is away: who waits for a request that fails gets its error.
func discovered(s *frame.SignOn, ctx context.Context) (*oidc.Provider, error) {
	select {
	case s.Asking <- struct{}{}:
		defer func() { <-s.Asking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	switch {
	case s.Provider != nil:
		return s.Provider, nil
	case s.Now().Sub(s.FailedAt) < providerPause:
		return nil, s.Failure
	}
	// The provider keeps only the client of this context, to fetch its keys again later.
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, s.Client), s.Issuer)
	if err != nil && ctx.Err() != nil { // the request was cancelled, which says nothing of the provider
		return nil, ctx.Err()
	}
	if err != nil {
		s.Failure, s.FailedAt = fmt.Errorf("ask the provider of the sign-on: %w", err), s.Now()
		return nil, s.Failure
	}
	s.Provider = provider
	return provider, nil
}

func oauth(s *frame.SignOn, provider *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{ClientID: s.ClientID, ClientSecret: s.ClientSecret, Endpoint: provider.Endpoint(),
		RedirectURL: s.Redirect, Scopes: []string{oidc.ScopeOpenID, "email"}}
}

// journeyLasts is how long signing in at the provider may take.
const journeyLasts = 10 * time.Minute

// GoToProvider sends the browser to the provider. To confirm or to link, people must sign
// in there again.
func GoToProvider(r *frame.Request, what frame.Purpose, next string) error {
	provider, err := discovered(r.D.SignOn, r.Context())
	if err != nil {
		return providerFailed(r, err)
	}
	going := frame.Journey{Purpose: what, State: oauth2.GenerateVerifier(), Nonce: oauth2.GenerateVerifier(),
		Verifier: oauth2.GenerateVerifier(), Next: next,
		Begun: time.Now().UTC()}
	encoded, err := json.Marshal(going)
	if err != nil {
		return err
	}
	r.Put(frame.SessionJourney, string(encoded))
	if !r.SignedIn() {
		r.D.Sessions.SetDeadline(r.Context(), visitorDeadline())
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(going.Nonce), oauth2.S256ChallengeOption(going.Verifier)}
	switch what {
	case frame.ToSignIn:
	case frame.ToGoOn:
		options = append(options, oauth2.SetAuthURLParam("prompt", "none"))
	default:
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return r.GoTo(oauth(r.D.SignOn, provider).AuthCodeURL(going.State, options...))
}

// fresh reports whether they signed in at the provider a short while ago.
func fresh(a frame.Arrival) bool {
	const clocksApart = time.Minute
	return !a.SignedInAt.IsZero() && time.Since(a.SignedInAt) < frame.FreshFor &&
		a.SignedInAt.Before(time.Now().Add(clocksApart))
}

// freshOnJourney reports whether they signed in since the journey began.
func freshOnJourney(a frame.Arrival) bool {
	const clocksApart = time.Minute
	return fresh(a) && a.SignedInAt.After(a.Begun.Add(-clocksApart))
}

func providerFailed(r *frame.Request, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	r.D.Logger.WarnContext(r.Context(), "the sign-on's provider failed", "request_id", r.ID, "error", err)
	return frame.Problem{Status: http.StatusBadGateway, Key: "oidc.unavailable"}
}

func refuseArrival(r *frame.Request, why string, err error) error {
	r.D.Logger.InfoContext(r.Context(), "an arrival from the sign-on's provider was refused", "request_id", r.ID,
		"client", r.Client.String(), "why", why, "error", err)
	return frame.ErrSignOn
}

// arrive checks what the provider sent the browser back with.
func arrive(r *frame.Request) (arrived frame.Arrival, err error) {
	if err := json.Unmarshal([]byte(r.Pop(frame.SessionJourney)), &arrived.Journey); err != nil {
		return arrived, refuseArrival(r, "no journey was begun in this session", nil)
	}
	query := r.URL.Query()
	if subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(arrived.State)) != 1 {
		return arrived, refuseArrival(r, "the state is another", nil)
	}
	if time.Since(arrived.Begun) > journeyLasts {
		return arrived, refuseArrival(r, "it took too long", nil)
	}
	if issuer := query.Get("iss"); issuer != "" && issuer != r.D.SignOn.Issuer {
		return arrived, refuseArrival(r, "it comes from another provider", nil)
	}
	if refusal := query.Get("error"); refusal != "" {
		return arrived, refuseArrival(r, "the provider refuses: "+frame.Shortened(refusal), nil)
	}
	provider, err := discovered(r.D.SignOn, r.Context())
	if err != nil {
		return arrived, providerFailed(r, err)
	}
	ctx := oidc.ClientContext(r.Context(), r.D.SignOn.Client)
	token, err := oauth(r.D.SignOn, provider).Exchange(ctx, query.Get("code"), oauth2.VerifierOption(arrived.Verifier))
	if err != nil {
		return arrived, refuseArrival(r, "the code is not exchanged", withoutBody(err))
	}
	raw, _ := token.Extra("id_token").(string)
	identified, err := provider.Verifier(&oidc.Config{ClientID: r.D.SignOn.ClientID}).Verify(ctx, raw)
	if err != nil {
		return arrived, refuseArrival(r, "the token is not good", err)
	}
	if subtle.ConstantTimeCompare([]byte(identified.Nonce), []byte(arrived.Nonce)) != 1 || identified.Subject == "" {
		return arrived, refuseArrival(r, "the nonce is another", nil)
	}
	return arrived, read(&arrived, identified)
}

// withoutBody leaves out the provider's answer, which may contain secrets.
func withoutBody(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return fmt.Errorf("the provider answers %d %s", refused.Response.StatusCode, frame.Shortened(refused.ErrorCode))
	}
	return err
}

// read reads a token. An address counts only if the provider has verified it.
func read(a *frame.Arrival, token *oidc.IDToken) error {
	var claims struct {
		Email    string          `json:"email"`
		Verified json.RawMessage `json:"email_verified"` // some providers send it as a text
		AuthTime int64           `json:"auth_time"`
	}
	if err := token.Claims(&claims); err != nil {
		return frame.ErrSignOn
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

// SignOnDoor refuses the request where no company's sign-on is configured.
func SignOnDoor(r *frame.Request) error {
	if r.D.SignOn == nil {
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	return nil
}

func SignInByProvider(r *frame.Request) error {
	if err := SignOnDoor(r); err != nil {
		return err
	}
	next := frame.Local(r.URL.Query().Get("next"))
	if r.SignedIn() {
		return r.Redirect(next, "")
	}
	return GoToProvider(r, frame.ToSignIn, next)
}

// ConfirmByProvider is for users without a passkey: they sign in at the provider again
// instead.
func ConfirmByProvider(r *frame.Request) error {
	if err := SignOnDoor(r); err != nil {
		return err
	}
	may, err := r.ConfirmsByProvider()
	if err != nil {
		return err
	}
	if !may {
		return frame.Problem{Status: http.StatusForbidden, Key: "confirm.first"}
	}
	return GoToProvider(r, frame.ToConfirm, "")
}

func LinkProvider(r *frame.Request) error {
	if err := SignOnDoor(r); err != nil {
		return err
	}
	return GoToProvider(r, frame.ToLink, "")
}

func UnlinkProvider(r *frame.Request) error {
	if err := SignOnDoor(r); err != nil {
		return err
	}
	err := r.Changes().Access.UnlinkIdentity(r.Context(), r.User.ID, r.D.SignOn.Issuer)
	if errors.Is(err, access.ErrLastPasskey) {
		return showSessionPage(r, http.StatusConflict, "oidc.last")
	}
	if err != nil {
		return err
	}
	return r.Redirect("/session", "oidc.unlinked")
}

// ArriveFromProvider answers the request with which people come back from the provider.
func ArriveFromProvider(r *frame.Request) error {
	if err := SignOnDoor(r); err != nil {
		return err
	}
	var begun frame.Journey
	if err := json.Unmarshal([]byte(r.Get(frame.SessionJourney)), &begun); err == nil && begun.Purpose == frame.ToGoOn &&
		r.URL.Query().Get("state") != begun.State {
		return r.Redirect("/", "") // another tab was sent there since, and its answer counts for all
	}
	arrived, err := arrive(r)
	if arrived.Purpose == frame.ToGoOn {
		return r.GoOnArrival(arrived, err)
	}
	if err != nil {
		return err
	}
	switch arrived.Purpose {
	case frame.ToConfirm:
		return confirmArrival(r, arrived)
	case frame.ToLink:
		return linkArrival(r, arrived)
	}
	return signInArrival(r, arrived)
}

// signInArrival signs in who is linked, or who was invited and has nothing yet. Who has the
// address of an account that has something and never proved it must choose first.
func signInArrival(r *frame.Request, arrived frame.Arrival) error {
	user, err := r.D.Store.Access.UserOfIdentity(r.Context(), arrived.Identity)
	if nfse.IsCode(err, nfse.CodeNotFound) && arrived.Email != "" {
		return acceptArrival(r, arrived, false)
	}
	return letIn(r, arrived, user, "", "", err)
}

// acceptArrival accepts the invitations of who signs in for the first time.
func acceptArrival(r *frame.Request, arrived frame.Arrival, anew bool) error {
	known, notice := "", "" // the user as whom they would sign in, and the key of a notice
	user, err := r.D.Store.Access.UserByEmail(r.Context(), arrived.Email)
	if err == nil {
		known = user.ID
		user, err = r.ChangesOf(known).Access.AcceptByIdentity(r.Context(), arrived.Identity, arrived.Email, anew)
	}
	if errors.Is(err, access.ErrNotAnew) {
		return askAnew(r, arrived)
	}
	if err == nil && user.ID != known {
		notice = "oidc.anew"
	}
	return letIn(r, arrived, user, known, notice, err)
}

// letIn begins a session of the user that was found, or refuses where none was.
func letIn(r *frame.Request, arrived frame.Arrival, user nfse.User, known, notice string, err error) error {
	if nfse.IsCode(err, nfse.CodeNotFound) || errors.Is(err, access.ErrIdentityTaken) {
		r.Refused(known, "oidc")
		return frame.Problem{Status: http.StatusForbidden, Key: "oidc.unknown"}
	}
	if err != nil {
		return err
	}
	if err := r.D.Store.Access.ProveAddress(r.Context(), user.ID, arrived.Email); err != nil {
		return err
	}
	if err := r.Begin(user.ID, "oidc"); err != nil {
		return err
	}
	r.Vouched()
	if fresh(arrived) {
		if err := verifiedByProvider(r, user); err != nil {
			return err
		}
	}
	return r.Redirect(arrived.Next, notice)
}

// verifiedByProvider counts a sign-in as use of a passkey, for users without one.
func verifiedByProvider(r *frame.Request, user nfse.User) error {
	r.User = user
	may, err := r.ConfirmsByProvider()
	if err == nil && may {
		r.Verified()
	}
	return err
}

func confirmArrival(r *frame.Request, arrived frame.Arrival) error {
	if !r.SignedIn() {
		return refuseArrival(r, "nobody is signed in any more", nil)
	}
	user, err := r.D.Store.Access.UserOfIdentity(r.Context(), arrived.Identity)
	if err != nil && !nfse.IsCode(err, nfse.CodeNotFound) {
		return err
	}
	may, mayErr := r.ConfirmsByProvider()
	switch {
	case mayErr != nil:
		return mayErr
	case err != nil || user.ID != r.User.ID || !may:
		r.Refused(r.User.ID, "confirmation")
		return refuseArrival(r, "it is somebody else", nil)
	case !freshOnJourney(arrived):
		return frame.Problem{Status: http.StatusForbidden, Key: "oidc.stale"}
	}
	r.Verified()
	return r.Render("confirmed", "oidc.confirmed", nil)
}

// linkArrival links the provider's identity to the account that is signed in.
func linkArrival(r *frame.Request, arrived frame.Arrival) error {
	if !r.SignedIn() || !r.Fresh() {
		return refuseArrival(r, "who began to link is not signed in, or not freshly", nil)
	}
	if !freshOnJourney(arrived) {
		return frame.Problem{Status: http.StatusForbidden, Key: "oidc.stale"}
	}
	err := r.Changes().Access.LinkIdentity(r.Context(), arrived.Identity, r.User.ID, r.TokenHash())
	switch {
	case errors.Is(err, access.ErrSessionEnded):
		return refuseArrival(r, "the session has ended meanwhile", nil)
	case errors.Is(err, access.ErrIdentityTaken):
		return showSessionPage(r, http.StatusConflict, "oidc.taken")
	case err != nil:
		return err
	}
	if err := r.D.Store.Access.ProveAddress(r.Context(), r.User.ID, arrived.Email); err != nil {
		return err
	}
	return r.Redirect("/session", "oidc.linked")
}
