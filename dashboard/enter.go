package dashboard

import (
	"net/http"
	"net/url"

	"emissor/dashboard/frame"
	"emissor/nfse"
)

// enter checks what must hold before a page is called: who the user is, their role in the
// organization of the address, and that the passkey or the confirmation was given.
func enter(r *frame.Request) error {
	if r.Route.Who == frame.Stranger {
		return nil
	}
	noticeProxy(r)
	if !r.Route.Who.SignedIn() && !mayTry(r) { // before anything is looked up
		return frame.Problem{Status: http.StatusTooManyRequests, Key: "problem.too_many"}
	}
	if err := identify(r); err != nil {
		return err
	}
	meet(r)
	if !r.Route.Who.SignedIn() {
		return nil
	}
	if !r.SignedIn() {
		return askToSignIn(r)
	}
	if !mayTry(r) {
		return frame.Problem{Status: http.StatusTooManyRequests, Key: "problem.too_many"}
	}
	if err := askProvider(r); err != nil {
		return err
	}
	if r.Get(frame.SessionEnrol) != "" && !r.Route.Ask(frame.OwnPasskey) && r.URL.Path != "/session/sign-out" {
		return r.GoTo("/session/passkeys/new")
	}
	switch {
	case r.Route.Who.OfOrganization():
		if err := findScope(r); err != nil {
			return err
		}
		if !r.Role.May(r.Route.Who.Permission()) {
			return frame.Problem{Status: http.StatusForbidden, Key: "problem.forbidden"}
		}
	case r.Route.Who == frame.Operator && !r.User.Operator:
		return frame.Problem{Status: http.StatusNotFound,
			Key: "problem.not_found"} // others are not to know that the page exists
	}
	return askFirst(r)
}

// identify finds who is signed in. Roles are read at every request, so that a change is
// in force from the next one on.
func identify(r *frame.Request) (err error) {
	id := r.Get(frame.SessionUser)
	if id == "" {
		return nil
	}
	r.User, err = r.D.Store.Access.User(r.Context(), id)
	if nfse.IsCode(err, nfse.CodeNotFound) { // removed since
		r.User = nfse.User{}
		return r.D.Sessions.Destroy(r.Context())
	}
	if err != nil {
		return err
	}
	r.Memberships, err = r.D.Store.Access.MembershipsOf(r.Context(), id)
	return err
}

// askToSignIn redirects who is not signed in to the sign-in page, and back afterwards.
func askToSignIn(r *frame.Request) error {
	if r.AsksForJSON() {
		return frame.Problem{Status: http.StatusUnauthorized, Key: "sign_in.again"}
	}
	next := "/"
	if r.Method == http.MethodGet {
		next = r.URL.RequestURI()
	}
	return r.GoTo("/sign-in?next=" + url.QueryEscape(next))
}
