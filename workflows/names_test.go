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
	// The hashed form cannot be forged: a reference begins behind "/test/".
	if !strings.HasPrefix(hashed, test.OrganizationID+"/test-sha256/") {
		t.Error(hashed)
	}
}
