package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"emissor/cmd/emissor/operate"
	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/store/webhooks"
	"emissor/test/testkit"
)

// withKeyset gives a program a keyset and the development switch.
func withKeyset(t *testing.T, s settings) settings {
	t.Helper()
	file := filepath.Join(t.TempDir(), "keyset.json")
	must(t, seal.File{Path: file}.Create())
	return s.with("EMISSOR_KEYSET_FILE", file).with("EMISSOR_WEBHOOK_ALLOW_LOOPBACK", "true")
}

func addEndpoint(t *testing.T, s settings, organization, url string) operate.PrintedEndpoint {
	t.Helper()
	return printed[operate.PrintedEndpoint](t, s, "webhook", "add", url, "--organization", organization, "--environment",
		"test")
}

func TestKeysetCommand(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keyset.json")
	succeeds(t, settings{}, "keyset", "create", file)
	info, err := os.Stat(file)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v", info.Mode())
	}
	before, err := os.ReadFile(file)
	must(t, err)
	fails(t, settings{}, "file exists", "keyset", "create", file)
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Error("a keyset was overwritten")
	}
}

func TestWebhookCommand_Life(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := withKeyset(t, settingsOf(database).withoutTemporal())
	receiver := testkit.NewReceiver(t, nil)

	added := addEndpoint(t, s, organization.ID, receiver.URL)
	if !nfse.IsID(nfse.PrefixEndpoint, added.ID) ||
		!regexp.MustCompile(`^whsec_[\w-]{43}$`).MatchString(added.Secret) || added.Status != "enabled" ||
		added.Environment != "test" {
		t.Fatalf("added is %+v", added)
	}
	for _, args := range [][]string{{"webhook", "list"}, {"webhook", "list", "--json"}, {"webhook", "list",
		"--organization", organization.ID}} {
		if list := succeeds(t, s, args...); !strings.Contains(list, added.ID) || strings.Contains(list, "whsec_") {
			t.Errorf("%v prints %s", args, list)
		}
	}
	sealed := database.Text(t, `SELECT encode(secret, 'escape') FROM webhook_endpoints`)
	if strings.Contains(sealed, added.Secret) {
		t.Error("the secret is kept as it is")
	}

	rotated := printed[operate.PrintedEndpoint](t, s, "webhook", "rotate", added.ID)
	if rotated.Secret == added.Secret || rotated.Secret == "" || rotated.RotatingUntil == nil {
		t.Errorf("rotated is %+v", rotated)
	}
	tested := printed[nfse.DeliveryAttempt](t, s, "webhook", "test", added.ID)
	if !tested.Problem.None() || *tested.Status != http.StatusOK || len(receiver.Calls()) != 1 {
		t.Fatalf("tested is %+v", tested)
	}
	call := receiver.Calls()[0]
	signature := call.Header.Get("service-signature")
	if strings.Count(signature, "v1=") != 2 || !strings.Contains(string(call.Body), `"type":"webhook.test"`) {
		t.Errorf("the test call is %s %s", signature, call.Body)
	}
	receiver.Answer(func(w http.ResponseWriter, _ int) { w.WriteHeader(http.StatusTeapot) })
	failed := execute(t, s, "webhook", "test", added.ID)
	if failed.code != 1 || !strings.Contains(failed.stderr, "the receiver answered 418") {
		t.Errorf("a failing test call ends with %+v", failed)
	}

	for _, step := range []struct{ verb, status string }{{"disable", "disabled"}, {"enable", "enabled"},
		{"remove", "removed"}} {
		if changed := printed[operate.PrintedEndpoint](t, s, "webhook", step.verb,
			added.ID); changed.Status != step.status {
			t.Errorf("%s: %+v", step.verb, changed)
		}
	}
	fails(t, s, "there is no webhook endpoint", "webhook", "enable", added.ID)
	if list := succeeds(t, s, "webhook", "list", "--json"); list != "[]\n" {
		t.Errorf("a removed endpoint is listed: %s", list)
	}
}

