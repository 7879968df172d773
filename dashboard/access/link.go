package access

import (
	"net/http"
	"net/url"
	"time"

	"emissor/dashboard/frame"
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
func oneTimeLink(r *frame.Request) (link access.Link, err error) {
	text, err := r.LinkText()
	if err != nil {
		return link, err
	}
	link, err = r.D.Store.Access.Link(r.Context(), text)
	if nfse.IsCode(err, nfse.CodeNotFound) {
		return link, frame.ErrLinkGone
	}
	if err == nil && !link.Usable(time.Now()) {
		if r.Method == http.MethodPost { // not a program that scans mail: those send GET
			r.Refused(link.UserID, string(link.Kind)+" link")
		}
		return link, frame.ErrLinkGone
	}
	return link, err
}

func ShowLink(r *frame.Request) error {
	link, err := oneTimeLink(r)
	if err != nil {
		return err
	}
	page := linkPage{Link: link, Here: r.URL.Path}
	if !link.Enters && link.UserID != r.User.ID {
		page.SignIn, page.Other = "/sign-in?next="+url.QueryEscape(r.URL.Path), r.SignedIn()
	}
	if link.OrganizationID != nil {
		page.Organization, page.Role = *link.OrganizationName, r.Language.Say("role."+string(*link.Role))
	}
	r.Uncompressed() // the address of its form is the link
	return r.Render("link", "link.title", page)
}

func use(r *frame.Request, link access.Link, anew bool) (access.Link, error) {
	changes, text := r.ChangesOf(link.UserID), r.PathValue("text")
	if anew {
		return changes.Access.StartAnew(r.Context(), text)
	}
	return changes.Access.UseLink(r.Context(), text, r.User.ID)
}

func UseLink(r *frame.Request) error {
	link, err := oneTimeLink(r)
	if err != nil {
		return err
	}
	if err := r.ReadForm(); err != nil {
		return err
	}
	anew := link.Anew && !r.SignedIn() && r.PostForm.Has("anew")
	if !link.Enters && link.UserID != r.User.ID && !anew {
		return r.Redirect(r.URL.Path, "") // which says who has to sign in
	}
	used, err := use(r, link, anew)
	if nfse.IsCode(err, nfse.CodeNotFound) { // it was used just now, or may start no new account any more
		return r.Redirect(r.URL.Path, "")
	}
	if err != nil {
		return err
	}
	if link.Enters || anew {
		if err := r.Begin(used.UserID, string(link.Kind)+" link"); err != nil {
			return err
		}
		if link.Kind != nfse.LinkSignIn {
			r.Enrol()
			return r.Redirect("/session/passkeys/new", "")
		}
	}
	notice := ""
	if link.Kind == nfse.LinkInvitation {
		notice = "link.accepted"
	}
	if used.OrganizationID != nil {
		return r.Redirect("/?"+url.Values{"org": {*used.OrganizationID}}.Encode(), notice)
	}
	return r.Redirect("/", notice)
}
