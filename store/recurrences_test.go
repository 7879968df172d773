package store_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"emissor/nfse"
	"emissor/store"
	"emissor/store/batches"
	"emissor/store/postgres"
)

// recurrence is one of the tenancy's, created on a day, of the customer of a note.
func (n tenancy) recurrence(t *testing.T, day int, today, until nfse.Day) string {
	t.Helper()
	id, terms := nfse.NewID(nfse.PrefixRecurrence), n.terms(t, day)
	if until != "" {
		terms.Until = &until
	}
	must(t, n.byPerson().Batches.CreateRecurrence(t.Context(), n.scope, id, n.recurringCustomer(t), terms, today))
	return id
}

func (n tenancy) byPerson() *store.Changes {
	return n.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: "usr_recurring", From: "192.0.2.1", RequestID: "req_x"})
}

func (n tenancy) recurringCustomer(t *testing.T) string {
	t.Helper()
	customer, _, err := n.Store.Catalogues.SyncCustomer(t.Context(), n.scope, "52998224725",
		func(c *nfse.Customer) error { c.Name = "Maria"; return nil })
	must(t, err)
	return customer.ID
}

func (n tenancy) terms(t *testing.T, day int) batches.RecurrenceTerms {
	t.Helper()
	return batches.RecurrenceTerms{ServiceID: n.note("x").ServiceID, AmountCents: 15000, Day: day}
}

// months lists the months of a recurrence, oldest first: month, day, state and reason.
func (n tenancy) months(t *testing.T, id string) string {
	t.Helper()
	return n.Text(t, `SELECT coalesce(string_agg(concat_ws(' ', to_char(month, 'YYYY-MM'), to_char(day, 'DD'), status,
		reason), ', ' ORDER BY month), '') FROM recurring_months WHERE recurrence_id = $1`, id)
}

func (n tenancy) start(t *testing.T, today nfse.Day) {
	t.Helper()
	must(t, third(n.Store.Batches.StartRecurring(t.Context(), today, 10)))
}

// A day that a month does not have is its last one, in leap years too.
func TestRecurring_Days(t *testing.T) {
	n := newTenant(t)
	for _, test := range []struct {
		day         int
		today, next nfse.Day
	}{
		{31, "2027-01-31", "2027-01-31"}, {31, "2027-02-01", "2027-02-28"}, {31, "2028-02-01", "2028-02-29"},
		{30, "2028-02-01", "2028-02-29"}, {29, "2027-02-28", "2027-02-28"}, {28, "2028-02-29", "2028-03-28"},
		{31, "2027-04-30", "2027-04-30"}, {1, "2026-12-02", "2027-01-01"}, {15, "2026-12-15", "2026-12-15"},
		{31, "2100-02-01", "2100-02-28"},
	} {
		one, err := n.Store.Batches.Recurrence(t.Context(), n.scope, n.recurrence(t, test.day, test.today, ""))
		if must(t, err); one.NextDay != test.next {
			t.Errorf("day %d, from %s on: %s, want %s", test.day, test.today, one.NextDay, test.next)
		}
	}
}

