package adn

import (
	"encoding/json"

	"emissor/fiscal"
	"emissor/internal/panics"
	"emissor/nfse/fact"
)

// read is item for any entry at all: one that makes item panic counts as one that
// cannot be read.
func (r reader) read(one entry, raw json.RawMessage) (item fiscal.Distributed) {
	if panics.Caught(func() error { item = r.item(one, raw); return nil }) != nil {
		return unread(fiscal.Distributed{Title: fact.ExternalEntry.Fact()}, raw, fact.UnreadFails.Fact())
	}
	return item
}

// checked returns a check of a signature that does not pass if it panics.
func checked(check func() fact.Fact) func() fact.Fact {
	return func() (problem fact.Fact) {
		if panics.Caught(func() error { problem = check(); return nil }) != nil {
			return fact.ExternalSignatureFails.Fact()
		}
		return problem
	}
}
