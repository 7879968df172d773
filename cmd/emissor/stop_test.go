package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"emissor/test/testkit"
)

func TestServe_Terminated(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	p := start(t, settingsOf(database), "serve")
	service := caller{p.api, key}.newService(t)
	awaitStatus(t, p.admin+"/readyz", http.StatusOK) // before it: a request has ten seconds

	// A request of which one half has arrived, and that is being read.
	body, err := json.Marshal(testkit.Issuance(service, "pedido-1"))
	must(t, err)
	connection, err := net.Dial("tcp", strings.TrimPrefix(p.api, "http://"))
	must(t, err)
	defer connection.Close()
	_, err = fmt.Fprintf(connection, "POST /v1/nfse HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: "+
		"application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", key, len(body))
	must(t, err)
	answers, half := bufio.NewReader(connection), len(body)/2
	goOn, err := http.ReadResponse(answers, nil)
	if must(t, err); goOn.StatusCode != http.StatusContinue {
		t.Fatalf("it is told %d", goOn.StatusCode)
	}
	_, err = connection.Write(body[:half])
	must(t, err)

	p.terminate(t)
	if reason := awaitStatus(t, p.admin+"/readyz", http.StatusServiceUnavailable); reason != "draining\n" {
		t.Errorf("not ready because %q", reason)
	}
	testkit.Eventually(t, "nobody new is let in", func() bool {
		status, _ := answer(t, p.api+"/v1/health")
		return status == 0
	})
	if p.hasEnded() {
		t.Fatal("it ended with a request under way")
	}

	_, err = connection.Write(body[half:])
	must(t, err)
	response, err := http.ReadResponse(answers, nil)
	must(t, err)
	raw, err := io.ReadAll(response.Body)
	must(t, err)
	if response.StatusCode != http.StatusAccepted {
		t.Errorf("the request is answered %d %s", response.StatusCode, raw)
	}
	p.expectEnd(t)
	if notes := database.Count(t, `SELECT count(*) FROM notes`); notes != 1 {
		t.Errorf("%d notes were accepted", notes)
	}
	another := start(t, settingsOf(database), "worker")
	testkit.Eventually(t, "what was accepted is issued, by another worker where this one had begun it", func() bool {
		return database.Count(t, `SELECT count(*) FROM notes WHERE status = 'issued'`) == 1
	})
	another.terminate(t)
	another.expectEnd(t)
	if logged := database.Count(t, `SELECT count(*) FROM api_requests WHERE note_id IS NOT NULL`); logged != 1 {
		t.Errorf("%d requests that were answered while it drained are in the request log", logged)
	}
}

// A load balancer needs a while to see that a process is not ready any more, and callers leave by themselves.
func TestServe_DrainDelay(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	p := start(t, settingsOf(database).withoutTemporal().with("EMISSOR_DRAIN_DELAY", "15s"), "api")
	endsItsConnection := func() bool {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.api+"/v1/services", nil)
		must(t, err)
		request.Header.Set("Authorization", "Bearer "+key)
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		must(t, response.Body.Close())
		return response.Close
	}
	awaitStatus(t, p.admin+"/readyz", http.StatusOK)
	awaitStatus(t, p.api+"/accepting", http.StatusOK)
	if endsItsConnection() {
		t.Error("an answer ends its connection although nobody stops")
	}
	p.terminate(t)
	if reason := awaitStatus(t, p.admin+"/readyz", http.StatusServiceUnavailable); reason != "draining\n" {
		t.Errorf("not ready because %q", reason)
	}
	if reason := awaitStatus(t, p.api+"/accepting", http.StatusServiceUnavailable); reason != "draining\n" {
		t.Errorf("it does not accept because %q", reason)
	}
	awaitStatus(t, p.api+"/v1/health", http.StatusOK) // also while it drains
	if !endsItsConnection() {
		t.Error("an answer leaves its connection open while the process drains")
	}
	p.expectEnd(t)
}

func TestServe_WorkerStops(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t))
	p := start(t, settings, "worker")
	awaitStatus(t, p.admin+"/readyz", http.StatusOK)
	p.terminate(t)
	p.expectEnd(t)
	if !strings.Contains(p.logged(), "the worker takes work") {
		t.Errorf("the log says\n%s", p.logged())
	}

	without := start(t, settings.withoutTemporal(), "worker")
	reason := awaitStatus(t, without.admin+"/readyz", http.StatusServiceUnavailable)
	if reason != "the worker is not up\n" {
		t.Errorf("without Temporal it is not ready because %q", reason)
	}
	without.terminate(t)
	without.expectEnd(t)
}
