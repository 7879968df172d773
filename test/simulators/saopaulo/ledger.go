package saopaulo

import (
	"time"

	"emissor/test/simulators/shared/journal"
)

// rpsKey is by what the city distinguishes RPS.
type rpsKey struct{ registration, series, number string }

// noteKey is by what it distinguishes notes.
type noteKey struct {
	registration string
	number       int64
}

// ledger is everything issued. Who uses it holds the lock of the Simulator.
type ledger struct {
	notes    []*note
	byNumber map[noteKey]*note
	byRPS    map[rpsKey]*note         // the last note that an RPS made
	last     map[string]int64         // the last number of a registration
	journal  *journal.Journal[record] // nil keeps nothing
}

// add writes a note that takes the place of another, if one is given: both happen or
// neither does.
func (l *ledger) add(n, replaced *note) error {
	r := record{Note: &n.Entry, RPS: n.rps}
	if replaced != nil {
		r.Replaces = replaced.Number
	}
	if err := l.journal.Write(r); err != nil {
		return err
	}
	l.index(n, r.Replaces)
	return nil
}

func (l *ledger) index(n *note, replaces int64) {
	if replaced := l.byNumber[noteKey{n.Registration, replaces}]; replaced != nil {
		replaced.cancel(ByResend, n.IssuedAt)
		replaced.ReplacedBy = n.Number
	}
	l.notes = append(l.notes, n)
	l.byNumber[noteKey{n.Registration, n.Number}] = n
	l.byRPS[n.key()] = n
	l.last[n.Registration] = max(l.last[n.Registration], n.Number)
}

// cancel writes that a note was cancelled.
func (l *ledger) cancel(n *note, by string, at time.Time) error {
	err := l.journal.Write(record{
		Change: &change{Registration: n.Registration, Number: n.Number, CancelledBy: by, At: at},
	})
	if err == nil {
		n.cancel(by, at)
	}
	return err
}

// mark writes what else happened to a note.
func (l *ledger) mark(n *note, mark Mark) error {
	err := l.journal.Write(record{Change: &change{Registration: n.Registration, Number: n.Number, Mark: mark}})
	if err == nil {
		n.Marks = append(n.Marks, mark)
	}
	return err
}

func (n *note) cancel(by string, at time.Time) {
	n.Cancelled, n.CancelledBy, n.CancelledAt = true, by, at
}

// issuerOf is who issued under a registration; empty when nobody did.
func (l *ledger) issuerOf(registration string) string {
	if n := l.byNumber[noteKey{registration, l.last[registration]}]; n != nil {
		return n.Issuer
	}
	return ""
}
