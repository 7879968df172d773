package mcpserver_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"emissor/internal/apiclient"
	"emissor/internal/mcpserver"
	"emissor/nfse"
)

// served serves streamable HTTP until the test ends, and returns its address.
func served(t *testing.T, api string) string {
	t.Helper()
	base, err := url.Parse(api)
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	listener, err := mcpserver.ListenLoopback(ctx, "127.0.0.1:0")
	must(t, err)
	server := mcpserver.New(apiclient.NewClient(apiclient.NewConnection(base, nfse.NewAPIKeyText(false),
		apiclient.Options{})), mcpserver.Options{})
	ended := make(chan error)
	go func() { ended <- mcpserver.Serve(ctx, listener, server) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
	return listener.Addr().String()
}

func TestServe_StreamableHTTP(t *testing.T) {
	t.Parallel()
	address := served(t, "http://127.0.0.1:1")
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: "http://" + address}, nil)
	must(t, err)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != 13 {
		t.Errorf("%+v, %v", listed, err)
	}
	must(t, session.Close())
}

// What a page of a browser can send is refused before it is read.
func TestServe_AnswersNoBrowserPage(t *testing.T) {
	t.Parallel()
	address := served(t, "http://127.0.0.1:1")
	_, port, _ := strings.Cut(address, ":")
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{address, "", http.StatusOK}, {"localhost:" + port, "", http.StatusOK},
		{address, "http://" + address, http.StatusOK},
		{address, "https://evil.example.com", http.StatusForbidden}, {address, "null", http.StatusForbidden},
		{address, "http://127.0.0.1:1", http.StatusForbidden}, {address, "http://localhost:" + port, http.StatusForbidden},
		{address, "https://" + address, http.StatusForbidden},
		{"evil.example.com:" + port, "", http.StatusForbidden}, {"evil.example.com", "", http.StatusForbidden},
		{"evil.example.com:" + port, "http://evil.example.com:" + port, http.StatusForbidden},
		{"127.0.0.1", "", http.StatusForbidden},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			request, err := http.NewRequestWithContext(t.Context(), method, "http://"+address, strings.NewReader(hello))
			must(t, err)
			request.Host = c.host
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Accept", "application/json, text/event-stream")
			if c.origin != "" {
				request.Header.Set("Origin", c.origin)
			}
			response, err := http.DefaultClient.Do(request)
			must(t, err)
			must(t, response.Body.Close())
			refused := response.StatusCode == http.StatusForbidden
			if refused != (c.status == http.StatusForbidden) || method == http.MethodPost && response.StatusCode != c.status {
				t.Errorf("%s of %q from %q is answered %d", method, c.host, c.origin, response.StatusCode)
			}
		}
	}
}

// It is reached from this machine only.
func TestListenLoopback(t *testing.T) {
	for _, address := range []string{"", ":8765", "0.0.0.0:8765", "[::]:8765", "localhost:8765", "192.0.2.1:8765",
		"127.0.0.1", "127.0.0.1:http"} {
		if listener, err := mcpserver.ListenLoopback(t.Context(), address); err == nil {
			t.Errorf("it listens at %s", listener.Addr())
		}
	}
	for _, address := range []string{"127.0.0.1:0", "127.8.8.8:0"} {
		listener, err := mcpserver.ListenLoopback(t.Context(), address)
		must(t, err)
		must(t, listener.Close())
	}
}
