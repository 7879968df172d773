package nfse_test

import (
	"testing"

	"emissor/nfse"
)

func TestRole_May(t *testing.T) {
	order := []nfse.Role{nfse.RoleViewer, nfse.RoleEditor, nfse.RoleOwner, nfse.RoleOperator}
	for have, role := range order {
		for needed, other := range order {
			if role.May(other) != (have >= needed) {
				t.Errorf("%s may do what needs %s: %t", role, other, role.May(other))
			}
		}
	}
	if nfse.Role("").May(nfse.RoleViewer) || nfse.Role("admin").May(nfse.RoleViewer) {
		t.Error("somebody without a role may see")
	}
}

func TestParseEmail(t *testing.T) {
	if email, err := nfse.ParseEmail("  Maria@Example.COM "); err != nil || email != "maria@example.com" {
		t.Errorf("read is %q %v", email, err)
	}
	for typed, read := range map[string]string{ // Unicode folds the Kelvin sign to k, and the dotless i is the I's
		"MI\u212Ae@example.com": "mi\u212Ae@example.com", "M\u0131KE@example.com": "m\u0131ke@example.com",
		"M\u0130KE@example.com": "m\u0130ke@example.com",
	} {
		if email, err := nfse.ParseEmail(typed); err != nil || email != read {
			t.Errorf("%q is read as %q, %v", typed, email, err)
		}
	}
	for _, wrong := range []string{"", "maria", "maria@", "Maria <maria@example.com>", "a@b, c@d", "a b@c"} {
		if email, err := nfse.ParseEmail(wrong); err == nil {
			t.Errorf("%q is read as %q", wrong, email)
		}
	}
}
