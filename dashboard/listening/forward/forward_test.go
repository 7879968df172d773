package forward_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/client"
	"emissor/dashboard/listening"
	"emissor/dashboard/listening/forward"
	"emissor/internal/retry"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/store/operate"
	"emissor/store/webhooks"
	"emissor/test/generate"
	"emissor/test/testkit"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newDashboard serves commands beside pages that nobody asks for.
func newDashboard(t *testing.T, s *testkit.System) string {
	t.Helper()
	closing, end := context.WithCancel(context.Background())
	server := httptest.NewServer(listening.New(closing, listening.Options{
		Store: testkit.OpenStore(t, s.As(testkit.Roles.Dashboard)), Sealer: s.Sealer, Metrics: s.Metrics,
		Logger: testkit.Logger(t), FailedAuthLimit: 100, MostWaiting: 1000}).Beside(http.NotFoundHandler()))
	t.Cleanup(func() {
		end()
		server.Close()
	})
	return server.URL
}

func connect(t *testing.T, address, key string, network http.RoundTripper) *client.Connection {
	t.Helper()
	connection, err := client.Connect(client.Options{URL: address, Key: key, Transport: network})
	must(t, err)
	return connection
}

// cuts is a network that loses the answers to some calls.
type cuts struct {
	mu   sync.Mutex
	lose func(*http.Request) bool
}

func (c *cuts) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && c.lose != nil && c.lose(request) {
		response.Body.Close()
		return nil, errors.New("the connection broke")
	}
	return response, err
}

// Events reach a receiver on this machine, signed; across cuts, each is posted once. What came of it is on record, and
// with the command its endpoint ends.
func TestForwarder(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	receiver := testkit.NewReceiver(t, func(w http.ResponseWriter, call int) {
		if call == 2 {
			w.WriteHeader(http.StatusTeapot)
		}
	})
	lost := 0
	network := &cuts{lose: func(request *http.Request) bool { // each answer to what it told, six times
		told := request.Method == http.MethodPost && request.URL.Path != "/listen"
		if told {
			lost++
		}
		return told && lost <= 6
	}}
	ready, cut := make(chan listening.Begun, 1), make(chan error, 100)
	var posted []forward.Posted
	f := forward.Forwarder{To: receiver.URL, Pauses: retry.Backoff{Initial: time.Millisecond, Max: time.Millisecond},
		Dashboard: connect(t, newDashboard(t, s), s.TestKey, network),
		Ready:     func(begun listening.Begun) { ready <- begun },
		Posted:    func(one forward.Posted) { posted = append(posted, one) },
		Lost:      func(err error) { cut <- err }}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	begun := <-ready

	texts := generate.New(1)
	service := s.NewService(t, s.TestKey)
	var notes []string
	for range 3 {
		notes = append(notes, s.Issue(t, s.TestKey, testkit.Issuance(service, texts.Reference())))
	}
	testkit.Eventually(t, "all are on record", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE endpoint_id = $1 AND status <> 'pending'`, begun.ID) == 3
	})
	_, err := s.Changes().Webhooks.RetryDeliveries(t.Context(), webhooks.DeliveryFilter{Status: webhooks.DeliveryFailed,
		Limit: 1})
	must(t, err)
	testkit.Eventually(t, "it is sent again", func() bool { return len(receiver.Calls()) == 4 })
	testkit.Eventually(t, "that is on record", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE endpoint_id = $1 AND status = 'delivered'`, begun.ID) == 3
	})
	end()
	must(t, <-ended)
	calls := receiver.Calls()
	if len(calls) != 4 || len(posted) != 4 || len(cut) == 0 {
		t.Fatalf("%d events were posted, %+v are told, and %d cuts", len(calls), posted, len(cut))
	}
	for _, call := range calls {
		if !call.IsSigned(webhook.SecretOfKey(s.TestKey)) {
			t.Errorf("the signature %q does not verify", call.Header.Get(webhook.SignatureHeader))
		}
	}
	if _, ok, err := s.Store.Webhooks.Listener(t.Context(), keyOf(t, s), begun.ID); ok || err != nil {
		t.Errorf("its endpoint is still there: %v", err)
	}
	if len(notes)+1 != s.Count(t, `SELECT count(*) FROM delivery_attempts`) {
		t.Error("there are other attempts on record")
	}
}