func TestWebhookCommand_Refused(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := withKeyset(t, settingsOf(database).withoutTemporal()).with("EMISSOR_WEBHOOK_ALLOW_LOOPBACK", "false")
	add := func(url string) []string {
		return []string{"webhook", "add", url, "--organization", organization.ID, "--environment", "live"}
	}
	fails(t, s, "https://", add("http://example.com/")...)
	fails(t, s, "not public", add("https://127.0.0.1/")...)
	fails(t, s, "user or a password", add("https://a:b@example.com/")...)
	fails(t, s, "there is no organization", "webhook", "add", "https://example.com/", "--organization", "org_x",
		"--environment", "test")
	misused(t, s, "--environment", "webhook", "add", "https://example.com/", "--organization", organization.ID,
		"--environment", "x")
	fails(t, s.with("EMISSOR_KEYSET_FILE", ""), "no keyset is configured", add("https://example.com/")...)
	if n := database.Count(t, `SELECT count(*) FROM webhook_endpoints`); n != 0 {
		t.Errorf("%d endpoints were added", n)
	}
}

// A delivery that was given up is found, understood and sent again by command,
// one by one and in bulk.
func TestDeliveryCommand_Retry(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	organization, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := withKeyset(t, settingsOf(database))
	receiver := testkit.NewReceiver(t, func(w http.ResponseWriter, _ int) { w.WriteHeader(http.StatusGone) })
	endpoint := addEndpoint(t, s, organization.ID, receiver.URL)
	program := start(t, s, "serve")
	caller := caller{program.api, key}
	service := caller.newService(t)
	for _, reference := range []string{"a", "b", "c"} {
		caller.issue(t, service, reference, nfse.ScenarioAuthorized)
	}
	testkit.Eventually(t, "three deliveries have failed", func() bool {
		return database.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'failed'`) == 3
	})

	failed := printed[[]webhooks.Delivery](t, s, "delivery", "list", "--status", "failed", "--endpoint", endpoint.ID,
		"--since", "1h")
	if len(failed) != 3 || failed[0].EventType != nfse.EventIssued || failed[0].Attempts != 1 {
		t.Fatalf("listed are %+v", failed)
	}
	shown := succeeds(t, s, "delivery", "show", failed[0].ID)
	if !strings.Contains(shown, "410") || !strings.Contains(shown, "reason:") {
		t.Errorf("shown is\n%s", shown)
	}
	for _, args := range [][]string{
		{"delivery", "list", "--status", "delivered"}, {"delivery", "list", "--since",
			"2099-01-01T00:00:00Z"}, {"delivery", "list", "--endpoint", "whe_x"},
	} {
		if none := printed[[]webhooks.Delivery](t, s, args...); len(none) != 0 {
			t.Errorf("%v lists %+v", args, none)
		}
	}

	receiver.Answer(nil)
	succeeds(t, s, "delivery", "retry", failed[0].ID)
	testkit.Eventually(t, "one is delivered", func() bool {
		return database.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 1
	})
	fails(t, s, "was delivered", "delivery", "retry", failed[0].ID)
	sent := printed[[]string](t, s, "delivery", "retry", "--endpoint", endpoint.ID, "--since", "1h")
	if len(sent) != 2 {
		t.Errorf("sent again are %v", sent)
	}
	testkit.Eventually(t, "all are delivered", func() bool {
		return database.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 3
	})
	misused(t, s, "name a delivery", "delivery", "retry")
	misused(t, s, "not both", "delivery", "retry", failed[0].ID, "--since", "1h")
	misused(t, s, "--since", "delivery", "retry", "--since", "yesterday")
	fails(t, s, "there is no delivery", "delivery", "retry", "dlv_x")
	fails(t, s, "there is no webhook endpoint", "delivery", "retry", "--endpoint", "whe_x")
}
