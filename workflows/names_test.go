package workflows_test

import (
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/workflows"
)

func TestNoteID(t *testing.T) {
	test := nfse.Scope{OrganizationID: "org_01m7ytb0fxetkvyhq9a3xtyaj2"}
	live := nfse.Scope{OrganizationID: test.OrganizationID, Livemode: true}
	if id := workflows.NoteID(test, "order-1"); id != "org_01m7ytb0fxetkvyhq9a3xtyaj2/test/order-1" {
		t.Error(id)
	}
	if workflows.NoteID(test, "a") == workflows.NoteID(live, "a") {
		t.Error("the environments share an id")
	}
	long := strings.Repeat("𝔄", 200)
	hashed := workflows.NoteID(test, long)
	if len(hashed) > 255 || hashed == workflows.NoteID(test, long[:796]) {
		t.Errorf("the id of a long reference is %q", hashed)
	}
	// What a gRPC header does not carry has the hashed form, each its own; NFC and NFD are two references.
	seen := map[string]string{}
	for _, reference := range []string{"Nota nº 1", "café-1", "cafe\u0301-1", "João", "✓ 漢字", "nº 12", "שלום", "😀"} {
		id := workflows.NoteID(test, reference)
		if !strings.HasPrefix(id, test.OrganizationID+"/test-sha256/") || len(id) > 255 {
			t.Errorf("the id of %q is %q", reference, id)
		}
		if other, taken := seen[id]; taken {
			t.Errorf("%q and %q share the id %s", reference, other, id)
		}
		seen[id] = reference
	}
	// All that a header carries stays as it is.
	for _, reference := range []string{"a b", "100%", `"'\`, "a/../b", "~!", "%2F%00", "<b>"} {
		if id := workflows.NoteID(test, reference); id != test.OrganizationID+"/test/"+reference {
			t.Errorf("the id of %q is %q", reference, id)
		}
	}
	// The hashed form cannot be forged: a reference begins behind "/test/".
	if !strings.HasPrefix(hashed, test.OrganizationID+"/test-sha256/") {
		t.Error(hashed)
	}
}
