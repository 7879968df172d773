package audit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/lib/pq"

	"emissor/nfse/fact"
)

// FieldChange is what an entry of the audit log says of one field. Where a record is
// new or gone, From or To is empty.
type FieldChange struct {
	Name     string
	From, To Value
}

// Value is a value for people: a fact, or else a text.
type Value struct {
	Fact fact.Fact
	Text string
}

// String says it in English.
func (v Value) String() string { return cmp.Or(v.Fact.English(), v.Text) }

// Changes are the fields that changed, for people, in the order of their names.
func (e Entry) Changes() (changes []FieldChange) {
	var was, is map[string]json.RawMessage
	_ = json.Unmarshal(e.Before, &was) // null and what is no object have no fields
	_ = json.Unmarshal(e.After, &is)
	names := map[string]json.RawMessage{}
	maps.Copy(names, was)
	maps.Copy(names, is)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		from, to := auditValue(was[name]), auditValue(is[name])
		switch {
		case is == nil:
			changes = append(changes, FieldChange{Name: name, From: from})
		case was == nil && to.Text != nothing:
			changes = append(changes, FieldChange{Name: name, To: to})
		case was != nil && (from.Text != to.Text || !from.Fact.Equal(to.Fact)):
			changes = append(changes, FieldChange{name, from, to})
		}
	}
	return changes
}

// nothing stands for a value that is empty.
const nothing = "-"

// auditValue reads a value of JSON. Of all objects that are recorded only facts have a code.
func auditValue(value json.RawMessage) Value {
	var known fact.Fact
	if json.Unmarshal(value, &known) == nil && !known.None() {
		return Value{Fact: known}
	}
	return Value{Text: plain(value)}
}

// plain is a value of JSON for people.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	switch compact := bytes.TrimSpace(value); string(compact) {
	case "", "null", "[]", `""`:
		return nothing
	default:
		return string(compact)
	}
}

// Named is a user's address, also of a removed one, a key's label, or the address that a link to classify went to.
type Named struct {
	ID       string
	Name     string
	Operator bool // of the installation, and no member of the organization
}

// NamesOf finds the addresses of users and links and the labels of keys of an organization. Ids of
// others are left out.
func (s *Store) NamesOf(ctx context.Context, organizationID string, ids []string) ([]Named, error) {
	names := []Named{}
	err := s.db.SelectContext(ctx, &names, `
		SELECT id, email AS name, operator AND NOT EXISTS (SELECT FROM memberships
			WHERE organization_id = $1 AND user_id = users.id) AS operator
		FROM users WHERE id = ANY($2)
		UNION ALL SELECT id, label, false FROM api_keys WHERE id = ANY($2)
		UNION ALL SELECT id, email, false FROM classification_links WHERE id = ANY($2)`, organizationID, pq.Array(ids))
	return names, err
}
