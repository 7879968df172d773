package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/test/testkit"
)

// With a proxy nothing else is dialled for webhooks, and the ports that endpoints
// may have are a setting.
func TestWebhookCommand_ProxyAndPorts(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := withKeyset(t, settingsOf(database).withoutTemporal()).
		with("EMISSOR_WEBHOOK_ALLOW_LOOPBACK", "false")
	organization := newOrganization(t, database).ID
	fails(t, s, "the URL's port 22 is not among those that are allowed", "webhook", "add", "https://example.com:22/",
		"--organization", organization, "--environment", "test")
	endpoint := addEndpoint(t, s.with("EMISSOR_WEBHOOK_PORTS", "443,22"), organization, "https://example.com:22/")

	var asked atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Method + " " + r.RequestURI)
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	t.Cleanup(proxy.Close)
	behind := s.with("EMISSOR_WEBHOOK_PROXY", proxy.URL)
	if refused := execute(t, behind, "webhook", "test", endpoint.ID); asked.Load() != nil ||
		!strings.Contains(refused.stderr, "not among those that are allowed") {
		t.Errorf("a port that is not allowed any more: %+v, the proxy was asked %v", refused, asked.Load())
	}
	tested := execute(t, behind.with("EMISSOR_WEBHOOK_PORTS", "22"), "webhook", "test", endpoint.ID)
	if asked.Load() != "CONNECT example.com:22" ||
		!strings.Contains(tested.stderr, "the proxy for webhooks refused to connect to the receiver (407)") {
		t.Errorf("the proxy was asked %v, and the command says %+v", asked.Load(), tested)
	}
}
