package activities_test

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"emissor/activities"
	"emissor/internal/metrics"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/batches"
	"emissor/test/testkit"
)

// What was not accepted on its day in Brasília is asked about, never issued later by itself; what was
// accepted before midnight and not recorded is recorded after it.
func TestRecurring_Midnight(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{})
	service := s.NewService(t, s.TestKey)
	customer := s.Call(t, http.MethodPost, "/v1/customers", s.TestKey, testkit.Body{"document": "11144477735",
		"name": "Ana Souza", "municipality_code": "3550308", "address": testkit.Body{"zip_code": "01310100",
			"street": "Avenida Paulista", "number": "1", "district": "Bela Vista"}}).Text("id")
	scope := nfse.Scope{OrganizationID: s.Organization.ID}
	day := nfse.DayOf(time.Now())
	by := s.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: "usr_x", From: "192.0.2.1", RequestID: "req_x"})
	terms := batches.RecurrenceTerms{ServiceID: service, AmountCents: 100, Day: day.Begin().Day()}
	accepted, late := nfse.NewID(nfse.PrefixRecurrence), nfse.NewID(nfse.PrefixRecurrence)
	worker := testkit.OpenStore(t, s.As(testkit.Roles.Worker))
	for _, id := range []string{accepted, late} {
		if err := by.Batches.CreateRecurrence(t.Context(), scope, id, customer, terms, day); err != nil {
			t.Fatal(err)
		}
	}
	clock := day.Begin().Add(-time.Millisecond)
	maintenance := &activities.Maintenance{Store: worker, Metrics: metrics.New(), Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return clock }}
	recurring := &activities.Recurring{Store: worker, Catalogue: catalogue.New(worker, s.Resolver),
		Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return clock }}
	start := func(want int) {
		t.Helper()
		batch, err := maintenance.StartRecurring(t.Context(), 10)
		if err != nil || batch.Done != want {
			t.Fatalf("%d months are started, %v", batch.Done, err)
		}
	}
	start(0) // a millisecond before midnight
	clock = day.Begin()
	start(2)
	accept := func(id string) {
		t.Helper()
		if err := recurring.AcceptRecurring(t.Context(), id+"-"+string(day)[:7]); err != nil {
			t.Fatal(err)
		}
	}
	accept(accepted)
	s.Exec(t, `UPDATE recurring_months SET status = 'due', note_id = NULL WHERE recurrence_id = $1`, accepted)
	clock = day.Before(-1).Begin()
	accept(accepted)
	accept(late)
	accept(late)
	if months := s.Text(t, `SELECT string_agg(concat_ws(' ', status, reason), ', ' ORDER BY status) FROM recurring_months`); months != "issued, missed away" {
		t.Errorf("the months are %s", months)
	}
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 1 {
		t.Errorf("there are %d notes", notes)
	}
}
