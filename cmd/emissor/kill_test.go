package main

import (
	"fmt"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// A worker is killed while it has notes in processing; more are accepted while
// none runs. Another one brings all of them to their end, each once.
func TestServe_KilledWorker(t *testing.T) {
	t.Parallel()
	const each = 4
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	settings := settingsOf(database).with("EMISSOR_SLOW_SCENARIO", "20s")
	api := start(t, settings.withoutTemporal(), "api")
	caller := caller{api.api, key}
	service := caller.newService(t)

	first := start(t, settings, "worker")
	ends := map[string]nfse.Status{}
	for i := range each {
		ends[caller.issue(t, service, fmt.Sprintf("before-%d", i), nfse.ScenarioSlow)] = nfse.StatusIssued
	}
	testkit.Eventually(t, "the notes are in processing", func() bool {
		return database.Count(t, `SELECT count(*) FROM notes WHERE status = 'processing'`) == each
	})
	first.kill()
	for i := range each {
		ends[caller.issue(t, service, fmt.Sprintf("authorized-%d", i), nfse.ScenarioAuthorized)] = nfse.StatusIssued
		ends[caller.issue(t, service, fmt.Sprintf("rejected-%d", i), nfse.ScenarioRejected)] = nfse.StatusRejected
	}
	if settled := database.Count(t, `SELECT count(*) FROM events`); settled != 0 {
		t.Fatalf("%d notes were settled before the worker was killed: this test does not test what it says", settled)
	}

	second := start(t, settings, "worker")
	testkit.Eventually(t, "every note has reached its end", func() bool {
		return database.Count(t, `SELECT count(*) FROM notes WHERE status IN ('queued', 'processing')`) == 0
	})
	for id, status := range ends {
		if end := database.Text(t, `SELECT status FROM notes WHERE id = $1`, id); end != string(status) {
			t.Errorf("%s is %s, expected %s", id, end, status)
		}
		if events := database.Count(t, `SELECT count(*) FROM events WHERE note_id = $1 AND type = 'nfse.' || $2`, id,
			status); events != 1 {
			t.Errorf("%s has %d events of its end", id, events)
		}
	}
	if events := database.Count(t, `SELECT count(*) FROM events`); events != len(ends) {
		t.Errorf("%d notes have %d events", len(ends), events)
	}
	for _, p := range []*program{second, api} {
		p.terminate(t)
		p.expectEnd(t)
	}
}
