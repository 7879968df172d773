package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/store/mails"
)

// withDefaults is the tenancy with a key that has these defaults.
func (n tenancy) withDefaults(t *testing.T, defaults nfse.Defaults) tenancy {
	t.Helper()
	key, err := n.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{
		Scope: n.scope, Label: "defaults", Defaults: defaults,
	}, nfse.NewAPIKeyText(n.scope.Livemode))
	must(t, err)
	n.key = key
	return n
}

// emailing is a live organization whose notes are sent to their customers.
func emailing(t *testing.T) tenancy {
	t.Helper()
	return newTenant(t).inLive(t).withDefaults(t, nfse.Defaults{EmailCustomer: true})
}

// issue ends a note as issued. Its customer has the address, unless that is
// empty.
func (n tenancy) issue(t *testing.T, reference, address string) string {
	t.Helper()
	id := n.begin(t, reference)
	if address != "" {
		n.Exec(t, `UPDATE customers SET email = $2 WHERE id = (SELECT customer_id FROM notes WHERE id = $1)`, id,
			address)
	}
	_, err := n.settleIssued(t, n.Store, id)
	must(t, err)
	return id
}

// cancel ends a note as cancelled: by the authority when it was issued.
func (n tenancy) cancel(t *testing.T, id string) {
	t.Helper()
	request := lifecycle.NewCancellation{Key: n.key, RequestID: nfse.NewID(nfse.PrefixRequest), ReasonCode: "1",
		ReasonText: "Erro na emissão"}
	note, _, err := n.Changes().Lifecycle.RequestCancellation(t.Context(), id, request)
	must(t, err)
	settled, err := n.Store.Lifecycle.CancelUnsent(t.Context(), id)
	if note.Status == nfse.StatusIssued {
		settled, err = n.Store.Lifecycle.AcceptCancellation(t.Context(), id, request.RequestID)
	}
	must(t, err)
	if settled.Note.Status != nfse.StatusCancelled || !settled.Changed {
		t.Fatalf("the note is %s", settled.Note.Status)
	}
}

func (n tenancy) emailOf(t *testing.T, noteID string) mails.Email {
	t.Helper()
	found, err := n.Store.Mails.Emails(t.Context(), mails.EmailFilter{NoteID: noteID, Limit: 10})
	must(t, err)
	if len(found) != 1 {
		t.Fatalf("the note has %d e-mails", len(found))
	}
	return found[0]
}

// waiting are the ids of the e-mails in the outbox.
func (n tenancy) waiting(t *testing.T) (ids []string) {
	t.Helper()
	starts, err := n.Store.Outbox.ClaimStarts(t.Context(), nil, []string{"email"}, 100, time.Second)
	must(t, err)
	for _, start := range starts {
		if start.Reference != "" || start.Scope != n.scope {
			t.Errorf("the row is %+v", start)
		}
		ids = append(ids, start.SubjectID)
	}
	n.Exec(t, `DELETE FROM outbox WHERE kind = 'email'`)
	return ids
}

func TestEmail_KeyDefault(t *testing.T) {
	live := emailing(t)
	id := live.issue(t, "asked for", "maria@example.com")
	email := live.emailOf(t, id)
	if email.Status != mails.EmailPending || email.OrganizationID != live.scope.OrganizationID ||
		!nfse.IsID(nfse.PrefixEmail, email.ID) ||
		email.Attempts != 0 || !email.Reason.None() || !email.LastProblem.None() || email.ResolvedAt != nil {
		t.Errorf("the e-mail is %+v", email)
	}
	if waiting := live.waiting(t); len(waiting) != 1 || waiting[0] != email.ID {
		t.Errorf("the outbox has %v", waiting)
	}
	_, err := live.settleIssued(t, live.Store, id)
	must(t, err)
	if again := live.emailOf(t, id); !reflect.DeepEqual(again, email) || len(live.waiting(t)) != 0 {
		t.Errorf("repeated, it is %+v", again)
	}

	silent := live.withDefaults(t, nfse.Defaults{RegisterLedger: true})
	silent.issue(t, "not asked for", "maria@example.com")
	if emails := live.Count(t, `SELECT count(*) FROM emails`); emails != 1 {
		t.Errorf("%d e-mails", emails)
	}
}

