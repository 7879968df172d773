package store_test

import (
	"errors"
	"sync"
	"testing"

	"emissor/nfse"
	"emissor/store/lifecycle"
)

// replacementOf is a note that is to replace another, whose access key is KEY.
func (n tenancy) replacementOf(id, reference string) lifecycle.NewNote {
	note := n.note(reference)
	note.Details.Replaces = &nfse.Replaced{NoteID: id, AccessKey: "KEY", ReasonCode: "01"}
	return note
}

// Of many replacements of one note that are asked for at once one is taken; the others change
// nothing. The same one twice is the same note.
func TestReplace_AtOnce(t *testing.T) {
	n := newTenant(t).inLive(t)
	id := n.begin(t, "order")
	n.RefuseByTerm(t, id)
	var taken []string
	var mutex sync.Mutex
	var all sync.WaitGroup
	for _, reference := range []string{"a", "b", "c", "d", "a", "b"} {
		all.Go(func() {
			note := n.replacementOf(id, reference)
			note.Issuance.Customer.TaxID, note.Customer.TaxID = "00000000191", "00000000191"
			accepted, _, err := n.Changes().Lifecycle.Replace(t.Context(), note)
			if nfse.IsCode(err, nfse.CodeCancellationInProgress) {
				return
			}
			mutex.Lock()
			defer mutex.Unlock()
			if taken = append(taken, accepted.ID); err != nil {
				t.Errorf("%s: %v", reference, err)
			}
		})
	}
	all.Wait()
	replacedBy := n.Text(t, `SELECT replaced_by FROM notes WHERE id = $1`, id)
	if notes := n.Count(t, `SELECT count(*) FROM notes`); notes != 2 || len(taken) == 0 || len(taken) > 2 {
		t.Errorf("%d notes, taken are %v", notes, taken)
	}
	for _, one := range taken {
		if one != replacedBy {
			t.Errorf("taken are %v, by record it is replaced by %s", taken, replacedBy)
		}
	}
	note, err := n.Store.Notes.Note(t.Context(), n.scope, id)
	if err != nil || note.Status != nfse.StatusIssued || !note.BeingReplaced() || !note.CancellationPending() ||
		note.CancellationToDo() {
		t.Errorf("%+v, %v", note, err)
	}

	// A reference that names another note is a conflict.
	other := n.begin(t, "other")
	n.Exec(t, `UPDATE notes SET payload_hash = (SELECT payload_hash FROM notes WHERE id = $2) WHERE id = $1`, other,
		replacedBy)
	if err := n.Store.Lifecycle.SameReplacement(t.Context(), n.scope, lifecycle.Acceptance{ID: other},
		nfse.Replaced{NoteID: id}); !nfse.IsCode(err, nfse.CodeIdempotencyConflict) {
		t.Errorf("another note of that reference: %v", err)
	}

	// Nothing but an issued note of production is replaced, and none that does not stand.
	for _, expected := range []struct {
		id   string
		code nfse.Code
	}{{replacedBy, nfse.CodeNoteNotCancellable}, {"nfse_x", nfse.CodeNoteNotFound}} {
		_, _, err := n.Changes().Lifecycle.Replace(t.Context(), n.replacementOf(expected.id, "x"+expected.id))
		var known *nfse.Error
		if !errors.As(err, &known) || known.Code != expected.code {
			t.Errorf("%s: %v", expected.id, err)
		}
	}
	if notes := n.Count(t, `SELECT count(*) FROM notes WHERE reference LIKE 'x%'`); notes != 0 {
		t.Error("a refused replacement has left its note")
	}
}
