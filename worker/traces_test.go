package worker_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"emissor/fiscal/national"
	"emissor/internal/mail"
	"emissor/internal/trace"
	"emissor/internal/trace/engine"
	"emissor/nfse"
	"emissor/test/generate"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/workflows"
)

// traced are the options of a system all of whose traces go to a collector.
func traced(collector *testkit.Collector) testkit.Options {
	return testkit.Options{Worker: true, Traces: trace.Options{URL: collector.URL, Ratio: 1}}
}

// says fails where a span does not say this, among other things.
func says(t *testing.T, span testkit.Span, expected map[string]string) {
	t.Helper()
	for key, value := range expected {
		if span.Attributes[key] != value {
			t.Errorf("%s says %v, expected %s=%s", span.Name, span.Attributes, key, value)
		}
	}
}

const noteRun = "POST /v1/nfse > dispatch note > RunWorkflow:Note > "

// One trace goes from the request to the webhook, through two processes, the outbox and the engine.
func TestTrace_FromRequestToWebhook(t *testing.T) {
	t.Parallel()
	collector := testkit.NewCollector(t)
	s := testkit.NewSystem(t, traced(collector))
	receiver := testkit.NewReceiver(t, nil)
	endpoint, _ := s.NewEndpoint(t, receiver.URL, false)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order"))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)

	collector.AwaitWays(t, "send a webhook", noteRun+"RunActivity:DeliverAtOnce > send a webhook")
	collector.AwaitWays(t, "store.AcceptNote", "POST /v1/nfse > store.AcceptNote")
	collector.AwaitWays(t, "store.NoteState", noteRun+"RunActivity:BeginNote > store.NoteState")
	collector.AwaitWays(t, "store.SettleIssued", noteRun+"RunActivity:SettleSimulation > store.SettleIssued")
	collector.AwaitWays(t, "store.RecordAttempt", noteRun+"RunActivity:DeliverAtOnce > store.RecordAttempt")

	request, webhook, dispatched := collector.Only(t, "POST /v1/nfse"), collector.Only(t, "send a webhook"),
		collector.Only(t, "dispatch note")
	if request.Process != "api" || dispatched.Process != "worker" || webhook.Process != "worker" {
		t.Errorf("the spans are of %s, %s and %s", request.Process, dispatched.Process, webhook.Process)
	}
	says(t, request, map[string]string{"http.route": "/v1/nfse", "http.response.status_code": "202",
		"emissor.note_id": id, "emissor.organization_id": s.Organization.ID})
	says(t, dispatched, map[string]string{"emissor.kind": "note", "emissor.subject_id": id, "emissor.attempt": "1",
		"emissor.outcome": "started", "emissor.environment": "test"})
	says(t, webhook, map[string]string{"emissor.endpoint_id": endpoint, "http.response.status_code": "200",
		"emissor.attempt": "1"})
	says(t, collector.Only(t, "RunActivity:BeginNote"), map[string]string{"emissor.subject_id": id,
		"emissor.attempt": "1"})
	for _, call := range receiver.Calls() {
		if call.Header.Get("Traceparent") != "" || call.Header.Get("Tracestate") != "" || call.Header.Get("Baggage") != "" {
			t.Errorf("the receiver is told of the trace: %v", call.Header)
		}
	}
}

