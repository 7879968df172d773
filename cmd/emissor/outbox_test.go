package main

import (
	"reflect"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/outbox"
	"emissor/test/testkit"
)

func TestOutboxCommand(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	settings := settingsOf(database).withoutTemporal()
	if list := succeeds(t, settings, "outbox", "--json"); list != "[]\n" {
		t.Errorf("an empty outbox is printed as %s", list)
	}
	organization := newOrganization(t, database)
	for _, livemode := range []bool{false, true} {
		database.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
			VALUES ('note', 'nfse_' || $2::boolean, $1, $2::boolean, 'pedido 1')`, organization.ID, livemode)
	}
	starts, err := database.Store.Outbox.ClaimStarts(t.Context(), []string{outbox.StartNote}, nil, 1, time.Minute)
	must(t, err)
	must(t, database.Store.Outbox.PostponeStarts(t.Context(), starts, time.Minute, outbox.EngineAway,
		"the engine is out"))
	must(t, database.Store.Outbox.PauseBacklogs(t.Context(), fact.NoAuthority.Fact(),
		outbox.Backlog{Kind: outbox.StartNote, Scope: nfse.Scope{Livemode: true}}))

	waiting := printed[[]outbox.WaitingStart](t, settings, "outbox")
	if len(waiting) != 2 {
		t.Fatalf("waiting is %+v", waiting)
	}
	expected := [][]string{
		{"KIND", "ID", "ORGANIZATION", "ENVIRONMENT", "REFERENCE", "CREATED", "ATTEMPTS", "NEXT ATTEMPT", "FAILURE",
			"LAST ERROR", "PAUSED"},
		{"note", "nfse_false", organization.ID, "test", "pedido 1", waiting[0].CreatedAt.String(), "1",
			waiting[0].NextAttemptAt.String(), "engine_away", "the engine is out", "-"},
		{"note", "nfse_true", organization.ID, "live", "pedido 1", waiting[1].CreatedAt.String(), "0",
			waiting[1].NextAttemptAt.String(), "-", "-", "no tax authority is configured for live notes"},
	}
	if table := cells(succeeds(t, settings, "outbox")); !reflect.DeepEqual(table, expected) {
		t.Errorf("printed is %q, expected %q", table, expected)
	}
	if table := cells(succeeds(t, settings, "outbox", "--limit", "1")); !reflect.DeepEqual(table, expected[:2]) {
		t.Errorf("limited to one, printed is %q", table)
	}
}
