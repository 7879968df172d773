package frame

import (
	"errors"

	"emissor/dashboard/words"
	"emissor/store/postgres"
)

// Problem is the answer that something cannot be shown or done: its status, and the key
// of its title; the key with .text is the key of what it means and what to do.
type Problem struct {
	Status int
	Key    string
}

// Error implements error.
func (p Problem) Error() string { return p.Key }

// KnownOr is a key if there is a message for it, or else another one.
func KnownOr(key, other string) string {
	if words.Has(key) {
		return key
	}
	return other
}

// IsLimit reports whether the error says that an organization has reached a limit.
func IsLimit(err error) bool {
	var limit *postgres.LimitError
	return errors.As(err, &limit)
}
