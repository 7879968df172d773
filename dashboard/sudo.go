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

// askFirst asks for what the route wants before its page: a fresh passkey, and that who
// does what is not undone says once more that they mean it. What was typed into a form
// comes along in the page that asks, and goes on from there.
func (r *request) askFirst() error {
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
			return err // else the passkey comes first, and then what is wrong
		}
	}
	if !page.Passkey && page.Act == nil {
		return nil
	}
	switch {
	case r.Method == http.MethodPost && r.route.ask(aFile): // which is not kept: it is chosen again
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

// askForPasskey says in the page whether it asks for a fresh passkey, and what the user
// has for it.
func (r *request) askForPasskey(page *confirmPage) error {
	asks := r.route.ask(freshPasskey|ownPasskey) || r.route.ask(freshInLive) && r.scope.Livemode
	if !asks || r.fresh() {
		return nil
	}
	passkeys, err := r.d.store.Passkeys(r.Context(), r.user.ID)
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

// confirmPage names an act, asks for the passkey or both, and goes on afterwards: it
// sends the form, or follows a link. (A form must not lead to another host, and the
// provider's is one.)
type confirmPage struct {
	Action     string
	Act        *act // nil: none is named
	Passkey    bool // it is asked for
	Sends      bool // a form, of these fields
	Fields     url.Values
	HasPasskey bool
	Again      bool // what was sent is not kept, and is asked for again
	ByProvider bool // a fresh sign-in there counts
}
