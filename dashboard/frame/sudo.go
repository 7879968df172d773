package frame

import (
	"maps"
	"net/http"
	"net/url"
	"time"
)

// RefusePasskey logs why a passkey is refused; the browser learns only that it is. The
// audit log has it too, where it is known as whom somebody tried to sign in.
func (r *Request) RefusePasskey(userID, how string, err error) error {
	r.Refused(userID, how)
	r.D.Logger.InfoContext(r.Context(), "a passkey was refused", "request_id", r.ID, "client", r.Client.String(),
		"error", err)
	return errPasskey
}

// FreshFor is how long a passkey's use counts as fresh.
const FreshFor = 5 * time.Minute

// Fresh reports whether a passkey was used in this session a short while ago.
func (r *Request) Fresh() bool {
	verified, err := time.Parse(time.RFC3339, r.Get(sessionVerified))
	return err == nil && time.Since(verified) < FreshFor
}

func (r *Request) Verified() { r.Put(sessionVerified, time.Now().UTC().Format(time.RFC3339)) }

// AskFresh asks for a fresh passkey, where the route does. A page calls it once what was sent is complete and valid,
// right before it is done.
func (r *Request) AskFresh() error {
	page := ConfirmPage{Action: r.URL.RequestURI()}
	if err := r.AskForPasskey(&page); err != nil || !page.Passkey {
		return err
	}
	return r.Ask(page)
}

// Ask shows the page that asks, in place of the one that was asked for.
func (r *Request) Ask(page ConfirmPage) error {
	switch {
	case r.Method == http.MethodPost && r.Route.Ask(AFile): // a file is not kept: it must be chosen again
		page.Action, page.Again = r.Link(r.URL.Path+"/new"), true
	case r.Method == http.MethodPost:
		page.Sends, page.Fields = true, maps.Clone(r.PostForm)
	}
	status, title := http.StatusOK, "confirm.title"
	if page.Passkey {
		status = http.StatusForbidden
	}
	if page.Act != nil {
		title = page.Act.Title
		page.Fields.Set(ConfirmedField, "yes")
	}
	if err := r.RenderStatus(status, "confirm", title, page); err != nil {
		return err
	}
	return ErrAnswered
}

// AskForPasskey sets in the page whether it asks for a fresh passkey, and whether the user
// has one or may sign in at the provider instead.
func (r *Request) AskForPasskey(page *ConfirmPage) error {
	asks := r.Route.Ask(FreshPasskey|OwnPasskey) || r.Route.Ask(FreshInLive) && r.Scope.Livemode
	if !asks || r.Fresh() {
		return nil
	}
	return r.FindConfirmations(page)
}

// FindConfirmations sets in the page by what the user can confirm.
func (r *Request) FindConfirmations(page *ConfirmPage) error {
	passkeys, err := r.D.Store.Access.Passkeys(r.Context(), r.User.ID)
	if err != nil {
		return err
	}
	if page.ByProvider, err = r.ConfirmsByProvider(); err != nil {
		return err
	}
	page.HasPasskey = len(passkeys) > 0
	page.Passkey = page.HasPasskey || page.ByProvider || !r.Route.Ask(OwnPasskey)
	return nil
}

// ConfirmPage shows an act, asks for the passkey or both, and then sends the form or
// follows a link. (The security policy forbids forms to other hosts, as the provider's.)
type ConfirmPage struct {
	Action     string
	Act        *Act // nil: none is shown
	Passkey    bool // it is asked for
	Sends      bool // whether it sends a form, with these fields
	Fields     url.Values
	HasPasskey bool
	Again      bool // what was sent is not kept, and must be entered again
	ByProvider bool // a fresh sign-in at the provider counts
}