// A delivery that gets a run of its own stays in the trace of what it tells of, and each of its attempts does.
func TestTrace_DeliveryOfItsOwnRun(t *testing.T) {
	t.Parallel()
	collector := testkit.NewCollector(t)
	s := testkit.NewSystem(t, traced(collector))
	s.Exec(t, `CREATE FUNCTION soon() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		NEW.next_attempt_at := least(NEW.next_attempt_at, now() + interval '100 milliseconds'); RETURN NEW; END $$;
		CREATE TRIGGER soon BEFORE UPDATE ON deliveries FOR EACH ROW EXECUTE FUNCTION soon()`)
	receiver := testkit.NewReceiver(t, func(w http.ResponseWriter, call int) {
		if call == 1 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	s.NewEndpoint(t, receiver.URL, false)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order"))
	collector.AwaitWays(t, "send a webhook",
		noteRun+"RunActivity:DeliverAtOnce > send a webhook",
		noteRun+"RunActivity:SettleSimulation > dispatch delivery > RunWorkflow:Delivery > RunActivity:Deliver > "+
			"send a webhook")
	codes := map[string]bool{}
	for _, span := range collector.Spans() {
		if failed := span.Attributes["http.response.status_code"] == "500"; span.Name == "send a webhook" &&
			span.Failed != failed {
			t.Errorf("an attempt says %v, failed: %v", span.Attributes, span.Failed)
		}
		if span.Words != "" {
			t.Errorf("%s says in words: %s", span.Name, span.Words)
		}
		codes[span.Name+" "+span.Attributes["error.type"]] = true
	}
	if !codes["RunActivity:Deliver delivery_attempt_failed"] {
		t.Errorf("no activity says by its code that its attempt failed: %v", codes)
	}
}

// A live note's trace has the calls to its authority, at once and from the queue, and its e-mail.
func TestTrace_LiveNote(t *testing.T) {
	t.Parallel()
	collector, box := testkit.NewCollector(t), testkit.NewMailbox(t)
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: box.Port, From: "notas@emissor.example",
		TLS: mail.NoTLS})
	if err != nil {
		t.Fatal(err)
	}
	options := traced(collector)
	options.Mail = sender
	n := newNationalIn(t, func(*national.Options, *sefin.Simulator) {}, options)
	n.Exec(t, `UPDATE api_keys SET email_customer = true`)
	n.Call(t, http.MethodPost, "/v1/customers", n.LiveKey, testkit.Body{"document": "52998224725",
		"name": "Maria da Silva", "email": "maria@example.com"}).Expect(t, http.StatusCreated)
	id := n.issue(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	collector.AwaitWays(t, "call an authority", noteRun+"RunActivity:ExchangeAtOnce > call an authority")
	collector.AwaitWays(t, "send an e-mail", noteRun+
		"RunActivity:ExchangeAtOnce > dispatch email > RunWorkflow:Email > RunActivity:SendEmail > send an e-mail")
	says(t, collector.Only(t, "call an authority"), map[string]string{"emissor.authority": "national",
		"emissor.call": "issue", "emissor.outcome": "accepted"})

	n.faults(t, sefin.Fault{Kind: sefin.Reset, Next: 1})
	n.Await(t, n.LiveKey, n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "another")), nfse.StatusIssued)
	collector.AwaitWays(t, "call an authority",
		noteRun+"RunActivity:Exchange > call an authority",
		noteRun+"RunActivity:ExchangeAtOnce > call an authority")
	for _, span := range collector.Spans() {
		if span.Failed && span.Attributes["error.type"] == "" {
			t.Errorf("%s has failed, and says no code", span.Name)
		}
	}
}

// A cancellation has a trace of its own: it goes on with what the request wakes up.
func TestTrace_Cancellation(t *testing.T) {
	t.Parallel()
	collector := testkit.NewCollector(t)
	s := testkit.NewSystem(t, traced(collector))
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order"))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	eventsOf(t, s, workflowID(s, "order"))
	cancel(t, s, s.TestKey, id, cancelBody)
	s.Await(t, s.TestKey, id, nfse.StatusCancelled)
	const request = "POST /v1/nfse/{id}/cancel > dispatch cancellation > "
	collector.AwaitWays(t, "RunActivity:CancelSimulation", request+"RunWorkflow:Note > RunActivity:CancelSimulation")
	collector.AwaitWays(t, "HandleSignal:cancel", request+"HandleSignal:cancel")
}

