package frame

import (
	"slices"

	"emissor/nfse"
	"emissor/store/access"
)

// group is a heading of the left column, and the pages under it.
type group struct {
	Key      string // of the heading; empty: there is none
	Sections []Section
}

// Groups are the sections that the user may see and the company uses, by group; a group of which they see
// none is left out. On a page of no organization they lead to the organization seen last.
func (v View) Groups() []group { return v.groups(true) }

// More are the other sections that the user may see.
func (v View) More() (more []Section) {
	for _, one := range v.groups(false) {
		more = append(more, one.Sections...)
	}
	return more
}

// InMore reports whether the page is in one of those.
func (v View) InMore() bool {
	return slices.ContainsFunc(v.More(), func(one Section) bool { return v.Current(one.Path) })
}

func (v View) groups(inMenu bool) (groups []group) {
	role := v.r.roleSeenLast()
	for _, one := range Sections {
		if !role.May(one.Who.Permission()) && one.Who != User && (one.Who != Operator || !v.r.User.Operator) {
			continue
		}
		if one.Shown(role, v.used) != inMenu {
			continue
		}
		if len(groups) == 0 || groups[len(groups)-1].Key != one.Group {
			groups = append(groups, group{Key: one.Group})
		}
		last := &groups[len(groups)-1]
		last.Sections = append(last.Sections, one)
	}
	return groups
}

// Issues reports whether the user may issue notes, here or in the organization seen last.
func (v View) Issues() bool { return v.r.roleSeenLast().May(nfse.IssueNotes) }

// chosen is the organization and the environment that the frame shows: those of the page,
// or on a page of none, those seen last.
type chosen struct {
	OrganizationID, Name string // empty: there is none to choose
	Environment          string // empty: none was seen yet
}

// choose finds what the frame shows as chosen, and what there is to choose from.
func (v *View) choose() error {
	v.Chosen = chosen{v.r.Scope.OrganizationID, v.r.Organization, v.r.Scope.Environment()}
	if v.Chosen.OrganizationID == "" {
		v.Chosen = chosen{v.r.LastOrganization(), "", v.r.Get(SessionEnv)}
	}
	if v.r.User.Operator {
		if err := v.anyOrganization(); err != nil {
			return err
		}
	}
	if v.Chosen.OrganizationID == "" && len(v.Organizations) > 0 {
		v.Chosen.OrganizationID = v.Organizations[0].OrganizationID
	}
	for _, one := range v.Organizations {
		if one.OrganizationID == v.Chosen.OrganizationID {
			v.Chosen.Name = one.Name
		}
	}
	if v.Chosen.OrganizationID == "" {
		return nil
	}
	var err error
	v.used, err = v.r.D.Store.Notes.UsedBy(v.r.Context(), v.Chosen.OrganizationID)
	return err
}

// organizationsOffered is how many organizations an operator can choose from on every page;
// the operators' page lists all.
const organizationsOffered = 20

// anyOrganization lets an operator choose from the first ones, those of which they are
// a member, and the one that is chosen.
func (v *View) anyOrganization() error {
	organizations, more, err := v.r.D.Store.Access.FirstOrganizations(v.r.Context(), organizationsOffered)
	if err != nil {
		return err
	}
	v.Organizations, v.MoreOrganizations = nil, more
	offer := func(id, name string) {
		if !slices.ContainsFunc(v.Organizations, func(o access.UserMembership) bool { return o.OrganizationID == id }) {
			v.Organizations = append(v.Organizations, access.UserMembership{
				Membership: nfse.Membership{OrganizationID: id}, Name: name})
		}
	}
	if v.Chosen.OrganizationID != "" {
		if v.Chosen.Name == "" {
			found, err := v.r.D.Store.Access.Organization(v.r.Context(), v.Chosen.OrganizationID)
			if err != nil {
				return err
			}
			v.Chosen.Name = found.Name
		}
		offer(v.Chosen.OrganizationID, v.Chosen.Name)
	}
	for _, membership := range v.r.Memberships {
		offer(membership.OrganizationID, membership.Name)
	}
	for _, organization := range organizations {
		offer(organization.ID, organization.Name)
	}
	return nil
}
