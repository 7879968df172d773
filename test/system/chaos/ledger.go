package main

import (
	"fmt"
	"sync"
	"time"
)

// ledger is what the callers know: every note that was accepted, and every answer
// that the contract does not have.
type ledger struct {
	mu         sync.Mutex
	records    map[string]*record // by organization, environment and reference
	violations map[string][]string
	answers    map[string]int // by what was asked and what came: for the table
}

// record is what a caller keeps of one reference.
type record struct {
	note     plannedNote
	id       string          // of the first answer
	ids      map[string]bool // of all answers
	customer string
	accepted time.Time
	repeats  int // answers to the same request again
	changed  int // answers to another request under the reference

	cancellation string // "" not asked, "requested" answered 202 or 200, "refused" answered 409
}

func newLedger() *ledger {
	return &ledger{records: map[string]*record{}, violations: map[string][]string{}, answers: map[string]int{}}
}

// catalogue names the organization, environment and reference of a note.
func (n plannedNote) catalogue() string {
	return fmt.Sprint(n.organization, "/", n.live, "/", n.reference)
}

// String names the note in a violation.
func (n plannedNote) String() string {
	return fmt.Sprintf("organization %d, %s, %q", n.organization+1, environment(n.live), n.reference)
}

// acceptance is the body of a 202.
type acceptance struct {
	ID, Reference, Status string
	CustomerID            string `json:"customer_id"`
	Livemode, Idempotent  bool
}

// accept keeps a 202: of the first request, or of the same one again.
func (l *ledger) accept(n plannedNote, answer acceptance) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.records[n.catalogue()]
	if r == nil {
		r = &record{note: n, id: answer.ID, ids: map[string]bool{}, customer: answer.CustomerID, accepted: time.Now()}
		l.records[n.catalogue()] = r
	} else {
		r.repeats++
	}
	r.ids[answer.ID] = true
	switch {
	case answer.ID != r.id: // seen when the notes of each reference are counted
	case answer.Reference != n.reference:
		l.violate(oneNotePerReference, "%s: %s was accepted under the reference %q", n, r.id, answer.Reference)
	case answer.Livemode != n.live || answer.CustomerID != r.customer:
		l.violate(replaysChangeNothing, "%s: %s was accepted as %+v", n, r.id, answer)
	}
}

// changed keeps the answer to another request under a reference that was used.
func (l *ledger) changed(n plannedNote, status int, code string, answer acceptance) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.records[n.catalogue()]
	r.changed++
	switch {
	case status == 409 && code == "idempotency_conflict":
	case status == 202 && answer.ID != r.id:
		r.ids[answer.ID] = true
	default:
		l.violate(replaysChangeNothing, "%s: another request under the reference of %s was answered %d %s",
			n, r.id, status, code)
	}
}

// cancellation keeps what became of a request to cancel.
func (l *ledger) cancelled(n plannedNote, outcome string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records[n.catalogue()].cancellation = outcome
}

// unexpected keeps an answer that the contract does not have for what was asked.
func (l *ledger) unexpected(n plannedNote, what string, status int, body []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.violate(answersOfTheContract, "%s: %s was answered %d %.200s", n, what, status, body)
}

// count keeps that an answer came.
func (l *ledger) count(answer string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answers[answer]++
}

func (l *ledger) violate(invariant, format string, arguments ...any) {
	l.violations[invariant] = append(l.violations[invariant], fmt.Sprintf(format, arguments...))
}

// accepted are the records so far, by the id of their note.
func (l *ledger) accepted() map[string]*record {
	l.mu.Lock()
	defer l.mu.Unlock()
	byID := make(map[string]*record, len(l.records))
	for _, r := range l.records {
		byID[r.id] = r
	}
	return byID
}