// Whether a trace is recorded our ratio decides, and nothing that a caller sends.
func TestTrace_CallerDecidesNothing(t *testing.T) {
	t.Parallel()
	const theirTrace, theirSpan = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for _, test := range []struct {
		ratio float64
		flag  string
	}{{0, "01"}, {1, "00"}} {
		t.Run(fmt.Sprintf("Ratio%vFlag%s", test.ratio, test.flag), func(t *testing.T) {
			t.Parallel()
			collector := testkit.NewCollector(t)
			options := traced(collector)
			options.Traces.Ratio = test.ratio
			s := testkit.NewSystem(t, options)
			receiver := testkit.NewReceiver(t, nil)
			s.NewEndpoint(t, receiver.URL, false)
			header := http.Header{"Authorization": {"Bearer " + s.TestKey}, "Content-Type": {"application/json"},
				"Traceparent": {"00-" + theirTrace + "-" + theirSpan + "-" + test.flag},
				"Tracestate":  {"vendor=their-state"}, "Baggage": {"who=their-baggage"}}
			s.Send(t, http.MethodPost, "/v1/nfse", header, testkit.Issuance(s.NewService(t, s.TestKey), "order")).
				Expect(t, http.StatusAccepted)
			testkit.Eventually(t, "the event arrives", func() bool { return len(receiver.Calls()) == 1 })
			events := eventsOf(t, s, workflowID(s, "order"))
			parent := headerOf(events[0])
			s.CloseTracers()

			if test.ratio == 0 {
				if spans := collector.Spans(); len(spans) > 0 {
					t.Errorf("%d spans were exported", len(spans))
				}
				if !strings.HasSuffix(parent, `-00"}`) { // so that nobody draws again
					t.Errorf("the run's header is %s", parent)
				}
				return
			}
			collector.AwaitWays(t, "send a webhook", noteRun+"RunActivity:DeliverAtOnce > send a webhook")
			request := collector.Only(t, "POST /v1/nfse")
			if request.LinkTrace != theirTrace || request.LinkSpan != theirSpan || request.Trace == theirTrace ||
				request.Parent != "" {
				t.Errorf("the request's span is %+v", request)
			}
			for _, text := range []string{string(collector.Raw()), parent, fmt.Sprint(receiver.Calls()[0].Header)} {
				if strings.Contains(text, "their-state") || strings.Contains(text, "their-baggage") {
					t.Errorf("state or baggage of the caller leaves: %q", text)
				}
			}
		})
	}
}

// headerOf is the trace that a run was started with; empty for none.
func headerOf(started *history.HistoryEvent) string {
	return string(started.GetWorkflowExecutionStartedEventAttributes().GetHeader().GetFields()["_tracer-data"].GetData())
}

