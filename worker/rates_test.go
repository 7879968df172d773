package worker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/outbox"
	"emissor/test/long"
	"emissor/test/testkit"
)

// An organization with many deliveries has so many begun in a second, whether its note begins
// them or the outbox: the others wait and say so, nothing is lost, and a neighbour's that comes
// last goes at once. One note with many endpoints has many deliveries at once on any machine.
func TestRates_Deliveries(t *testing.T) {
	long.Only(t, "measures rates of deliveries")
	t.Parallel()
	const rate, deliveries = 2, 40
	s := testkit.NewSystem(t, testkit.Options{Worker: true, DeliveryRate: rate})
	receiver := testkit.NewReceiver(t, nil)
	for range deliveries {
		s.NewEndpoint(t, receiver.URL, false)
	}
	neighbour := *s
	neighbour.Organization, neighbour.TestKey, _ = s.NewOrganization(t, "Vizinha")
	theirs := testkit.NewReceiver(t, nil)
	s.NewEndpointOf(t, nfse.Scope{OrganizationID: neighbour.Organization.ID}, theirs.URL)
	theirService := s.NewService(t, neighbour.TestKey)

	began := s.Text(t, `SELECT clock_timestamp()`)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "one with many deliveries"))
	testkit.Eventually(t, "those that wait say why", func() bool {
		waiting, err := s.Store.Outbox.WaitingStarts(t.Context(), deliveries)
		return err == nil && slices.ContainsFunc(waiting, func(row outbox.WaitingStart) bool {
			return row.Kind == outbox.StartDelivery && row.PausedReason.Is(fact.AboveRate)
		})
	})
	s.Issue(t, neighbour.TestKey, testkit.Issuance(theirService, "one"))
	testkit.Eventually(t, "all are delivered", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == deliveries+1
	})
	if overtaken := s.Count(t, `SELECT count(*) FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
		WHERE d.organization_id = $1 AND a.started_at > (
			SELECT b.started_at FROM delivery_attempts b JOIN deliveries n ON n.id = b.delivery_id
			WHERE n.organization_id = $2)`, s.Organization.ID, neighbour.Organization.ID); overtaken < 2 {
		t.Errorf("the neighbour's came last, and went before %d others", overtaken)
	}
	if calls := len(theirs.Calls()); calls != 1 {
		t.Errorf("%d calls arrived at the neighbour's", calls)
	}
	if calls := len(receiver.Calls()); calls != deliveries {
		t.Errorf("%d calls arrived", calls)
	}
	// A second's may be saved up, and what was begun late and early differ by a little.
	took := s.Count(t, `SELECT extract(epoch FROM max(a.started_at) - $2::timestamptz)::int FROM delivery_attempts a
		JOIN deliveries d ON d.id = a.delivery_id WHERE d.organization_id = $1`, s.Organization.ID, began)
	if least := (deliveries - 3*rate) / rate; took < least {
		t.Errorf("%d deliveries at a rate of %d took %d s, and at least %d s are expected", deliveries, rate, took, least)
	}
	testkit.Eventually(t, "the outbox is empty", func() bool { return s.Count(t, `SELECT count(*) FROM outbox`) == 0 })
}

// The same of e-mails: an organization's do not hold up a neighbour's.
func TestRates_Emails(t *testing.T) {
	long.Only(t, "measures rates of e-mails")
	t.Parallel()
	const rate, emails = 2, 20
	box := testkit.NewMailbox(t)
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: box.Port, From: "notas@emissor.example",
		TLS: mail.NoTLS})
	if err != nil {
		t.Fatal(err)
	}
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Mail: sender, EmailRate: rate})
	s.Worker.Stop() // until all of them wait
	p := &post{Database: s.Database}
	p.newOrganization(t, "Clínica São João")
	long := p.key.OrganizationID
	for i := range emails {
		p.issued(t, fmt.Sprint(i))
	}
	p.newOrganization(t, "Vizinha")
	neighbours := p.issued(t, "one")
	began := s.Text(t, `SELECT clock_timestamp()`)
	s.Worker = s.StartWorker(t)
	testkit.Eventually(t, "all are sent", func() bool {
		return s.Count(t, `SELECT count(*) FROM emails WHERE status = 'sent'`) == emails+1
	})
	if sent := len(box.Received()); sent != emails+1 {
		t.Errorf("%d e-mails arrived", sent)
	}
	if waited := s.Count(t, `SELECT count(*) FROM emails
		WHERE resolved_at > (SELECT resolved_at FROM emails WHERE id = $1)`, neighbours); waited < emails/4 {
		t.Errorf("%d e-mails waited while the neighbour's went", waited)
	}
	took := s.Count(t, `SELECT extract(epoch FROM max(resolved_at) - $2::timestamptz)::int FROM emails
		WHERE organization_id = $1`, long, began)
	if least := (emails - 3*rate) / rate; took < least {
		t.Errorf("%d e-mails at a rate of %d took %d s, and at least %d s are expected", emails, rate, took, least)
	}
	if strings.Count(strings.Join(box.Received(), ""), "Message-ID: <"+neighbours) > 1 {
		t.Error("an e-mail was sent twice")
	}
}
