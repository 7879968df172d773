package sefin

import "emissor/test/simulators/shared/journal"

// record is a line of the ledger's file: a note, an event of one, or a note with the event that
// cancels the one that it replaces.
type record struct {
	Note      *Entry   `json:"note,omitempty"`
	NSU       int64    `json:"nsu,omitempty"`
	Actors    []string `json:"actors,omitempty"`
	DPS       []byte   `json:"dps,omitempty"`
	XML       []byte   `json:"xml,omitempty"`
	AccessKey string   `json:"access_key,omitempty"`
	Event     *event   `json:"event,omitempty"`
}

// openLedger reads the ledger kept in a directory; empty keeps none.
func openLedger(dir string) (*ledger, error) {
	l := &ledger{
		byKey: map[string]*note{}, byDPS: map[string]*note{}, byNumber: map[string]*note{},
		sequence: map[string]int64{},
	}
	var err error
	l.journal, err = journal.Open(dir, l.replay)
	return l, err
}

// replay does again what a line says.
func (l *ledger) replay(r record) {
	if r.Note != nil {
		l.index(&note{Entry: *r.Note, nsu: r.NSU, actors: r.Actors, dps: r.DPS, xml: r.XML})
	}
	if r.Event != nil && l.byKey[r.AccessKey] != nil {
		l.indexEvent(l.byKey[r.AccessKey], r.Event)
	}
}
