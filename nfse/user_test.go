package nfse_test

import (
	"testing"

	"emissor/nfse"
)

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