// Each month is due once, on its day and not before, until the end.
func TestRecurring_YearOfMonthEnds(t *testing.T) {
	n := newTenant(t)
	id := n.recurrence(t, 31, "2027-12-15", "2028-04-30")
	for day := nfse.Day("2027-12-15"); day < "2028-06-02"; day = day.Before(-1) {
		n.start(t, day)
		n.start(t, day)
	}
	if months := n.months(t, id); months != "2027-12 31 due, 2028-01 31 due, 2028-02 29 due, 2028-03 31 due, "+
		"2028-04 30 due" {
		t.Errorf("the months are %s", months)
	}
	if rows := n.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'recurrence'`); rows != 5 {
		t.Errorf("%d runs are to be started", rows)
	}
	if status := n.Text(t, `SELECT status FROM recurrences`); status != "ended" {
		t.Errorf("it is %s after its end", status)
	}
}

// A system that was away over due days asks about them, and issues only what is due today.
func TestRecurring_SystemAway(t *testing.T) {
	n := newTenant(t)
	id := n.recurrence(t, 10, "2027-01-05", "")
	n.start(t, "2027-03-10")
	if months := n.months(t, id); months != "2027-01 10 missed away, 2027-02 10 missed away, 2027-03 10 due" {
		t.Errorf("the months are %s", months)
	}
	one, err := n.Store.Batches.Recurrence(t.Context(), n.scope, id)
	if must(t, err); one.NextDay != "2027-04-10" || one.Missed != 2 {
		t.Errorf("the next day is %s, %d months are asked about", one.NextDay, one.Missed)
	}
	left, issued := id+"-2027-01", id+"-2027-02"
	must(t, n.byPerson().Batches.LeaveMonth(t.Context(), n.scope, left))
	must(t, n.byPerson().Batches.IssueMonth(t.Context(), n.scope, left, "2027-03-10")) // it was decided
	must(t, n.byPerson().Batches.IssueMonth(t.Context(), n.scope, issued, "2027-03-11"))
	must(t, n.byPerson().Batches.LeaveMonth(t.Context(), n.scope, issued)) // likewise
	if months := n.months(t, id); months != "2027-01 10 left away, 2027-02 11 due, 2027-03 10 due" {
		t.Errorf("the months are %s", months)
	}
	month, err := n.Store.Batches.DueMonth(t.Context(), issued)
	request := month.Issuance()
	if must(t, err); request.Reference != "recorrente-"+id+"-2027-02" || request.Competence != "2027-03-11" {
		t.Errorf("its request is %+v", request)
	}
}

// While it is paused months are missed; resumed on its day it goes on.
func TestRecurring_Paused(t *testing.T) {
	n := newTenant(t)
	id, by := n.recurrence(t, 10, "2027-01-05", ""), n.byPerson()
	must(t, by.Batches.PauseRecurrence(t.Context(), n.scope, id))
	n.start(t, "2027-01-10")
	if months := n.months(t, id); months != "" {
		t.Errorf("on the day itself the months are %s", months)
	}
	n.start(t, "2027-01-11")
	must(t, by.Batches.ResumeRecurrence(t.Context(), n.scope, id, "2027-03-10"))
	n.start(t, "2027-03-10")
	if months := n.months(t, id); months != "2027-01 10 missed paused, 2027-02 10 missed paused, 2027-03 10 due" {
		t.Errorf("the months are %s", months)
	}
}

// A change counts for the next month, is refused over another one, and a day that is over is asked about.
func TestRecurring_Changed(t *testing.T) {
	n := newTenant(t)
	id, by := n.recurrence(t, 20, "2027-01-05", ""), n.byPerson()
	before, err := n.Store.Batches.Recurrence(t.Context(), n.scope, id)
	must(t, err)
	terms := before.RecurrenceTerms
	terms.Day, terms.AmountCents = 3, 20000
	must(t, by.Batches.SetRecurrence(t.Context(), n.scope, id, before.Version(), terms, "2027-01-15"))
	err = by.Batches.SetRecurrence(t.Context(), n.scope, id, before.Version(), terms, "2027-01-15")
	if !errors.Is(err, postgres.ErrChanged) {
		t.Errorf("a change of another version is %v", err)
	}
	if months := n.months(t, id); months != "2027-01 03 missed changed" {
		t.Errorf("the months are %s", months)
	}
	must(t, by.Batches.SkipMonth(t.Context(), n.scope, id, "2027-02"))
	must(t, by.Batches.SkipMonth(t.Context(), n.scope, id, "2027-02")) // of a form that was sent twice
	n.start(t, "2027-02-03")
	n.start(t, "2027-03-03")
	if months := n.months(t, id); months != "2027-01 03 missed changed, 2027-02 03 skipped, 2027-03 03 due" {
		t.Errorf("the months are %s", months)
	}
	if amount := n.Text(t, `SELECT amount_cents::text FROM recurring_months WHERE status = 'due'`); amount != "20000" {
		t.Errorf("the amount is %s", amount)
	}
	after, err := n.Store.Batches.Recurrence(t.Context(), n.scope, id)
	must(t, err)
	terms.Until = new(nfse.Day("2027-03-31"))
	err = by.Batches.SetRecurrence(t.Context(), n.scope, id, after.Version(), terms, "2027-03-04")
	if !errors.Is(err, batches.ErrOver) {
		t.Errorf("an end before the next day is %v", err)
	}
}

// Two processes at once start each month once.
func TestRecurring_TwoProcesses(t *testing.T) {
	n := newTenant(t)
	for range 20 {
		n.recurrence(t, 10, "2027-01-05", "")
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				if _, _, err := n.Store.Batches.StartRecurring(t.Context(), "2027-02-10", 7); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	n.start(t, "2027-02-10")
	n.start(t, "2027-02-10")
	if states := n.Text(t, `SELECT string_agg(status || ' ' || count, ', ' ORDER BY status) FROM (
		SELECT status, count(*) FROM recurring_months GROUP BY status) x`); states != "due 20, missed 20" {
		t.Errorf("the months are %s", states)
	}
	if rows := n.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'recurrence'`); rows != 20 {
		t.Errorf("%d runs are to be started", rows)
	}
}