// A customer who cannot be reached is seen by the operator.
func TestEmail_WithoutAddress(t *testing.T) {
	live := emailing(t)
	id := live.issue(t, "no address", "")
	email := live.emailOf(t, id)
	if email.Status != mails.EmailSkipped || email.ResolvedAt == nil ||
		!email.Reason.Is(fact.EmailWithoutAddress) {
		t.Errorf("the e-mail is %+v", email)
	}
	if waiting := live.waiting(t); len(waiting) != 0 {
		t.Errorf("the outbox has %v", waiting)
	}
	// The address came later.
	live.Exec(t, `UPDATE customers SET email = 'maria@example.com'`)
	must(t, live.Changes().Mails.RetryEmail(t.Context(), email.ID))
	if email := live.emailOf(t, id); email.Status != mails.EmailPending || !email.Reason.None() ||
		email.ResolvedAt != nil {
		t.Errorf("the e-mail is %+v", email)
	}
	if waiting := live.waiting(t); len(waiting) != 1 {
		t.Errorf("the outbox has %v", waiting)
	}
}

// Only what became issued is told of.
func TestEmail_NotIssued(t *testing.T) {
	live := emailing(t).withDefaults(t, nfse.Defaults{EmailCustomer: true, RegisterLedger: true})
	rejected := live.begin(t, "rejected")
	_, err := live.settleRejected(t, rejected)
	must(t, err)
	live.begin(t, "processing")
	live.cancel(t, live.begin(t, "cancelled"))
	if rows := live.Count(t, `SELECT (SELECT count(*) FROM emails) + (SELECT count(*)
		FROM ledger_entries)`); rows != 0 {
		t.Errorf("%d rows", rows)
	}
}

// The contract: in test no e-mail is sent and no ledger entry is made, regardless of the key's defaults and of what
// becomes of the note.
func TestLedger_NoneInTest(t *testing.T) {
	test := newTenant(t).withDefaults(t, nfse.Defaults{EmailCustomer: true, RegisterLedger: true})
	id := test.issue(t, "test", "maria@example.com")
	test.cancel(t, id)
	test.cancel(t, test.begin(t, "unsent"))
	if rows := test.Count(t, `SELECT (SELECT count(*) FROM emails) + (SELECT count(*) FROM ledger_entries)
		+ (SELECT count(*) FROM outbox WHERE kind = 'email')`); rows != 0 {
		t.Errorf("%d rows", rows)
	}
	for table, columns := range map[string]string{
		"emails":         "(id, organization_id, livemode, note_id)",
		"ledger_entries": "(id, organization_id, livemode, note_id, kind, amount_cents)",
	} {
		values := map[string]string{"emails": "", "ledger_entries": ", 'issued', 1"}[table]
		_, err := test.SQL.Exec(`INSERT INTO `+table+` `+columns+` SELECT '0', organization_id, livemode, id`+values+`
			FROM notes WHERE id = $1`, id)
		if err == nil || !strings.Contains(err.Error(), "check constraint") {
			t.Errorf("%s took a row of the test environment: %v", table, err)
		}
	}
}

