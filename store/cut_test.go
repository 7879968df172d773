package store_test

import (
	"fmt"
	"testing"

	"emissor/store"
	"emissor/test/long"
)

// An acceptance that is repeated until it is answered makes one note with one outbox row, no matter after which byte
// the connection to the database is lost.
func TestAcceptNote_ConnectionCutAnywhere(t *testing.T) {
	tenant := newTenant(t)
	for direction, step := range map[string]int{"upstream": 250, "downstream": 25} {
		var attempts, inDoubt int
		cutEverywhere(t, tenant.Database, direction, step, func() (func(*store.Store) error, func(error)) {
			attempts++
			note := tenant.note(fmt.Sprintf("%s-%d", direction, attempts))
			do := func(s *store.Store) error {
				_, _, err := s.Lifecycle.AcceptNote(t.Context(), note)
				return err
			}
			check := func(failure error) {
				accepted, created, err := tenant.Store.Lifecycle.AcceptNote(t.Context(), note)
				must(t, err)
				if failure == nil && created {
					t.Errorf("%s: a note that was accepted is not on record", note.Reference)
				}
				if failure != nil && !created {
					inDoubt++
				}
				for _, query := range []string{
					`SELECT count(*) FROM notes WHERE reference = $1`,
					`SELECT count(*) FROM outbox WHERE reference = $1`,
					`SELECT count(*) FROM outbox JOIN notes ON notes.id = subject_id WHERE notes.reference = $1`,
					`SELECT count(*) FROM customers JOIN notes ON customers.id = customer_id
						WHERE notes.reference = $1`,
				} {
					if rows := tenant.Count(t, query, note.Reference); rows != 1 {
						t.Errorf("%s, %s: %d, expected 1; %s", note.Reference, query, rows, accepted.ID)
					}
				}
			}
			return do, check
		})
		t.Logf("%s: %d connections cut, %d of them after the commit", direction, attempts, inDoubt)
		if direction == "downstream" && inDoubt == 0 {
			t.Error("no connection was cut between the commit and its answer: this test does not test what it says")
		}
	}
	notes := tenant.Count(t, `SELECT count(*) FROM notes`)
	tenant.expectCounts(t, notes, notes, notes)
}

// A settlement that is repeated until it is answered makes one end, one event and one document, no matter after which
// byte the connection is lost.
func TestSettle_ConnectionCutAnywhere(t *testing.T) {
	long.Only(t, "cuts the connection in every part of a settlement")
	tenant := newTenant(t)
	var attempts, inDoubt int
	cutEverywhere(t, tenant.Database, "downstream", 150, func() (func(*store.Store) error, func(error)) {
		attempts++
		id := tenant.begin(t, fmt.Sprint(attempts))
		do := func(s *store.Store) error {
			_, err := tenant.settleIssued(t, s, id)
			return err
		}
		check := func(failure error) {
			settled, err := tenant.settleIssued(t, tenant.Store, id)
			must(t, err)
			if failure == nil && settled.Changed {
				t.Errorf("%s was settled and is not on record as settled", id)
			}
			if failure != nil && !settled.Changed {
				inDoubt++
			}
			if ends := tenant.Count(t, `SELECT count(*) FROM notes JOIN events ON note_id = notes.id
				JOIN note_documents ON note_documents.note_id = notes.id WHERE notes.id = $1 AND status = 'issued'`,
				id); ends != 1 {
				t.Errorf("%s has %d ends", id, ends)
			}
		}
		return do, check
	})
	t.Logf("%d connections cut, %d of them after the commit", attempts, inDoubt)
	if inDoubt == 0 {
		t.Error("no connection was cut between the commit and its answer: this test does not test what it says")
	}
}
