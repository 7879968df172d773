package webhook_test

import (
	"context"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"emissor/internal/webhook"
	"emissor/nfse/fact"
)

// receiver is a real HTTP server on loopback.
func receiver(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

var development = webhook.NewClient(webhook.Options{AllowLoopback: true})

func TestWebhookClient_Request(t *testing.T) {
	body := []byte(`{"id":"evt_1","a":"<é>"}`)
	secrets := []string{"whsec_a", "whsec_b"}
	var got *http.Request
	var gotBody []byte
	url := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		gotBody, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusNoContent)
	})
	attempt := development.Send(context.Background(), url+"/hook?x=1", secrets, body)
	if !attempt.Succeeded() || attempt.Status != 204 || attempt.Duration <= 0 {
		t.Fatalf("%+v", attempt)
	}
	if got.Method != "POST" || got.URL.String() != "/hook?x=1" || got.ProtoMajor != 1 ||
		string(gotBody) != string(body) {
		t.Errorf("%s %s %s %s", got.Method, got.URL, got.Proto, gotBody)
	}
	if got.Header.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("the content type is %q", got.Header.Get("Content-Type"))
	}
	if signature := got.Header.Get("service-signature"); signature != webhook.Sign(secrets, attempt.StartedAt, body) {
		t.Errorf("the signature is %q", signature)
	}
}

func TestWebhookClient_Failures(t *testing.T) {
	for name, test := range map[string]struct {
		handle  http.HandlerFunc
		status  int
		problem fact.Fact
	}{
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, 302, fact.ReceiverRedirected.With("status", 302)},
		"permanent redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusPermanentRedirect)
		}, 308, fact.ReceiverRedirected.With("status", 308)},
		"404": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 404,
			fact.ReceiverAnswered.With("status", 404)},
		"500": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, 500,
			fact.ReceiverAnswered.With("status", 500)},
		"no answer": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0,
			fact.ReceiverBroke.Fact()},
	} {
		t.Run(name, func(t *testing.T) {
			attempt := development.Send(context.Background(), receiver(t, test.handle), nil, nil)
			if attempt.Succeeded() || attempt.Status != test.status ||
				!attempt.Problem.Equal(test.problem) {
				t.Errorf("%+v", attempt)
			}
		})
	}
}

func TestWebhookClient_LongAnswer(t *testing.T) {
	url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		_, _ = io.WriteString(w, "bad \x00\x1b[31m\xff things "+strings.Repeat("x", 1<<20))
	})
	attempt := development.Send(context.Background(), url, nil, nil)
	if len(attempt.Answer) > 1<<10+2 || strings.ContainsAny(attempt.Answer, "\x00\x1b") ||
		!strings.HasPrefix(attempt.Answer, "bad [31m\uFFFD things x") {
		t.Errorf("%d bytes: %.40q", len(attempt.Answer), attempt.Answer)
	}
}

func TestWebhookClient_RetryAfter(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		value  string
		least  time.Duration
		most   time.Duration
	}{
		"429 seconds": {429, "120", 2 * time.Minute, 2 * time.Minute},
		"503 seconds": {503, " 7 ", 7 * time.Second, 7 * time.Second},
		"500 ignored": {500, "120", 0, 0},
		"date":        {429, time.Now().Add(time.Hour).UTC().Format(http.TimeFormat), 58 * time.Minute, time.Hour},
		"past date":   {429, time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat), 0, 0},
		"nonsense":    {429, "soon", 0, 0},
		"negative":    {429, "-5", 0, 0},
		"enormous":    {429, "99999999999", 0, webhook.MaxPause},
	} {
		t.Run(name, func(t *testing.T) {
			url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", test.value)
				w.WriteHeader(test.status)
			})
			attempt := development.Send(context.Background(), url, nil, nil)
			if attempt.RetryAfter < test.least || attempt.RetryAfter > test.most {
				t.Errorf("%s", attempt.RetryAfter)
			}
		})
	}
}

func TestWebhookClient_Problems(t *testing.T) {
	tlsServer := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(tlsServer.Close)
	plain := receiver(t, func(http.ResponseWriter, *http.Request) {})
	for url, problem := range map[string]fact.Code{
		"http://127.0.0.1:1": fact.ConnectionRefused,
		tlsServer.URL:        fact.ReceiverWithoutTLS,
		strings.Replace(plain, "http://", "https://", 1): fact.ReceiverWithoutTLS,
		"https://name.invalid/":                          fact.ReceiverNotResolved,
		"https://10.0.0.1/":                              fact.ReceiverNotPublic,
		"ftp://example.com/":                             fact.EndpointURLScheme,
	} {
		if attempt := development.Send(context.Background(), url, nil, nil); !attempt.Problem.Is(problem) {
			t.Errorf("%s: %s", url, attempt.Problem)
		}
	}
	roots := x509.NewCertPool()
	roots.AddCert(tlsServer.Certificate())
	trusting := webhook.NewClient(webhook.Options{AllowLoopback: true, Roots: roots})
	if attempt := trusting.Send(context.Background(), tlsServer.URL, nil, nil); !attempt.Succeeded() {
		t.Errorf("a receiver with a good certificate: %+v", attempt)
	}
}

func TestWebhookClient_HangingReceiver(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	url := receiver(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if attempt := development.Send(ctx, url, nil, nil); !attempt.Problem.Is(fact.ReceiverSilent) {
		t.Errorf("%+v", attempt)
	}
}

// The environment's proxies are not used: they would dial for us.
func TestWebhookClient_IgnoresProxies(t *testing.T) {
	proxied := false
	proxy := receiver(t, func(http.ResponseWriter, *http.Request) { proxied = true })
	t.Setenv("HTTP_PROXY", proxy)
	t.Setenv("http_proxy", proxy)
	t.Setenv("ALL_PROXY", proxy)
	client := webhook.NewClient(webhook.Options{})
	_ = client.Send(context.Background(), "https://name.invalid/", nil, nil)
	if proxied {
		t.Error("the proxy was asked")
	}
}
