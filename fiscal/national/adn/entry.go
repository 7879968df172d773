package adn

import (
	"encoding/json"

	"emissor/fiscal"
	"emissor/internal/panics"
)

// read is item for an entry that may be any: one that makes the reader panic is one that
// cannot be read.
func (r reader) read(one entry, raw json.RawMessage) (item fiscal.Distributed) {
	if panics.Caught(func() error { item = r.item(one, raw); return nil }) != nil {
		return unread(fiscal.Distributed{Title: "entry"}, raw, "makes this program fail")
	}
	return item
}

// checked is the check of a signature, which one that makes it panic does not pass.
func checked(check func() string) func() string {
	return func() (problem string) {
		if panics.Caught(func() error { problem = check(); return nil }) != nil {
			return "the signature makes this program fail"
		}
		return problem
	}
}
