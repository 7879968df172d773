package listening_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"emissor/internal/listening"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/store"
	"emissor/test/testkit"
)

// A command listens: it takes each event of a test note once, what it tells is on record, and a delivery that a person
// sends again comes again. With the command its endpoint ends.
func TestListen(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	p := newProcess(t, s)
	begun := p.listen(t, s.TestKey, nfse.EventIssued)
	if begun.Secret != webhook.SecretOfKey(s.TestKey) || p.listen(t, s.TestKey).Secret != begun.Secret {
		t.Errorf("the secret is %q, and another one the next time", begun.Secret)
	}

	// It waits before there is anything, and is told at once.
	waited := make(chan []listening.Delivery, 1)
	go func() { waited <- p.poll(t, s.TestKey, begun.ID) }()
	note := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "pedido-é-1"))
	got := <-waited
	if len(got) != 1 || got[0].NoteID != note || got[0].EventType != nfse.EventIssued {
		t.Fatalf("it got %+v", got)
	}
	var event struct{ ID, Type string }
	must(t, json.Unmarshal([]byte(got[0].Body), &event))
	if event.ID != got[0].EventID || event.Type != "nfse.issued" {
		t.Errorf("the body is %s", got[0].Body)
	}

	// What it was given and has not answered comes again, after a cut or not.
	if again := p.poll(t, s.TestKey, begun.ID); len(again) != 1 || again[0] != got[0] {
		t.Errorf("without an answer it got %+v", again)
	}
	p.took(t, s.TestKey, begun.ID, got[0], http.StatusInternalServerError)
	p.took(t, s.TestKey, begun.ID, got[0], http.StatusOK) // too late: it made its one attempt
	delivery, attempts, err := s.Store.Delivery(t.Context(), got[0].ID)
	must(t, err)
	if delivery.Status != store.DeliveryFailed || len(attempts) != 1 || *attempts[0].Status != 500 ||
		attempts[0].Answer != "oi" || delivery.URL != "http://localhost:3000/hook" {
		t.Errorf("on record is %+v with %+v", delivery, attempts)
	}

	// A person sends it again: to the command, not by a worker.
	retried, err := s.Changes().RetryDeliveries(t.Context(), store.DeliveryFilter{ID: got[0].ID, Limit: 1})
	must(t, err)
	if again := p.poll(t, s.TestKey, begun.ID); len(retried) != 1 || len(again) != 1 || again[0] != got[0] {
		t.Fatalf("sent again are %q, and it got %+v", retried, again)
	}
	if s.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'delivery'`) != 0 {
		t.Error("a worker is to send it")
	}
	p.took(t, s.TestKey, begun.ID, got[0], http.StatusNoContent)
	delivery, attempts, err = s.Store.Delivery(t.Context(), got[0].ID)
	must(t, err)
	if delivery.Status != store.DeliveryDelivered || len(attempts) != 2 {
		t.Errorf("on record is %+v with %+v", delivery, attempts)
	}

	// It did not ask for rejections. The end skips what waits.
	rejected := testkit.Issuance(s.NewService(t, s.TestKey), "recusada")
	rejected["sandbox_scenario"] = "rejected"
	s.Await(t, s.TestKey, s.Issue(t, s.TestKey, rejected), nfse.StatusRejected)
	s.Await(t, s.TestKey, s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "outra")), nfse.StatusIssued)
	testkit.Eventually(t, "the event waits", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE endpoint_id = $1 AND status = 'pending'`, begun.ID) == 1
	})
	p.ask(t, http.MethodDelete, "/listen/"+begun.ID, s.TestKey, nil).into(t, http.StatusNoContent, nil)
	p.ask(t, http.MethodGet, "/listen/"+begun.ID, s.TestKey, nil).refused(t, http.StatusNotFound, nfse.CodeNotFound, "")
	if left := s.Text(t, `SELECT string_agg(status, ' ' ORDER BY id) FROM deliveries WHERE endpoint_id = $1`,
		begun.ID); left != "delivered skipped" {
		t.Errorf("its deliveries are %s", left)
	}
	if listed, err := s.Store.Endpoints(t.Context(), ""); err != nil || len(listed) != 0 {
		t.Errorf("commands that listen are among the receivers: %+v, %v", listed, err)
	}
}

