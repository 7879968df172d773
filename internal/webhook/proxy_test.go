package webhook_test

import (
	"context"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"emissor/internal/webhook"
	"emissor/nfse/fact"
)

// connectProxy is a proxy that knows CONNECT and nothing else. It looks up names
// in a list of its own, and refuses those that are not in it.
type connectProxy struct {
	*httptest.Server
	hosts map[string]string // what a client asks for, and the address behind it

	mu    sync.Mutex
	asked []string // method and target
}

func newConnectProxy(t *testing.T, hosts map[string]string) *connectProxy {
	t.Helper()
	p := &connectProxy{hosts: hosts}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *connectProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, r.Method+" "+r.RequestURI)
	p.mu.Unlock()
	address, known := p.hosts[r.Host]
	if r.Method != http.MethodConnect || !known {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	receiver, err := net.Dial("tcp", address)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer client.Close()
	defer receiver.Close()
	_, _ = io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
	go func() { _, _ = io.Copy(receiver, buffered) }()
	_, _ = io.Copy(client, receiver)
}

func (p *connectProxy) client(t *testing.T, options webhook.Options) *webhook.Client {
	t.Helper()
	address, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	options.Proxy = address
	return webhook.NewClient(options)
}

// nobody is a proxy at whose address nobody listens: a port that a test has closed another program may have.
var nobody = &url.URL{Scheme: "http", Host: "127.0.0.1:1"}

// What a receiver gets through the proxy is what it would have got, end to end in
// TLS: the proxy sees a host and a port.
func TestWebhookProxy_Connect(t *testing.T) {
	var body []byte
	var signature string
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		signature = r.Header.Get("service-signature")
		body, _ = io.ReadAll(r.Body)
	}))
	t.Cleanup(receiver.Close)
	roots := x509.NewCertPool()
	roots.AddCert(receiver.Certificate())
	// Only the proxy knows this name: nothing is looked up here.
	proxy := newConnectProxy(t, map[string]string{"example.com:443": receiver.Listener.Addr().String()})
	client := proxy.client(t, webhook.Options{Roots: roots, Ports: []int{443}})
	attempt := client.Send(context.Background(), "https://example.com/hook?a=b", []string{"whsec_a"}, []byte("{}"))
	if !attempt.Succeeded() || string(body) != "{}" ||
		signature != webhook.Sign([]string{"whsec_a"}, attempt.StartedAt, []byte("{}")) {
		t.Errorf("%+v, and the receiver got %q signed %q", attempt, body, signature)
	}
	if len(proxy.asked) != 1 || proxy.asked[0] != "CONNECT example.com:443" {
		t.Errorf("the proxy was asked %q", proxy.asked)
	}
}

// What the proxy refuses is not tried another way, and the log says who refused.
func TestWebhookProxy_Refuses(t *testing.T) {
	proxy := newConnectProxy(t, nil)
	client, away := proxy.client(t, webhook.Options{}), webhook.NewClient(webhook.Options{Proxy: nobody})
	attempt := client.Send(context.Background(), "https://internal.example.com/", nil, nil)
	if attempt.Status != 0 || !attempt.Problem.Equal(fact.WebhookProxyRefused.With("status", 403)) {
		t.Errorf("%+v", attempt)
	}
	attempt = away.Send(context.Background(), "https://internal.example.com/", nil, nil)
	if !attempt.Problem.Is(fact.WebhookProxyNotReached) {
		t.Errorf("without the proxy: %+v", attempt)
	}
}

// Nothing goes through the proxy in clear text, not even where development allows
// http; and an address that can be seen not to be public is not even asked for.
func TestWebhookProxy_OnlyTLS(t *testing.T) {
	plain, reached := receiverThatCounts(t)
	proxy := newConnectProxy(t, map[string]string{"127.0.0.1:443": "127.0.0.1:1"})
	for options, address := range map[*webhook.Options]string{
		{AllowLoopback: true}: plain, {}: "https://127.0.0.1/", {Ports: []int{443}}: "https://example.com:22/",
	} {
		if attempt := proxy.client(t, *options).Send(context.Background(), address, nil, nil); attempt.Succeeded() ||
			attempt.Status != 0 {
			t.Errorf("%s: %+v", address, attempt)
		}
	}
	if len(proxy.asked) > 0 || *reached > 0 {
		t.Errorf("the proxy was asked %q, the receiver %d times", proxy.asked, *reached)
	}
}

func receiverThatCounts(t *testing.T) (address string, reached *int) {
	reached = new(int)
	return receiver(t, func(http.ResponseWriter, *http.Request) { *reached++ }), reached
}

func TestWebhookOptions_Ports(t *testing.T) {
	for address, allowed := range map[string]bool{
		"https://example.com/": true, "https://example.com:443/": true, "https://example.com:8443/": true,
		"https://example.com:22/": false, "https://example.com:0443/": true, "https://example.com:99999999999/": false,
	} {
		if err := (webhook.Options{Ports: []int{443, 8443}}).CheckURL(address); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
		if err := (webhook.Options{}).CheckURL(address); err != nil {
			t.Errorf("with any port, %s: %v", address, err)
		}
	}
	if err := (webhook.Options{Ports: []int{443}, AllowLoopback: true}).CheckURL("http://127.0.0.1:9000/"); err != nil {
		t.Errorf("the development switch: %v", err)
	}
}
