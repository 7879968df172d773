package dashboard

import (
	"errors"
	"net/http"
	"slices"
	"time"

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
	Form        *form  // of an invitation
	Problem     string // key of what could not be done
}

func (d *Dashboard) listPeople(r *request) error { return r.showPeople(http.StatusOK, nil, "") }

func (r *request) showPeople(status int, form *form, problem string) error {
	page := peoplePage{Roles: nfse.MemberRoles, Form: form, Problem: problem}
	var err error
	if page.Members, err = r.d.store.Access.Members(r.Context(), r.scope.OrganizationID); err != nil {
		return err
	}
	if r.role.May(nfse.ManagePeople) {
		if page.Invitations, err = r.d.store.Access.Invitations(r.Context(), r.scope.OrganizationID); err != nil {
			return err
		}
	}
	if form == nil && len(page.Members)+len(page.Invitations) == 0 { // a new company: its owner is invited first
		page.Form = formOf(map[string]string{"role": string(nfse.RoleOwner)})
	}
	return r.renderStatus(status, "people", "section.people", page)
}

// newLinkPage shows a link, once, or says that it was mailed.
type newLinkPage struct {
	URL  string // empty where there is a mail server
	Link access.Link
	Mail string // key of whether it was mailed
}

func (d *Dashboard) invite(r *request) error {
	form := r.newForm("email", "role")
	email, err := nfse.ParseEmail(form.Value("email"))
	if err != nil || nfse.IsLostAddress(email) {
		form.wrong("email", "people.email.wrong")
	}
	role := nfse.Role(form.Value("role"))
	if !slices.Contains(nfse.MemberRoles, role) {
		form.wrong("role", "people.role.wrong")
	}
	if !form.good() {
		return r.showPeople(http.StatusUnprocessableEntity, form, "")
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	if !r.mayMakeLink(email) {
		form.wrong("email", "people.links.many")
		return r.showPeople(http.StatusTooManyRequests, form, "")
	}
	text := nfse.NewLinkText()
	link, err := r.changes().Access.Invite(r.Context(), access.Invitation{
		Email: email, OrganizationID: r.scope.OrganizationID, Role: role,
	}, text, invitationLasts)
	if nfse.IsCode(err, nfse.CodeInvalidRequest) {
		form.wrong("email", "people.email.member")
		return r.showPeople(http.StatusUnprocessableEntity, form, "")
	}
	if err != nil {
		return err
	}
	return r.showNewLink(link, text)
}

func (d *Dashboard) revokeInvitation(r *request) error {
	if err := r.changes().Access.RevokeInvitation(r.Context(), r.scope.OrganizationID, r.PathValue("id")); err != nil {
		return err
	}
	return r.redirect(r.link("/people"), "people.revoked")
}

// conflictPage is for the second of two people who change the same member: what it is now,
// and what they had chosen.
type conflictPage struct {
	Member access.Member // as it is now
	Chosen nfse.Role
}

// changeRole gives a member another role, unless somebody else has changed the member since
// the form was made, whose version it has.
func (d *Dashboard) changeRole(r *request) error {
	role, version, err := r.typedRole()
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	_, err = r.changes().Access.SetRole(r.Context(), r.scope.OrganizationID, id, role, version)
	switch {
	case errors.Is(err, postgres.ErrChanged):
		member, err := d.store.Access.Member(r.Context(), r.scope.OrganizationID, id)
		if err != nil {
			return err
		}
		return r.renderStatus(http.StatusConflict, "conflict", "people.conflict", conflictPage{member, role})
	case errors.Is(err, access.ErrLastOwner):
		return r.showPeople(http.StatusConflict, nil, "people.last_owner")
	case err != nil:
		return err
	}
	return r.redirect(r.link("/people"), "people.role_changed")
}

// typedRole is the role that was chosen for a member, and the version of the form.
func (r *request) typedRole() (role nfse.Role, version nfse.Timestamp, err error) {
	form := r.newForm("role", "version")
	role = nfse.Role(form.Value("role"))
	version.Time, err = time.Parse(time.RFC3339Nano, form.Value("version"))
	if err != nil || !slices.Contains(nfse.MemberRoles, role) {
		err = problem{http.StatusBadRequest, "problem.unreadable"}
	}
	return role, version, err
}

func (d *Dashboard) removeMember(r *request) error {
	err := r.changes().Access.RemoveMember(r.Context(), r.scope.OrganizationID, r.PathValue("id"))
	if errors.Is(err, access.ErrLastOwner) {
		return r.showPeople(http.StatusConflict, nil, "people.last_owner")
	}
	if err != nil {
		return err
	}
	return r.redirect(r.link("/people"), "people.removed")
}

// recoverMember makes a link for a member who lost their passkeys. An owner gets none for
// somebody who has rights outside this organization too.
func (d *Dashboard) recoverMember(r *request) error {
	if !r.mayMakeLink(r.PathValue("id")) {
		return r.showPeople(http.StatusTooManyRequests, nil, "people.links.many")
	}
	text := nfse.NewLinkText()
	link, err := r.changes().Access.CreateLink(r.Context(), nfse.LinkRecovery, r.PathValue("id"), r.scope.OrganizationID,
		text,
		recoveryLasts)
	if err != nil {
		return err
	}
	return r.showNewLink(link, text)
}