func TestDelivery_ToSend(t *testing.T) {
	live := emailing(t)
	id := live.issue(t, "whole", "maria@example.com")
	email := live.emailOf(t, id)
	read := func() mails.EmailToSend {
		t.Helper()
		found, err := live.Store.Mails.EmailToSend(t.Context(), email.ID)
		must(t, err)
		return found
	}
	found := read()
	if found.ID != email.ID || found.Status != mails.EmailPending || !found.Unwanted.None() ||
		found.Address != "maria@example.com" ||
		found.CustomerName != "Maria da Silva" || found.OrganizationName != "Clínica Exemplo" ||
		found.AmountCents != 15000 ||
		len(found.Note.XML) == 0 || found.Note.Status != nfse.StatusIssued || len(found.Note.Events) > 0 ||
		found.Restricted || found.CreatedAt != email.CreatedAt ||
		found.Number != live.Text(t, `SELECT authority_number FROM notes WHERE id = $1`, id) ||
		found.AccessKey != live.Text(t, `SELECT coalesce(access_key, '') FROM notes WHERE id = $1`, id) {
		t.Errorf("what is sent is %+v", found)
	}
	// The customer's present address, and the note's own name.
	live.Exec(t, `UPDATE customers SET email = 'new@example.com', name = 'Outra'`)
	if found := read(); found.Address != "new@example.com" || found.CustomerName != "Maria da Silva" {
		t.Errorf("it goes to %s (%s)", found.Address, found.CustomerName)
	}
	live.Exec(t, `UPDATE customers SET email = NULL`)
	if found := read(); !found.Unwanted.Is(fact.EmailWithoutAddress) {
		t.Errorf("it is unwanted because %s", found.Unwanted)
	}
	// Cancelled meanwhile, it goes out and says so.
	live.Exec(t, `UPDATE customers SET email = 'new@example.com'`)
	live.cancel(t, id)
	if found := read(); !found.Unwanted.None() || found.Note.Status != nfse.StatusCancelled {
		t.Errorf("of the cancelled note: %s, %s", found.Unwanted, found.Note.Status)
	}
	if _, err := live.Store.Mails.EmailToSend(t.Context(), "eml_unknown"); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("%v", err)
	}
}

// A note of the authority's own test system is known as such.
func TestEmail_RestrictedNote(t *testing.T) {
	live := emailing(t)
	for _, production := range []bool{true, false} {
		id := live.issue(t, fmt.Sprint("production ", production), "maria@example.com")
		live.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, authority, production, tax_id, municipality_code,
			series, number, profile,
				state, access_key, xml, issued_at)
			VALUES ($1, 'issue', 'national', $2, '12345678000195', '3550308', 1, 1, '{}', 'accepted', 'x', '\x00',
			now())`, id, production)
		found, err := live.Store.Mails.EmailToSend(t.Context(), live.emailOf(t, id).ID)
		must(t, err)
		if found.Restricted == production {
			t.Errorf("in production %t: restricted %t", production, found.Restricted)
		}
	}
}

func TestEmail_Life(t *testing.T) {
	live := emailing(t)
	id := live.issue(t, "life", "maria@example.com")
	email := live.emailOf(t, id).ID
	live.waiting(t)
	minutes := func() int {
		t.Helper()
		return live.Count(t, `SELECT round(extract(epoch FROM requeue_after - now()) / 60)::int FROM emails`)
	}

	must(t, live.Store.Mails.DelayEmail(t.Context(), email, fact.EmailWithoutServer.Fact(), time.Hour))
	if e := live.emailOf(t, id); e.Status != mails.EmailPending || e.Attempts != 0 ||
		!e.LastProblem.Is(fact.EmailWithoutServer) || minutes() != 70 {
		t.Errorf("delayed, it is %+v", e)
	}
	later, no, givenUp := fact.InWords("450 later"), fact.InWords("550 no"), fact.InWords("given up")
	must(t, live.Store.Mails.RecordEmailProblem(t.Context(), email, later, time.Minute))
	if e := live.emailOf(t, id); e.Status != mails.EmailPending || e.Attempts != 1 || !e.LastProblem.Equal(later) ||
		minutes() != 11 {
		t.Errorf("after a problem, it is %+v", e)
	}
	must(t, live.Store.Mails.FailEmail(t.Context(), email, no, givenUp))
	failed := live.emailOf(t, id)
	if failed.Status != mails.EmailFailed || failed.Attempts != 2 || !failed.LastProblem.Equal(no) ||
		!failed.Reason.Equal(givenUp) || failed.ResolvedAt == nil {
		t.Errorf("given up, it is %+v", failed)
	}
	// What comes late changes nothing.
	late := fact.InWords("late")
	must(t, live.Store.Mails.RecordEmailProblem(t.Context(), email, late, time.Minute))
	must(t, live.Store.Mails.SkipEmail(t.Context(), email, late))
	must(t, live.Store.Mails.FailEmail(t.Context(), email, late, late))
	if e := live.emailOf(t, id); !reflect.DeepEqual(e, failed) {
		t.Errorf("it became %+v", e)
	}

	must(t, live.Changes().Mails.RetryEmail(t.Context(), email))
	if e := live.emailOf(t, id); e.Status != mails.EmailPending || e.Attempts != 0 || !e.Reason.None() ||
		e.ResolvedAt != nil {
		t.Errorf("retried, it is %+v", e)
	}
	if restart := live.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'email' AND subject_id = $1 AND restart
		AND reference IS NULL`, email); restart != 1 {
		t.Error("no run replaces the old one")
	}
	if steps := live.Count(t, `SELECT count(*) FROM note_steps WHERE note_id = $1
		AND fact ->> 'code' = 'email_sent_again'`, id); steps != 1 {
		t.Errorf("%d steps tell of it", steps)
	}
	must(t, live.Store.Mails.RecordEmailSent(t.Context(), email))
	sent := live.emailOf(t, id)
	if sent.Status != mails.EmailSent || sent.Attempts != 1 || !sent.LastProblem.None() || sent.ResolvedAt == nil {
		t.Errorf("sent, it is %+v", sent)
	}
	var refusal *nfse.Error
	if err := live.Changes().Mails.RetryEmail(t.Context(), email); !errors.As(err, &refusal) ||
		!strings.Contains(refusal.Message, "was sent at") {
		t.Errorf("a sent one is sent again: %v", err)
	}
	if err := live.Changes().Mails.RetryEmail(t.Context(), "eml_unknown"); !errors.As(err, &refusal) ||
		!strings.Contains(refusal.Message, "there is no e-mail") {
		t.Errorf("an unknown one is sent again: %v", err)
	}
}

