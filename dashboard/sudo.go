package dashboard

import (
	"maps"
	"net/http"
	"net/url"
	"time"
)

// freshFor is how long a passkey's use counts as fresh.
const freshFor = 5 * time.Minute

// fresh reports whether a passkey was used in this session a short while ago.
func (r *request) fresh() bool {
	verified, err := time.Parse(time.RFC3339, r.get(sessionVerified))
	return err == nil && time.Since(verified) < freshFor
}

func (r *request) verified() { r.put(sessionVerified, time.Now().UTC().Format(time.RFC3339)) }

// askFirst asks for what the route needs before its page: a fresh passkey, and a confirmation
// of what cannot be undone. The page that asks has what was typed into the form, and sends it
// again. Where the form can be wrong, a passkey is asked for by the page itself (askFresh).
func (r *request) askFirst() error {
	if r.route.ask(whenValid|freshInLive) && !r.route.ask(aConfirmation) {
		return nil
	}
	page := confirmPage{Action: r.URL.RequestURI()}
	if err := r.askForPasskey(&page); err != nil {
		return err
	}
	if !page.Passkey && !r.route.ask(aConfirmation) {
		return nil
	}
	if r.asScript() {
		return problem{http.StatusForbidden, "confirm.why"}
	}
	if err := r.readForm(); err != nil {
		return err
	}
	if r.route.ask(aConfirmation) && (page.Passkey || r.PostForm.Get(confirmedField) == "") {
		var err error
		if page.Act, err = acts[r.route.path](r); err != nil && !page.Passkey {
			return err // else the passkey is asked for first, and then the error is shown
		}
	}
	if page.Act == nil && (!page.Passkey || r.route.ask(whenValid|freshInLive)) {
		return nil // what is incomplete, or over, its page refuses before a passkey is asked for
	}
	return r.ask(page)
}

// askFresh asks for a fresh passkey, where the route does. A page calls it once what was sent is complete and valid,
// right before it is done.
func (r *request) askFresh() error {
	page := confirmPage{Action: r.URL.RequestURI()}
	if err := r.askForPasskey(&page); err != nil || !page.Passkey {
		return err
	}
	return r.ask(page)
}

// ask shows the page that asks, in place of the one that was asked for.
func (r *request) ask(page confirmPage) error {
	switch {
	case r.Method == http.MethodPost && r.route.ask(aFile): // a file is not kept: it must be chosen again
		page.Action, page.Again = r.link(r.URL.Path+"/new"), true
	case r.Method == http.MethodPost:
		page.Sends, page.Fields = true, maps.Clone(r.PostForm)
	}
	status, title := http.StatusOK, "confirm.title"
	if page.Passkey {
		status = http.StatusForbidden
	}
	if page.Act != nil {
		title = page.Act.Title
		page.Fields.Set(confirmedField, "yes")
	}
	if err := r.renderStatus(status, "confirm", title, page); err != nil {
		return err
	}
	return errAnswered
}

// askForPasskey sets in the page whether it asks for a fresh passkey, and whether the user
// has one or may sign in at the provider instead.
func (r *request) askForPasskey(page *confirmPage) error {
	asks := r.route.ask(freshPasskey|ownPasskey) || r.route.ask(freshInLive) && r.scope.Livemode
	if !asks || r.fresh() {
		return nil
	}
	return r.findConfirmations(page)
}

// findConfirmations sets in the page by what the user can confirm.
func (r *request) findConfirmations(page *confirmPage) error {
	passkeys, err := r.d.store.Access.Passkeys(r.Context(), r.user.ID)
	if err != nil {
		return err
	}
	if page.ByProvider, err = r.confirmsByProvider(); err != nil {
		return err
	}
	page.HasPasskey = len(passkeys) > 0
	page.Passkey = page.HasPasskey || page.ByProvider || !r.route.ask(ownPasskey)
	return nil
}

// confirmPage shows an act, asks for the passkey or both, and then sends the form or
// follows a link. (The security policy forbids forms to other hosts, as the provider's.)
type confirmPage struct {
	Action     string
	Act        *act // nil: none is shown
	Passkey    bool // it is asked for
	Sends      bool // whether it sends a form, with these fields
	Fields     url.Values
	HasPasskey bool
	Again      bool // what was sent is not kept, and must be entered again
	ByProvider bool // a fresh sign-in at the provider counts
}
