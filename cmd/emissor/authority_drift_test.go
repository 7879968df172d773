package main

import (
	"strings"
	"testing"

	"emissor/fiscal/drift"
	"emissor/test/testkit"
)

// What is new in answers is listed and shown, for people and for scripts, and one is a file for test/recorded.
func TestAuthorityDrift(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database)
	if all := printed[[]drift.Drift](t, s, "authority", "drift", "list"); len(all) != 0 {
		t.Errorf("at first there are %+v", all)
	}
	kept := drift.Drift{Fingerprint: "0123456789abcdef", Authority: "national", Call: "issue", Production: true,
		Status: 201, Media: "application/json", News: ".novo text\n.outro null",
		Copy: `{"novo":"` + strings.Repeat("1", 50) + `"}`}
	_, err := database.Store.Operate.KeepDrift(t.Context(), kept)
	must(t, err)
	all := printed[[]drift.Drift](t, s, "authority", "drift", "list")
	if len(all) != 1 || all[0].Fingerprint != kept.Fingerprint || all[0].News != kept.News {
		t.Errorf("listed are %+v", all)
	}
	if list := succeeds(t, s, "authority", "drift", "list"); !strings.Contains(list, ".novo text; .outro null") {
		t.Errorf("the list is\n%s", list)
	}
	shown := printed[drift.Drift](t, s, "authority", "drift", "show", kept.Fingerprint)
	if kept.SeenAt = shown.SeenAt; shown != kept {
		t.Errorf("shown is %+v", shown)
	}
	if said := succeeds(t, s, "authority", "drift", "show", kept.Fingerprint); !strings.Contains(said, kept.Copy) {
		t.Errorf("shown is\n%s", said)
	}
	file := succeeds(t, s, "authority", "drift", "export", kept.Fingerprint)
	if !strings.HasSuffix(file, "\n\n<== issue 201 application/json\n{\"novo\":\"{{key}}\"}\n") || file != kept.Export() {
		t.Errorf("exported is\n%s", file)
	}
	if result := execute(t, s, "authority", "drift", "export", "fedcba9876543210"); result.code == 0 ||
		!strings.Contains(result.stderr, "no answer has the fingerprint fedcba9876543210") {
		t.Errorf("of none: %+v", result)
	}
}
