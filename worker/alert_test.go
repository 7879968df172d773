package worker_test

import (
	"strings"
	"testing"

	"emissor/nfse/fact"
	"emissor/store/mails"
	"emissor/test/testkit"
)

// held raises the alert of a held note for two members, and returns their e-mails.
func (p *post) held(t *testing.T) (good, bad string) {
	t.Helper()
	for id, email := range map[string]string{"usr_good": "dona@example.com", "usr_bad": "no address"} {
		p.Exec(t, `INSERT INTO users (id, email, created_at) VALUES ($1, $2, '2026-01-01')`, id, email)
		p.Exec(t, `INSERT INTO memberships (organization_id, user_id, role, created_at)
			VALUES ($1, $2, 'owner', '2026-01-01')`, p.key.OrganizationID, id)
	}
	p.issued(t, "parada")
	p.Exec(t, `UPDATE notes SET held_reason = $1, held_since = now()`, fact.NoFiscalProfile.Fact())
	for range 2 {
		if err := p.Store.Operate.Alert(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		p.Exec(t, `UPDATE alerts SET due_at = now()`)
	}
	return p.Text(t, `SELECT id FROM alert_mails WHERE user_id = 'usr_good'`),
		p.Text(t, `SELECT id FROM alert_mails WHERE user_id = 'usr_bad'`)
}

// An alert reaches who is to be told, in both languages and with links; a bad address is given up, and
// an attempt that fails on our side waits, and neither stops the others.
func TestAlert_Sent(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	p.emails.DashboardURL = "https://painel.example.com"
	good, bad := p.held(t)
	p.run(t, bad)
	p.run(t, good)
	status := func(id string) string { return p.Text(t, `SELECT status FROM alert_mails WHERE id = $1`, id) }
	testkit.Eventually(t, "the alert is sent", func() bool { return status(good) == "sent" })
	testkit.Eventually(t, "the bad address is given up", func() bool { return status(bad) == "failed" })
	messages := p.box.Received()
	if len(messages) != 1 {
		t.Fatalf("%d were sent", len(messages))
	}
	plain := strings.ReplaceAll(strings.ReplaceAll(messages[0], "=\r\n", ""), "=3D", "=")
	for _, part := range []string{"dona@example.com", "Notas aguardando uma pessoa: 1", "Invoices waiting for a person: 1",
		"https://painel.example.com/notes/nfse_", "https://painel.example.com/alerts?env=live", "parada",
		fact.NoFiscalProfile.Fact().English()} {
		if !strings.Contains(plain, part) {
			t.Errorf("%q is not in\n%s", part, plain)
		}
	}
	p.run(t, good) // again: it was sent
	if len(p.box.Received()) != 1 {
		t.Error("it was sent twice")
	}
}

// An e-mail with alerts that always fails on our side stops no other, and is sent once it is mended.
func TestAlert_Poison(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	good, bad := p.held(t)
	p.Exec(t, `UPDATE users SET email = 'outra@example.com' WHERE id = 'usr_bad'`)
	p.poison.Add(bad, testkit.Panics)
	p.run(t, bad)
	p.run(t, good)
	sent := func(id string) bool {
		return p.Text(t, `SELECT status FROM alert_mails WHERE id = $1`, id) == string(mails.EmailSent)
	}
	testkit.Eventually(t, "the neighbour is sent", func() bool { return sent(good) && p.poison.Met(bad, "") > 0 })
	p.poison.AutoFix(bad)
	testkit.Eventually(t, "the mended one is sent", func() bool { return sent(bad) })
}

// Who has left the company between raising and sending gets nothing, and the others do.
func TestAlert_Left(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	stays, left := p.held(t)
	p.Exec(t, `UPDATE users SET email = 'saiu@example.com' WHERE id = 'usr_bad'`)
	if err := p.Changes().Access.RemoveMember(t.Context(), p.key.OrganizationID, "usr_bad"); err != nil {
		t.Fatal(err)
	}
	p.run(t, left)
	p.run(t, stays)
	ended := func(id, status string) func() bool {
		return func() bool { return p.Text(t, `SELECT status FROM alert_mails WHERE id = $1`, id) == status }
	}
	testkit.Eventually(t, "who has left is not told", ended(left, "failed"))
	testkit.Eventually(t, "who stays is told", ended(stays, "sent"))
	if messages := p.box.Received(); len(messages) != 1 || strings.Contains(messages[0], "saiu@example.com") {
		t.Errorf("sent are %d: %s", len(messages), messages)
	}
	if problem := p.Text(t, `SELECT last_problem ->> 'code' FROM alert_mails WHERE id = $1`, left); problem !=
		string(fact.AlertsUnwanted) {
		t.Errorf("it ended for %s", problem)
	}
}
