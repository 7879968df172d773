package dashboard

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// anewPage asks who signs in by the provider for the first time, with the address of an
// account that never proved it, whether the account is theirs.
type anewPage struct {
	Email  string
	SignIn string // where to sign in with the account's passkey, which leads on to linking it
}

// askAnew stores an arrival in the session, and redirects to the question.
func (r *request) askAnew(arrived arrival) error {
	arrived.journey = journey{Next: arrived.Next, Begun: time.Now().UTC()}
	encoded, err := json.Marshal(arrived)
	if err != nil {
		return err
	}
	r.put(sessionArrival, string(encoded))
	r.d.sessions.SetDeadline(r.Context(), visitorDeadline())
	return r.redirect("/oidc/anew", "")
}

// waitingArrival is the arrival stored in this session. Signing in begins another session,
// without it.
func (r *request) waitingArrival() (arrived arrival, err error) {
	if err := r.signOnDoor(); err != nil {
		return arrived, err
	}
	if json.Unmarshal([]byte(r.get(sessionArrival)), &arrived) != nil ||
		time.Since(arrived.Begun) > journeyLasts {
		return arrived, r.refuseArrival("none waits in this session", nil)
	}
	return arrived, nil
}

func (d *Dashboard) showAnew(r *request) error {
	arrived, err := r.waitingArrival()
	if err != nil {
		return err
	}
	return r.render("anew", "oidc.choose", anewPage{arrived.Email, "/sign-in?next=" + url.QueryEscape("/oidc/link")})
}

// startAnew makes a new account with the address for who says that the old one is not
// theirs, once.
func (d *Dashboard) startAnew(r *request) error {
	arrived, err := r.waitingArrival()
	if err != nil {
		return err
	}
	if err := r.readForm(); err != nil {
		return err
	}
	if !r.PostForm.Has("anew") {
		return problem{http.StatusBadRequest, "problem.unreadable"}
	}
	r.pop(sessionArrival)
	return r.acceptArrival(arrived, true)
}
