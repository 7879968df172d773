package store_test

import (
	"testing"

	"emissor/nfse/fact"
	"emissor/store"
)

// A value of the audit log that is a fact is read as one, and compared as a whole; an object
// of anything else stays JSON.
func TestAuditEntry_ChangesOfFacts(t *testing.T) {
	t.Parallel()
	of := func(digits string) string {
		return `{"issuer": {"code": "cpf_ending", "arguments": {"digits": "` + digits + `"}}, "other": {"a": 1}}`
	}
	if changes := (store.AuditEntry{Before: []byte(of("25")), After: []byte(of("25"))}).Changes(); len(changes) != 0 {
		t.Errorf("the same has changed: %v", changes)
	}
	changes := store.AuditEntry{Before: []byte(of("25")), After: []byte(of("91"))}.Changes()
	if len(changes) != 1 {
		t.Fatalf("the changes are %v", changes)
	}
	from, _ := changes[0].From.(fact.Fact)
	to, _ := changes[0].To.(fact.Fact)
	if from.English() != "CPF ending in 25" || to.Portuguese() != "CPF de final 91" {
		t.Errorf("it is said as %v → %v", from, to)
	}
	if changes := (store.AuditEntry{After: []byte(of("25"))}).Changes(); len(changes) != 2 || changes[0].From != nil ||
		changes[1].To != `{"a": 1}` {
		t.Errorf("new are %v", changes)
	}
}
