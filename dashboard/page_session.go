package dashboard

import (
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

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

func (d *Dashboard) showSession(r *request) error { return r.showSessionPage(http.StatusOK, "") }

func (r *request) showSessionPage(status int, problem string) error {
	page := sessionPage{This: r.tokenHash(), Problem: problem}
	var err error
	if page.Passkeys, err = r.d.store.Access.Passkeys(r.Context(), r.user.ID); err != nil {
		return err
	}
	if page.Sessions, err = r.d.store.Access.Sessions(r.Context(), r.user.ID); err != nil {
		return err
	}
	if r.d.signOn != nil {
		if page.Linked, err = r.d.store.Access.HasIdentity(r.Context(), r.user.ID, r.d.signOn.Issuer); err != nil {
			return err
		}
	}
	return r.renderStatus(status, "session", "section.session", page)
}

func (d *Dashboard) signOut(r *request) error {
	if err := d.sessions.Destroy(r.Context()); err != nil {
		return err
	}
	if err := r.changes().Access.SignedOut(r.Context(), r.user.ID); err != nil {
		return err
	}
	next := "/sign-in"
	if after := r.FormValue("next"); after != "" {
		next = local(after)
	}
	return r.redirect(next, "")
}

func (d *Dashboard) endSession(r *request) error {
	if err := r.changes().Access.EndSession(r.Context(), r.user.ID, r.PathValue("id")); err != nil {
		return err
	}
	return r.redirect("/session", "session.ended")
}

func (d *Dashboard) newPasskey(r *request) error { return r.render("passkey", "passkeys.new", nil) }

func (d *Dashboard) beginPasskey(r *request) error {
	holder, err := r.keyholder(r.user)
	if err != nil {
		return err
	}
	options, ceremony, err := d.passkeys.BeginRegistration(holder, excluding(holder))
	if err != nil {
		return err
	}
	return r.beginCeremony(toEnrol, options, ceremony)
}

// finishPasskey stores the passkey that the authenticator made, which counts as its use:
// who made it holds it.
func (d *Dashboard) finishPasskey(r *request) error {
	ceremony, err := r.ceremony(toEnrol)
	if err != nil {
		return err
	}
	holder, err := r.keyholder(r.user)
	if err != nil {
		return err
	}
	credential, err := d.passkeys.FinishRegistration(holder, ceremony, r.Request)
	if err != nil {
		return r.refusePasskey("", "", err)
	}
	if err := r.madePasskey(credential, passkeyLabel(r.URL.Query().Get("label"), r.language)); err != nil {
		return err
	}
	next := "/session"
	if r.get(sessionEnrol) != "" {
		next = "/"
	}
	if err := r.enrolled(); err != nil {
		return err
	}
	r.put(sessionNotice, "passkeys.added")
	return r.writeJSON(http.StatusOK, map[string]string{"next": next})
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

func (d *Dashboard) removePasskey(r *request) error {
	err := r.changes().Access.RemovePasskey(r.Context(), r.user.ID, r.PathValue("id"))
	if errors.Is(err, access.ErrLastPasskey) {
		return r.showSessionPage(http.StatusConflict, "session.passkey.last")
	}
	if err != nil {
		return err
	}
	return r.redirect("/session", "session.passkey.removed")
}

func visitorDeadline() time.Time { return time.Now().Add(visitorLifetime) }

// languageOf is the tag of a known language, or empty.
func languageOf(tag string) string {
	for _, known := range words.Languages {
		if string(known) == tag {
			return tag
		}
	}
	return ""
}
