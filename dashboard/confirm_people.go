package dashboard

import (
	"emissor/nfse"
	"emissor/store/access"
)

func (r *request) revokingInvitation() (*act, error) {
	invitations, err := r.d.store.Access.Invitations(r.Context(), r.scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, one := range invitations {
		if one.ID == r.PathValue("id") {
			return &act{Title: "act.invitation.revoke", Means: r.language.Say("act.invitation.revoke.means"),
				Back: r.link("/people"), Facts: []line{{"people.email", one.Email}}}, nil
		}
	}
	return nil, errNotKnown
}

func (r *request) removingMember() (*act, error) {
	member, err := r.member()
	if err != nil {
		return nil, err
	}
	return r.actOnMember(member, "act.member.remove", "people.remove.means", r.roleName(member.Role)), nil
}

// recoveringMember is the act of making a link for a member, by which their old passkeys
// end.
func (r *request) recoveringMember() (*act, error) {
	member, err := r.member()
	if err != nil || member.Elsewhere { // an owner here may make no link for them
		return nil, err
	}
	return r.actOnMember(member, "act.member.recover", "people.recover.means", r.roleName(member.Role)), nil
}

// changingRole is the act of a change of role that its author may be unable to undo: a new
// owner can take their role first, and who gives up their own gets it back only from others.
func (r *request) changingRole() (*act, error) {
	member, err := r.member()
	if err != nil {
		return nil, err
	}
	role, version, err := r.typedRole()
	if err != nil || version.UnixMilli() != member.UpdatedAt.UnixMilli() {
		return nil, nil
	}
	roles := r.roleName(member.Role) + " → " + r.roleName(role)
	switch {
	case role == member.Role:
	case role == nfse.RoleOwner:
		return r.actOnMember(member, "act.role.owner", "act.role.owner.means", roles), nil
	case member.Role == nfse.RoleOwner && member.UserID == r.user.ID:
		return r.actOnMember(member, "act.role.own", "act.role.own.means", roles), nil
	}
	return nil, nil
}

// member is the member of the page's organization whom the address names.
func (r *request) member() (access.Member, error) {
	return r.d.store.Access.Member(r.Context(), r.scope.OrganizationID, r.PathValue("id"))
}

func (r *request) roleName(role nfse.Role) string { return r.language.Say("role." + string(role)) }

func (r *request) actOnMember(member access.Member, title, means, role string) *act {
	return &act{Title: title, Means: r.language.Say(means, member.Email), Back: r.link("/people"), Facts: []line{
		{"people.email", member.Email}, {"people.role", role}, {"frame.organization", r.organization},
	}}
}
