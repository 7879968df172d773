package nfse_test

import (
	"testing"

	"emissor/nfse"
)

func TestRole_May(t *testing.T) {
	for _, one := range []struct {
		act nfse.Permission
		who string // the initials of viewer, editor, accountant, developer, owner
	}{
		{nfse.SeeNotes, "veado"}, {nfse.SeeBooks, "veao"}, {nfse.IssueNotes, "eo"}, {nfse.ChangeCatalogue, "eo"},
		{nfse.ManageKeys, "do"}, {nfse.ManageEndpoints, "do"}, {nfse.RetryDeliveries, "edo"},
		{nfse.SeePeople, "veao"}, {nfse.ManagePeople, "o"}, {nfse.SeeCompany, "veao"}, {nfse.ManageCompany, "o"},
		{nfse.Permission("fly"), ""},
	} {
		may := ""
		for _, role := range nfse.MemberRoles {
			if role.May(one.act) {
				may += string(role[0])
			}
		}
		if may != one.who {
			t.Errorf("%s: %q may, expected %q", one.act, may, one.who)
		}
	}
	if nfse.Role("").May(nfse.SeeNotes) || nfse.Role("admin").May(nfse.SeeNotes) {
		t.Error("somebody without a role may see")
	}
	if !nfse.RoleOperator.May(nfse.ManageCompany) || nfse.RoleOperator.May("fly") {
		t.Error("operators may all that there is")
	}
}
