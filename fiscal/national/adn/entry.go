package adn

import (
	"encoding/json"

	"emissor/fiscal"
	"emissor/internal/panics"
	"emissor/nfse/fact"
)

// read is item for an entry that may be any: one that makes the reader panic is one that
// cannot be read.
func (r reader) read(one entry, raw json.RawMessage) (item fiscal.Distributed) {
	if panics.Caught(func() error { item = r.item(one, raw); return nil }) != nil {
		return unread(fiscal.Distributed{Title: fact.ExternalEntry.Fact()}, raw, fact.UnreadFails.Fact())
	}
	return item
}

// checked is the check of a signature, which one that makes it panic does not pass.
func checked(check func() fact.Fact) func() fact.Fact {
	return func() (problem fact.Fact) {
		if panics.Caught(func() error { problem = check(); return nil }) != nil {
			return fact.ExternalSignatureFails.Fact()
		}
		return problem
	}
}
