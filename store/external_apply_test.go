package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/store/received"
	"emissor/test/long"
)

// externalStep is something that happens to an issued note, here or outside.
type externalStep string

const (
	asked   externalStep = "asked"   // a caller asks to cancel it
	refused externalStep = "refused" // the authority refuses what was asked last
	city    externalStep = "city"    // the city cancels it
	portal  externalStep = "portal"  // somebody cancels it by hand, with a reason
	blocked externalStep = "blocked"
	lifted  externalStep = "lifted"
)

// In any order of events a note is cancelled once, and this is told once; the caller's cancellation stays the
// caller's; and a block bars what comes after it until it is lifted. Every pair of steps is tried, followed by a
// random third step; with LONG_TESTS by every third step.
func TestExternalEvents_AnyOrder(t *testing.T) {
	live := bookkeeping(t)
	d := live.distribution(t)
	all := []externalStep{asked, refused, city, portal, blocked, lifted}
	seed := rand.Uint64()
	t.Logf("the third steps are of the seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var orders [][]externalStep
	for _, a := range all {
		for _, b := range all {
			third := []externalStep{all[random.IntN(len(all))]}
			if long.Asked() {
				third = all
			}
			for _, c := range third {
				orders = append(orders, []externalStep{a, b, c})
			}
		}
	}
	for i, order := range orders {
		id := live.issue(t, fmt.Sprint(order), "")
		live.happen(t, d, id, fmt.Sprintf("%050d", i), order)
		if t.Failed() {
			t.Fatalf("after %v", order)
		}
	}
}

func (n tenancy) happen(t *testing.T, d received.Distribution, id, key string, order []externalStep) {
	t.Helper()
	var pending, cancelled, barred bool
	origin := nfse.CancelledByCaller
	for i, step := range order {
		switch step {
		case asked:
			_, _, err := n.Changes().Lifecycle.RequestCancellation(t.Context(), id, lifecycle.NewCancellation{Key: n.key,
				RequestID: fmt.Sprint("req_", i), ReasonCode: "9", ReasonText: "a razão de quem chamou"})
			foreign := cancelled && origin == nfse.CancelledByAuthority
			if nfse.IsCode(err, nfse.CodeNoteAlreadyCancelled) != foreign || err != nil && !foreign {
				t.Errorf("asking is answered %v", err)
			}
			if !cancelled && !pending {
				pending = true
			}
		case refused:
			if pending {
				must(t, second(n.Store.Lifecycle.RefuseCancellation(t.Context(), id, n.Text(t,
					`SELECT cancellation_request_id FROM notes WHERE id = $1`, id), nfse.Refusal{Code: "E1"})))
				pending = false
			}
		default:
			event := fiscal.ExternalEvent{Type: "305101", Sequence: i + 1, Effect: fiscal.EffectCancels,
				HappenedAt: time.Now()}
			switch step {
			case portal:
				event.ReasonCode, event.ReasonText = "2", "cancelada no portal"
			case blocked:
				event.Effect, barred = fiscal.EffectBlocksCancellation, true
			case lifted:
				event.Effect, barred = fiscal.EffectUnblocksCancellation, false
			}
			if event.Effect == fiscal.EffectCancels && !cancelled {
				cancelled = true
				if !pending {
					origin = nfse.CancelledByAuthority
				}
				pending = false
			}
			n.apply(t, d, id, key, event)
			n.apply(t, d, id, key, event) // again
		}
	}
	note, err := n.Store.Notes.Note(t.Context(), n.scope, id)
	must(t, err)
	if (note.Status == nfse.StatusCancelled) != cancelled || note.CancellationPending() != pending {
		t.Errorf("the note is %s, %+v", note.Status, note.Cancellation)
	}
	if cancelled && note.Cancellation.Origin != origin {
		t.Errorf("it was cancelled by the %s", note.Cancellation.Origin)
	}
	if cancelled && origin == nfse.CancelledByCaller && *note.Cancellation.ReasonCode != "9" {
		t.Errorf("its reason is %s", *note.Cancellation.ReasonCode)
	}
	told := n.Text(t, `SELECT coalesce(string_agg(type, ' ' ORDER BY id), '') FROM events WHERE note_id = $1`, id)
	entries := n.Count(t, `SELECT count(*) FROM ledger_entries WHERE note_id = $1`, id)
	expected, ends := "nfse.issued", 1
	if cancelled {
		expected, ends = "nfse.issued nfse.cancelled", 2
	}
	if told != expected || entries != ends {
		t.Errorf("told is %q, the ledger has %d", told, entries)
	}
	if _, bars, err := n.Store.Lifecycle.CancellationBlocked(t.Context(), id); err != nil || bars != barred {
		t.Errorf("it is barred: %t, %v", bars, err)
	}
	if done := n.Count(t, `SELECT count(*) FROM external_events WHERE note_id = $1
		AND outcome ->> 'code' IN ('effect_cancels', 'effect_cancels_as_asked')`, id); done > 1 {
		t.Errorf("it was cancelled by %d events", done)
	}
}

// apply stores an event of a note and applies what is to be.
func (n tenancy) apply(t *testing.T, d received.Distribution, id, key string, event fiscal.ExternalEvent) {
	t.Helper()
	position := int64(n.Count(t, `SELECT position FROM distributions`))
	d.Position = position
	must(t, second(n.Store.Received.SaveBatch(t.Context(), d, fiscal.Batch{Items: []fiscal.Distributed{
		{Position: position + 1, AccessKey: key, Title: fact.ExternalBlocked.Fact(), Content: []byte("x"),
			Event: &event}}})))
	n.Exec(t, `UPDATE external_events SET note_id = $1 WHERE access_key = $2`, id, key)
	for {
		_, applied, err := n.Store.Lifecycle.ApplyExternalEvent(t.Context(), id)
		must(t, err)
		if !applied {
			return
		}
	}
}
