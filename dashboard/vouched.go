package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"emissor/nfse"
)

// vouchedFor is how long a session that was begun at the company's sign-on goes on until its provider is asked again.
// Whoever was disabled there is out so long afterwards at the latest.
const vouchedFor = 15 * time.Minute

func (r *request) vouched() { r.put(sessionVouched, time.Now().UTC().Format(time.RFC3339)) }

// askProvider has the provider say again that whoever came in by it may go on; the person sees nothing of it
// (prompt=none). A form that was sent then is kept: who sent it confirms as before what is dangerous, and sends it
// again.
func (r *request) askProvider() error {
	at, err := time.Parse(time.RFC3339, r.get(sessionVouched))
	if err != nil || r.d.signOn == nil || time.Since(at) < vouchedFor || r.leadsToProvider() {
		return nil
	}
	switch {
	case r.asksForJSON():
		return problem{http.StatusUnauthorized, "sign_in.again"}
	case r.Method == http.MethodGet:
		return r.goToProvider(toGoOn, r.URL.RequestURI())
	case r.fresh():
		return nil
	}
	page := confirmPage{Action: r.URL.RequestURI()}
	if err := r.findConfirmations(&page); err != nil {
		return err
	}
	page.Passkey = true
	if err := r.readForm(); err != nil {
		return err
	}
	return r.ask(page)
}

// leadsToProvider reports whether the request confirms who somebody is, or ends the session.
func (r *request) leadsToProvider() bool {
	return slices.Contains([]string{"/oidc/confirm", "/confirm", "/confirm/options", "/session/sign-out"}, r.URL.Path)
}

// goOnArrival goes on where the provider was asked, or ends the session where it does not say that it is the same
// person.
func (r *request) goOnArrival(arrived arrival, err error) error {
	if err != nil && !errors.Is(err, errSignOn) {
		return err
	}
	var user nfse.User
	if err == nil && r.signedIn() {
		user, err = r.d.store.Access.UserOfIdentity(r.Context(), arrived.Identity)
		if err != nil && !nfse.IsCode(err, nfse.CodeNotFound) {
			return err
		}
	}
	if err == nil && r.signedIn() && user.ID == r.user.ID {
		r.vouched()
		return r.redirect(arrived.Next, "")
	}
	if err := r.d.sessions.Destroy(r.Context()); err != nil {
		return err
	}
	return r.goTo("/sign-in?next=" + url.QueryEscape(arrived.Next))
}
