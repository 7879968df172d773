package main

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/test/testkit"
)

func TestCollector_ReadsItsURL(t *testing.T) {
	var plain, whole, none cli.Collector
	must(t, plain.Decode("http://otel-collector:4318"))
	if plain.URL != "http://otel-collector:4318/v1/traces" || plain.Ratio != cli.DefaultTraceRatio {
		t.Errorf("it is %+v", plain)
	}
	must(t, whole.Decode("https://traces.example.com/otlp?ratio=1&ca=/etc/ca.pem&header=x-api-key:a%2Fb%2Bc"+
		"&header=Authorization:%20Bearer%20SECRET"))
	if whole.URL != "https://traces.example.com/otlp" || whole.Ratio != 1 || whole.Ca != "/etc/ca.pem" ||
		!maps.Equal(whole.Headers,
			map[string]string{"X-Api-Key": "a/b+c", "Authorization": "Bearer SECRET"}) {
		t.Errorf("it is %+v", whole)
	}
	must(t, none.Decode(""))
	if none.URL != "" {
		t.Errorf("none is %+v", none)
	}
}

// A wrong address stops the start, and is not repeated.
func TestCollector_Wrong(t *testing.T) {
	t.Parallel()
	settings := settings{"EMISSOR_DATABASE_URL": "postgres://emissor@127.0.0.1:1/emissor?sslmode=disable"}
	for _, value := range []string{
		"otel-SECRET:4318", "ftp://SECRET", "http://user:SECRET@otel:4318", "http://otel:4318#SECRET",
		"http://otel:4318?SECRET=1", "http://otel:4318?ratio=1.5&x=SECRET", "http://otel:4318?ratio=NaN",
		"http://otel:4318?ratio=", "http://otel:4318?header=SECRET", "http://otel:4318?header=X:SECRET%0a", "http://otel?%SECRET",
	} {
		result := execute(t, settings.with("EMISSOR_TRACES_URL", value), "api")
		if said := result.stdout + result.stderr; result.code != 1 || strings.Contains(said, "SECRET:4318") ||
			strings.Count(said, "SECRET") != strings.Count(describedSecret, "SECRET") ||
			!strings.Contains(said, "EMISSOR_TRACES_URL is not a valid collector") {
			t.Errorf("with %s it ended with %d and\n%s", value, result.code, said)
		}
	}
}

// describedSecret is where the setting's own description has the word.
const describedSecret = "header=X-Api-Key:SECRET"

// One trace goes through the processes of an installation, and neither prints what the collector is called with.
func TestTraces_ThroughProcesses(t *testing.T) {
	t.Parallel()
	database, collector := testkit.NewDatabase(t), testkit.NewCollector(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	settings := settingsOf(database).with("EMISSOR_LOG_LEVEL", "debug").with("EMISSOR_TRACES_URL", collector.URL+
		"?ratio=1&header=x-api-key:"+url.QueryEscape("top secret"))
	api, worker := start(t, settings, "api"), start(t, settings, "worker")
	caller := caller{api.api, key}
	id := caller.issue(t, caller.newService(t), "pedido-1", nfse.ScenarioAuthorized)
	testkit.Eventually(t, "the note is issued", func() bool {
		return database.Text(t, `SELECT status FROM notes WHERE id = $1`, id) == "issued"
	})
	for _, program := range []*program{api, worker} { // what waits is sent before the end
		program.terminate(t)
		program.expectEnd(t)
		if strings.Contains(program.logged(), "top secret") {
			t.Error("the header is logged")
		}
	}
	collector.AwaitWays(t, "store.SettleIssued",
		"POST /v1/nfse > dispatch note > RunWorkflow:Note > RunActivity:SettleSimulation > store.SettleIssued")
	if api, worker := collector.Only(t, "POST /v1/nfse"), collector.Only(t, "store.SettleIssued"); api.Process != "api" ||
		worker.Process != "worker" {
		t.Errorf("the spans are of %s and %s", api.Process, worker.Process)
	}
	for _, header := range collector.Headers() {
		if header.Get("X-Api-Key") != "top secret" || header.Get("User-Agent") == "" {
			t.Errorf("the collector is called with %v", header)
		}
	}
}
