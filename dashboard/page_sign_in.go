package dashboard

import (
	"net/http"

	"github.com/go-webauthn/webauthn/webauthn"

	"emissor/nfse"
)

// signInPage is the page to sign in; Next is where to go afterwards.
type signInPage struct{ Next string }

func (d *Dashboard) showSignIn(r *request) error {
	next := local(r.URL.Query().Get("next"))
	if r.signedIn() {
		return r.redirect(next, "")
	}
	return r.render("sign_in", "sign_in.title", signInPage{next})
}

// beginSignIn asks for any passkey: the authenticator knows whose it is.
func (d *Dashboard) beginSignIn(r *request) error {
	options, ceremony, err := d.passkeys.BeginDiscoverableLogin()
	if err != nil {
		return err
	}
	if !r.signedIn() {
		d.sessions.SetDeadline(r.Context(), visitorDeadline())
	}
	return r.beginCeremony(toSignIn, options, ceremony)
}

func (d *Dashboard) finishSignIn(r *request) error {
	ceremony, err := r.ceremony(toSignIn)
	if err != nil {
		return err
	}
	var holder keyholder
	find := func(_, handle []byte) (webauthn.User, error) {
		user, err := d.store.Access.User(r.Context(), string(handle))
		if err == nil {
			holder, err = r.keyholder(user)
		}
		return holder, err
	}
	_, credential, err := d.passkeys.FinishPasskeyLogin(find, ceremony, r.Request)
	if err != nil {
		return r.refusePasskey(holder.ID, "passkey", err)
	}
	if err := r.usedPasskey(holder.ID, "passkey", credential); err != nil {
		return err
	}
	if err := r.begin(holder.ID, "passkey"); err != nil {
		return err
	}
	r.verified()
	return r.writeJSON(http.StatusOK, map[string]string{"next": local(r.URL.Query().Get("next"))})
}

// refusePasskey logs why a passkey is refused; the browser learns only that it is. The
// audit log has it too, where it is known as whom somebody tried to sign in.
func (r *request) refusePasskey(userID, how string, err error) error {
	r.refused(userID, how)
	r.d.Logger.InfoContext(r.Context(), "a passkey was refused", "request_id", r.id, "client", r.client.String(),
		"error", err)
	return errPasskey
}

// beginConfirmation asks for a passkey of the user who is signed in.
func (d *Dashboard) beginConfirmation(r *request) error {
	holder, err := r.keyholder(r.user)
	if err != nil {
		return err
	}
	if len(holder.credentials) == 0 {
		return problem{http.StatusForbidden, "confirm.first"}
	}
	options, ceremony, err := d.passkeys.BeginLogin(holder)
	if err != nil {
		return err
	}
	return r.beginCeremony(toConfirm, options, ceremony)
}

func (d *Dashboard) finishConfirmation(r *request) error {
	ceremony, err := r.ceremony(toConfirm)
	if err != nil {
		return err
	}
	holder, err := r.keyholder(r.user)
	if err != nil {
		return err
	}
	credential, err := d.passkeys.FinishLogin(holder, ceremony, r.Request)
	if err != nil {
		return r.refusePasskey(r.user.ID, "confirmation", err)
	}
	if err := r.usedPasskey(r.user.ID, "confirmation", credential); err != nil {
		return err
	}
	r.verified()
	return r.writeJSON(http.StatusOK, map[string]bool{"confirmed": true})
}

// setLanguage stores the chosen language in a cookie, for a year.
func (d *Dashboard) setLanguage(r *request) error {
	if err := r.readForm(); err != nil {
		return err
	}
	http.SetCookie(r.w, &http.Cookie{
		Name: languageCookie, Value: languageOf(r.PostForm.Get("language")), Path: "/", MaxAge: 365 * 24 * 3600,
		HttpOnly: true, Secure: d.secure(), SameSite: http.SameSiteLaxMode,
	})
	return r.redirect(local(r.PostForm.Get("next")), "")
}

// isLink reports whether a text has the length of a link's.
func isLink(text string) bool { return len(text) == len(nfse.NewLinkText()) }
