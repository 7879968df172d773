package worker_test

import (
	"fmt"
	"testing"

	"emissor/nfse/fact"
	"emissor/store/mails"
	"emissor/test/testkit"
)

// An e-mail whose attempts always fail on our side, panic or hang is recorded as such and
// waits; those before and after it are sent, of the same organization. AutoFixed, it is too.
func TestEmail_Poison(t *testing.T) {
	t.Parallel()
	for _, harm := range testkit.Harms {
		t.Run(string(harm), func(t *testing.T) {
			t.Parallel()
			p := newPost(t, true)
			var ids []string
			for i := range 3 {
				ids = append(ids, p.issued(t, fmt.Sprint("order-", i)))
			}
			p.poison.Add(ids[1], harm)
			for _, id := range ids {
				p.run(t, id)
			}
			sent := func(id string) bool { return p.email(t, id).Status == mails.EmailSent }
			testkit.Eventually(t, "the poison row is tried", func() bool { return p.poison.Met(ids[1], "") > 0 })
			for _, neighbour := range []string{ids[0], ids[2]} {
				testkit.Eventually(t, "its neighbour is sent", func() bool { return sent(neighbour) })
			}
			if harm != testkit.Hangs { // which is recorded when its time is over
				testkit.Eventually(t, "the failure is recorded, and it is tried again", func() bool {
					return p.email(t, ids[1]).LastProblem.Is(fact.FailedHere) &&
						p.poison.Met(ids[1], "") > 2
				})
			}
			if email := p.email(t, ids[1]); email.Status != mails.EmailPending || email.Attempts != 0 {
				t.Errorf("the poison row is %+v", email)
			}
			p.poison.AutoFix(ids[1])
			testkit.Eventually(t, "the mended row is sent", func() bool { return sent(ids[1]) })
		})
	}
}

// A mail server that hangs over the e-mails of one organization has, however many they
// are, a connection left for those of others.
func TestEmail_PoisonOrganization(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	release := p.box.Hang("maria@example.com")
	var ids []string
	for i := range 12 {
		ids = append(ids, p.issued(t, fmt.Sprint("order-", i)))
	}
	p.newOrganization(t, "Outra Clínica")
	neighbour := p.issued(t, "neighbour")
	p.Exec(t, `UPDATE customers SET email = 'joana@example.com' WHERE organization_id = $1`, p.key.OrganizationID)
	for _, id := range ids { // what hangs does so for no longer than the mail's client waits
		p.run(t, id)
	}
	testkit.Eventually(t, "as many as may hang", func() bool { return p.box.Hanging() == emailSlots })
	p.run(t, neighbour)
	testkit.Eventually(t, "its neighbour is sent", func() bool {
		return p.email(t, neighbour).Status == mails.EmailSent
	})
	// A session goes on hanging when the mail's client has given it up, which is on record, and another one begins.
	testkit.Eventually(t, "no more hang than may", func() bool {
		return p.box.Hanging() <= emailSlots+p.Count(t, `SELECT count(*) FROM emails WHERE last_problem IS NOT NULL`)
	})
	release()
	testkit.Eventually(t, "those that hung are sent", func() bool { return len(p.box.Received()) > emailSlots })
}
