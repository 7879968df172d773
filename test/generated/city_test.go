package generated

import (
	"testing"

	"emissor/fiscal/saopaulo"
	"emissor/fiscal/saopaulo/saopaulotest"
)

// checkCity checks that no message that was made for the city has a character that the city refuses, no matter what
// callers wrote.
func (s *system) checkCity(t *testing.T) {
	var messages [][]byte
	must(t, s.SQL.Select(&messages, `SELECT m.xml FROM fiscal_messages m JOIN fiscal_exchanges e ON e.id = m.exchange_id
		WHERE e.authority = $1`, saopaulo.Name))
	if len(messages) == 0 {
		t.Error("nothing was made for the city")
	}
	for _, message := range messages {
		message = s.Unpack(t, message)
		if refused := saopaulotest.Refused(message); refused != "" {
			t.Errorf("the city refuses %+q, which is in %s", refused, message)
		}
	}
}
