package main

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.temporal.io/sdk/client"
	"google.golang.org/grpc/codes"

	"emissor/nfse"
	"emissor/test/testkit"
	"emissor/worker/dispatch"
)

// cloudFront is a frontend as Temporal Cloud's: TLS, an API key, and no call that adds search attributes. The engine
// behind it is the stack's.
type cloudFront struct {
	namespace string
	settings  settings
	key       atomic.Value // string: the one that lets in
	closed    []string     // further calls that are refused
}

func newCloudFront(t *testing.T, base settings, closed ...string) *cloudFront {
	t.Helper()
	f := &cloudFront{namespace: testkit.NewNamespace(t), closed: append(closed, "AddSearchAttributes")}
	f.key.Store("s3cret-key-one")
	ca := newTestCA(t)
	address := newTemporalFront(t, ca, nil, func(request *http.Request) (codes.Code, string) {
		call := request.URL.Path[strings.LastIndex(request.URL.Path, "/")+1:]
		switch {
		case request.Header.Get("Authorization") != "Bearer "+f.key.Load().(string):
			return codes.Unauthenticated, "the API key is not valid"
		case slices.Contains(f.closed, call):
			return codes.PermissionDenied, "Request unauthorized."
		}
		return codes.OK, ""
	})
	f.settings = base.with("TEMPORAL_ADDRESS", address).with("TEMPORAL_NAMESPACE", f.namespace).
		with("TEMPORAL_TLS_SERVER_CA_CERT_PATH", ca.file).with("TEMPORAL_TLS_SERVER_NAME", "temporal.example.com").
		with("TEMPORAL_API_KEY", "s3cret-key-one")
	return f
}

// addAttributes adds the search attributes, as who manages the namespace does by a tool of the engine's own.
func (f *cloudFront) addAttributes(t *testing.T) {
	t.Helper()
	engine, err := client.Dial(client.Options{HostPort: os.Getenv("TEMPORAL_ADDRESS"), Namespace: f.namespace})
	must(t, err)
	defer engine.Close()
	must(t, dispatch.RegisterSearchAttributes(t.Context(), engine, f.namespace))
}

// keepsKeys fails the test where a text has an API key.
func keepsKeys(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(text, "s3cret-key") {
			t.Errorf("an API key is in\n%s", text)
		}
	}
}

// A frontend as Temporal Cloud's: the migration does the database, and says what to add to the namespace; once that
// is there, a note is issued over TLS with an API key.
func TestCloud_IssuesANote(t *testing.T) {
	t.Parallel()
	databaseURL := testkit.EmptyDatabase(t)
	front := newCloudFront(t, settingsOf(&testkit.Database{URL: databaseURL}))
	result := execute(t, front.settings, "migrate")
	want := "namespace " + front.namespace + ": the namespace " + front.namespace + " lacks the search attributes " +
		"NoteId (Keyword), and does not let us add them (Request unauthorized.); who may has to: for Temporal Cloud " +
		"`tcld namespace search-attributes add --namespace " + front.namespace +
		" --search-attribute \"NoteId=Keyword\"`\n"
	if result.code != 1 || !strings.HasSuffix(result.stderr, want) {
		t.Errorf("it ended with %d and\n%s\nexpected at its end is\n%s", result.code, result.stderr, want)
	}
	front.addAttributes(t)
	if result := execute(t, front.settings, "migrate"); result.code != 0 {
		t.Fatalf("it ended with %d\n%s", result.code, result.stderr)
	}

	database := testkit.OpenDatabase(t, databaseURL)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	p := start(t, front.settings, "serve")
	caller := caller{p.api, key}
	id := caller.issue(t, caller.newService(t), "order", nfse.ScenarioAuthorized)
	eventuallyShows(t, front.settings, id, "issued")
	keepsKeys(t, result.stderr, p.logged())
}

// An engine that does not show its search attributes stops neither the migration nor the worker.
func TestCloud_AttributesUnseen(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	front := newCloudFront(t, settingsOf(database), "ListSearchAttributes")
	front.addAttributes(t)
	if result := execute(t, front.settings, "migrate"); result.code != 0 ||
		!strings.Contains(result.stderr, "the search attributes could not be looked at") {
		t.Errorf("it ended with %d\n%s", result.code, result.stderr)
	}
	p := start(t, front.settings, "serve")
	caller := caller{p.api, key}
	eventuallyShows(t, front.settings, caller.issue(t, caller.newService(t), "order", nfse.ScenarioAuthorized), "issued")
}

// A key that is wrong, or was revoked while the worker ran, stops no acceptance and blames no note: what was accepted
// waits, and is issued by a worker that is started with the new key. No key is printed.
func TestCloud_RotatedKey(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	front := newCloudFront(t, settingsOf(database))
	front.addAttributes(t)
	const refused = "it does not let us in: TEMPORAL_API_KEY or the certificate of TEMPORAL_TLS_CLIENT_CERT_PATH is wrong"
	wrong := execute(t, front.settings.with("TEMPORAL_API_KEY", "s3cret-key-wrong"), "migrate")
	if wrong.code != 1 || !strings.Contains(wrong.stderr, refused) {
		t.Errorf("with a wrong key it ended with %d\n%s", wrong.code, wrong.stderr)
	}

	before := start(t, front.settings, "serve")
	caller := caller{before.api, key}
	service := caller.newService(t)
	eventuallyShows(t, front.settings, caller.issue(t, service, "before", nfse.ScenarioAuthorized), "issued")
	front.key.Store("s3cret-key-two")
	accepted := []string{caller.issue(t, service, "revoked 1", nfse.ScenarioAuthorized),
		caller.issue(t, service, "revoked 2", nfse.ScenarioAuthorized)}
	testkit.Eventually(t, "both wait for the engine, and for no reason of their own", func() bool {
		return database.Count(t, `SELECT count(*) FROM outbox WHERE failure = 'engine_away' AND failures = 0`) == 2
	})
	before.terminate(t)
	before.expectEnd(t)

	rotated := front.settings.with("TEMPORAL_API_KEY", "s3cret-key-two")
	after := start(t, rotated, "serve")
	for _, id := range accepted {
		eventuallyShows(t, rotated, id, "issued")
	}
	if !strings.Contains(before.logged(), "the API key is not valid") {
		t.Errorf("nothing says why:\n%s", before.logged())
	}
	keepsKeys(t, wrong.stderr, before.logged(), after.logged())
}
