package dashboard_test

import (
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// operatorJobs are of who keeps the installation running.
var operatorJobs = []job{
	{"see what is wrong now", nfse.RoleOperator, 0, func(t *testing.T, c *clicker) {
		c.standsStill(t)
		c.open(t, "/operations")
		c.do(t, waitFor(`#wrong + ul a[href="#held"]`))
	}},
	{"put a stuck note right", nfse.RoleOperator, 2, func(t *testing.T, c *clicker) {
		note := c.standsStill(t)
		c.open(t, "/operations")
		c.press(t, `form[action*="`+note+`/redrive"] button`)
		c.press(t, `main form button.danger`)
		if c.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'note.redrive' AND subject_id = $1`, note) == 0 {
			t.Error("the note is not tried again")
		}
	}},
	{"see who did what", nfse.RoleOperator, 1, func(t *testing.T, c *clicker) {
		c.press(t, `header.page a[href="/audit?of=all"]`)
		c.do(t, waitFor(`.audit, main table`))
	}},
	{"see which certificates expire", nfse.RoleOperator, 0, func(t *testing.T, c *clicker) {
		c.Exec(t, `UPDATE certificates SET not_after = now() + interval '5 days'`)
		c.open(t, "/operations")
		c.do(t, waitFor(`section[aria-labelledby="certificates"] tbody tr`))
	}},
	{"send the failed e-mails of a company again", nfse.RoleOperator, 1, func(t *testing.T, c *clicker) {
		note := c.liveNote(t, "sem-carta")
		c.Exec(t, `UPDATE notes SET status = 'issued', processing_at = now(), issued_at = now(),
			authority_issued_at = now() WHERE id = $1`, note)
		c.email(t, note, "failed", fact.InWords("caixa cheia"))
		c.open(t, "/operations")
		c.press(t, `section[aria-labelledby="emails"] form button`)
		if c.Count(t, `SELECT count(*) FROM emails WHERE status = 'failed'`) != 0 {
			t.Error("an e-mail still stands as failed")
		}
	}},
	{"create a company", nfse.RoleOperator, 2, func(t *testing.T, c *clicker) {
		c.tap(t, `header.page a[href="#companies"]`)
		c.do(t, typed(`form[action="/operations/companies"] [name=name]`, "Padaria Sol"))
		c.press(t, `form[action="/operations/companies"] button`)
		if c.Count(t, `SELECT count(*) FROM organizations WHERE name = 'Padaria Sol'`) != 1 {
			t.Error("the company is not on record")
		}
	}},
}

// liveNote is a live note that a key has asked for.
func (c *clicker) liveNote(t *testing.T, reference string) string {
	t.Helper()
	return c.noteOf(t, c.LiveKey, reference+"-"+strings.ToLower(nfse.NewID(nfse.PrefixRequest)))
}

// standsStill is a live note that waits for a person.
func (c *clicker) standsStill(t *testing.T) string {
	t.Helper()
	note := c.liveNote(t, "parada")
	c.Exec(t, `UPDATE notes SET status = 'processing', processing_at = now(), held_reason = $2, held_since = now()
		WHERE id = $1`, note, fact.NoFiscalProfile.Fact())
	return note
}
