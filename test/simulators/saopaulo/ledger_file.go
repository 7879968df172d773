package saopaulo

import (
	"time"

	"emissor/test/simulators/shared/journal"
)

// record is a line of the ledger's file: a note, or what happened to one.
type record struct {
	Note     *Entry  `json:"note,omitempty"`
	RPS      []byte  `json:"rps,omitempty"`
	Replaces int64   `json:"replaces,omitempty"` // the note that is cancelled by this one
	Change   *change `json:"change,omitempty"`
}

// change is a cancellation or a mark.
type change struct {
	Registration string    `json:"registration"`
	Number       int64     `json:"number"`
	CancelledBy  string    `json:"cancelled_by,omitempty"`
	At           time.Time `json:"at,omitzero"`
	Mark         Mark      `json:"mark,omitempty"`
}

// openLedger reads the ledger kept in a directory; empty keeps none.
func openLedger(dir string) (*ledger, error) {
	l := &ledger{byNumber: map[noteKey]*note{}, byRPS: map[rpsKey]*note{}, last: map[string]int64{}}
	var err error
	l.journal, err = journal.Open(dir, l.replay)
	return l, err
}

// replay does again what a line says.
func (l *ledger) replay(r record) {
	if r.Note != nil {
		l.index(&note{Entry: *r.Note, rps: r.RPS}, r.Replaces)
		return
	}
	n := l.byNumber[noteKey{r.Change.Registration, r.Change.Number}]
	switch {
	case n == nil:
	case r.Change.Mark != "":
		n.Marks = append(n.Marks, r.Change.Mark)
	default:
		n.cancel(r.Change.CancelledBy, r.Change.At)
	}
}