// A receiver that answers with no status of HTTP has made its attempt, and those after it are posted.
func TestForwarder_OddStatus(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	receiver := testkit.NewReceiver(t, func(w http.ResponseWriter, call int) {
		if call == 1 {
			w.WriteHeader(999)
		}
	})
	ready := make(chan listening.Begun, 1)
	f := forward.Forwarder{To: receiver.URL, Dashboard: connect(t, newDashboard(t, s), s.TestKey, nil),
		Ready: func(begun listening.Begun) { ready <- begun }, Lost: func(error) {},
		Posted: func(forward.Posted) {}}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	<-ready
	service := s.NewService(t, s.TestKey)
	for i, outcome := range []string{"failed receiver_broke", "delivered "} {
		s.Issue(t, s.TestKey, testkit.Issuance(service, strconv.Itoa(i)))
		testkit.Eventually(t, "it is on record as "+outcome, func() bool {
			return s.Count(t, `SELECT count(*) FROM deliveries
				WHERE status || ' ' || coalesce(reason ->> 'code', '') = $1`, outcome) == 1
		})
	}
	end()
	must(t, <-ended)
}

// A request to an address with no dashboard, or with an older one, says which address is wrong.
func TestForwarder_Elsewhere(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	dashboard := connect(t, server.URL, nfse.NewAPIKeyText(false), nil)
	listens := forward.Forwarder{To: "http://localhost:9/", Dashboard: dashboard, Lost: func(err error) { t.Error(err) }}
	follows := forward.Follower{Dashboard: dashboard, Lost: func(err error) { t.Error(err) }}
	for _, run := range []func(context.Context) error{listens.Run, follows.Run} {
		if err := run(t.Context()); err == nil || !strings.Contains(err.Error(), "EMISSOR_DASHBOARD_URL") {
			t.Errorf("it ended with %v", err)
		}
	}
}

func keyOf(t *testing.T, s *testkit.System) nfse.APIKey {
	t.Helper()
	return nfse.APIKey{ID: s.Text(t, `SELECT id FROM api_keys WHERE hash = $1`, nfse.HashAPIKey(s.TestKey)),
		Scope: nfse.Scope{OrganizationID: s.Organization.ID}}
}

// A command that was away for so long that its endpoint has ended begins again. One whose key is revoked ends.
func TestForwarder_BeginsAgain(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{})
	ready := make(chan listening.Begun, 1)
	f := forward.Forwarder{To: "http://localhost:9/", Dashboard: connect(t, newDashboard(t, s), s.TestKey, nil),
		Ready: func(begun listening.Begun) { ready <- begun }, Lost: func(error) {},
		Posted: func(forward.Posted) {}}
	ended := make(chan error, 1)
	go func() { ended <- f.Run(t.Context()) }()
	first := <-ready
	s.Exec(t, `UPDATE webhook_endpoints SET listens_until = now() - interval '1 second'`)
	must(t, s.Store.Webhooks.EndLeftListeners(t.Context()))
	if second := <-ready; second.ID == first.ID || second.Secret != first.Secret {
		t.Errorf("it began again as %+v", second)
	}
	_, err := s.Changes().Access.RevokeAPIKey(t.Context(), keyOf(t, s).ID)
	must(t, err)
	if err := <-ended; !client.IsCode(err, client.ErrorCodeInvalidAPIKey) {
		t.Errorf("it ended with %v", err)
	}
}

// Requests are followed from now on, each once; of one key where that is asked for.
func TestFollower(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{})
	dashboard := newDashboard(t, s)
	began := make(chan struct{})
	var once sync.Once
	network := &cuts{lose: func(request *http.Request) bool {
		once.Do(func() { close(began) })
		return false
	}}
	got := make(chan listening.Request, 100)
	f := forward.Follower{Dashboard: connect(t, dashboard, s.TestKey, network),
		Request: func(request listening.Request) { got <- request }, Lost: func(err error) { t.Error(err) }}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	<-began
	must(t, s.Store.Operate.AddRequests(t.Context(), []operate.APIRequest{
		request(s, keyOf(t, s).ID, "/v1/nfse", 202), request(s, keyOf(t, s).ID, "/v1/services", 400)}, nil))
	first, second := <-got, <-got
	if first.Path != "/v1/nfse" || second.Path != "/v1/services" || second.Status != 400 {
		t.Errorf("it got %+v and %+v", first, second)
	}
	end()
	must(t, <-ended)
	if len(got) != 0 {
		t.Errorf("it also got %+v", <-got)
	}
}

func request(s *testkit.System, key, route string, status int) operate.APIRequest {
	return operate.APIRequest{ID: nfse.NewID(nfse.PrefixRequest), Scope: nfse.Scope{OrganizationID: s.Organization.ID},
		At: nfse.Timestamp{Time: time.Now()}, APIKeyID: key, Method: "POST", Route: route, Status: status}
}
