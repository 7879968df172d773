package listening_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"emissor/dashboard/listening"
	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store"
	"emissor/test/testkit"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// process serves commands as a process of the dashboard does, with a database role of its own.
type process struct {
	*testkit.System
	url string
}

func newProcess(t *testing.T, s *testkit.System) *process {
	t.Helper()
	return serve(t, s, testkit.OpenStore(t, s.As(testkit.Roles.Dashboard)),
		web.ListenOptions{Connections: 500, PerAddress: 500})
}

// serve is newProcess with a store and a listener of the test's own.
func serve(t *testing.T, s *testkit.System, own *store.Store, listen web.ListenOptions) *process {
	t.Helper()
	closing, end := context.WithCancel(context.Background())
	server := listening.New(closing, listening.Options{Store: own, Sealer: s.Sealer, Metrics: s.Metrics,
		Logger: testkit.Logger(t), FailedAuthLimit: 100, MostWaiting: 1000})
	listen.Address = "127.0.0.1:0"
	listener, err := web.Listen(listen)
	must(t, err)
	served := web.NewServer(server.Beside(http.NotFoundHandler()), testkit.Logger(t))
	go func() { _ = served.Serve(listener) }()
	t.Cleanup(func() {
		end()
		_ = served.Close()
	})
	return &process{s, "http://" + listener.Addr().String()}
}

// answer is what a process answered.
type answer struct {
	status int
	body   []byte
	header http.Header
}

// ask asks with a key; an empty one is none.
func (p *process) ask(t *testing.T, method, path, key string, body any) answer {
	t.Helper()
	got, err := p.try(t.Context(), method, path, key, body)
	must(t, err)
	return got
}

func (p *process) try(ctx context.Context, method, path, key string, body any) (answer, error) {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, p.url+path, content)
	if err != nil {
		return answer{}, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, got, response.Header}, err
}

// into reads an answer that must have this status.
func (a answer) into(t *testing.T, status int, target any) {
	t.Helper()
	if a.status != status {
		t.Fatalf("the answer is %d, not %d: %s", a.status, status, a.body)
	}
	if target != nil {
		must(t, json.Unmarshal(a.body, target))
	}
}

// refused expects an error of the contract.
func (a answer) refused(t *testing.T, status int, code nfse.Code, field string) {
	t.Helper()
	var envelope struct {
		Error struct {
			Code      nfse.Code
			Field     *string
			RequestID string `json:"request_id"`
		}
	}
	a.into(t, status, &envelope)
	got := ""
	if envelope.Error.Field != nil {
		got = *envelope.Error.Field
	}
	if envelope.Error.Code != code || got != field || envelope.Error.RequestID == "" {
		t.Errorf("refused by %s", a.body)
	}
}

// listen begins to listen.
func (p *process) listen(t *testing.T, key string, events ...nfse.EventType) listening.Begun {
	t.Helper()
	var begun listening.Begun
	p.ask(t, http.MethodPost, "/listen", key, listening.Begin{ForwardTo: "http://localhost:3000/hook", Events: events}).
		into(t, http.StatusCreated, &begun)
	return begun
}

// poll asks until a delivery comes, as a command does.
func (p *process) poll(t *testing.T, key, id string) (got []listening.Delivery) {
	t.Helper()
	testkit.Eventually(t, "a delivery comes", func() bool {
		var given listening.Deliveries
		p.answers(t, key, id).into(t, http.StatusOK, &given)
		got = given.Deliveries
		return len(got) > 0
	})
	return got
}

// answers is what a poll is answered once the process hears the database.
func (p *process) answers(t *testing.T, key, id string) answer {
	t.Helper()
	got, err := p.heard(t.Context(), key, id)
	must(t, err)
	return got
}

// heard polls once, and again while the process does not hear the database yet, as a command does; for two minutes.
func (p *process) heard(ctx context.Context, key, id string) (answer, error) {
	ctx, end := context.WithTimeout(ctx, 2*time.Minute)
	defer end()
	for {
		got, err := p.try(ctx, http.MethodGet, "/listen/"+id, key, nil)
		if err != nil || got.status != http.StatusServiceUnavailable {
			return got, err
		}
	}
}

// took tells that a delivery was answered with a status.
func (p *process) took(t *testing.T, key, id string, delivery listening.Delivery, status int) {
	t.Helper()
	p.ask(t, http.MethodPost, "/listen/"+id+"/attempts", key, listening.Attempt{DeliveryID: delivery.ID, DurationMS: 7,
		Status: status, Answer: "oi"}).into(t, http.StatusNoContent, nil)
}
