package frame

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

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

// SignOn asks a provider who somebody is: the authorization code flow, with state,
// nonce and PKCE.
type SignOn struct {
	OIDC
	Redirect string // the address to which the provider sends people back
	Client   *http.Client
	Now      func() time.Time

	Asking   chan struct{}  // has room for one: the lock of the fields below
	Provider *oidc.Provider // nil until it has answered
	Failure  error          // of the last request to it
	FailedAt time.Time
}

// Journey is what the answer of the provider must match. It is kept in the session until
// the first answer.
type Journey struct {
	Purpose  Purpose   `json:"purpose"`
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"` // of PKCE
	Next     string    `json:"next"`     // where to go on in the dashboard
	Begun    time.Time `json:"begun"`
}

// Arrival is whom the provider has identified.
type Arrival struct {
	Journey
	access.Identity
	Email      string    `json:"email"`        // that the provider has verified; empty: none
	SignedInAt time.Time `json:"signed_in_at"` // at the provider; zero: it does not say
}

// ErrSignOn is the answer to every arrival that is refused, for any reason.
var ErrSignOn = Problem{http.StatusForbidden, "oidc.failed"}

// SignOn is the name of the company's sign-on; empty where there is none.
func (v View) SignOn() string {
	if v.r.D.SignOn == nil {
		return ""
	}
	return v.r.D.SignOn.Name
}

// ConfirmsByProvider reports whether a fresh sign-in at the provider counts as this user's
// passkey. It does not if they have one.
func (r *Request) ConfirmsByProvider() (bool, error) {
	if r.D.SignOn == nil {
		return false, nil
	}
	passkeys, err := r.D.Store.Access.Passkeys(r.Context(), r.User.ID)
	if err != nil || len(passkeys) > 0 {
		return false, err
	}
	return r.D.Store.Access.HasIdentity(r.Context(), r.User.ID, r.D.SignOn.Issuer)
}

func (r *Request) Vouched() { r.Put(SessionVouched, time.Now().UTC().Format(time.RFC3339)) }

// GoOnArrival goes on where the provider was asked, or ends the session where it does not say that it is the same
// person.
func (r *Request) GoOnArrival(arrived Arrival, err error) error {
	if err != nil && !errors.Is(err, ErrSignOn) {
		return err
	}
	var user nfse.User
	if err == nil && r.SignedIn() {
		user, err = r.D.Store.Access.UserOfIdentity(r.Context(), arrived.Identity)
		if err != nil && !nfse.IsCode(err, nfse.CodeNotFound) {
			return err
		}
	}
	if err == nil && r.SignedIn() && user.ID == r.User.ID {
		r.Vouched()
		return r.Redirect(arrived.Next, "")
	}
	if err := r.D.Sessions.Destroy(r.Context()); err != nil {
		return err
	}
	return r.GoTo("/sign-in?next=" + url.QueryEscape(arrived.Next))
}
