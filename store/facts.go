package store

import (
	"strings"

	"emissor/nfse/fact"
)

// factSQL is the SQL of a fact: its code, and its arguments by name, each in SQL.
func factSQL(code fact.Code, pairs ...string) string {
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
