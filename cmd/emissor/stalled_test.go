package main

import (
	"net/http"
	"strings"
	"testing"

	"emissor/test/testkit"
)

// A process says that nothing moves, and stays ready: it accepts, and to start it again
// would mend nothing.
func TestReady_NothingMoves(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	p := start(t, settingsOf(database).withoutTemporal(), "api")
	if body := awaitStatus(t, p.admin+"/readyz", http.StatusOK); body != "ready\n" {
		t.Errorf("an empty outbox makes it say %q", body)
	}
	database.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference, created_at)
		VALUES ('note', 'nfse_1', $1, false, 'é', now() - interval '75 seconds')`, organization.ID)
	body := awaitStatus(t, p.admin+"/readyz", http.StatusOK)
	if !strings.HasPrefix(body, "ready\nnothing moves: the oldest row that is due in the outbox has waited for 1m15s") {
		t.Errorf("it says %q", body)
	}
	database.Exec(t, `UPDATE outbox SET failures = 1, failure = 'refused'`)
	if body := awaitStatus(t, p.admin+"/readyz", http.StatusOK); body != "ready\n" {
		t.Errorf("a row that fails by itself makes it say %q", body)
	}
}
