package sefin

import (
	"slices"
	"strings"
	"testing"
)

// Every service is due where the rules of the edition 1.01 have it due, which is
// where its table of places says, but for a few.
func TestIncidence(t *testing.T) {
	rules := map[string]string{}
	for _, row := range rows(t, "data/sefin-rules-anexoI-v1.01-20260209.tsv") {
		rules[row[1]] = row[5]
	}
	table := map[string]string{}
	for _, row := range rows(t, "data/iss-incidence-anexoI-v1.01-20260209.tsv") {
		for i, place := range []string{"issuer", "place", "taker"} {
			if strings.HasSuffix(row[2+i], "X") {
				table[row[0]] = place
			}
		}
		if listed := row[6] == "obra"; listed != slices.Contains(works, row[0]) {
			t.Errorf("%s needs the group obra: %t", row[0], listed)
		}
		if listed := row[6] == "atvEvento"; listed != strings.HasPrefix(row[0], "12") {
			t.Errorf("%s needs the group atvEvento: %t", row[0], listed)
		}
	}
	var apart []string
	for code := range services() {
		due := incidence(code, "issuer", "place", "taker")
		for place, rule := range map[string]string{"place": "E1317", "taker": "E1321"} {
			if ruled := strings.Contains(rules[rule], code); ruled != (due == place) {
				t.Errorf("%s is due at the %s, but %s names it: %t", code, due, rule, ruled)
			}
		}
		if table[code] != "" && table[code] != due {
			apart = append(apart, code)
		}
		if at := incidence(code, "issuer", waters, "taker"); at == waters {
			t.Errorf("%s is due at sea", code)
		}
	}
	slices.Sort(apart)
	disagreed := []string{"110301", "141401", "141402", "141403", "141404", "200101", "200201", "200301"}
	if !slices.Equal(apart, disagreed) {
		t.Errorf("the table and the rules disagree in %v", apart)
	}
}
