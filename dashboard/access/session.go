package access

import (
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/store/access"
)

// sessionPage is the user's own account.
type sessionPage struct {
	Passkeys []access.Passkey
	Sessions []access.Session
	This     string // hash of this session's cookie
	Problem  string // key
	Linked   bool   // to the company's sign-on
}

func ShowSession(r *frame.Request) error { return showSessionPage(r, http.StatusOK, "") }

func showSessionPage(r *frame.Request, status int, problem string) error {
	page := sessionPage{This: r.TokenHash(), Problem: problem}
	var err error
	if page.Passkeys, err = r.D.Store.Access.Passkeys(r.Context(), r.User.ID); err != nil {
		return err
	}
	if page.Sessions, err = r.D.Store.Access.Sessions(r.Context(), r.User.ID); err != nil {
		return err
	}
	if r.D.SignOn != nil {
		if page.Linked, err = r.D.Store.Access.HasIdentity(r.Context(), r.User.ID, r.D.SignOn.Issuer); err != nil {
			return err
		}
	}
	return r.RenderStatus(status, "session", "section.session", page)
}

func SignOut(r *frame.Request) error {
	if err := r.D.Sessions.Destroy(r.Context()); err != nil {
		return err
	}
	if err := r.Changes().Access.SignedOut(r.Context(), r.User.ID); err != nil {
		return err
	}
	next := "/sign-in"
	if after := r.FormValue("next"); after != "" {
		next = frame.Local(after)
	}
	return r.Redirect(next, "")
}

func EndSession(r *frame.Request) error {
	if err := r.Changes().Access.EndSession(r.Context(), r.User.ID, r.PathValue("id")); err != nil {
		return err
	}
	return r.Redirect("/session", "session.ended")
}

func NewPasskey(r *frame.Request) error { return r.Render("passkey", "passkeys.new", nil) }

func BeginPasskey(r *frame.Request) error {
	holder, err := r.Keyholder(r.User)
	if err != nil {
		return err
	}
	options, ceremony, err := r.D.Passkeys.BeginRegistration(holder, frame.Excluding(holder))
	if err != nil {
		return err
	}
	return r.BeginCeremony(frame.ToEnrol, options, ceremony)
}

// FinishPasskey stores the passkey that the authenticator made, which counts as its use:
// who made it holds it.
func FinishPasskey(r *frame.Request) error {
	ceremony, err := r.Ceremony(frame.ToEnrol)
	if err != nil {
		return err
	}
	holder, err := r.Keyholder(r.User)
	if err != nil {
		return err
	}
	credential, err := r.D.Passkeys.FinishRegistration(holder, ceremony, r.Request)
	if err != nil {
		return r.RefusePasskey("", "", err)
	}
	if err := r.MadePasskey(credential, passkeyLabel(r.URL.Query().Get("label"), r.Language)); err != nil {
		return err
	}
	next := "/session"
	if r.Get(frame.SessionEnrol) != "" {
		next = "/"
	}
	if err := r.Enrolled(); err != nil {
		return err
	}
	r.Put(frame.SessionNotice, "passkeys.added")
	return r.WriteJSON(http.StatusOK, map[string]string{"next": next})
}

// passkeyLabel is a name of at most 60 characters; by default of today's date.
func passkeyLabel(typed string, language words.Language) string {
	typed = strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' || c == utf8.RuneError {
			return -1
		}
		return c
	}, typed))
	if typed == "" {
		return language.Say("passkeys.label.example")
	}
	return string([]rune(typed)[:min(60, utf8.RuneCountInString(typed))])
}

func RemovePasskey(r *frame.Request) error {
	err := r.Changes().Access.RemovePasskey(r.Context(), r.User.ID, r.PathValue("id"))
	if errors.Is(err, access.ErrLastPasskey) {
		return showSessionPage(r, http.StatusConflict, "session.passkey.last")
	}
	if err != nil {
		return err
	}
	return r.Redirect("/session", "session.passkey.removed")
}

func visitorDeadline() time.Time { return time.Now().Add(frame.VisitorLifetime) }

// languageOf is the tag of a known language, or empty.
func languageOf(tag string) string {
	for _, known := range words.Languages {
		if string(known) == tag {
			return tag
		}
	}
	return ""
}