// A month is started by the terms that were set while its row was waited for.
func TestRecurring_ChangedMeanwhile(t *testing.T) {
	n := newTenant(t)
	id := n.recurrence(t, 10, "2027-01-05", "")
	n.Exec(t, `INSERT INTO row_failures (loop, row_id, failures, retry_after) VALUES ('recurring notes', $1, 1, now())`, id)
	changing := begun(t, n.Database)
	_, err := changing.Exec(`UPDATE recurrences SET amount_cents = 20000 WHERE id = $1`, id)
	must(t, err)
	started := make(chan error, 1)
	go func() { started <- third(n.Store.Batches.StartRecurring(t.Context(), "2027-01-10", 10)) }()
	awaitWaiting(t, n.Database, 1)
	must(t, changing.Commit())
	must(t, <-started)
	if amount := n.Count(t, `SELECT amount_cents FROM recurring_months WHERE status = 'due'`); amount != 20000 {
		t.Errorf("the month is started with %d", amount)
	}
}

// A month whose note was accepted is not missed, though the answer was lost: it has its note.
func TestRecurring_NoteWithoutItsAnswer(t *testing.T) {
	n := newTenant(t)
	id := n.recurrence(t, 10, "2027-01-05", "")
	n.start(t, "2027-01-10")
	month := id + "-2027-01"
	note := n.accept(t, batches.RecurringReference(month))
	must(t, n.Store.Batches.MissMonth(t.Context(), month, batches.MissedAway))
	if found := n.Text(t, `SELECT concat_ws(' ', status, note_id, reason) FROM recurring_months`); found != "issued "+note {
		t.Errorf("the month is %s", found)
	}
}

// A recurrence is of its organization and environment alone.
func TestRecurring_Tenancy(t *testing.T) {
	n := newTenant(t)
	id := n.recurrence(t, 10, "2027-01-05", "")
	n.start(t, "2027-02-10")
	by, month := n.byPerson(), id+"-2027-01"
	for _, other := range []nfse.Scope{
		{OrganizationID: n.scope.OrganizationID, Livemode: !n.scope.Livemode}, {OrganizationID: "org_other"},
	} {
		for what, err := range map[string]error{
			"read":   second(n.Store.Batches.Recurrence(t.Context(), other, id)),
			"pause":  by.Batches.PauseRecurrence(t.Context(), other, id),
			"resume": by.Batches.ResumeRecurrence(t.Context(), other, id, "2027-02-10"),
			"end":    by.Batches.EndRecurrence(t.Context(), other, id),
			"set":    by.Batches.SetRecurrence(t.Context(), other, id, "x", n.terms(t, 1), "2027-02-10"),
			"skip":   by.Batches.SkipMonth(t.Context(), other, id, "2027-03"),
			"issue":  by.Batches.IssueMonth(t.Context(), other, month, "2027-02-10"),
			"leave":  by.Batches.LeaveMonth(t.Context(), other, month),
		} {
			if !nfse.IsCode(err, nfse.CodeNotFound) {
				t.Errorf("%s is %v", what, err)
			}
		}
		if months, err := n.Store.Batches.RecurringMonths(t.Context(), other, id, 10); err != nil || len(months) > 0 {
			t.Errorf("%d months, %v", len(months), err)
		}
		if all, _, err := n.Store.Batches.Recurrences(t.Context(), other, "", postgres.Page{Limit: 10}); err != nil ||
			len(all) > 0 {
			t.Errorf("%d recurrences, %v", len(all), err)
		}
	}
	if months := n.months(t, id); months != "2027-01 10 missed away, 2027-02 10 due" {
		t.Errorf("the months are %s", months)
	}
}

// recurringRows are three recurrences that are due.
func recurringRows(t *testing.T, n tenancy) (ids []string) {
	t.Helper()
	for i := range 3 {
		ids = append(ids, n.recurrence(t, 10+i, "2027-01-05", ""))
	}
	return ids
}

// dueMonths are three months whose runs are lost.
func dueMonths(t *testing.T, n tenancy) []string {
	t.Helper()
	recurringRows(t, n)
	for day := range 3 {
		n.start(t, nfse.Day(fmt.Sprintf("2027-01-%d", 10+day)))
	}
	n.Exec(t, `UPDATE recurring_months SET requeue_after = now()`)
	n.Exec(t, `DELETE FROM outbox`)
	return strings.Fields(n.Text(t, `SELECT string_agg(id, ' ' ORDER BY id) FROM recurring_months`))
}
