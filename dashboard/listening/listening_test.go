package listening_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"emissor/dashboard/listening"
	"emissor/internal/web"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/store/webhooks"
	"emissor/test/long"
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
	go func() {
		defer close(waited)
		waited <- p.poll(t, s.TestKey, begun.ID)
	}()
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
	delivery, attempts, err := s.Store.Webhooks.Delivery(t.Context(), got[0].ID)
	must(t, err)
	if delivery.Status != webhooks.DeliveryFailed || len(attempts) != 1 || *attempts[0].Status != 500 ||
		attempts[0].Answer != "oi" || delivery.URL != "http://localhost:3000/hook" {
		t.Errorf("on record is %+v with %+v", delivery, attempts)
	}

	// A person sends it again: to the command, not by a worker.
	retried, err := s.Changes().Webhooks.RetryDeliveries(t.Context(), webhooks.DeliveryFilter{ID: got[0].ID, Limit: 1})
	must(t, err)
	if again := p.poll(t, s.TestKey, begun.ID); len(retried) != 1 || len(again) != 1 || again[0] != got[0] {
		t.Fatalf("sent again are %q, and it got %+v", retried, again)
	}
	if s.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'delivery'`) != 0 {
		t.Error("a worker is to send it")
	}
	p.took(t, s.TestKey, begun.ID, got[0], http.StatusNoContent)
	delivery, attempts, err = s.Store.Webhooks.Delivery(t.Context(), got[0].ID)
	must(t, err)
	if delivery.Status != webhooks.DeliveryDelivered || len(attempts) != 2 {
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
	p.answers(t, s.TestKey, begun.ID).refused(t, http.StatusNotFound, nfse.CodeNotFound, "")
	if left := s.Text(t, `SELECT string_agg(status, ' ' ORDER BY id) FROM deliveries WHERE endpoint_id = $1`,
		begun.ID); left != "delivered skipped" {
		t.Errorf("its deliveries are %s", left)
	}
	if listed, err := s.Store.Webhooks.Endpoints(t.Context(), ""); err != nil || len(listed) != 0 {
		t.Errorf("commands that listen are among the receivers: %+v, %v", listed, err)
	}
}

// Without a test key of the organization nobody listens to anything.
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
		p.answers(t, key, begun.ID).refused(t, http.StatusNotFound, nfse.CodeNotFound, "")
		p.ask(t, http.MethodDelete, path, key, nil).into(t, http.StatusNoContent, nil)
		p.ask(t, http.MethodPost, path+"/attempts", key, listening.Attempt{Status: 200}).
			refused(t, http.StatusNotFound, nfse.CodeNotFound, "")
	}
	for field, attempt := range map[string]listening.Attempt{
		"status": {Status: 99}, "silence": {Silence: "given_up"}, "duration_ms": {Status: 200, DurationMS: -1},
	} {
		p.ask(t, http.MethodPost, path+"/attempts", s.TestKey, attempt).
			refused(t, http.StatusBadRequest, nfse.CodeInvalidRequest, field)
	}
	for range webhooks.MostListeners - 1 {
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
		for {
			got, err := processes[0].heard(keptWaits, other, kept.ID)
			if err != nil || got.status != http.StatusOK {
				keptAnswered <- err
				return
			}
		}
	}()
	cut := make(chan string, 2*len(processes))
	for _, p := range processes {
		for range 2 {
			begun := p.listen(t, s.TestKey)
			go func() {
				for {
					got, err := p.heard(t.Context(), s.TestKey, begun.ID)
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
	_, err := s.Changes().Access.RevokeAPIKey(t.Context(), s.Text(t, `SELECT id FROM api_keys WHERE hash = $1`,
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
	must(t, s.Store.Webhooks.RenewListeners(t.Context(), []string{renewed.ID}))
	must(t, s.Store.Webhooks.EndLeftListeners(t.Context()))
	p.answers(t, s.TestKey, left.ID).refused(t, http.StatusNotFound, nfse.CodeNotFound, "")
	there := s.Text(t, `SELECT string_agg(id, '') FROM webhook_endpoints WHERE deleted_at IS NULL`)
	if there != renewed.ID {
		t.Errorf("there is %s, and not %s", there, renewed.ID)
	}
}

// The connection by which a process hears is cut: its commands ask again, and what happened meanwhile is not missed.
func TestListen_ConnectionLost(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	p := newProcess(t, s)
	service := s.NewService(t, s.TestKey)
	begun := p.listen(t, s.TestKey)
	got := make(chan listening.Delivery, 10)
	ctx, leave := context.WithCancel(t.Context())
	var waiting sync.WaitGroup
	waiting.Go(func() {
		for ctx.Err() == nil {
			answer, err := p.try(ctx, http.MethodGet, "/listen/"+begun.ID, s.TestKey, nil)
			var deliveries listening.Deliveries
			if err != nil || answer.status != http.StatusOK || json.Unmarshal(answer.body, &deliveries) != nil {
				continue // the database is away for a moment
			}
			for _, one := range deliveries.Deliveries {
				p.took(t, s.TestKey, begun.ID, one, http.StatusOK)
				got <- one
			}
		}
	})
	for i := range 3 {
		cut := 0
		testkit.Eventually(t, "the connection is there, and is cut", func() bool {
			cut = s.Count(t, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
			return cut > 0
		})
		note := s.Issue(t, s.TestKey, testkit.Issuance(service, fmt.Sprint("durante o corte ", i)))
		if one := <-got; one.NoteID != note {
			t.Errorf("it got %+v", one)
		}
	}
	leave()
	waiting.Wait()
}

// A connection to the database that falls silent is noticed: what happens afterwards is heard by another.
func TestListen_ConnectionSilent(t *testing.T) {
	long.Only(t, "waits until a silent connection is given up")
	t.Parallel()
	for name, words := range map[string]string{
		"before it answers": `LISTEN "`, "once it is heard": "emissor_listening\x00hello ",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.NewSystem(t, testkit.Options{Worker: true})
			relay := newRelay(t, s.As(testkit.Roles.Dashboard))
			p := serve(t, s, testkit.OpenStore(t, relay.url), web.ListenOptions{Connections: 500, PerAddress: 500})
			begun := p.listen(t, s.TestKey)
			relay.silence(words)
			waited := make(chan []listening.Delivery, 1)
			go func() {
				var got listening.Deliveries
				for t.Context().Err() == nil && len(got.Deliveries) == 0 {
					answer, err := p.try(t.Context(), http.MethodGet, "/listen/"+begun.ID, s.TestKey, nil)
					if err == nil && answer.status == http.StatusOK { // else the database is not heard
						_ = json.Unmarshal(answer.body, &got)
					}
				}
				waited <- got.Deliveries
			}()
			testkit.Eventually(t, "the connection is silent", relay.isSilent)
			note := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "em silêncio"))
			if got := <-waited; len(got) != 1 || got[0].NoteID != note {
				t.Errorf("it got %+v", got)
			}
		})
	}
}

