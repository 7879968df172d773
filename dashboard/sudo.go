package dashboard

import (
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

// askForPasskey asks for a fresh passkey where the route wants one. What was typed
// into a form comes along in the page that asks, and goes on from there.
func (r *request) askForPasskey() error {
	asks := r.route.ask(freshPasskey|ownPasskey) || r.route.ask(freshInLive) && r.scope.Livemode
	if !asks || r.fresh() {
		return nil
	}
	passkeys, err := r.d.store.Passkeys(r.Context(), r.user.ID)
	if err != nil {
		return err
	}
	byProvider, err := r.confirmsByProvider()
	if err != nil {
		return err
	}
	switch {
	case len(passkeys) == 0 && !byProvider && r.route.ask(ownPasskey):
		return nil
	case r.asScript():
		return problem{http.StatusForbidden, "confirm.why"}
	}
	if err := r.readForm(); err != nil {
		return err
	}
	page := confirmPage{Action: r.URL.RequestURI(), HasPasskey: len(passkeys) > 0, ByProvider: byProvider}
	switch {
	case r.Method == http.MethodPost && r.route.ask(aFile): // which is not kept: it is chosen again
		page.Action, page.Again = r.link(r.URL.Path+"/new"), true
	case r.Method == http.MethodPost:
		page.Sends, page.Fields = true, r.PostForm
	}
	if err := r.renderStatus(http.StatusForbidden, "confirm", "confirm.title", page); err != nil {
		return err
	}
	return errAnswered
}

// confirmPage asks for the passkey, and goes on once it was used: it sends the form, or
// follows a link. (A form must not lead to another host, and the provider's is one.)
type confirmPage struct {
	Action     string
	Sends      bool // a form, of these fields
	Fields     url.Values
	HasPasskey bool
	Again      bool // what was sent is not kept, and is asked for again
	ByProvider bool // a fresh sign-in there counts
}
