package dashboard

import (
	"net/http"
	"slices"
	"time"

	accesspages "emissor/dashboard/access"
	"emissor/dashboard/frame"
)

// vouchedFor is how long a session that was begun at the company's sign-on goes on until its provider is asked again.
// A person who was disabled there is out after so long at the latest.
const vouchedFor = 15 * time.Minute

// askProvider has the provider say again that a person who came in by it may go on; the person sees nothing of it
// (prompt=none). A form that was sent then is kept: its sender confirms who they are, as before a dangerous act, and
// sends it again.
func askProvider(r *frame.Request) error {
	at, err := time.Parse(time.RFC3339, r.Get(frame.SessionVouched))
	if err != nil || r.D.SignOn == nil || time.Since(at) < vouchedFor || leadsToProvider(r) {
		return nil
	}
	switch {
	case r.AsksForJSON():
		return frame.Problem{Status: http.StatusUnauthorized, Key: "sign_in.again"}
	case r.Method == http.MethodGet:
		return accesspages.GoToProvider(r, frame.ToGoOn, r.URL.RequestURI())
	case r.Fresh():
		return nil
	}
	page := frame.ConfirmPage{Action: r.URL.RequestURI()}
	if err := r.FindConfirmations(&page); err != nil {
		return err
	}
	page.Passkey = true
	if err := r.ReadForm(); err != nil {
		return err
	}
	return r.Ask(page)
}

// leadsToProvider reports whether the request confirms who somebody is, or ends the session.
func leadsToProvider(r *frame.Request) bool {
	return slices.Contains([]string{"/oidc/confirm", "/confirm", "/confirm/options", "/session/sign-out"}, r.URL.Path)
}