// relay carries connections to the database, of which one can be silenced: nothing passes any more, and it stays open.
type relay struct {
	url string

	mu     sync.Mutex
	words  string   // the one on which they are said falls silent
	silent net.Conn // the caller's end of that
}

func newRelay(t *testing.T, databaseURL string) *relay {
	t.Helper()
	address, err := url.Parse(databaseURL)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	r := &relay{}
	server := address.Host
	address.Host = listener.Addr().String()
	r.url = address.String()
	go func() {
		for {
			caller, err := listener.Accept()
			if err != nil {
				return
			}
			database, err := net.Dial("tcp", server)
			if err != nil {
				_ = caller.Close()
				continue
			}
			go r.carry(caller, caller, database)
			go r.carry(caller, database, caller)
		}
	}()
	return r
}

// silence silences the next connection on which these words are said: those of the caller do not arrive, those of the
// database are the last that do.
func (r *relay) silence(words string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.words = words
}

func (r *relay) isSilent() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.silent != nil
}

// lets reports whether what was read from an end of a caller's connection passes.
func (r *relay) lets(caller, from net.Conn, said []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.silent == caller {
		return false
	}
	if r.words == "" || !bytes.Contains(said, []byte(r.words)) {
		return true
	}
	r.silent, r.words = caller, ""
	return from != caller
}

// carry carries one direction of a caller's connection.
func (r *relay) carry(caller, from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if !r.lets(caller, from, buffer[:n]) {
			continue
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// What waits for a command that ended while a note was settled is not left: a worker comes to it.
func TestListen_EndsWhileSettling(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	p := newProcess(t, s)
	begun := p.listen(t, s.TestKey)
	note := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "no mesmo instante"))
	s.Await(t, s.TestKey, note, nfse.StatusIssued)
	p.ask(t, http.MethodDelete, "/listen/"+begun.ID, s.TestKey, nil).into(t, http.StatusNoContent, nil)
	// As if the end had not seen it.
	s.Exec(t, `UPDATE deliveries SET status = 'pending', resolved_at = NULL, reason = NULL, requeue_after = now()
		WHERE endpoint_id = $1`, begun.ID)
	_, requeued, err := s.Store.Outbox.RequeueDeliveries(t.Context(), 10)
	must(t, err)
	if requeued != 1 {
		t.Errorf("%d are started again", requeued)
	}
	testkit.Eventually(t, "it is skipped", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE endpoint_id = $1 AND status = 'skipped'`, begun.ID) == 1
	})
}
