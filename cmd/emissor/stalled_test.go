package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/test/testkit"
)

// A process says that nothing moves, and stays ready: it accepts, and to start it again
// would correct nothing.
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
	var said string
	testkit.Eventually(t, "it says that nothing moves", func() (says bool) {
		said, says = strings.CutPrefix(awaitStatus(t, p.admin+"/readyz", http.StatusOK),
			"ready\nnothing moves: the oldest row that is due in the outbox has waited for ")
		return says
	})
	said, _, _ = strings.Cut(said, ";")
	waited, err := time.ParseDuration(said)
	must(t, err)
	longest := database.Count(t, `SELECT ceil(extract(epoch FROM clock_timestamp() - created_at))::int FROM outbox`)
	if waited < 75*time.Second || waited > time.Duration(longest)*time.Second {
		t.Errorf("it has waited for %s", waited)
	}
	database.Exec(t, `UPDATE outbox SET failures = 1, failure = 'refused'`)
	if body := awaitStatus(t, p.admin+"/readyz", http.StatusOK); body != "ready\n" {
		t.Errorf("a row that fails by itself makes it say %q", body)
	}
}
