package postgres

import (
	"strings"

	"emissor/nfse/fact"
)

// FactSQL is the SQL of a fact: its code, and its arguments by name, each in SQL.
func FactSQL(code fact.Code, pairs ...string) string {
	var arguments []string
	for i := 0; i+1 < len(pairs); i += 2 {
		arguments = append(arguments, `'`+pairs[i]+`', `+pairs[i+1])
	}
	if arguments == nil {
		return `jsonb_build_object('code', '` + string(code) + `')`
	}
	return `jsonb_build_object('code', '` + string(code) + `', 'arguments', jsonb_build_object(` +
		strings.Join(arguments, ", ") + `))`
}

const NotesIndexOrder = `organization_id, livemode, status, (held_reason IS NULL), id`
