package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"emissor/cmd/emissor/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/store/webhooks"
	"emissor/test/testkit"
	"emissor/workflows"
)

// An operator who has a reference or a request id finds the note and its whole
// life.
func TestNoteCommand_FindAndShow(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	organization, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := withKeyset(t, settingsOf(database)).with("TEMPORAL_UI_URL", "http://ui.example.com")
	endpoint := addEndpoint(t, s, organization.ID, testkit.NewReceiver(t, nil).URL)
	program := start(t, s, "serve")
	caller := caller{program.api, key}
	id := caller.issue(t, caller.newService(t), "pedido 1/2", nfse.ScenarioAuthorized)
	testkit.Eventually(t, "its event is delivered", func() bool {
		return database.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 1
	})

	requestID := database.Text(t, `SELECT request_id FROM notes`)
	for _, args := range [][]string{{"--reference", "pedido 1/2"}, {"--request", requestID},
		{"--reference", "pedido 1/2", "--organization", organization.ID}} {
		found := printed[[]lifecycle.FoundNote](t, s, append([]string{"note", "find"}, args...)...)
		if len(found) != 1 || found[0].ID != id || found[0].OrganizationID != organization.ID {
			t.Errorf("%v finds %+v", args, found)
		}
	}
	if none := printed[[]lifecycle.FoundNote](t, s, "note", "find", "--reference", "x"); len(none) != 0 {
		t.Errorf("found is %+v", none)
	}
	misused(t, s, "--reference or --request", "note", "find")

	shown := succeeds(t, s, "note", "show", id)
	for _, part := range []string{
		"competence", string(nfse.DayOf(time.Now())),
		"issued", organization.ID, "pedido 1/2", "accepted (queued)", requestID, "processing", "nfse.issued",
		endpoint.ID, "delivered",
		"http://ui.example.com/namespaces/" + s["TEMPORAL_NAMESPACE"] + "/workflows/" + organization.ID +
			"%2Ftest%2Fpedido%201%2F2",
	} {
		if !strings.Contains(shown, part) {
			t.Errorf("the note is shown without %q:\n%s", part, shown)
		}
	}
	for _, secret := range []string{"52998224725", "529.982", "Maria", "Paulista"} {
		if strings.Contains(shown, secret) {
			t.Errorf("the table shows %s", secret)
		}
	}
	history := printed[struct {
		Note       nfse.Note
		Steps      []lifecycle.Step
		Deliveries []webhooks.Delivery
		WorkflowID string `json:"workflow_id"`
	}](t, s, "note", "show", id)
	if history.Note.ID != id || len(history.Deliveries) != 1 ||
		history.WorkflowID != organization.ID+"/test/pedido 1/2" {
		t.Errorf("a script reads %+v", history)
	}
	for i, step := range history.Steps[1:] {
		if step.At.Before(history.Steps[i].At.Time) {
			t.Errorf("the steps are out of order: %+v", history.Steps)
		}
	}
	fails(t, s, "there is no note", "note", "show", "nfse_x")

	// A reference that no workflow id holds is found like any other, and leads to its run.
	accented := caller.issue(t, caller.newService(t), "Nota nº 1", nfse.ScenarioAuthorized)
	if found := printed[[]lifecycle.FoundNote](t, s, "note", "find", "--reference", "Nota nº 1"); len(found) != 1 ||
		found[0].ID != accented {
		t.Errorf("found is %+v", found)
	}
	testkit.Eventually(t, "it is issued", func() bool {
		return database.Text(t, `SELECT status FROM notes WHERE id = $1`, accented) == "issued"
	})
	run := workflows.NoteID(nfse.Scope{OrganizationID: organization.ID}, "Nota nº 1")
	if shown := succeeds(t, s, "note", "show", accented); !strings.Contains(shown, url.PathEscape(run)) {
		t.Errorf("the note is shown without the link to %s:\n%s", run, shown)
	}
}

// A note whose row in the outbox was lost is put in motion by hand.
func TestNoteCommand_Redrive(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := settingsOf(database)
	api := start(t, s.withoutTemporal(), "api")
	caller := caller{api.api, key}
	id := caller.issue(t, caller.newService(t), "lost", nfse.ScenarioAuthorized)
	database.Exec(t, `DELETE FROM outbox`)
	start(t, s, "worker")
	if redriven := printed[company.RedrivenNotes](t, s, "note", "redrive", id); redriven.Notes != 1 {
		t.Errorf("a script reads %+v", redriven)
	}
	testkit.Eventually(t, "the note is issued", func() bool {
		return database.Text(t, `SELECT status FROM notes`) == "issued"
	})
	fails(t, s, "there is no note", "note", "redrive", "nfse_x")
}

// A program without the keyset serves all the same: what needs it waits.
func TestServe_WorkerWithBadKeyset(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	fails(t, settingsOf(database).with("EMISSOR_KEYSET", "hunter2"), "the keyset is not a Tink keyset", "worker")
	fails(t, settingsOf(database).with("EMISSOR_KEYSET_FILE", "/nowhere"), "read the keyset", "worker")
	program := start(t, settingsOf(database), "worker")
	awaitStatus(t, program.admin+"/readyz", http.StatusOK)
}
