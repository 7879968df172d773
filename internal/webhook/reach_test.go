package webhook_test

import (
	"context"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"emissor/internal/webhook"
	"emissor/nfse/fact"
)

// Reaching a receiver is a connection with TLS, as a delivery's, and no request.
func TestReach(t *testing.T) {
	t.Parallel()
	requests := 0
	count := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests++ })
	secure, plain := httptest.NewTLSServer(count), httptest.NewServer(count)
	t.Cleanup(secure.Close)
	t.Cleanup(plain.Close)
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	development := webhook.NewClient(webhook.Options{AllowLoopback: true, Roots: roots})
	for _, url := range []string{secure.URL + "/hook", plain.URL} {
		if problem := development.Reach(t.Context(), url); !problem.None() {
			t.Errorf("%s: %s", url, problem)
		}
	}
	for url, expected := range map[string]fact.Code{
		"http://127.0.0.1:1":  fact.ConnectionRefused,
		"https://127.0.0.1:1": fact.ConnectionRefused,
		strings.Replace(plain.URL, "http://", "https://", 1): fact.ReceiverWithoutTLS,
		"https://name.invalid/":                              fact.ReceiverNotResolved,
		"https://10.0.0.1/":                                  fact.ReceiverNotPublic,
		"ftp://example.com/":                                 fact.EndpointURLScheme,
		"https://":                                           fact.EndpointURLForm,
	} {
		if problem := development.Reach(t.Context(), url); !problem.Is(expected) {
			t.Errorf("%s: %s", url, problem)
		}
	}
	for url, client := range map[string]*webhook.Client{
		secure.URL:           webhook.NewClient(webhook.Options{Roots: roots}),                    // not public
		secure.URL + "/hook": webhook.NewClient(webhook.Options{AllowLoopback: true}),             // not trusted
		"https://localhost/": webhook.NewClient(webhook.Options{Roots: roots, Ports: []int{443}}), // by its name
	} {
		if problem := client.Reach(t.Context(), url); problem.None() {
			t.Errorf("%s was reached", url)
		}
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if problem := development.Reach(over, secure.URL); problem.None() {
		t.Error("reached after the end")
	}
	if requests != 0 {
		t.Errorf("%d requests were sent", requests)
	}
}

// A proxy connects, and the receiver's certificate is checked through it.
func TestReach_ByProxy(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(receiver.Close)
	roots := x509.NewCertPool()
	roots.AddCert(receiver.Certificate())
	proxy := newConnectProxy(t, map[string]string{"example.com:443": receiver.Listener.Addr().String()})
	trusting, client := proxy.client(t, webhook.Options{Roots: roots}), proxy.client(t, webhook.Options{})
	if problem := trusting.Reach(t.Context(), "https://example.com/hook"); !problem.None() {
		t.Error(problem)
	}
	if problem := client.Reach(t.Context(), "https://example.com/"); !problem.Is(fact.ReceiverWithoutTLS) {
		t.Errorf("with other roots: %s", problem)
	}
	if problem := client.Reach(t.Context(), "https://a.example/"); !problem.Equal(
		fact.WebhookProxyRefused.With("status", 403)) {
		t.Errorf("what the proxy refuses: %s", problem)
	}
	away := webhook.NewClient(webhook.Options{Proxy: nobody})
	if problem := away.Reach(t.Context(), "https://a.example/"); !problem.Is(fact.WebhookProxyNotReached) {
		t.Errorf("without the proxy: %s", problem)
	}
}
