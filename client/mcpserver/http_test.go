package mcpserver_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"emissor/client"
	"emissor/client/mcpserver"
	"emissor/nfse"
)

// served serves streamable HTTP until the test ends, and returns its address.
func served(t *testing.T, api, token string) string {
	t.Helper()
	address, stop, ended := serving(t, api, token)
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
	return address
}

// serving serves streamable HTTP until it is stopped, and says with what it ended.
func serving(t *testing.T, api, token string) (address string, stop func(), ended <-chan error) {
	t.Helper()
	caller, err := client.New(client.Options{URL: api, Key: nfse.NewAPIKeyText(false)})
	must(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	listener, err := mcpserver.ListenLoopback(ctx, "127.0.0.1:0")
	must(t, err)
	server := mcpserver.New(caller, mcpserver.Options{})
	end := make(chan error, 1)
	go func() { end <- mcpserver.Serve(ctx, listener, server, token) }()
	return listener.Addr().String(), cancel, end
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// message is a request as clients send it, to begin a session.
func message(t *testing.T, method, address, body string) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://"+address, strings.NewReader(body))
	must(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	return request
}

// statusOf is what a request is answered with.
func statusOf(t *testing.T, request *http.Request) int {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	must(t, err)
	must(t, response.Body.Close())
	return response.StatusCode
}

func TestServe_StreamableHTTP(t *testing.T) {
	t.Parallel()
	address := served(t, "http://127.0.0.1:1", "")
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
	address := served(t, "http://127.0.0.1:1", "")
	_, port, _ := strings.Cut(address, ":")
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{address, "", http.StatusOK}, {"localhost:" + port, "", http.StatusOK},
		{address, "http://" + address, http.StatusOK},
		{address, "https://evil.example.com", http.StatusForbidden}, {address, "null", http.StatusForbidden},
		{address, "http://127.0.0.1:1", http.StatusForbidden}, {address, "http://localhost:" + port, http.StatusForbidden},
		{"evil.example.com:" + port, "", http.StatusForbidden}, {"evil.example.com", "", http.StatusForbidden},
		{"evil.example.com:" + port, "http://evil.example.com:" + port, http.StatusForbidden},
	} {
		request := message(t, http.MethodPost, address, hello)
		request.Host = c.host
		if c.origin != "" {
			request.Header.Set("Origin", c.origin)
		}
		if answered := statusOf(t, request); answered != c.status {
			t.Errorf("a message to %q from %q is answered %d", c.host, c.origin, answered)
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

// Where there is a token, no request is served without it.
func TestServe_Token(t *testing.T) {
	t.Parallel()
	token := mcpserver.NewToken()
	if len(token) < 26 || token == mcpserver.NewToken() {
		t.Errorf("a token is %q", token)
	}
	address := served(t, "http://127.0.0.1:1", token)
	for header, status := range map[string]int{"": 401, "Bearer": 401, "Bearer ": 401, "Bearer x": 401, token: 401,
		"Basic " + token: 401, "Bearer " + token[1:]: 401, "Bearer " + token + "x": 401, "Bearer " + token: 200,
		"bearer " + token: 200} {
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
			request := message(t, method, address, hello)
			request.Header.Set("Authorization", header)
			answered := statusOf(t, request)
			if (answered == 401) != (status == 401) || method == http.MethodPost && answered != status {
				t.Errorf("%s with %q is answered %d", method, header, answered)
			}
		}
	}
}

// Sessions are bounded, and one that ends makes room.
func TestServe_Bounds(t *testing.T) {
	t.Parallel()
	address := served(t, "http://127.0.0.1:1", "")
	var session string
	for range 100 {
		response, err := http.DefaultClient.Do(message(t, http.MethodPost, address, hello))
		must(t, err)
		must(t, response.Body.Close())
		if session = response.Header.Get("Mcp-Session-Id"); response.StatusCode != http.StatusOK || session == "" {
			t.Fatalf("a session is answered %d", response.StatusCode)
		}
	}
	if status := statusOf(t, message(t, http.MethodPost, address, hello)); status != http.StatusServiceUnavailable {
		t.Errorf("one more is answered %d", status)
	}
	end := message(t, http.MethodDelete, address, "")
	end.Header.Set("Mcp-Session-Id", session)
	if status := statusOf(t, end); status != http.StatusNoContent {
		t.Errorf("the end is answered %d", status)
	}
	if status := statusOf(t, message(t, http.MethodPost, address, hello)); status != http.StatusOK {
		t.Errorf("after one has ended another is answered %d", status)
	}
	large := message(t, http.MethodPost, served(t, "http://127.0.0.1:1", ""), hello+strings.Repeat(" ", 128<<10))
	if status := statusOf(t, large); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large message is answered %d", status)
	}
}

// What is under way when the server is stopped is answered, and the server ends after it.
func TestServe_FinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan struct{}), make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(asked)
		<-answer
		_, _ = io.WriteString(w, `{"data":[],"next_cursor":null}`)
	}))
	defer api.Close()
	address, stop, ended := serving(t, api.URL, "")
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: "http://" + address, DisableStandaloneSSE: true}, nil)
	must(t, err)
	called := make(chan error, 1)
	go func() {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_services"})
		if err == nil && result.IsError {
			err = result.GetError()
		}
		called <- err
	}()
	<-asked
	stop()
	for { // until it listens no more
		connection, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		must(t, connection.Close())
	}
	select {
	case err := <-ended:
		t.Errorf("it ended with %v while a call was under way", err)
	default:
	}
	close(answer)
	if err := <-called; err != nil {
		t.Errorf("the call ends with %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	_ = session.Close()
}
