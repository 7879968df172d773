package sefin

import "emissor/test/simulators/shared/journal"

// ledger is everything issued and registered. Who uses it holds the lock of the
// Simulator.
type ledger struct {
	notes    []*note
	byKey    map[string]*note
	byDPS    map[string]*note         // by the id of the DPS, the first of it
	byNumber map[string]*note         // by what may issue once
	sequence map[string]int64         // the last nNFSe of an issuer
	last     int64                    // nDFSe, and NSU
	journal  *journal.Journal[record] // nil keeps nothing
}

func (l *ledger) add(n *note) error {
	err := l.journal.Write(record{Note: &n.Entry, NSU: n.nsu, Actors: n.actors, DPS: n.dps, XML: n.xml})
	if err != nil {
		return err
	}
	l.index(n)
	return nil
}

// addReplacement writes a note and the event that cancels the one that it replaces in one
// record, so that there is never one without the other.
func (l *ledger) addReplacement(n, replaced *note, e *event) error {
	written := record{Note: &n.Entry, NSU: n.nsu, Actors: n.actors, DPS: n.dps, XML: n.xml}
	written.AccessKey, written.Event = replaced.AccessKey, e
	if err := l.journal.Write(written); err != nil {
		return err
	}
	l.index(n)
	l.indexEvent(replaced, e)
	return nil
}

func (l *ledger) addEvent(n *note, e *event) error {
	if err := l.journal.Write(record{AccessKey: n.AccessKey, Event: e}); err != nil {
		return err
	}
	l.indexEvent(n, e)
	return nil
}

func (l *ledger) index(n *note) {
	l.notes = append(l.notes, n)
	l.byKey[n.AccessKey] = n
	if n.SecondOf == "" {
		l.byDPS[n.DPSID] = n
		l.byNumber[dpsNumber(n.Issuer, n.Municipality, n.Series, n.Number)] = n
	}
	l.sequence[n.Issuer] = max(l.sequence[n.Issuer], n.NFSeNumber)
	l.last = max(l.last, n.nsu)
}

func (l *ledger) indexEvent(n *note, e *event) {
	n.events = append(n.events, e)
	l.last = max(l.last, e.NSU)
}