// What was sent was sent, also when the row had been given up or skipped while
// the mail server took it.
func TestEmail_SentIsSent(t *testing.T) {
	live := emailing(t)
	id := live.issue(t, "late", "maria@example.com")
	must(t, live.Store.Mails.SkipEmail(t.Context(), live.emailOf(t, id).ID, fact.EmailWithoutDocument.Fact()))
	must(t, live.Store.Mails.RecordEmailSent(t.Context(), live.emailOf(t, id).ID))
	if e := live.emailOf(t, id); e.Status != mails.EmailSent || !e.Reason.None() {
		t.Errorf("it is %+v", e)
	}
}

func TestEmail_ListedByStatus(t *testing.T) {
	live := emailing(t)
	var ids []string
	for _, reference := range []string{"a", "b", "c"} {
		ids = append(ids, live.emailOf(t, live.issue(t, reference, "maria@example.com")).ID)
	}
	must(t, live.Store.Mails.FailEmail(t.Context(), ids[0], fact.InWords("550 no"), fact.InWords("given up")))
	for status, expected := range map[mails.EmailStatus][]string{
		"": {ids[2], ids[1], ids[0]}, mails.EmailFailed: {ids[0]}, mails.EmailPending: {ids[2], ids[1]},
		mails.EmailSent: {},
	} {
		found, err := live.Store.Mails.Emails(t.Context(), mails.EmailFilter{Status: status, Limit: 10})
		must(t, err)
		listed := []string{}
		for _, e := range found {
			listed = append(listed, e.ID)
		}
		if fmt.Sprint(listed) != fmt.Sprint(expected) {
			t.Errorf("%q lists %v, expected %v", status, listed, expected)
		}
	}
	if found, err := live.Store.Mails.Emails(t.Context(), mails.EmailFilter{Limit: 2}); err != nil || len(found) != 2 {
		t.Errorf("%d rows, %v", len(found), err)
	}
}

