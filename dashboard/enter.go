package dashboard

import (
	"net/http"
	"net/url"

	"emissor/nfse"
)

// enter checks what must hold before a page is called: who the user is, their role in the
// organization of the address, and that the passkey or the confirmation was given.
func (r *request) enter() error {
	if r.route.who == stranger {
		return nil
	}
	r.noticeProxy()
	if !r.route.who.signedIn() && !r.mayTry() { // before anything is looked up
		return problem{http.StatusTooManyRequests, "problem.too_many"}
	}
	if err := r.identify(); err != nil {
		return err
	}
	r.meet()
	if !r.route.who.signedIn() {
		return nil
	}
	if !r.signedIn() {
		return r.askToSignIn()
	}
	if !r.mayTry() {
		return problem{http.StatusTooManyRequests, "problem.too_many"}
	}
	if err := r.askProvider(); err != nil {
		return err
	}
	if r.get(sessionEnrol) != "" && !r.route.ask(ownPasskey) && r.URL.Path != "/session/sign-out" {
		return r.goTo("/session/passkeys/new")
	}
	switch {
	case r.route.who.ofOrganization():
		if err := r.findScope(); err != nil {
			return err
		}
		if !r.role.May(r.route.who.permission()) {
			return problem{http.StatusForbidden, "problem.forbidden"}
		}
	case r.route.who == operator && !r.user.Operator:
		return problem{http.StatusNotFound, "problem.not_found"} // others are not to know that the page exists
	}
	return r.askFirst()
}

// identify finds who is signed in. Roles are read at every request, so that a change is
// in force from the next one on.
func (r *request) identify() (err error) {
	id := r.get(sessionUser)
	if id == "" {
		return nil
	}
	r.user, err = r.d.store.Access.User(r.Context(), id)
	if nfse.IsCode(err, nfse.CodeNotFound) { // removed since
		r.user = nfse.User{}
		return r.d.sessions.Destroy(r.Context())
	}
	if err != nil {
		return err
	}
	r.memberships, err = r.d.store.Access.MembershipsOf(r.Context(), id)
	return err
}

// askToSignIn redirects who is not signed in to the sign-in page, and back afterwards.
func (r *request) askToSignIn() error {
	if r.asksForJSON() {
		return problem{http.StatusUnauthorized, "sign_in.again"}
	}
	next := "/"
	if r.Method == http.MethodGet {
		next = r.URL.RequestURI()
	}
	return r.goTo("/sign-in?next=" + url.QueryEscape(next))
}

// goTo sends the browser elsewhere instead of the page that it asked for.
func (r *request) goTo(address string) error {
	http.Redirect(r.w, r.Request, address, http.StatusSeeOther)
	return errAnswered
}
