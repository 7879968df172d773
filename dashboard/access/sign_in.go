package access

import (
	"net/http"

	"github.com/go-webauthn/webauthn/webauthn"

	"emissor/dashboard/frame"
)

// signInPage is the page to sign in; Next is where to go afterwards.
type signInPage struct{ Next string }

func ShowSignIn(r *frame.Request) error {
	next := frame.Local(r.URL.Query().Get("next"))
	if r.SignedIn() {
		return r.Redirect(next, "")
	}
	return r.Render("sign_in", "sign_in.title", signInPage{next})
}

// BeginSignIn asks for any passkey: the authenticator knows whose it is.
func BeginSignIn(r *frame.Request) error {
	options, ceremony, err := r.D.Passkeys.BeginDiscoverableLogin()
	if err != nil {
		return err
	}
	if !r.SignedIn() {
		r.D.Sessions.SetDeadline(r.Context(), visitorDeadline())
	}
	return r.BeginCeremony(frame.ToSignIn, options, ceremony)
}

func FinishSignIn(r *frame.Request) error {
	ceremony, err := r.Ceremony(frame.ToSignIn)
	if err != nil {
		return err
	}
	var holder frame.Keyholder
	find := func(_, handle []byte) (webauthn.User, error) {
		user, err := r.D.Store.Access.User(r.Context(), string(handle))
		if err == nil {
			holder, err = r.Keyholder(user)
		}
		return holder, err
	}
	_, credential, err := r.D.Passkeys.FinishPasskeyLogin(find, ceremony, r.Request)
	if err != nil {
		return r.RefusePasskey(holder.ID, "passkey", err)
	}
	if err := r.UsedPasskey(holder.ID, "passkey", credential); err != nil {
		return err
	}
	if err := r.Begin(holder.ID, "passkey"); err != nil {
		return err
	}
	r.Verified()
	return r.WriteJSON(http.StatusOK, map[string]string{"next": frame.Local(r.URL.Query().Get("next"))})
}

// BeginConfirmation asks for a passkey of the user who is signed in.
func BeginConfirmation(r *frame.Request) error {
	holder, err := r.Keyholder(r.User)
	if err != nil {
		return err
	}
	if len(holder.Credentials) == 0 {
		return frame.Problem{Status: http.StatusForbidden, Key: "confirm.first"}
	}
	options, ceremony, err := r.D.Passkeys.BeginLogin(holder)
	if err != nil {
		return err
	}
	return r.BeginCeremony(frame.ToConfirm, options, ceremony)
}

func FinishConfirmation(r *frame.Request) error {
	ceremony, err := r.Ceremony(frame.ToConfirm)
	if err != nil {
		return err
	}
	holder, err := r.Keyholder(r.User)
	if err != nil {
		return err
	}
	credential, err := r.D.Passkeys.FinishLogin(holder, ceremony, r.Request)
	if err != nil {
		return r.RefusePasskey(r.User.ID, "confirmation", err)
	}
	if err := r.UsedPasskey(r.User.ID, "confirmation", credential); err != nil {
		return err
	}
	r.Verified()
	return r.WriteJSON(http.StatusOK, map[string]bool{"confirmed": true})
}

// SetLanguage stores the chosen language in a cookie, for a year.
func SetLanguage(r *frame.Request) error {
	if err := r.ReadForm(); err != nil {
		return err
	}
	http.SetCookie(r.W, &http.Cookie{
		Name: frame.LanguageCookie, Value: languageOf(r.PostForm.Get("language")), Path: "/", MaxAge: 365 * 24 * 3600,
		HttpOnly: true, Secure: r.D.Secure(), SameSite: http.SameSiteLaxMode,
	})
	return r.Redirect(frame.Local(r.PostForm.Get("next")), "")
}
