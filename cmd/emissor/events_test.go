package main

import (
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/received"
	"emissor/test/testkit"
)

// An operator sees what happened outside, what was not applied and why, and of whom
// nobody asks; and has it read again.
func TestEventsCommand(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := settingsOf(database).withoutTemporal()
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	database.SetProfile(t, nfse.FiscalProfile{
		OrganizationID: organization.ID, Authority: "national", TaxID: testkit.Issuer, MunicipalityCode: "3304557",
		Simples: nfse.SimplesNone, Series: 1,
	})
	if shown := succeeds(t, s, "events", "status"); !strings.Contains(shown, "no worker has looked yet") {
		t.Errorf("before anybody asked the status is\n%s", shown)
	}
	fails(t, s, "nothing was asked yet", "events", "rescan", "--organization", organization.ID)
	_, err := database.Store.Received.StartDistributions(t.Context(),
		[]received.ServedEnvironment{{Authority: "national"}})
	must(t, err)
	d, _, err := database.Store.Received.Distribution(t.Context(), database.Text(t, `SELECT id FROM distributions`))
	must(t, err)
	const key = "33045572211222333000181000000000000926111234567897"
	_, err = database.Store.Received.SaveBatch(t.Context(), d, fiscal.Batch{Items: []fiscal.Distributed{
		{Position: 7, AccessKey: key, Title: fact.ExternalCancelledByCity.Fact(),
			Content: []byte("<evento>1</evento>"),
			Event: &fiscal.ExternalEvent{Type: "305101", Sequence: 1, Known: true, Effect: fiscal.EffectCancels,
				HappenedAt: time.Now(), ReasonText: "Processo \u202e1"}},
		{Position: 9, AccessKey: key, Title: fact.InWords("EVENTO"), Content: []byte("\xff?"),
			Problem: fact.ExternalUnread.With("why", fact.UnreadAmbiguous.Fact())},
		{Position: 10, Foreign: true},
	}})
	must(t, err)

	status := printed[[]received.Distribution](t, s, "events", "status", "--organization", organization.ID)
	if len(status) != 1 || status[0].Position != 10 || status[0].Taken != 1 || !status[0].Problem.None() {
		t.Errorf("the status is %+v", status)
	}
	events := printed[[]received.ExternalEvent](t, s, "events", "list")
	if len(events) != 2 || events[0].Type != nil || *events[1].Type != "305101" || events[1].NoteID != nil {
		t.Fatalf("the events are %+v", events)
	}
	flagged := printed[[]received.ExternalEvent](t, s, "events", "list", "--flagged", "--organization", organization.ID)
	if len(flagged) != 1 || flagged[0].ID != events[0].ID {
		t.Errorf("flagged are %+v", flagged)
	}
	if none := printed[[]received.ExternalEvent](t, s, "events", "list", "--note", "nfse_x"); len(none) != 0 {
		t.Errorf("of no note there are %+v", none)
	}
	list := succeeds(t, s, "events", "list")
	for _, part := range []string{"cancelled by the city", "305101",
		"NOT APPLIED: what the ADN distributed cannot be read: it could be read in two ways", "restricted"} {
		if !strings.Contains(list, part) {
			t.Errorf("the list lacks %q:\n%s", part, list)
		}
	}
	shown := succeeds(t, s, "events", "show", "1")
	if !strings.Contains(shown, "<evento>1</evento>") || !strings.Contains(shown, key) ||
		!strings.Contains(shown, `Processo \u202e1`) {
		t.Errorf("the event is shown as\n%s", shown)
	}
	content := printed[struct{ Content string }](t, s, "events", "show", "1").Content
	if content != "<evento>1</evento>" {
		t.Errorf("a script reads %q", content)
	}
	succeeds(t, s, "events", "show", "2") // which is no text
	fails(t, s, "there is no event 3", "events", "show", "3")
	misused(t, s, "named by its number", "events", "show", "evt_1")
	if documents := printed[[]received.ExternalDocument](t, s, "events", "documents"); len(documents) != 0 {
		t.Errorf("the documents are %+v", documents)
	}
	rescanned := succeeds(t, s, "events", "rescan", "--organization", organization.ID)
	if !strings.Contains(rescanned, "it had come to 10") ||
		database.Count(t, `SELECT position FROM distributions`) != 0 {
		t.Errorf("rescanned is\n%s", rescanned)
	}
}
