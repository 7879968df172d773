package store

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/lib/pq"
)

// FieldChange is what an entry of the audit log says of one field. Where a record is
// new or gone, From or To is empty.
type FieldChange struct{ Name, From, To string }

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
		case was != nil && from != to:
			changes = append(changes, FieldChange{name, from, to})
		}
	}
	return changes
}

// plain is a value of JSON for people.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	switch compact := bytes.TrimSpace(value); string(compact) {
	case "", "null", "[]", `""`:
		return "-"
	default:
		return string(compact)
	}
}

// NamesOf finds what people call users and keys: their addresses, also of those who
// were removed, and their labels. Ids of others are left out.
func (s *Store) NamesOf(ctx context.Context, ids []string) (map[string]string, error) {
	var rows []struct{ ID, Name string }
	err := s.db.SelectContext(ctx, &rows, `
		SELECT id, email AS name FROM users WHERE id = ANY($1)
		UNION ALL SELECT id, label FROM api_keys WHERE id = ANY($1)`, pq.Array(ids))
	names := map[string]string{}
	for _, row := range rows {
		names[row.ID] = row.Name
	}
	return names, err
}