func TestRequeue_Emails(t *testing.T) {
	live := emailing(t)
	var ids []string
	for _, reference := range []string{"lost", "waiting", "sent", "fresh"} {
		ids = append(ids, live.emailOf(t, live.issue(t, reference, "maria@example.com")).ID)
	}
	must(t, live.Store.Mails.RecordEmailSent(t.Context(), ids[2]))
	live.Exec(t, `DELETE FROM outbox WHERE kind = 'email' AND subject_id <> $1`, ids[1])
	live.Exec(t, `UPDATE emails SET requeue_after = now() - interval '1 second' WHERE id <> $1`, ids[3])
	looked, requeued, err := live.Store.Outbox.RequeueEmails(t.Context(), 10)
	if err != nil || looked != 2 || requeued != 1 {
		t.Errorf("looked at %d, requeued %d, %v", looked, requeued, err)
	}
	if pause := live.Count(t, `SELECT round(extract(epoch FROM requeue_after - now()) / 60)::int FROM emails
		WHERE id = $1`, ids[0]); pause != 20 {
		t.Errorf("it is left alone for %d minutes", pause)
	}
	if looked, _, err := live.Store.Outbox.RequeueEmails(t.Context(), 10); err != nil || looked != 0 {
		t.Errorf("the second round looks at %d, %v", looked, err)
	}
	live.Exec(t, `UPDATE emails SET requeue_after = now() - interval '1 second'`)
	if looked, _, err := live.Store.Outbox.RequeueEmails(t.Context(), 1); err != nil || looked != 1 {
		t.Errorf("a batch of one looks at %d, %v", looked, err)
	}
	if waiting := live.waiting(t); len(waiting) < 2 {
		t.Errorf("the outbox has %v", waiting)
	}
}

// A copy goes to its own address, regardless of the customer's, beside the e-mail of the issue.
func TestEmailNote(t *testing.T) {
	tenant := newTenant(t)
	live := tenant.inLive(t).withDefaults(t, nfse.Defaults{EmailCustomer: true})
	note := live.issue(t, "order", "")
	by := live.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: nfse.NewID(nfse.PrefixUser), From: "192.0.2.1"})
	first, err := by.Mails.EmailNote(t.Context(), live.scope, mails.SentAgainTo{NoteID: note, Address: "a@example.com"})
	must(t, err)
	must(t, second(by.Mails.EmailNote(t.Context(), live.scope, mails.SentAgainTo{NoteID: note,
		Address: "b@example.com"})))
	email, err := live.Store.Mails.EmailToSend(t.Context(), first)
	if must(t, err); email.Address != "a@example.com" || !email.Unwanted.None() || email.Status != mails.EmailPending {
		t.Errorf("it is %+v", email)
	}
	must(t, live.Store.Mails.RecordEmailSent(t.Context(), first))
	emails, err := live.Store.Mails.Emails(t.Context(), mails.EmailFilter{NoteID: note, Limit: 10})
	if must(t, err); len(emails) != 3 {
		t.Errorf("there are %d e-mails", len(emails))
	}
	history, err := live.Store.Lifecycle.NoteHistory(t.Context(), note)
	must(t, err)
	var sent int
	for _, step := range history.Steps {
		if step.Fact.Code == fact.EmailSent {
			sent++
		}
	}
	if sent != 1 {
		t.Errorf("%d were sent", sent)
	}
	for _, scope := range []nfse.Scope{
		{OrganizationID: live.scope.OrganizationID}, {OrganizationID: "org_x", Livemode: true},
	} {
		_, err := by.Mails.EmailNote(t.Context(), scope, mails.SentAgainTo{NoteID: note, Address: "c@example.com"})
		if !nfse.IsCode(err, nfse.CodeNoteNotFound) {
			t.Errorf("of %+v: %v", scope, err)
		}
	}
}
