package access

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/access"
	"emissor/store/postgres"
)

// How long the links that owners make are valid.
const (
	invitationLasts = 7 * 24 * time.Hour
	recoveryLasts   = 24 * time.Hour
)

// peoplePage is the members of an organization, and who is invited.
type peoplePage struct {
	Members     []access.Member
	Invitations []access.Link
	Roles       []nfse.Role
	Form        *frame.Form // of an invitation
	Problem     string      // key of what could not be done
}

func ListPeople(r *frame.Request) error { return showPeople(r, http.StatusOK, nil, "") }

func showPeople(r *frame.Request, status int, form *frame.Form, problem string) error {
	page := peoplePage{Roles: nfse.MemberRoles, Form: form, Problem: problem}
	var err error
	if page.Members, err = r.D.Store.Access.Members(r.Context(), r.Scope.OrganizationID); err != nil {
		return err
	}
	if r.Role.May(nfse.ManagePeople) {
		if page.Invitations, err = r.D.Store.Access.Invitations(r.Context(), r.Scope.OrganizationID); err != nil {
			return err
		}
	}
	if form == nil && len(page.Members)+len(page.Invitations) == 0 { // a new company: its owner is invited first
		page.Form = frame.FormOf(map[string]string{"role": string(nfse.RoleOwner)})
	}
	return r.RenderStatus(status, "people", "section.people", page)
}

func Invite(r *frame.Request) error {
	form := r.NewForm("email", "role")
	email, err := nfse.ParseEmail(form.Value("email"))
	if err != nil || nfse.IsLostAddress(email) {
		form.AddProblem("email", "people.email.wrong")
	}
	role := nfse.Role(form.Value("role"))
	if !slices.Contains(nfse.MemberRoles, role) {
		form.AddProblem("role", "people.role.wrong")
	}
	if !form.Good() {
		return showPeople(r, http.StatusUnprocessableEntity, form, "")
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	if !r.MayMakeLink(email) {
		form.AddProblem("email", "people.links.many")
		return showPeople(r, http.StatusTooManyRequests, form, "")
	}
	text := nfse.NewLinkText()
	link, err := r.Changes().Access.Invite(r.Context(), access.Invitation{
		Email: email, OrganizationID: r.Scope.OrganizationID, Role: role,
	}, text, invitationLasts)
	if nfse.IsCode(err, nfse.CodeInvalidRequest) {
		form.AddProblem("email", "people.email.member")
		return showPeople(r, http.StatusUnprocessableEntity, form, "")
	}
	if err != nil {
		return err
	}
	return showNewLink(r, link, text)
}

func RevokeInvitation(r *frame.Request) error {
	if err := r.Changes().Access.RevokeInvitation(r.Context(), r.Scope.OrganizationID, r.PathValue("id")); err != nil {
		return err
	}
	return r.Redirect(r.Link("/people"), "people.revoked")
}

// conflictPage is for the second of two people who change the same member: what it is now,
// and what they had chosen.
type conflictPage struct {
	Member access.Member // as it is now
	Chosen nfse.Role
}

// ChangeRole gives a member another role, unless somebody else has changed the member since
// the form was made, whose version it has.
func ChangeRole(r *frame.Request) error {
	role, version, err := typedRole(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	_, err = r.Changes().Access.SetRole(r.Context(), r.Scope.OrganizationID, id, role, version)
	switch {
	case errors.Is(err, postgres.ErrChanged):
		member, err := r.D.Store.Access.Member(r.Context(), r.Scope.OrganizationID, id)
		if err != nil {
			return err
		}
		return r.RenderStatus(http.StatusConflict, "conflict", "people.conflict", conflictPage{member, role})
	case errors.Is(err, access.ErrLastOwner):
		return showPeople(r, http.StatusConflict, nil, "people.last_owner")
	case err != nil:
		return err
	}
	return r.Redirect(r.Link("/people"), "people.role_changed")
}

// typedRole is the role that was chosen for a member, and the version of the form.
func typedRole(r *frame.Request) (role nfse.Role, version nfse.Timestamp, err error) {
	form := r.NewForm("role", "version")
	role = nfse.Role(form.Value("role"))
	version.Time, err = time.Parse(time.RFC3339Nano, form.Value("version"))
	if err != nil || !slices.Contains(nfse.MemberRoles, role) {
		err = frame.Problem{Status: http.StatusBadRequest, Key: "problem.unreadable"}
	}
	return role, version, err
}

func RemoveMember(r *frame.Request) error {
	err := r.Changes().Access.RemoveMember(r.Context(), r.Scope.OrganizationID, r.PathValue("id"))
	if errors.Is(err, access.ErrLastOwner) {
		return showPeople(r, http.StatusConflict, nil, "people.last_owner")
	}
	if err != nil {
		return err
	}
	return r.Redirect(r.Link("/people"), "people.removed")
}

// RecoverMember makes a link for a member who lost their passkeys. An owner gets none for
// somebody who has rights outside this organization too.
func RecoverMember(r *frame.Request) error {
	if !r.MayMakeLink(r.PathValue("id")) {
		return showPeople(r, http.StatusTooManyRequests, nil, "people.links.many")
	}
	text := nfse.NewLinkText()
	link, err := r.Changes().Access.CreateLink(r.Context(), nfse.LinkRecovery, r.PathValue("id"), r.Scope.OrganizationID,
		text,
		recoveryLasts)
	if err != nil {
		return err
	}
	return showNewLink(r, link, text)
}
