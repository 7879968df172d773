package access

import (
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/nfse"
	"emissor/store/access"
)

func RevokingInvitation(r *frame.Request) (*frame.Act, error) {
	invitations, err := r.D.Store.Access.Invitations(r.Context(), r.Scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, one := range invitations {
		if one.ID == r.PathValue("id") {
			return &frame.Act{Title: "act.invitation.revoke", Means: r.Language.Say("act.invitation.revoke.means"),
				Back: r.Link("/people"), Facts: []frame.Line{{Label: "people.email", Text: one.Email}}}, nil
		}
	}
	return nil, notepages.ErrNotKnown
}

func RemovingMember(r *frame.Request) (*frame.Act, error) {
	member, err := member(r)
	if err != nil {
		return nil, err
	}
	return actOnMember(r, member, "act.member.remove", "people.remove.means", roleName(r, member.Role)), nil
}

// RecoveringMember is the act of making a link for a member, by which their old passkeys
// end.
func RecoveringMember(r *frame.Request) (*frame.Act, error) {
	member, err := member(r)
	if err != nil || member.Elsewhere { // an owner here may make no link for them
		return nil, err
	}
	return actOnMember(r, member, "act.member.recover", "people.recover.means", roleName(r, member.Role)), nil
}

// ChangingRole is the act of a change of role that its author may be unable to undo: a new
// owner can take their role first, and who gives up their own gets it back only from others.
func ChangingRole(r *frame.Request) (*frame.Act, error) {
	member, err := member(r)
	if err != nil {
		return nil, err
	}
	role, version, err := typedRole(r)
	if err != nil || version.UnixMilli() != member.UpdatedAt.UnixMilli() {
		return nil, nil
	}
	roles := roleName(r, member.Role) + " → " + roleName(r, role)
	switch {
	case role == member.Role:
	case role == nfse.RoleOwner:
		return actOnMember(r, member, "act.role.owner", "act.role.owner.means", roles), nil
	case member.Role == nfse.RoleOwner && member.UserID == r.User.ID:
		return actOnMember(r, member, "act.role.own", "act.role.own.means", roles), nil
	}
	return nil, nil
}

// member is the member of the page's organization whom the address names.
func member(r *frame.Request) (access.Member, error) {
	return r.D.Store.Access.Member(r.Context(), r.Scope.OrganizationID, r.PathValue("id"))
}

func roleName(r *frame.Request, role nfse.Role) string { return r.Language.Say("role." + string(role)) }

func actOnMember(r *frame.Request, member access.Member, title, means, role string) *frame.Act {
	return &frame.Act{Title: title, Means: r.Language.Say(means, member.Email), Back: r.Link("/people"),
		Facts: []frame.Line{
			{Label: "people.email", Text: member.Email}, {Label: "people.role", Text: role},
			{Label: "frame.organization", Text: r.Organization},
		}}
}
