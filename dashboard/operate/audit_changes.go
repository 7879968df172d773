package operate

import (
	"encoding/json"
	"strings"

	"emissor/dashboard/words"
	"emissor/store/audit"
)

// auditChange is what an entry says of one field, in the reader's language.
type auditChange struct {
	Label    string // what the field is called; empty for a field of another version, unknown to this one
	Name     string // as it is recorded
	From, To string
}

// auditChanges are the changes of an entry in the reader's language.
func auditChanges(language words.Language, entry audit.Entry) []auditChange {
	changes := []auditChange{}
	for _, one := range entry.Changes() {
		changes = append(changes, auditChange{Label: auditField(language, one.Name), Name: one.Name,
			From: auditValue(language, one.From), To: auditValue(language, one.To)})
	}
	return changes
}

// auditField is what a field is called; empty for an unknown one.
func auditField(language words.Language, name string) string {
	if key := "audit.field." + name; words.Has(key) {
		return language.Say(key)
	}
	return ""
}

// auditValue translates a value that is a fact, a word of ours, or a list of names of fields;
// any other stays as it is.
func auditValue(language words.Language, value audit.Value) string {
	if !value.Fact.None() {
		return language.Fact(value.Fact)
	}
	if key := "audit.value." + value.Text; words.Has(key) {
		return language.Say(key)
	}
	var names []string
	if json.Unmarshal([]byte(value.Text), &names) != nil {
		return value.Text
	}
	for i, name := range names {
		if known := auditField(language, name); known != "" {
			names[i] = known
		}
	}
	return strings.Join(names, ", ")
}
