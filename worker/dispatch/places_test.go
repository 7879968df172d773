package dispatch

import (
	"testing"

	"emissor/nfse"
	"emissor/store/outbox"
)

// What claims may take of the notes of an organization is what its line has places for; all of
// those of which none stands in line.
func TestPlaces(t *testing.T) {
	if rooms := (&Loop{}).places(); rooms != nil {
		t.Errorf("without lines claims are limited: %+v", rooms)
	}
	loop := &Loop{Places: func() map[string]int { return map[string]int{"org_a": 0} }}
	expected := outbox.Room{Backlog: outbox.Backlog{Kind: outbox.StartNote,
		Scope: nfse.Scope{OrganizationID: "org_a", Livemode: true}}}
	if rooms := loop.places(); len(rooms) != 1 || rooms[0] != expected {
		t.Errorf("claims may take %+v", rooms)
	}
}
