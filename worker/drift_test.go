package worker_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"emissor/fiscal/drift"
	"emissor/fiscal/national"
	"emissor/internal/metrics"
	"emissor/nfse"
	"emissor/store"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/testkit"
)

// watched is a watch of a test, whose database comes later.
type watched struct {
	*drift.Watch
	store   *store.Store
	metrics *metrics.Metrics
}

func newWatch(t testing.TB) *watched {
	t.Helper()
	w := &watched{}
	w.Watch = drift.NewWatch(drift.BuiltIn(), func(ctx context.Context, one drift.Drift) (bool, error) {
		return w.store.Operate.KeepDrift(ctx, one)
	}, func(authority, call string) { w.metrics.Drifted(authority, call) }, testkit.Logger(t))
	return w
}

// run has the watch keep what is new in the system's database, in the worker's role.
func (w *watched) run(t testing.TB, s *testkit.System) {
	t.Helper()
	w.store, w.metrics = testkit.OpenStore(t, s.As(testkit.Roles.Worker)), s.Metrics
	go w.Run(t.Context())
}

// A note is issued though every answer to it has a form that nobody knows. Each form is kept once, without a value, and
// counted once, whichever worker sees it; the copy can be listed.
func TestDrift(t *testing.T) {
	t.Parallel()
	watches := []*watched{newWatch(t), newWatch(t)}
	n := newNationalOf(t, sefin.Options{Options: server.Options{Between: extended}},
		func(o *national.Options, _ *sefin.Simulator) {
			o.Transport.Observe = func(call string, production bool, status int, contentType string, body []byte) {
				for _, watch := range watches {
					watch.Of(national.Name, drift.National)(call, production, status, contentType, body)
				}
			}
		}, testkit.Options{})
	for _, watch := range watches {
		watch.run(t, n.System)
	}
	for _, order := range []string{"first", "second"} {
		n.Await(t, n.LiveKey, n.Issue(t, n.LiveKey, testkit.Issuance(n.service, order)), nfse.StatusIssued)
	}
	testkit.Eventually(t, "the form is counted", func() bool {
		return counter(t, n.System, "emissor_authority_drift_total") == 1
	})
	all, err := n.Store.Operate.Drifts(t.Context(), 10)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	one, err := n.Store.Operate.Drift(t.Context(), all[0].Fingerprint)
	if err != nil || one.Call != "issue" || one.Status != http.StatusCreated || one.Production ||
		one.News != ".xxxxxXxxxxxxx object\n.xxxxxXxxxxxxx.xxxx text" || one.Authority != national.Name {
		t.Errorf("%+v, %v", one, err)
	}
	if strings.Contains(one.Copy, "Maria") || !strings.HasPrefix(one.Copy, `{"xxxxxXxxxxxxx":{"xxxx":"Xxxxx"},`) {
		t.Errorf("the copy is %s", one.Copy)
	}
}

// extended adds a member to every answer that has some.
func extended(simulated http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done := httptest.NewRecorder()
		simulated.ServeHTTP(done, r)
		for name, values := range done.Header() {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		w.WriteHeader(done.Code)
		_, _ = w.Write(bytes.Replace(done.Body.Bytes(), []byte("{"), []byte(`{"novosMembrosz":{"nome":"Maria"},`), 1))
	})
}