// Without a collector there is no trace: not in the outbox, and not in the engine.
func TestTrace_OffByDefault(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	s.Exec(t, `CREATE TABLE traceparents (traceparent text);
		CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
		INSERT INTO traceparents VALUES (NEW.traceparent); RETURN NEW; END $$;
		CREATE TRIGGER keep BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION keep()`)
	header := http.Header{"Authorization": {"Bearer " + s.TestKey}, "Content-Type": {"application/json"},
		"Traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}
	s.Send(t, http.MethodPost, "/v1/nfse", header, testkit.Issuance(s.NewService(t, s.TestKey), "order")).
		Expect(t, http.StatusAccepted)
	testkit.Eventually(t, "it is issued",
		func() bool { return s.Count(t, `SELECT count(*) FROM notes WHERE status = 'issued'`) == 1 })
	if rows, none := s.Count(t, `SELECT count(*) FROM traceparents`),
		s.Count(t, `SELECT count(*) FROM traceparents WHERE traceparent IS NULL`); rows == 0 || rows != none {
		t.Errorf("of %d rows of the outbox %d have no trace", rows, none)
	}
	if header := headerOf(eventsOf(t, s, workflowID(s, "order"))[0]); header != "" {
		t.Errorf("the run has the trace %s", header)
	}
}

// A run that began with traces goes on without, and the other way round; a header that cannot be read costs its
// trace alone.
func TestTrace_Replay(t *testing.T) {
	t.Parallel()
	collector := testkit.NewCollector(t)
	with, without := testkit.NewSystem(t, traced(collector)), testkit.NewSystem(t, testkit.Options{Worker: true})
	tracer, err := trace.New(trace.Options{URL: collector.URL, Ratio: 1, Logger: testkit.Logger(t),
		Lost: with.Metrics.SpansLost})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tracer.Close)
	interceptors, err := engine.Interceptors(tracer)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*testkit.System{with, without} {
		s.Await(t, s.TestKey, s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order")), nfse.StatusIssued)
		events := eventsOf(t, s, workflowID(s, "order"))
		if traced := headerOf(events[0]) != ""; traced != (s == with) {
			t.Errorf("the run has a trace: %v", traced)
		}
		replay(t, events, nil)
		replay(t, events, interceptors[0].(interceptor.WorkerInterceptor))
		if s == with {
			events[0].GetWorkflowExecutionStartedEventAttributes().Header.Fields["_tracer-data"].Data = []byte(`{"traceparent":"x"}`)
			replay(t, events, interceptors[0].(interceptor.WorkerInterceptor))
		}
	}
}

func replay(t *testing.T, events []*history.HistoryEvent, around interceptor.WorkerInterceptor) {
	t.Helper()
	options := worker.WorkflowReplayerOptions{}
	if around != nil {
		options.Interceptors = append(options.Interceptors, around)
	}
	replayer, err := worker.NewWorkflowReplayerWithOptions(options)
	if err != nil {
		t.Fatal(err)
	}
	replayer.RegisterWorkflowWithOptions(workflows.Note, workflow.RegisterOptions{Name: workflows.NoteType})
	if err := replayer.ReplayWorkflowHistory(nil, &history.History{Events: events}); err != nil {
		t.Error(err)
	}
	if last := events[len(events)-1].EventType; last != enums.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED {
		t.Errorf("the history ends with %s", last)
	}
}

// What a note may cost it may cost with traces as well: they add no statement, commit, workflow task or event.
func TestTrace_LiveNoteBudget(t *testing.T) {
	t.Parallel()
	liveNoteBudget(t, traced(testkit.NewCollector(t)))
}

func TestTrace_SandboxBudget(t *testing.T) {
	t.Parallel()
	sandboxBudget(t, testkit.NewSystem(t, traced(testkit.NewCollector(t))))
}

// A collector that is away, refuses, or never answers holds up nobody and costs no note: what it does not take is
// lost, and counted.
func TestTrace_CollectorTroubles(t *testing.T) {
	t.Parallel()
	silent := make(chan struct{})
	t.Cleanup(func() { close(silent) })
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
	}))
	t.Cleanup(refusing.Close)
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-silent:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(hanging.CloseClientConnections)
	for name, url := range map[string]string{"Away": "http://127.0.0.1:1/v1/traces", "Refuses": refusing.URL,
		"NeverAnswers": hanging.URL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.NewSystem(t, testkit.Options{Worker: true, Traces: trace.Options{URL: url, Ratio: 1}})
			receiver := testkit.NewReceiver(t, nil)
			s.NewEndpoint(t, receiver.URL, false)
			service := s.NewService(t, s.TestKey)
			const notes = 20
			for i := range notes {
				s.Issue(t, s.TestKey, testkit.Issuance(service, fmt.Sprint("order-", i)))
			}
			testkit.Eventually(t, "every event arrives", func() bool { return len(receiver.Calls()) >= notes })
			if issued := s.Count(t, `SELECT count(*) FROM notes WHERE status = 'issued'`); issued != notes {
				t.Errorf("%d notes are issued", issued)
			}
			testkit.Eventually(t, "what was lost is counted", func() bool { return spansLost(t, s) > 0 })
		})
	}
}

// spansLost are the spans that no collector has taken.
func spansLost(t *testing.T, s *testkit.System) (lost float64) {
	t.Helper()
	families, err := s.Metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "emissor_trace_spans_lost_total" {
			for _, metric := range family.Metric {
				lost += metric.Counter.GetValue()
			}
		}
	}
	return lost
}

// leastPersonal is how many bytes a text has at least that is looked for: shorter ones are in anything.
const leastPersonal = 6

