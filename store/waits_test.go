package store_test

import (
	"slices"
	"testing"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

func (n tenancy) expectWaiting(t *testing.T, id string, expected ...fact.Fact) {
	t.Helper()
	history, err := n.Store.Lifecycle.NoteHistory(t.Context(), id)
	must(t, err)
	if !slices.EqualFunc(history.Waiting, expected, fact.Fact.Equal) {
		t.Errorf("%s waits for %v, expected %v", id, history.Waiting, expected)
	}
}

// A note waits for what only a person can give, or else for each of its rows of the outbox.
func TestNoteHistory_Waiting(t *testing.T) {
	n := newTenant(t).inLive(t)
	id := n.accept(t, "order")
	n.expectWaiting(t, id, fact.ToBeStarted.Fact())
	must(t, n.Store.Outbox.PauseBacklogs(t.Context(), fact.NoAuthority.Fact(),
		outbox.Backlog{Kind: outbox.StartNote, Scope: nfse.Scope{Livemode: true}}))
	n.expectWaiting(t, id, fact.NoAuthority.Fact())
	n.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'cancellation', subject_id, organization_id, livemode, reference FROM outbox`)
	n.expectWaiting(t, id, fact.NoAuthority.Fact(), fact.ToBeStarted.Fact())

	held := fact.NoUsableCertificate.With("why", fact.CertificateRefused.With("certificate", "crt_1", "code", "E1203"))
	_, err := n.Store.Lifecycle.HoldNote(t.Context(), id, held)
	must(t, err)
	n.expectWaiting(t, id, held)
	must(t, n.Store.Lifecycle.ReleaseNote(t.Context(), id))
	n.Exec(t, `DELETE FROM outbox`)
	n.expectWaiting(t, id)
}

// What a note waited for when it was put in motion again is in the audit log, as a fact.
func TestAudit_HeldReason(t *testing.T) {
	n := newTenant(t).inLive(t)
	id, held := n.begin(t, "order"), fact.SeriesUsedUp.With("series", 7)
	_, err := n.Store.Lifecycle.HoldNote(t.Context(), id, held)
	must(t, err)
	must(t, n.Changes().Lifecycle.RedriveNote(t.Context(), id))
	entries, _, err := n.Store.Audit.Log(t.Context(), audit.Filter{SubjectID: id, Page: postgres.Page{Limit: 1}})
	must(t, err)
	changes := entries[0].Changes()
	i := slices.IndexFunc(changes, func(one audit.FieldChange) bool { return one.Name == "held_reason" })
	if i < 0 || !changes[i].From.Fact.Equal(held) || changes[i].From.String() != held.English() {
		t.Errorf("it says %+v", changes)
	}
}

// Of what looks like a fact only a fact is one.
func TestAuditEntry_ChangesOfFacts(t *testing.T) {
	entry := audit.Entry{
		Before: []byte(`{"address": {"street": "x"},
			"held_reason": {"code": "series_used_up", "arguments": {"series": 1}},
			"label": "{\"code\": \"x\"}", "status": null}`),
		After: []byte(`{"address": {"street": "y"},
			"held_reason": {"code": "series_used_up", "arguments": {"series": 1},
			"text": "of another version"}, "label": "b", "status": {"code": "no_authority"}}`),
	}
	changes := entry.Changes()
	for i, expected := range []struct{ name, from, to string }{
		{"address", `{"street": "x"}`, `{"street": "y"}`},
		{"label", `{"code": "x"}`, "b"},
		{"status", "-", "no tax authority is configured for live notes"},
	} {
		if len(changes) != 3 || changes[i].Name != expected.name || changes[i].From.String() != expected.from ||
			changes[i].To.String() != expected.to {
			t.Fatalf("the changes are %+v", changes)
		}
	}
	if !changes[1].From.Fact.None() || !changes[2].To.Fact.Is(fact.NoAuthority) {
		t.Errorf("the facts are %+v", changes)
	}
}
