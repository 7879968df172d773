package dispatch

import (
	"context"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/outbox"
)

// places are what claims may take of the notes of organizations of which some stand in line. What
// finds no place would only wait, and a note that waits in the outbox costs nothing.
func (l *Loop) places() (rooms []outbox.Room) {
	if l.Places == nil {
		return nil
	}
	for organization, places := range l.Places() {
		rooms = append(rooms, outbox.Room{Rows: places, Backlog: outbox.Backlog{Kind: outbox.StartNote,
			Scope: nfse.Scope{OrganizationID: organization, Livemode: true}}})
	}
	return rooms
}

// sayInLine records that notes wait for the turn of their series, so that they do not raise the
// alarm that nothing moves; none while the engine is away, because then they wait for the engine.
func (l *Loop) sayInLine(ctx context.Context) error {
	var full []outbox.Backlog
	for _, room := range l.places() {
		if room.Rows == 0 && !l.engine.away() {
			full = append(full, room.Backlog)
		}
	}
	if len(full) == 0 {
		return nil
	}
	return l.Store.Outbox.PauseBacklogs(ctx, fact.InTurn.Fact(), full...)
}