// Nothing that a caller writes leaves by a trace: no text, tax id, address or reference, and no key.
func TestTrace_NothingPersonal(t *testing.T) {
	t.Parallel()
	collector, box, receiver := testkit.NewCollector(t), testkit.NewMailbox(t), testkit.NewReceiver(t, nil)
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: box.Port, From: "notas@emissor.example",
		TLS: mail.NoTLS})
	if err != nil {
		t.Fatal(err)
	}
	options := traced(collector)
	options.Mail = sender
	n := newNationalIn(t, func(*national.Options, *sefin.Simulator) {}, options)
	n.Exec(t, `UPDATE api_keys SET email_customer = true`)
	n.NewEndpoint(t, receiver.URL+"/secret-path?token=secret-token", false)
	n.NewEndpoint(t, receiver.URL+"/secret-path?token=secret-token", true)

	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	g := generate.New(seed)
	personal := []string{n.TestKey, n.LiveKey, n.TestKey[9:], n.LiveKey[9:], "secret-path", "secret-token",
		"Maria da Silva", "maria@example.com", "52998224725", "529.982.247-25", "The amount is wrong", string(testkit.Issuer)}
	send := func(key, path string, body testkit.Body) testkit.Answer {
		personal = append(personal, textsOf(body)...)
		return n.Call(t, http.MethodPost, path, key, body)
	}
	send(n.LiveKey, "/v1/customers", testkit.Body{"document": "52998224725", "name": "Maria da Silva",
		"email": "maria@example.com"})
	accepted := 0
	for key, service := range map[string]string{n.TestKey: n.NewService(t, n.TestKey), n.LiveKey: n.service} {
		for range 12 {
			person := g.Person()
			send(key, "/v1/customers", g.Customer(person, true))
			body := g.Issuance(service, person)
			if answer := send(key, "/v1/nfse", body); answer.Status == http.StatusAccepted {
				accepted++
				body["amount_cents"] = 1 // the reference names another note
				send(key, "/v1/nfse", body)
				send(key, "/v1/nfse/"+answer.Text("id")+"/cancel", g.Cancellation())
			}
			send(key, "/v1/nfse", testkit.Body{"reference": g.Reference(), g.Reference(): g.Name()})
			n.Call(t, http.MethodGet, "/v1/customers?document="+person.TaxID, key, nil)
		}
		send(key, "/v1/nfse", testkit.Issuance(service, "A plain reference "+key[:9]))
	}
	if accepted == 0 {
		t.Fatal("no note was accepted")
	}
	testkit.Eventually(t, "all notes have ended, and are told of", func() bool {
		return n.Count(t, `SELECT count(*) FROM notes WHERE status IN ('queued', 'processing') AND held_reason IS NULL
			OR cancellation_status = 'pending'`) == 0 && n.Count(t, `SELECT count(*) FROM outbox`) == 0
	})
	for _, sign := range []string{"POST /v1/nfse", "RunActivity:ExchangeAtOnce", "send a webhook", "send an e-mail",
		"call an authority", "idempotency_conflict", n.Organization.ID} {
		testkit.Eventually(t, sign+" is exported", func() bool { return bytes.Contains(collector.Raw(), []byte(sign)) })
	}
	personal = append(personal, tableTexts(t, n.System)...)
	n.CloseTracers()

	failed := 0
	for _, span := range collector.Spans() {
		if span.Words != "" {
			t.Errorf("%s says in words: %s", span.Name, span.Words)
		}
		if span.Failed {
			failed++
		}
	}
	if failed == 0 {
		t.Error("no step has failed: nothing is shown of what those say")
	}
	raw := collector.Raw()
	for _, text := range personal {
		if len(text) >= leastPersonal && bytes.Contains(raw, []byte(text)) {
			t.Errorf("%q is exported", text)
		}
	}
}

// textsOf are the texts of a body that its caller wrote: all but words of the contract and ids.
func textsOf(body testkit.Body) (texts []string) {
	for name, value := range body {
		switch value := value.(type) {
		case testkit.Body:
			texts = append(texts, textsOf(value)...)
		case string:
			if name != "service_id" && name != "customer_id" {
				texts = append(texts, value)
			}
		}
	}
	return texts
}

// tableTexts are what the database knows of notes and authorities that is nobody's business either.
func tableTexts(t *testing.T, s *testkit.System) (texts []string) {
	t.Helper()
	if err := s.SQL.Select(&texts, `
		SELECT access_key FROM notes WHERE access_key IS NOT NULL
		UNION SELECT tax_id FROM customers UNION SELECT name FROM customers UNION SELECT email FROM customers
			WHERE email IS NOT NULL
		UNION SELECT reference FROM notes UNION SELECT encode(convert_to(reference, 'UTF8'), 'hex') FROM notes`); err != nil {
		t.Fatal(err)
	}
	return texts
}
