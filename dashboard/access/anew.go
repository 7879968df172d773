package access

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"emissor/dashboard/frame"
)

// anewPage asks who signs in by the provider for the first time, with the address of an
// account that never proved it, whether the account is theirs.
type anewPage struct {
	Email  string
	SignIn string // where to sign in with the account's passkey, which leads on to linking it
}

// askAnew stores an arrival in the session, and redirects to the question.
func askAnew(r *frame.Request, arrived frame.Arrival) error {
	arrived.Journey = frame.Journey{Next: arrived.Next, Begun: time.Now().UTC()}
	encoded, err := json.Marshal(arrived)
	if err != nil {
		return err
	}
	r.Put(frame.SessionArrival, string(encoded))
	r.D.Sessions.SetDeadline(r.Context(), visitorDeadline())
	return r.Redirect("/oidc/anew", "")
}

// waitingArrival is the arrival stored in this session. Signing in begins another session,
// without it.
func waitingArrival(r *frame.Request) (arrived frame.Arrival, err error) {
	if err := SignOnDoor(r); err != nil {
		return arrived, err
	}
	if json.Unmarshal([]byte(r.Get(frame.SessionArrival)), &arrived) != nil ||
		time.Since(arrived.Begun) > journeyLasts {
		return arrived, refuseArrival(r, "none waits in this session", nil)
	}
	return arrived, nil
}

func ShowAnew(r *frame.Request) error {
	arrived, err := waitingArrival(r)
	if err != nil {
		return err
	}
	return r.Render("anew", "oidc.choose", anewPage{arrived.Email, "/sign-in?next=" + url.QueryEscape("/oidc/link")})
}

// StartAnew makes a new account with the address for who says that the old one is not
// theirs, once.
func StartAnew(r *frame.Request) error {
	arrived, err := waitingArrival(r)
	if err != nil {
		return err
	}
	if err := r.ReadForm(); err != nil {
		return err
	}
	if !r.PostForm.Has("anew") {
		return frame.Problem{Status: http.StatusBadRequest, Key: "problem.unreadable"}
	}
	r.Pop(frame.SessionArrival)
	return acceptArrival(r, arrived, true)
}
