package dashboard

import (
	"encoding/json"
	"errors"
	"net/http"

	"emissor/nfse"
	"emissor/store/access"
)

// signOnDoor refuses the request where no company's sign-on is configured.
func (r *request) signOnDoor() error {
	if r.d.signOn == nil {
		return problem{http.StatusNotFound, "problem.not_found"}
	}
	return nil
}

// SignOn is the name of the company's sign-on; empty where there is none.
func (v view) SignOn() string {
	if v.r.d.signOn == nil {
		return ""
	}
	return v.r.d.signOn.Name
}

func (d *Dashboard) signInByProvider(r *request) error {
	if err := r.signOnDoor(); err != nil {
		return err
	}
	next := local(r.URL.Query().Get("next"))
	if r.signedIn() {
		return r.redirect(next, "")
	}
	return r.goToProvider(toSignIn, next)
}

// confirmByProvider is for users without a passkey: they sign in at the provider again
// instead.
func (d *Dashboard) confirmByProvider(r *request) error {
	if err := r.signOnDoor(); err != nil {
		return err
	}
	may, err := r.confirmsByProvider()
	if err != nil {
		return err
	}
	if !may {
		return problem{http.StatusForbidden, "confirm.first"}
	}
	return r.goToProvider(toConfirm, "")
}

// confirmsByProvider reports whether a fresh sign-in at the provider counts as this user's
// passkey. It does not if they have one.
func (r *request) confirmsByProvider() (bool, error) {
	if r.d.signOn == nil {
		return false, nil
	}
	passkeys, err := r.d.store.Access.Passkeys(r.Context(), r.user.ID)
	if err != nil || len(passkeys) > 0 {
		return false, err
	}
	return r.d.store.Access.HasIdentity(r.Context(), r.user.ID, r.d.signOn.Issuer)
}

func (d *Dashboard) linkProvider(r *request) error {
	if err := r.signOnDoor(); err != nil {
		return err
	}
	return r.goToProvider(toLink, "")
}

func (d *Dashboard) unlinkProvider(r *request) error {
	if err := r.signOnDoor(); err != nil {
		return err
	}
	err := r.changes().Access.UnlinkIdentity(r.Context(), r.user.ID, d.signOn.Issuer)
	if errors.Is(err, access.ErrLastPasskey) {
		return r.showSessionPage(http.StatusConflict, "oidc.last")
	}
	if err != nil {
		return err
	}
	return r.redirect("/session", "oidc.unlinked")
}

// arriveFromProvider answers the request with which people come back from the provider.
func (d *Dashboard) arriveFromProvider(r *request) error {
	if err := r.signOnDoor(); err != nil {
		return err
	}
	var begun journey
	if err := json.Unmarshal([]byte(r.get(sessionJourney)), &begun); err == nil && begun.Purpose == toGoOn &&
		r.URL.Query().Get("state") != begun.State {
		return r.redirect("/", "") // another tab was sent there since, and its answer counts for all
	}
	arrived, err := r.arrive()
	if arrived.Purpose == toGoOn {
		return r.goOnArrival(arrived, err)
	}
	if err != nil {
		return err
	}
	switch arrived.Purpose {
	case toConfirm:
		return r.confirmArrival(arrived)
	case toLink:
		return r.linkArrival(arrived)
	}
	return r.signInArrival(arrived)
}

// signInArrival signs in who is linked, or who was invited and has nothing yet. Who has the
// address of an account that has something and never proved it must choose first.
func (r *request) signInArrival(arrived arrival) error {
	user, err := r.d.store.Access.UserOfIdentity(r.Context(), arrived.Identity)
	if nfse.IsCode(err, nfse.CodeNotFound) && arrived.Email != "" {
		return r.acceptArrival(arrived, false)
	}
	return r.letIn(arrived, user, "", "", err)
}

// acceptArrival accepts the invitations of who signs in for the first time.
func (r *request) acceptArrival(arrived arrival, anew bool) error {
	known, notice := "", "" // the user as whom they would sign in, and the key of a notice
	user, err := r.d.store.Access.UserByEmail(r.Context(), arrived.Email)
	if err == nil {
		known = user.ID
		user, err = r.changesOf(known).Access.AcceptByIdentity(r.Context(), arrived.Identity, arrived.Email, anew)
	}
	if errors.Is(err, access.ErrNotAnew) {
		return r.askAnew(arrived)
	}
	if err == nil && user.ID != known {
		notice = "oidc.anew"
	}
	return r.letIn(arrived, user, known, notice, err)
}

// letIn begins a session of the user that was found, or refuses where none was.
func (r *request) letIn(arrived arrival, user nfse.User, known, notice string, err error) error {
	if nfse.IsCode(err, nfse.CodeNotFound) || errors.Is(err, access.ErrIdentityTaken) {
		r.refused(known, "oidc")
		return problem{http.StatusForbidden, "oidc.unknown"}
	}
	if err != nil {
		return err
	}
	if err := r.d.store.Access.ProveAddress(r.Context(), user.ID, arrived.Email); err != nil {
		return err
	}
	if err := r.begin(user.ID, "oidc"); err != nil {
		return err
	}
	r.vouched()
	if arrived.fresh() {
		if err := r.verifiedByProvider(user); err != nil {
			return err
		}
	}
	return r.redirect(arrived.Next, notice)
}

// verifiedByProvider counts a sign-in as use of a passkey, for users without one.
func (r *request) verifiedByProvider(user nfse.User) error {
	r.user = user
	may, err := r.confirmsByProvider()
	if err == nil && may {
		r.verified()
	}
	return err
}

func (r *request) confirmArrival(arrived arrival) error {
	if !r.signedIn() {
		return r.refuseArrival("nobody is signed in any more", nil)
	}
	user, err := r.d.store.Access.UserOfIdentity(r.Context(), arrived.Identity)
	if err != nil && !nfse.IsCode(err, nfse.CodeNotFound) {
		return err
	}
	may, mayErr := r.confirmsByProvider()
	switch {
	case mayErr != nil:
		return mayErr
	case err != nil || user.ID != r.user.ID || !may:
		r.refused(r.user.ID, "confirmation")
		return r.refuseArrival("it is somebody else", nil)
	case !arrived.freshOnJourney():
		return problem{http.StatusForbidden, "oidc.stale"}
	}
	r.verified()
	return r.render("confirmed", "oidc.confirmed", nil)
}

// linkArrival links the provider's identity to the account that is signed in.
func (r *request) linkArrival(arrived arrival) error {
	if !r.signedIn() || !r.fresh() {
		return r.refuseArrival("who began to link is not signed in, or not freshly", nil)
	}
	if !arrived.freshOnJourney() {
		return problem{http.StatusForbidden, "oidc.stale"}
	}
	err := r.changes().Access.LinkIdentity(r.Context(), arrived.Identity, r.user.ID, r.tokenHash())
	switch {
	case errors.Is(err, access.ErrSessionEnded):
		return r.refuseArrival("the session has ended meanwhile", nil)
	case errors.Is(err, access.ErrIdentityTaken):
		return r.showSessionPage(http.StatusConflict, "oidc.taken")
	case err != nil:
		return err
	}
	if err := r.d.store.Access.ProveAddress(r.Context(), r.user.ID, arrived.Email); err != nil {
		return err
	}
	return r.redirect("/session", "oidc.linked")
}
