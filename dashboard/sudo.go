package dashboard

import (
	"net/http"

	"emissor/dashboard/frame"
)

// askFirst asks for what the route needs before its page: a fresh passkey, and a confirmation
// of what cannot be undone. The page that asks has what was typed into the form, and sends it
// again. Where the form can be wrong, a passkey is asked for by the page itself (AskFresh).
func askFirst(r *frame.Request) error {
	if r.Route.Ask(frame.WhenValid|frame.FreshInLive) && !r.Route.Ask(frame.AConfirmation) {
		return nil
	}
	page := frame.ConfirmPage{Action: r.URL.RequestURI()}
	if err := r.AskForPasskey(&page); err != nil {
		return err
	}
	if !page.Passkey && !r.Route.Ask(frame.AConfirmation) {
		return nil
	}
	if r.AsScript() {
		return frame.Problem{Status: http.StatusForbidden, Key: "confirm.why"}
	}
	if err := r.ReadForm(); err != nil {
		return err
	}
	if r.Route.Ask(frame.AConfirmation) && (page.Passkey || r.PostForm.Get(frame.ConfirmedField) == "") {
		var err error
		if page.Act, err = acts[r.Route.Path](r); err != nil && !page.Passkey {
			return err // else the passkey is asked for first, and then the error is shown
		}
	}
	if page.Act == nil && (!page.Passkey || r.Route.Ask(frame.WhenValid|frame.FreshInLive)) {
		return nil // what is incomplete, or over, its page refuses before a passkey is asked for
	}
	return r.Ask(page)
}