// Whoever has no test key of the organization listens to nothing.
func TestListen_Refused(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{})
	p := newProcess(t, s)
	_, other, _ := s.NewOrganization(t, "Outra")
	begun := p.listen(t, s.TestKey)
	path := "/listen/" + begun.ID
	good := listening.Begin{ForwardTo: "http://localhost:3000/"}
	p.ask(t, http.MethodPost, "/listen", s.LiveKey, good).refused(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "")
	p.ask(t, http.MethodPost, "/listen", "", good).refused(t, http.StatusUnauthorized, nfse.CodeInvalidAPIKey, "")
	p.ask(t, http.MethodPost, "/listen", nfse.NewAPIKeyText(false), good).
		refused(t, http.StatusUnauthorized, nfse.CodeInvalidAPIKey, "")
	for field, begin := range map[string]listening.Begin{
		"forward_to": {ForwardTo: "file:///etc/passwd"},
		"events":     {ForwardTo: "http://localhost/", Events: []nfse.EventType{"nfse.deleted"}},
	} {
		p.ask(t, http.MethodPost, "/listen", s.TestKey, begin).
			refused(t, http.StatusBadRequest, nfse.CodeInvalidRequest, field)
	}
	p.ask(t, http.MethodPost, "/listen", s.TestKey, map[string]any{"forward_to": "http://localhost/", "secret": "mine"}).
		refused(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "")
	for _, key := range []string{other, s.LiveKey} {
		p.ask(t, http.MethodGet, path, key, nil).refused(t, http.StatusNotFound, nfse.CodeNotFound, "")
		p.ask(t, http.MethodDelete, path, key, nil).into(t, http.StatusNoContent, nil)
		p.ask(t, http.MethodPost, path+"/attempts", key, listening.Attempt{Status: 200}).
			refused(t, http.StatusNotFound, nfse.CodeNotFound, "")
	}
	for field, attempt := range map[string]listening.Attempt{
		"status": {Status: 99}, "why": {Why: "given_up"}, "duration_ms": {Status: 200, DurationMS: -1},
	} {
		p.ask(t, http.MethodPost, path+"/attempts", s.TestKey, attempt).
			refused(t, http.StatusBadRequest, nfse.CodeInvalidRequest, field)
	}
	for range store.MostListeners - 1 {
		p.listen(t, s.TestKey)
	}
	p.ask(t, http.MethodPost, "/listen", s.TestKey, good).refused(t, http.StatusBadRequest, nfse.CodeInvalidRequest, "")
}

// A key that is revoked is cut in every process, while its commands wait; others wait on.
func TestListen_RevokedKey(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{})
	processes := []*process{newProcess(t, s), newProcess(t, s)}
	_, other, _ := s.NewOrganization(t, "Vizinha")
	kept := processes[0].listen(t, other)
	keptWaits, leave := context.WithCancel(t.Context())
	keptAnswered := make(chan error, 1)
	go func() {
		_, err := processes[0].try(keptWaits, http.MethodGet, "/listen/"+kept.ID, other, nil)
		keptAnswered <- err
	}()
	cut := make(chan string, 2*len(processes))
	for _, p := range processes {
		for range 2 {
			begun := p.listen(t, s.TestKey)
			go func() {
				for {
					got, err := p.try(t.Context(), http.MethodGet, "/listen/"+begun.ID, s.TestKey, nil)
					if err != nil || got.status != http.StatusOK {
						cut <- http.StatusText(got.status)
						return
					}
				}
			}()
		}
	}
	waiting := `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`
	testkit.Eventually(t, "both processes hear", func() bool { return s.Count(t, waiting) == len(processes) })
	select {
	case why := <-cut:
		t.Fatalf("before it was revoked: %s", why)
	default:
	}
	_, err := s.Changes().RevokeAPIKey(t.Context(), s.Text(t, `SELECT id FROM api_keys WHERE hash = $1`,
		nfse.HashAPIKey(s.TestKey)))
	must(t, err)
	for range cap(cut) {
		if why := <-cut; why != http.StatusText(http.StatusUnauthorized) {
			t.Errorf("a command was cut by %q", why)
		}
	}
	leave()
	if err := <-keptAnswered; err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("the neighbour was answered: %v", err)
	}
}

// An event that cannot be read any more holds up nothing behind it.
func TestListen_Poison(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	p := newProcess(t, s)
	begun := p.listen(t, s.TestKey)
	service := s.NewService(t, s.TestKey)
	var notes []string
	for _, reference := range []string{"poison", "neighbour"} {
		notes = append(notes, s.Issue(t, s.TestKey, testkit.Issuance(service, reference)))
		s.Await(t, s.TestKey, notes[len(notes)-1], nfse.StatusIssued)
	}
	s.Exec(t, `UPDATE events SET payload = '\x28b52ffd0000' WHERE note_id = $1`, notes[0])
	if got := p.poll(t, s.TestKey, begun.ID); len(got) != 1 || got[0].NoteID != notes[1] {
		t.Errorf("it got %+v", got)
	}
	if status := s.Text(t, `SELECT status FROM deliveries WHERE event_id = (SELECT id FROM events WHERE note_id = $1)`,
		notes[0]); status != "skipped" {
		t.Errorf("the poison is %s", status)
	}
}

// What nobody renews ends by itself; what is renewed stays.
func TestListen_Left(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{})
	p := newProcess(t, s)
	left, renewed := p.listen(t, s.TestKey), p.listen(t, s.TestKey)
	s.Exec(t, `UPDATE webhook_endpoints SET listens_until = now() - interval '1 second'`)
	must(t, s.Store.RenewListeners(t.Context(), []string{renewed.ID}))
	must(t, s.Store.EndLeftListeners(t.Context()))
	p.ask(t, http.MethodGet, "/listen/"+left.ID, s.TestKey, nil).refused(t, http.StatusNotFound, nfse.CodeNotFound, "")
	there := s.Text(t, `SELECT string_agg(id, '') FROM webhook_endpoints WHERE deleted_at IS NULL`)
	if there != renewed.ID {
		t.Errorf("there is %s, and not %s", there, renewed.ID)
	}
}
