// Package fact is what is recorded, or passed on, about a note: what happened, why something
// waits, why something failed. A fact is a code with arguments. Its texts, English and
// Portuguese, are made from it where somebody reads it: a page, a command, an e-mail, the
// log. No decision depends on a text: code compares codes.
//
// A fact is a row of the table of its subject, with both texts side by side:
//
//	number_taken	tomou o número {number} da série {series}	took the number {number} of series {series}
//
// A test writes codes.go from the tables, where the code is NumberTaken. It is recorded as NumberTaken.With("number",
// 12, "series", 3), and stored in one column of jsonb. Tests check that the arguments that are given match the texts,
// that every code is recorded somewhere, and that no recorded text is parsed.
//
// An argument is a number, a text, or another fact. Words of others, such as a receiver's,
// are quoted: within the text, or as the fact Said.
package fact

import (
	"fmt"
	"reflect"
	"time"
)

// Code names a fact in one word, which never changes its meaning.
type Code string

// Fact is a code with its arguments. The zero Fact is none.
type Fact struct {
	Code      Code
	Arguments Arguments
}

// Arguments are what is filled into the texts, by name: each an int64, a string, a Fact or
// a []Fact.
type Arguments map[string]any

// Fact returns the fact of a code without arguments.
func (c Code) Fact() Fact { return Fact{Code: c} }

// With returns the fact of a code with arguments: names and values in turn. A moment is
// recorded in RFC 3339, in UTC.
func (c Code) With(pairs ...any) Fact {
	arguments := make(Arguments, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		arguments[pairs[i].(string)] = argument(pairs[i+1])
	}
	return Fact{c, arguments}
}

// argument is a value as it is recorded: the same before it was stored and after.
func argument(value any) any {
	switch v := value.(type) {
	case nil, Fact, []Fact:
		return v
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	case fmt.Stringer:
		return v.String()
	case error:
		return v.Error()
	}
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	case v.Kind() == reflect.String:
		return v.String()
	}
	return fmt.Sprint(value)
}

// None reports whether there is no fact.
func (f Fact) None() bool { return f.Code == "" }

// IsZero reports whether there is no fact: omitzero of encoding/json calls it.
func (f Fact) IsZero() bool { return f.None() }

// Is reports whether the fact is one of these.
func (f Fact) Is(codes ...Code) bool {
	for _, code := range codes {
		if f.Code == code {
			return true
		}
	}
	return false
}

// Equal reports whether two facts are the same, arguments and all.
func (f Fact) Equal(other Fact) bool {
	return f.Code == other.Code && (len(f.Arguments) == 0 && len(other.Arguments) == 0 ||
		reflect.DeepEqual(f.Arguments, other.Arguments))
}
