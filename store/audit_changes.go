package store

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/lib/pq"

	"emissor/nfse/fact"
)

// FieldChange is what an entry of the audit log says of one field.
type FieldChange struct {
	Name     string
	From, To any // a text, or a fact; nil where the record is new or gone
}

// Changes are the fields that are not what they were, for people, by their names.
func (e AuditEntry) Changes() (changes []FieldChange) {
	var was, is map[string]json.RawMessage
	_ = json.Unmarshal(e.Before, &was) // null and what is no object have no names
	_ = json.Unmarshal(e.After, &is)
	names := map[string]json.RawMessage{}
	maps.Copy(names, was)
	maps.Copy(names, is)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		from, to := plain(was[name]), plain(is[name])
		switch {
		case is == nil:
			changes = append(changes, FieldChange{Name: name, From: from})
		case was == nil && to != "-":
			changes = append(changes, FieldChange{Name: name, To: to})
		case was != nil && !reflect.DeepEqual(from, to):
			changes = append(changes, FieldChange{name, from, to})
		}
	}
	return changes
}

// plain is a value of JSON for people: a text, or a fact.
func plain(value json.RawMessage) any {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	var known fact.Fact
	if json.Unmarshal(value, &known) == nil && !known.None() {
		return known
	}
	switch compact := bytes.TrimSpace(value); string(compact) {
	case "", "null", "[]", `""`:
		return "-"
	default:
		return string(compact)
	}
}

// Named is what people call a user or a key: the address, also of who was removed, or
// the label.
type Named struct {
	ID       string
	Name     string
	Operator bool // of the installation, and no member of the organization
}

// NamesOf finds what people of an organization call users and keys. Ids of others are
// left out.
func (s *Store) NamesOf(ctx context.Context, organizationID string, ids []string) ([]Named, error) {
	names := []Named{}
	err := s.db.SelectContext(ctx, &names, `
		SELECT id, email AS name, operator AND NOT EXISTS (SELECT FROM memberships
			WHERE organization_id = $1 AND user_id = users.id) AS operator
		FROM users WHERE id = ANY($2)
		UNION ALL SELECT id, label, false FROM api_keys WHERE id = ANY($2)`, organizationID, pq.Array(ids))
	return names, err
}
