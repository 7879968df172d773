package dashboard

import (
	"encoding/hex"
	"net/http"
	"net/url"
	"time"

	"emissor/nfse"
	"emissor/store/access"
)

// linkPage says what a one-time link does before it is used: programs that scan mail follow
// links, and must not use them up.
type linkPage struct {
	Link   access.Link
	Here   string // its path
	SignIn string // where to sign in first; empty when that is not asked for
	Other  bool   // somebody else is signed in, and has to sign out first

	Organization, Role string // of an invitation to one, as people call them
}

// oneTimeLink finds the link that the address names.
func (r *request) oneTimeLink() (link access.Link, err error) {
	text := r.PathValue("text")
	if !isLink(text) {
		return link, errLinkGone
	}
	if !r.d.tries.Allow("link "+hex.EncodeToString(nfse.HashLink(text)), r.d.Now()) {
		return link, problem{http.StatusTooManyRequests, "problem.too_many"}
	}
	link, err = r.d.store.Access.Link(r.Context(), text)
	if nfse.IsCode(err, nfse.CodeNotFound) {
		return link, errLinkGone
	}
	if err == nil && !link.Usable(time.Now()) {
		if r.Method == http.MethodPost { // not a program that scans mail: those send GET
			r.refused(link.UserID, string(link.Kind)+" link")
		}
		return link, errLinkGone
	}
	return link, err
}

// errLinkGone is the same answer to links that are unknown, used up or expired.
var errLinkGone = problem{http.StatusGone, "link.gone"}

func (d *Dashboard) showLink(r *request) error {
	link, err := r.oneTimeLink()
	if err != nil {
		return err
	}
	page := linkPage{Link: link, Here: r.URL.Path}
	if !link.Enters && link.UserID != r.user.ID {
		page.SignIn, page.Other = "/sign-in?next="+url.QueryEscape(r.URL.Path), r.signedIn()
	}
	if link.OrganizationID != nil {
		page.Organization, page.Role = *link.OrganizationName, r.language.Say("role."+string(*link.Role))
	}
	r.uncompressed() // the address of its form is the link
	return r.render("link", "link.title", page)
}

func (r *request) use(link access.Link, anew bool) (access.Link, error) {
	changes, text := r.changesOf(link.UserID), r.PathValue("text")
	if anew {
		return changes.Access.StartAnew(r.Context(), text)
	}
	return changes.Access.UseLink(r.Context(), text, r.user.ID)
}

func (d *Dashboard) useLink(r *request) error {
	link, err := r.oneTimeLink()
	if err != nil {
		return err
	}
	if err := r.readForm(); err != nil {
		return err
	}
	anew := link.Anew && !r.signedIn() && r.PostForm.Has("anew")
	if !link.Enters && link.UserID != r.user.ID && !anew {
		return r.redirect(r.URL.Path, "") // which says who has to sign in
	}
	used, err := r.use(link, anew)
	if nfse.IsCode(err, nfse.CodeNotFound) { // it was used just now, or may not start anew any more
		return r.redirect(r.URL.Path, "")
	}
	if err != nil {
		return err
	}
	if link.Enters || anew {
		if err := r.begin(used.UserID, string(link.Kind)+" link"); err != nil {
			return err
		}
		if link.Kind != nfse.LinkSignIn {
			r.enrol()
			return r.redirect("/session/passkeys/new", "")
		}
	}
	notice := ""
	if link.Kind == nfse.LinkInvitation {
		notice = "link.accepted"
	}
	if used.OrganizationID != nil {
		return r.redirect("/?"+url.Values{"org": {*used.OrganizationID}}.Encode(), notice)
	}
	return r.redirect("/", notice)
}
